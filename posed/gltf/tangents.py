"""Tangents of a primitive whose normal map needs them and whose file has none: the tangent space of MikkTSpace.

The space is the published one (M. Mikkelsen, *Simulation of Wrinkled Surfaces Revisited*, 2008, and the reference
implementation's rules): corners with the same position, normal and texture coordinates are one vertex; around it the
triangles that adjoin and are mapped the same way round share one tangent, the sum of theirs weighted by their angles.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

import anim.scalar
from anim.kernel import kernel
from posed.arrays import AnyArray, Bool, Float32, Float64, UInt32
from posed.gltf.mesh import MorphTarget, Primitive

Int64 = NDArray[np.int64]

NOTHING = float(np.finfo(np.float32).tiny)
"""Areas and lengths up to this, the smallest normal float32, are none."""

_acos = anim.scalar.acos
_made: WeakKeyDictionary[Primitive, dict[int, Primitive]] = WeakKeyDictionary()


def with_tangents(primitive: Primitive, uv: int) -> Primitive:
    """Return `primitive` with tangents for a normal map that reads the set `uv` of texture coordinates.

    Where mirrored or parted mappings meet in a vertex, it is split: further vertices follow the file's own, `sources`
    names the vertex of the file that each was, and the triangles keep their order and first corners. What has tangents,
    no normals, no triangles or no such set comes back as it is. Computed once; the same call gives the same object.
    """
    lacks = primitive.normals is None or uv >= len(primitive.uvs) or not len(primitive.triangles)
    if primitive.tangents is not None or lacks:
        return primitive
    of_primitive = _made.setdefault(primitive, {})
    if uv not in of_primitive:
        of_primitive[uv] = _split(primitive, *corner_tangents(primitive, uv))
    return of_primitive[uv]


def corner_tangents(primitive: Primitive, uv: int) -> tuple[Float64, Int64]:
    """Return the tangents of the triangles' corners, (F, 3, 4) unit length, and the numbers of their spaces, (F, 3).

    In w is the sign of the bitangent, `cross(normal, tangent) * w`, toward decreasing v: texture coordinates run down
    and normal maps point up (glTF 2.0, section 3.7.2.1). A corner that no space reaches has (1, 0, 0, 1) and -1.
    """
    assert primitive.normals is not None
    triangles = primitive.triangles.astype(np.int64)
    welded = _welded(primitive.positions, primitive.normals, primitive.uvs[uv])
    corners = welded[triangles]
    positions = primitive.positions[triangles].astype(np.float64)
    normals = primitive.normals[triangles].astype(np.float64)
    along, preserving, vague = _mapping(positions, primitive.uvs[uv][triangles].astype(np.float64))
    degenerate = _degenerate(positions)
    neighbours = np.full(triangles.shape, -1, np.int64)
    write_neighbours(_sorted_edges(corners, degenerate), corners, neighbours)
    spaces = np.full(triangles.shape, -1, np.int64)
    count = write_spaces(corners, neighbours, degenerate, vague, preserving, spaces)
    sums = np.zeros((count, 3))
    signs = np.ones(count)
    write_sums(positions, normals, along, preserving, vague, spaces, sums, signs)
    _adopt(corners, degenerate, spaces)
    length = np.sqrt(sums[:, 0] ** 2 + sums[:, 1] ** 2 + sums[:, 2] ** 2)
    found = length > NOTHING
    tangents = np.tile((1.0, 0.0, 0.0, 1.0), (count + 1, 1))
    tangents[:-1][found, :3] = sums[found] / length[found, None]
    tangents[:-1, 3] = signs
    return tangents[spaces], spaces


def _welded(*attributes: Float32) -> Int64:
    """Return for each vertex the number of the first kind with the same attributes; -0 is 0."""
    rows = np.ascontiguousarray(np.concatenate(attributes, axis=1) + np.float32(0.0))
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    inverse: Int64 = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    return inverse


def _degenerate(positions: Float64) -> Bool:
    """Return which triangles have two corners in one place, (F,)."""
    a, b, c = positions[:, 0], positions[:, 1], positions[:, 2]
    same: Bool = (a == b).all(axis=1) | (b == c).all(axis=1) | (a == c).all(axis=1)
    return same


def _mapping(positions: Float64, uvs: Float64) -> tuple[Float64, Bool, Bool]:
    """Return the direction of growing u on each triangle, (F, 3) unit; whether its mapping keeps the way round; and
    whether the mapping is too vague to tell.
    """
    d1, d2 = positions[:, 1] - positions[:, 0], positions[:, 2] - positions[:, 0]
    t1, t2 = uvs[:, 1] - uvs[:, 0], uvs[:, 2] - uvs[:, 0]
    area = t1[:, 0] * t2[:, 1] - t1[:, 1] * t2[:, 0]
    preserving = area > 0.0
    along = t2[:, 1:2] * d1 - t1[:, 1:2] * d2
    across = t1[:, 0:1] * d2 - t2[:, 0:1] * d1
    lengths = [np.sqrt(v[:, 0] ** 2 + v[:, 1] ** 2 + v[:, 2] ** 2) for v in (along, across)]
    vague = (np.abs(area) <= NOTHING) | (lengths[0] <= NOTHING) | (lengths[1] <= NOTHING)
    scale = np.where(preserving, 1.0, -1.0) / np.where(lengths[0] > NOTHING, lengths[0], 1.0)
    return along * scale[:, None], preserving, vague


def _sorted_edges(corners: Int64, degenerate: Bool) -> Int64:
    """Return (triangle, edge) of all edges, (E, 2), those between the same two vertices one after the other."""
    triangles = np.flatnonzero(~degenerate)
    ends = np.stack([corners[triangles], np.roll(corners[triangles], -1, axis=1)])
    low, high = ends.min(axis=0).ravel(), ends.max(axis=0).ravel()
    edges = np.stack([np.repeat(triangles, 3), np.tile(np.arange(3), len(triangles))], axis=1)
    return edges[np.lexsort((edges[:, 0], high, low))]


@kernel
def write_neighbours(edges: Int64, corners: Int64, neighbours: Int64) -> None:
    """Write the triangle across each edge; of several at one edge, the nth that runs up has the nth that runs down."""
    run = 0
    while run < len(edges):
        end = run + 1
        while end < len(edges) and _is_same_edge(edges, corners, run, end):
            end += 1
        up, down = run, run
        while True:
            while up < end and not _runs_up(edges, corners, up):
                up += 1
            while down < end and _runs_up(edges, corners, down):
                down += 1
            if end in (up, down):
                break
            neighbours[edges[up, 0], edges[up, 1]] = edges[down, 0]
            neighbours[edges[down, 0], edges[down, 1]] = edges[up, 0]
            up, down = up + 1, down + 1
        run = end


@kernel
def _runs_up(edges: Int64, corners: Int64, one: int) -> Any:
    triangle, edge = edges[one, 0], edges[one, 1]
    return corners[triangle, edge] < corners[triangle, (edge + 1) % 3]


@kernel
def _is_same_edge(edges: Int64, corners: Int64, one: int, other: int) -> Any:
    a, b = corners[edges[one, 0], edges[one, 1]], corners[edges[one, 0], (edges[one, 1] + 1) % 3]
    c, d = corners[edges[other, 0], edges[other, 1]], corners[edges[other, 0], (edges[other, 1] + 1) % 3]
    return (a == c and b == d) or (a == d and b == c)


@kernel
def write_spaces(
    corners: Int64, neighbours: Int64, degenerate: Bool, vague: Bool, preserving: Bool, spaces: Int64
) -> int:
    """Write the number of each corner's tangent space, -1 for none, and return how many there are.

    A space grows from a corner over the edges at its vertex to triangles mapped the same way round. A vague triangle
    takes the way of the first space that reaches it; `preserving` is changed so.
    """
    count = 0
    waiting = np.empty(2 * len(corners) + 4, np.int64)
    for triangle in range(len(corners)):
        for corner in range(3):
            if degenerate[triangle] or vague[triangle] or spaces[triangle, corner] != -1:
                continue
            vertex = corners[triangle, corner]
            top = 1
            waiting[0] = triangle
            while top > 0:
                top -= 1
                here = waiting[top]
                at = 0 if corners[here, 0] == vertex else 1 if corners[here, 1] == vertex else 2
                if spaces[here, at] != -1:
                    continue
                if vague[here] and spaces[here, 0] == -1 and spaces[here, 1] == -1 and spaces[here, 2] == -1:
                    preserving[here] = preserving[triangle]
                if preserving[here] != preserving[triangle]:
                    continue
                spaces[here, at] = count
                for edge in ((at + 2) % 3, at):
                    beside = neighbours[here, edge]
                    if beside != -1:
                        waiting[top] = beside
                        top += 1
            count += 1
    return count


@kernel
def write_sums(
    positions: Float64,
    normals: Float64,
    along: Float64,
    preserving: Bool,
    vague: Bool,
    spaces: Int64,
    sums: Float64,
    signs: Float64,
) -> None:
    """Add to each space its triangles' directions, laid into the plane of the normal and weighted by their angles."""
    direction, before, after = np.empty(3), np.empty(3), np.empty(3)
    for triangle in range(len(positions)):
        for corner in range(3):
            space = spaces[triangle, corner]
            if space == -1:
                continue
            signs[space] = -1.0 if preserving[triangle] else 1.0
            if vague[triangle]:
                continue
            here, normal = positions[triangle, corner], normals[triangle, corner]
            for axis in range(3):
                direction[axis] = along[triangle, axis]
                before[axis] = positions[triangle, (corner + 2) % 3, axis] - here[axis]
                after[axis] = positions[triangle, (corner + 1) % 3, axis] - here[axis]
            flatten(direction, normal)
            flatten(before, normal)
            flatten(after, normal)
            angle = _acos(before[0] * after[0] + before[1] * after[1] + before[2] * after[2])
            for axis in range(3):
                sums[space, axis] += angle * direction[axis]


