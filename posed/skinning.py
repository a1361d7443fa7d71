"""Posed vertices: a primitive's morph targets, palette and placement applied on the CPU, vertex by vertex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from anim.kernel import kernel
from anim.quaternion import Vector
from posed.arrays import AnyArray, Float64, Int8, UInt32
from posed.errors import PoseError
from posed.gltf.mesh import Primitive


@dataclass(frozen=True, eq=False)
class PosedVertices:
    """Vertices of a primitive in the file's order, and which side of each triangle is its front.

    positions (V, 3); normals (V, 3) at unit length, or None where the file has none; tangents (V, 4), whose w is the
    handedness, or None. `facing`, (F,) int8, is 1 where the counter-clockwise side is the front and -1 where mirroring
    has swapped it.
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
        base = _morphed(primitive, morph_weights, np.dtype(dtype))
        if palette is not None and primitive.joints is not None:
            base = _skinned(primitive, base, np.ascontiguousarray(palette, dtype))
    placed = base if matrix is None else _placed(base, np.ascontiguousarray(matrix, np.float64))
    if not np.isfinite(placed.positions).all():
        vertex = int(np.flatnonzero(~np.isfinite(placed.positions).all(axis=1))[0])
        raise PoseError(
            f"{part or f'primitive {primitive.index}'}: vertex {vertex} is posed to "
            f"{placed.positions[vertex].tolist()}: expected finite numbers, check the pose's matrices"
        )
    return placed


def _morphed(primitive: Primitive, weights: Sequence[float] | Float64, dtype: np.dtype[Any]) -> PosedVertices:
    """Return the vertices at binding with the targets' deltas added in order; what a target lacks stays."""
    positions = primitive.positions.astype(dtype)
    normals = None if primitive.normals is None else primitive.normals.astype(dtype)
    tangents = None if primitive.tangents is None else primitive.tangents.astype(dtype)
    for target, weight in zip(primitive.targets, weights, strict=False):
        if weight == 0.0:
            continue
        factor = dtype.type(weight)
        if target.positions is not None:
            positions += factor * target.positions
        if normals is not None and target.normals is not None:
            normals += factor * target.normals
        if tangents is not None and target.tangents is not None:
            tangents[:, :3] += factor * target.tangents
    return PosedVertices(positions, normals, tangents, np.ones(len(primitive.triangles), np.int8))


def _skinned(primitive: Primitive, base: PosedVertices, palette: AnyArray) -> PosedVertices:
    assert primitive.joints is not None
    assert primitive.weights is not None
    positions, normals, tangents = _like(base)
    signs = np.empty(len(positions), np.int8)
    write_skinned(
        base.positions,
        _or_empty(base.normals, 3, palette.dtype),
        _or_empty(base.tangents, 4, palette.dtype),
        primitive.joints,
        primitive.weights.astype(palette.dtype, copy=False),
        palette,
        positions,
        _or_empty(normals, 3, palette.dtype),
        _or_empty(tangents, 4, palette.dtype),
        signs,
    )
    return PosedVertices(positions, normals, tangents, signs[primitive.triangles[:, 0]])


def _placed(base: PosedVertices, matrix: Float64) -> PosedVertices:
    positions, normals, tangents = _like(base)
    dtype = positions.dtype
    sign = write_placed(
        base.positions,
        _or_empty(base.normals, 3, dtype),
        _or_empty(base.tangents, 4, dtype),
        matrix,
        positions,
        _or_empty(normals, 3, dtype),
        _or_empty(tangents, 4, dtype),
    )
    return PosedVertices(positions, normals, tangents, base.facing * np.int8(sign))


def _like(base: PosedVertices) -> tuple[AnyArray, AnyArray | None, AnyArray | None]:
    return (
        np.empty_like(base.positions),
        None if base.normals is None else np.empty_like(base.normals),
        None if base.tangents is None else np.empty_like(base.tangents),
    )


def _or_empty(values: AnyArray | None, width: int, dtype: DTypeLike) -> AnyArray:
    return np.empty((0, width), dtype) if values is None else values


@kernel
def write_skinned(
    positions: AnyArray,
    normals: AnyArray,
    tangents: AnyArray,
    joints: UInt32,
    weights: AnyArray,
    palette: AnyArray,
    out_positions: AnyArray,
    out_normals: AnyArray,
    out_tangents: AnyArray,
    signs: Int8,
) -> None:
    """Write skinned vertices into the outputs, and into signs (V,) that of each blended matrix's determinant.

    All arrays are of the palette's type, which everything is computed in. Normals and tangents may have no rows.
    """
    for vertex in range(len(positions)):
        columns = (
            blended_column(joints, weights, palette, vertex, 0),
            blended_column(joints, weights, palette, vertex, 1),
            blended_column(joints, weights, palette, vertex, 2),
            blended_column(joints, weights, palette, vertex, 3),
        )
        signs[vertex] = write_vertex(
            vertex, columns, positions, normals, tangents, out_positions, out_normals, out_tangents
        )


