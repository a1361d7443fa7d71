"""Which triangles meet where: adjacency by position, for seams split vertices and not places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anim.kernel import kernel
from tracer.tables import MATERIAL, PLACE, Mesh, frozen

OPEN = -1
"""across an edge that no other triangle shares, or more than one does"""
NO_EDGE = -2
"""across what has no length, or belongs to a triangle without area"""

_MINUS_ZERO = np.uint32(0x80000000)


class Neighbors(NamedTuple):
    """Which triangles meet at each of the W places where vertices lie."""

    start: NDArray[np.uint32]
    """(W + 1,) where a place's triangles begin in `around`"""
    around: NDArray[np.uint32]
    """(3 F',) triangles with an area, by place"""
    across: NDArray[np.int32]
    """(F, 3) what lies across the edge from each corner to the next: twice the only other triangle that has it, one
    more where the edge runs the same way there, which means that the two wind differently; else `OPEN`, or `NO_EDGE`"""


def places_of(positions: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Number the places where vertices (V, 3) lie by the first vertex there; minus zero and zero are one place."""
    places = np.empty(len(positions), np.uint32)
    size = 1 << max(2 * len(positions), 2).bit_length()
    _write_places(positions.view(np.uint32), np.zeros(size, np.uint32), places)
    return places


def neighbors_of(mesh: Mesh, chosen: ArrayLike) -> Neighbors:
    """Give the adjacency of the chosen triangles, those that can be hit."""
    triangles = np.array(chosen, np.uint32)
    count = int(mesh.faces[:, PLACE:MATERIAL].max()) + 1 if len(mesh.faces) else 0
    start, around = np.zeros(count + 1, np.uint32), np.empty(3 * len(triangles), np.uint32)
    across = np.full((len(mesh.faces), 3), NO_EDGE, np.int32)
    _write_neighbors(mesh.faces, triangles, start, around)
    _write_across(mesh.faces, triangles, start, around, across)
    return Neighbors(frozen(start), frozen(around), frozen(across))


@kernel
def _write_places(bits: NDArray[np.uint32], slots: NDArray[np.uint32], places: NDArray[np.uint32]) -> None:
    """Write each vertex's place; `slots`, zeros, holds 1 + the first vertex of a place where its hash leads."""
    mask, count = np.uint64(len(slots) - 1), np.uint32(0)
    for vertex in range(len(bits)):
        x, y, z = _plain(bits[vertex, 0]), _plain(bits[vertex, 1]), _plain(bits[vertex, 2])
        # Knuth's multiplicative hash, a factor a coordinate; its high bits are the well-mixed ones.
        mixed = (np.uint64(x) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(y) * np.uint64(0xC2B2AE3D27D4EB4F))
        mixed = (mixed ^ (np.uint64(z) * np.uint64(0x165667B19E3779F9))) * np.uint64(0x9E3779B97F4A7C15)
        slot = (mixed >> np.uint64(32)) & mask
        while slots[slot] != np.uint32(0):
            other = slots[slot] - np.uint32(1)
            if x == _plain(bits[other, 0]) and y == _plain(bits[other, 1]) and z == _plain(bits[other, 2]):
                break
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == np.uint32(0):
            slots[slot] = np.uint32(vertex + 1)
            places[vertex] = count
            count += np.uint32(1)
        else:
            places[vertex] = places[slots[slot] - np.uint32(1)]


@kernel
def _plain(bits: np.uint32) -> np.uint32:
    """Return a coordinate's bits, those of zero for minus zero."""
    return np.uint32(0) if bits == _MINUS_ZERO else bits


@kernel
def _write_neighbors(
    faces: NDArray[np.uint32],
    chosen: NDArray[np.uint32],
    start: NDArray[np.uint32],
    around: NDArray[np.uint32],
) -> None:
    """Write where each place's triangles begin, and the triangles in their order; `start` comes as zeros."""
    for triangle in chosen:
        for corner in range(3):
            start[faces[triangle, PLACE + corner]] += np.uint32(1)
    total = np.uint32(0)
    for place in range(len(start)):
        total += start[place]
        start[place] = total
    for number in range(len(chosen) - 1, -1, -1):  # from the end, as each place is filled from its end
        triangle = chosen[number]
        for corner in range(2, -1, -1):
            place = faces[triangle, PLACE + corner]
            start[place] -= np.uint32(1)
            around[start[place]] = triangle


@kernel
def _write_across(
    faces: NDArray[np.uint32],
    chosen: NDArray[np.uint32],
    start: NDArray[np.uint32],
    around: NDArray[np.uint32],
    across: NDArray[np.int32],
) -> None:
    """Write what lies across each edge of the chosen triangles."""
    for triangle in chosen:
        for corner in range(3):
            here, there = faces[triangle, PLACE + corner], faces[triangle, PLACE + (corner + 1) % 3]
            if here == there:
                continue
            sharing, found = 0, np.int64(0)
            for index in range(start[here], start[here + np.uint32(1)]):
                other = around[index]
                if other == triangle:
                    continue
                for k in range(3):
                    if faces[other, PLACE + k] == there:
                        sharing += 1
                        # It runs the same way where the corner before is this edge's start.
                        runs_along = faces[other, PLACE + (k + 2) % 3] == here
                        found = np.int64(2) * np.int64(other) + np.int64(runs_along)
            across[triangle, corner] = found if sharing == 1 else OPEN
