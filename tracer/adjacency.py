"""Which triangles meet where: adjacency by position, for seams split vertices and not places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anim.kernel import kernel
from tracer.tables import MATERIAL, PLACE, Mesh, frozen

_MINUS_ZERO = np.uint32(0x80000000)


class Neighbors(NamedTuple):
    """Which triangles meet at each of the W places where vertices lie."""

    start: NDArray[np.uint32]
    """(W + 1,) where a place's triangles begin in `around`"""
    around: NDArray[np.uint32]
    """(3 F',) triangles with an area, by place"""


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
    _write_neighbors(mesh.faces, triangles, start, around)
    return Neighbors(frozen(start), frozen(around))


def no_neighbors() -> Neighbors:
    """Give no adjacency, for who asks for none."""
    return Neighbors(frozen(np.zeros(1, np.uint32)), frozen(np.zeros(0, np.uint32)))


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