@kernel
def write_placed(
    positions: AnyArray,
    normals: AnyArray,
    tangents: AnyArray,
    matrix: Float64,
    out_positions: AnyArray,
    out_normals: AnyArray,
    out_tangents: AnyArray,
) -> int:
    """Write the vertices under a matrix into the outputs, computed in float64; return the sign of its determinant."""
    columns = (
        (matrix[0, 0], matrix[1, 0], matrix[2, 0]),
        (matrix[0, 1], matrix[1, 1], matrix[2, 1]),
        (matrix[0, 2], matrix[1, 2], matrix[2, 2]),
        (matrix[0, 3], matrix[1, 3], matrix[2, 3]),
    )
    for vertex in range(len(positions)):
        write_vertex(vertex, columns, positions, normals, tangents, out_positions, out_normals, out_tangents)
    return -1 if dot(columns[0], cross(columns[1], columns[2])) < 0 else 1


@kernel
def blended_column(joints: UInt32, weights: AnyArray, palette: AnyArray, vertex: int, column: int) -> Vector:
    """Return a column of the matrix that a vertex's influences blend to, summed in their order."""
    first = joints[vertex, 0]
    weight = weights[vertex, 0]
    x = weight * palette[first, 0, column]
    y = weight * palette[first, 1, column]
    z = weight * palette[first, 2, column]
    for influence in range(1, joints.shape[1]):
        joint = joints[vertex, influence]
        weight = weights[vertex, influence]
        x += weight * palette[joint, 0, column]
        y += weight * palette[joint, 1, column]
        z += weight * palette[joint, 2, column]
    return x, y, z


@kernel
def write_vertex(
    vertex: int,
    columns: tuple[Vector, Vector, Vector, Vector],
    positions: AnyArray,
    normals: AnyArray,
    tangents: AnyArray,
    out_positions: AnyArray,
    out_normals: AnyArray,
    out_tangents: AnyArray,
) -> int:
    """Write one vertex under an affine matrix, by columns, into the outputs; return the sign of its determinant.

    A normal goes by the cofactors times that sign, which is 1 where there is none.
    """
    x, y, z, origin = columns
    point = turned(x, y, z, positions[vertex, 0], positions[vertex, 1], positions[vertex, 2])
    out_positions[vertex, 0] = point[0] + origin[0]
    out_positions[vertex, 1] = point[1] + origin[1]
    out_positions[vertex, 2] = point[2] + origin[2]
    across = cross(y, z)
    sign = -1 if dot(x, across) < 0 else 1
    if len(normals):
        nx, ny, nz = normals[vertex, 0], normals[vertex, 1], normals[vertex, 2]
        bent = turned(across, cross(z, x), cross(x, y), nx, ny, nz)
        if sign < 0:
            bent = (-bent[0], -bent[1], -bent[2])
        write_unit(bent, (nx, ny, nz), vertex, out_normals)
    if len(tangents):
        along = (tangents[vertex, 0], tangents[vertex, 1], tangents[vertex, 2])
        write_unit(turned(x, y, z, along[0], along[1], along[2]), along, vertex, out_tangents)
        out_tangents[vertex, 3] = -tangents[vertex, 3] if sign < 0 else tangents[vertex, 3]
    return sign


@kernel
def turned(x: Vector, y: Vector, z: Vector, a: float, b: float, c: float) -> Vector:
    """Return a times x plus b times y plus c times z: the vector (a, b, c) under the 3x3 matrix of these columns."""
    return (
        x[0] * a + y[0] * b + z[0] * c,
        x[1] * a + y[1] * b + z[1] * c,
        x[2] * a + y[2] * b + z[2] * c,
    )


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def dot(a: Vector, b: Vector) -> float:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def write_unit(vector: Vector, otherwise: Vector, row: int, out: AnyArray) -> None:
    """Write a vector at unit length into a row of out; another as it is where a singular matrix has left nothing."""
    length = np.sqrt(dot(vector, vector))
    if length > 0:
        out[row, 0], out[row, 1], out[row, 2] = vector[0] / length, vector[1] / length, vector[2] / length
    else:
        out[row, 0], out[row, 1], out[row, 2] = otherwise[0], otherwise[1], otherwise[2]
