"""Posed vertices: a primitive's morph targets, palette and placement applied on the CPU, vertex by vertex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

import anim
from posed.arrays import AnyArray, Float64, Int8
from posed.errors import PoseError
from posed.gltf.mesh import Primitive


@dataclass(frozen=True, eq=False)
class PosedVertices:
    """Vertices of a primitive in the file's order, and which side of each triangle is its front.

    positions (V, 3); normals (V, 3), at unit length once anything has moved them, or None where the file has none;
    tangents (V, 4) likewise, with the handedness in w. `facing`, (F,) int8, is 1 where a triangle's counter-clockwise
    side is its front and -1 where mirroring has swapped it.
    """

    positions: AnyArray
    normals: AnyArray | None
    tangents: AnyArray | None
    facing: Int8


def posed_vertices(
    primitive: Primitive,
    *,
    palette: AnyArray | None = None,
    matrix: Float64 | None = None,
    morph_weights: Sequence[float] | Float64 = (),
    base: PosedVertices | None = None,
    part: str = "",
    dtype: DTypeLike = np.float32,
) -> PosedVertices:
    """Return the vertices of `primitive`, morphed, then skinned, then placed.

    Parameters
    ----------
    palette : (J, 4, 4), optional
        Joint matrices in the order of the skin. Blended in `dtype`, in the order of the influences.
    matrix : (4, 4) float64, optional
        What is applied last, computed in float64 and rounded once: a node's global matrix, an object's, or both.
    morph_weights : (M,)
        Weights of the morph targets; targets past their end count 0.
    base
        Vertices of this primitive that are morphed and skinned already; then only `matrix` is applied.
    part
        What errors call the primitive.
    dtype
        float32 or float64.

    Raises
    ------
    PoseError
        A vertex is posed to where no number is.
    """
    if base is None:
        base = _at_binding(primitive, np.dtype(dtype))
        follows = palette is not None and primitive.joints is not None
        if follows or primitive.targets:
            base = _skinned(primitive, palette if follows else None, morph_weights, np.dtype(dtype), part)
    return base if matrix is None else _placed(base, matrix, part or f"primitive {primitive.index}")


def _at_binding(primitive: Primitive, dtype: np.dtype[Any]) -> PosedVertices:
    normals, tangents = primitive.normals, primitive.tangents
    return PosedVertices(
        primitive.positions.astype(dtype, copy=False),
        None if normals is None else normals.astype(dtype, copy=False),
        None if tangents is None else tangents.astype(dtype, copy=False),
        np.ones(len(primitive.triangles), np.int8),
    )


def _skinned(
    primitive: Primitive,
    palette: AnyArray | None,
    morph_weights: Sequence[float] | Float64,
    dtype: np.dtype[Any],
    part: str,
) -> PosedVertices:
    """Return the vertices morphed and, with a palette, skinned."""
    count = len(primitive.targets)
    try:
        skinned = anim.skin(
            primitive.positions,
            primitive.normals,
            primitive.tangents,
            None if palette is None else primitive.joints,
            None if palette is None else primitive.weights,
            np.eye(4)[None] if palette is None else palette,
            targets=[anim.MorphTarget(one.positions, one.normals, one.tangents) for one in primitive.targets],
            morph_weights=[*morph_weights, *[0.0] * count][:count],
            dtype=dtype,
        )
    except anim.AnimError as error:
        name = part or f"primitive {primitive.index}"
        raise PoseError(f"{name}: {error}: check the pose's matrices") from error
    facing = skinned.signs[primitive.triangles[:, 0]]
    return PosedVertices(skinned.positions, skinned.normals, skinned.tangents, facing)


def _placed(base: PosedVertices, matrix: Float64, part: str) -> PosedVertices:
    """Return vertices under a matrix: float64 sums in the order of the columns, rounded once."""
    dtype = base.positions.dtype
    x, y, z, origin = matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3]
    with np.errstate(over="ignore", invalid="ignore"):  # the places are looked at below
        across, along, up = _cross(y, z), _cross(z, x), _cross(x, y)
        sign = -1 if x[0] * across[0] + x[1] * across[1] + x[2] * across[2] < 0.0 else 1
        positions, normals, tangents = _turned(base.positions, x, y, z) + origin, None, None
    if not (np.abs(positions) <= np.finfo(dtype).max).all():
        vertex = int((~(np.abs(positions) <= np.finfo(dtype).max)).any(axis=1).argmax())
        raise PoseError(
            f"{part}: vertex {vertex} is posed to {positions[vertex].tolist()}, which is no finite place in {dtype}: "
            "check the pose's matrices"
        )
    if base.normals is not None:
        normals = _unit(_turned(base.normals, across, along, up) * float(sign), base.normals).astype(dtype)
    if base.tangents is not None:
        tangents = base.tangents.copy()
        tangents[:, :3] = _unit(_turned(base.tangents, x, y, z), base.tangents[:, :3])
        tangents[:, 3] *= sign
    return PosedVertices(positions.astype(dtype, copy=False), normals, tangents, base.facing * np.int8(sign))


def _turned(vectors: AnyArray, x: Float64, y: Float64, z: Float64) -> Float64:
    """Return each row's x times `x` plus its y times `y` plus its z times `z`."""
    turned: Float64 = vectors[:, 0:1] * x + vectors[:, 1:2] * y + vectors[:, 2:3] * z
    return turned


def _cross(a: Float64, b: Float64) -> Float64:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _unit(directions: Float64, otherwise: AnyArray) -> Float64:
    """Return directions (V, 3) at unit length; the other one where a singular matrix has left nothing."""
    largest = np.abs(directions).max(axis=1, keepdims=True, initial=0.0)
    chosen = np.where(largest > _SHORTEST, directions, otherwise)
    chosen = chosen / np.maximum(np.abs(chosen).max(axis=1, keepdims=True, initial=0.0), _SHORTEST)
    squares = chosen * chosen
    length = np.sqrt(squares[:, 0:1] + squares[:, 1:2] + squares[:, 2:3])
    unit: Float64 = chosen / np.where(length > 0.0, length, 1.0)
    return unit


_SHORTEST = float(np.finfo(np.float32).tiny)
"""Length of a direction that is too short to tell; divided by the largest component first, no square underflows."""
