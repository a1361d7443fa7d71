"""Posed vertices: a primitive's morph targets, palette and placement applied on the CPU, vertex by vertex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
        base = Poser(primitive, follows=palette is not None, part=part, dtype=dtype).at(palette, morph_weights)
    if matrix is None:
        return base
    out = anim.Vertices(np.empty_like(base.positions), _room(base.normals), _room(base.tangents))
    sign = write_placed(base, matrix, out, part=part or f"primitive {primitive.index}")
    return PosedVertices(out.positions, out.normals, out.tangents, base.facing * np.int8(sign))


class Poser:
    """A primitive's vertices laid out once, to be morphed and skinned again and again.

    Parameters
    ----------
    follows
        Whether a palette moves it, if it has joints.
    attributes
        False: positions alone are posed, normals and tangents are None.
    part
        What errors call the primitive.
    dtype
        float32 or float64.
    """

    def __init__(
        self,
        primitive: Primitive,
        *,
        follows: bool,
        attributes: bool = True,
        part: str = "",
        dtype: DTypeLike = np.float32,
    ) -> None:
        self._part = part or f"primitive {primitive.index}"
        self._targets = len(primitive.targets)
        self.follows = follows and primitive.joints is not None
        self._skinning: anim.Skinning | None = None
        self._still: PosedVertices | None = None
        self._corners = primitive.triangles[:, 0]
        normals, tangents = (primitive.normals, primitive.tangents) if attributes else (None, None)
        if self.follows or primitive.targets:
            self._skinning = anim.Skinning(
                primitive.positions,
                normals,
                tangents,
                primitive.joints if self.follows else None,
                primitive.weights if self.follows else None,
                targets=[anim.MorphTarget(one.positions, one.normals, one.tangents) for one in primitive.targets],
                dtype=dtype,
            )
            return
        self._still = PosedVertices(
            primitive.positions.astype(dtype, copy=False),
            None if normals is None else normals.astype(dtype, copy=False),
            None if tangents is None else tangents.astype(dtype, copy=False),
            np.ones(len(primitive.triangles), np.int8),
        )

    def at(self, palette: AnyArray | None, morph_weights: Sequence[float] | Float64 = ()) -> PosedVertices:
        """Return the vertices under a palette, where they follow one, and weights; see `posed_vertices`."""
        if self._skinning is None:
            assert self._still is not None
            return self._still
        weights = [*morph_weights, *[0.0] * self._targets][: self._targets]
        try:
            skinned = self._skinning.pose(palette if self.follows and palette is not None else _UNMOVED, weights)
        except anim.AnimError as error:
            raise PoseError(f"{self._part}: {error}: check the pose's matrices") from error
        return PosedVertices(skinned.positions, skinned.normals, skinned.tangents, skinned.signs[self._corners])


_UNMOVED = np.eye(4)[None]


def write_placed(base: PosedVertices, matrix: Float64, out: anim.Vertices, *, part: str) -> int:
    """Write vertices under a matrix, in float64 and rounded once; return -1 where it mirrors, else 1.

    Raises
    ------
    PoseError
        A vertex, named with `part`, is posed to where no number is.
    """
    try:
        return anim.place(anim.Vertices(base.positions, base.normals, base.tangents), matrix, out=out)
    except anim.AnimError as error:
        raise PoseError(f"{part}: {error}: check the pose's matrices") from error


def _room(values: AnyArray | None) -> AnyArray | None:
    return None if values is None else np.empty_like(values)