@kernel
def flatten(vector: Float64, normal: Float64) -> None:
    """Lay a vector into the plane of a unit normal and bring it to unit length, in place."""
    height = normal[0] * vector[0] + normal[1] * vector[1] + normal[2] * vector[2]
    for axis in range(3):
        vector[axis] -= height * normal[axis]
    length = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if length > NOTHING:
        for axis in range(3):
            vector[axis] /= length


def _adopt(corners: Int64, degenerate: Bool, spaces: Int64) -> None:
    """Give corners of degenerate triangles the first space of a sound one at the same vertex."""
    if not degenerate.any():
        return
    sound = np.flatnonzero(np.repeat(~degenerate, 3))
    vertices, first = np.unique(corners.ravel()[sound], return_index=True)
    wanted = corners[degenerate]
    at = np.minimum(np.searchsorted(vertices, wanted), max(len(vertices) - 1, 0))
    if len(vertices):
        spaces[degenerate] = np.where(vertices[at] == wanted, spaces.ravel()[sound[first]][at], -1)


def _split(primitive: Primitive, tangents: Float64, spaces: Int64) -> Primitive:
    """Return the primitive with a vertex for each (vertex, tangent space) that its triangles use."""
    count = len(primitive.positions)
    flat = primitive.triangles.astype(np.int64).ravel()
    pairs, first, inverse = np.unique(
        np.stack([flat, spaces.ravel()], axis=1), axis=0, return_index=True, return_inverse=True
    )
    further = np.concatenate([[False], pairs[1:, 0] == pairs[:-1, 0]])
    numbers = np.where(further, count + np.cumsum(further) - 1, pairs[:, 0])
    sources = np.concatenate([np.arange(count), pairs[further, 0]]).astype(np.uint32)
    values = np.tile(np.array((1.0, 0.0, 0.0, 1.0), np.float32), (len(sources), 1))
    values[numbers] = tangents.reshape(-1, 4)[first]
    return replace(
        primitive,
        positions=_read_only(primitive.positions[sources]),
        normals=_taken(primitive.normals, sources),
        tangents=_read_only(values),
        uvs=tuple(_read_only(one[sources]) for one in primitive.uvs),
        colors=_taken(primitive.colors, sources),
        joints=_taken(primitive.joints, sources),
        weights=_taken(primitive.weights, sources),
        triangles=_read_only(numbers[inverse.reshape(-1, 3)].astype(np.uint32)),
        targets=tuple(
            MorphTarget(_taken(one.positions, sources), _taken(one.normals, sources)) for one in primitive.targets
        ),
        sources=_read_only(sources),
        sums=_taken(primitive.sums, sources),
    )


def _taken(values: AnyArray | None, sources: UInt32) -> AnyArray | None:
    return None if values is None else _read_only(values[sources])


def _read_only(values: AnyArray) -> AnyArray:
    values.flags.writeable = False
    return values
