"""The free list: holes are filled first, and merge."""

import random

from posed.live.free_list import FreeList


def test_rows_are_taken_from_the_first_hole_that_is_large_enough() -> None:
    rows = FreeList(10)
    assert [rows.take(3), rows.take(3), rows.take(3), rows.take(2)] == [0, 3, 6, None]
    rows.give_back(0, 3)
    rows.give_back(6, 3)
    assert rows.used == 3
    assert rows.take(4) == 6  # with the last row, which was free
    assert rows.take(2) == 0
    assert rows.take(1) == 2
    assert rows.used == 10
    assert rows.take(1) is None


def test_holes_beside_each_other_are_one() -> None:
    for order in ((0, 2, 4), (4, 2, 0), (0, 4, 2), (2, 0, 4)):
        rows = FreeList(6)
        assert [rows.take(2) for _ in range(3)] == [0, 2, 4]
        for first in order:
            rows.give_back(first, 2)
        assert rows.take(6) == 0


def test_growing_adds_to_the_hole_at_the_end() -> None:
    rows = FreeList(4)
    assert rows.take(3) == 0
    assert rows.tail == 1
    rows.grow(8)
    assert rows.tail == 5
    assert rows.take(5) == 3
    assert rows.tail == 0
    assert FreeList(0).take(1) is None


def test_a_thousand_takes_and_returns_never_overlap_and_leave_one_hole() -> None:
    chance, rows, taken = random.Random(4), FreeList(200), dict[int, int]()
    for _ in range(1000):
        count = chance.randint(1, 20)
        first = rows.take(count)
        if first is not None:
            assert all(first + count <= other or other + size <= first for other, size in taken.items())
            taken[first] = count
        if taken and (first is None or chance.random() < 0.5):
            gone = chance.choice(sorted(taken))
            rows.give_back(gone, taken.pop(gone))
        assert rows.used == sum(taken.values())
    for first, count in taken.items():
        rows.give_back(first, count)
    assert rows.take(200) == 0
