"""Meshes and their primitives: the geometry of a glTF file (glTF 2.0, section 3.7)."""

from __future__ import annotations

from dataclasses import dataclass

from posed.arrays import Float32, UInt32


@dataclass(frozen=True, eq=False)
class MorphTarget:
    """Deltas of one morph target, (V, 3) float32 each; None where the target lacks the attribute."""

    positions: Float32 | None = None
    normals: Float32 | None = None
    tangents: Float32 | None = None


@dataclass(frozen=True, eq=False)
class Primitive:
    """A part of a mesh: vertices in the file's own order, triangles after strips and fans are unrolled.

    positions (V, 3), normals (V, 3) or None, tangents (V, 4) or None, uvs one (V, 2) for each TEXCOORD set, colors
    (V, 4) linear or None; joints (V, K) and weights (V, K) over all sets together, weights decoded and normalized,
    or both None where the primitive is not skinned; triangles (F, 3), empty for points and lines. `material` is an
    index into the model's materials or None for the default one.
    """

    index: int
    positions: Float32
    normals: Float32 | None
    tangents: Float32 | None
    uvs: tuple[Float32, ...]
    colors: Float32 | None
    joints: UInt32 | None
    weights: Float32 | None
    triangles: UInt32
    material: int | None
    targets: tuple[MorphTarget, ...] = ()
    mode: int = 4


@dataclass(frozen=True, eq=False)
class Mesh:
    """A named list of primitives with the default weights of their morph targets."""

    index: int
    name: str
    primitives: tuple[Primitive, ...]
    weights: tuple[float, ...] = ()
