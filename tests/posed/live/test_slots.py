"""Slots of corners."""

import numpy as np
import pytest

from posed.live.slots import SLOT, slotted_corners


def split(corners: np.ndarray) -> tuple[list[int], list[int]]:
    return (corners & ((1 << SLOT) - 1)).tolist(), (corners >> SLOT).tolist()


def test_a_neighbour_takes_the_slots_that_are_there() -> None:
    vertices, slots = split(slotted_corners(np.array([(0, 1, 2), (0, 2, 3)], np.uint32), 4))
    assert vertices == [0, 1, 2, 0, 2, 3]
    assert slots == [0, 1, 2, 0, 2, 1]


def test_a_fan_of_three_needs_one_vertex_twice() -> None:
    # Four vertices, each beside each: three slots cannot tell them apart.
    vertices, slots = split(slotted_corners(np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1)], np.uint32), 4))
    assert len(set(zip(vertices, slots, strict=True))) == 5


@pytest.mark.parametrize("count", [0, 1, 500])
def test_the_corners_of_each_triangle_have_three_slots_and_their_own_vertices(count: int) -> None:
    triangles = np.random.default_rng(3).integers(0, 40, (count, 3)).astype(np.uint32)
    vertices, slots = split(slotted_corners(triangles, 40))
    assert vertices == triangles.ravel().tolist()
    assert all(sorted(slots[i : i + 3]) == [0, 1, 2] for i in range(0, 3 * count, 3))


def test_a_regular_grid_needs_each_vertex_once_inside() -> None:
    # Diagonals all alike: the column plus the row, by three, is a slot for each vertex.
    side = 12
    cells = [(x + side * y) for y in range(side - 1) for x in range(side - 1)]
    triangles = [t for i in cells for t in ((i, i + 1, i + side), (i + 1, i + side + 1, i + side))]
    vertices, slots = split(slotted_corners(np.array(triangles, np.uint32), side * side))
    assert len(set(zip(vertices, slots, strict=True))) == side * side
