"""What is uploaded: a mesh's vertices and triangles, and what binds them to joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float32, UInt32
from posed.errors import PosedError
from posed.gltf.mesh import MorphTarget, Primitive

MOST_JOINTS = 1 << 16
"""Joints that a mesh may name: their numbers take 16 bits."""


@dataclass(frozen=True, eq=False)
class MeshData:
    """Vertices and triangles of one mesh, in any order of the caller's.

    positions (V, 3), triangles (F, 3); normals (V, 3), or None for flat ones of the posed triangles; tangents (V, 4),
    handedness in w; uvs one (V, 2) a set; colors (V, 4) linear; targets the deltas of morph targets, (V, 3) each. A
    triangle's front is its counter-clockwise side.

    Raises
    ------
    PosedError
        An array has another shape or no rows, a number is not finite, or a triangle names a vertex that is not there.
    """

    positions: Float32
    triangles: UInt32
    normals: Float32 | None = None
    tangents: Float32 | None = None
    uvs: tuple[Float32, ...] = ()
    colors: Float32 | None = None
    targets: tuple[MorphTarget, ...] = ()

    def __post_init__(self) -> None:
        vertices = len(self.positions)
        if not vertices:
            raise PosedError("a mesh has one vertex or more, this one has none")
        for name, columns in (("positions", 3), ("normals", 3), ("tangents", 4), ("colors", 4)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _rows(name, getattr(self, name), vertices, columns))
        uvs = tuple(_rows(f"uvs {i}", one, vertices, 2) for i, one in enumerate(self.uvs))
        object.__setattr__(self, "uvs", uvs)
        for i, target in enumerate(self.targets):
            for name in ("positions", "normals", "tangents"):
                if getattr(target, name) is not None:
                    _rows(f"{name} of target {i}", getattr(target, name), vertices, 3)
        object.__setattr__(self, "triangles", _triangles(self.triangles, vertices))

    @classmethod
    def of(cls, primitive: Primitive) -> MeshData:
        """Return a primitive's vertices and triangles, its joints and weights left aside."""
        return cls(
            primitive.positions,
            primitive.triangles,
            primitive.normals,
            primitive.tangents,
            primitive.uvs,
            primitive.colors,
            primitive.targets,
        )


@dataclass(frozen=True, eq=False)
class SkinData:
    """What binds vertices to joints: `joints` (V, K), rows of a palette, at most 16 bit, and `weights` (V, K).

    A vertex is blended by its K influences in their order; those of weight 0 are left out, so that K is that of the
    vertex with the most. A joint that is listed twice adds up. Weights are used as they are.

    Raises
    ------
    PosedError
        The two have other shapes, a weight is not finite, a joint does not fit 16 bits, or a vertex has no weight.
    """

    joints: AnyArray
    weights: Float32

    def __post_init__(self) -> None:
        joints, weights = np.asarray(self.joints), np.asarray(self.weights, np.float32)
        if joints.ndim != 2 or joints.shape != weights.shape or joints.dtype.kind not in "iu":
            raise PosedError(
                f"joints are {joints.dtype} {joints.shape}, weights {weights.shape}: expected integers and numbers, "
                "(V, K) both"
            )
        if not np.isfinite(weights).all():
            raise PosedError(f"vertex {_first(~np.isfinite(weights).all(axis=1))} has a weight that is not finite")
        bound: AnyArray = weights != 0
        if not bound.any(axis=1).all():
            raise PosedError(f"vertex {_first(~bound.any(axis=1))} has no weight: bind it to a joint")
        if joints.size and not 0 <= joints.min() <= joints.max() < MOST_JOINTS:
            raise PosedError(f"joints lie in {joints.min()} .. {joints.max()}: expected 0 .. {MOST_JOINTS - 1}")
        object.__setattr__(self, "joints", joints.astype(np.uint16))
        object.__setattr__(self, "weights", weights)

    @property
    def joint_count(self) -> int:
        """The number of joints that a palette needs: one more than the largest that has weight."""
        return 1 + int(self.joints[self.weights != 0].max())

    @classmethod
    def of(cls, primitive: Primitive) -> SkinData:
        """Return what binds a skinned primitive.

        Raises
        ------
        PosedError
            Nothing binds it.
        """
        if primitive.joints is None or primitive.weights is None:
            raise PosedError(f"primitive {primitive.index} has no joints: upload it as a mesh that is not skinned")
        return cls(primitive.joints, primitive.weights)


def _rows(name: str, values: AnyArray, vertices: int, columns: int) -> Float32:
    array = np.asarray(values, np.float32)
    if array.shape != (vertices, columns):
        raise PosedError(f"{name} are {array.shape}: expected ({vertices}, {columns}), a row a vertex")
    if not np.isfinite(array).all():
        raise PosedError(f"{name}: row {_first(~np.isfinite(array).all(axis=1))} is not finite")
    return array


def _triangles(values: AnyArray, vertices: int) -> UInt32:
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "iu":
        raise PosedError(f"triangles are {array.dtype} {array.shape}: expected integers (F, 3)")
    outside = ((array < 0) | (array >= vertices)).any(axis=1)
    if outside.any():
        row = _first(outside)
        raise PosedError(f"triangle {row} is {array[row].tolist()}: there are {vertices} vertices, from 0 on")
    return np.ascontiguousarray(array, np.uint32)


def _first(rows: object) -> int:
    return int(np.flatnonzero(np.asarray(rows))[0])
