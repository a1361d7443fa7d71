"""A free list: which rows of a buffer are taken, and where the next ones fit."""

from __future__ import annotations

from bisect import bisect_left


class FreeList:
    """Runs of rows from 0 to `capacity`; the first hole that is large enough is taken, neighbouring holes merge."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._holes: list[tuple[int, int]] = [(0, capacity)] if capacity else []

    @property
    def used(self) -> int:
        """The number of rows that are taken."""
        return self.capacity - sum(end - first for first, end in self._holes)

    @property
    def tail(self) -> int:
        """The number of free rows at the end."""
        first, end = self._holes[-1] if self._holes else (0, 0)
        return end - first if end == self.capacity else 0

    def take(self, count: int) -> int | None:
        """Take `count` rows, 1 or more, and return the first one; None where no hole is large enough."""
        for index, (first, end) in enumerate(self._holes):
            if end - first >= count:
                self._holes[index : index + 1] = [(first + count, end)] if end - first > count else []
                return first
        return None

    def give_back(self, first: int, count: int) -> None:
        """Return `count` rows from `first` on, which were taken."""
        index = bisect_left(self._holes, (first, first))
        begin, end = first, first + count
        left = index
        if index > 0 and self._holes[index - 1][1] == begin:
            left, begin = index - 1, self._holes[index - 1][0]
        right = index
        if index < len(self._holes) and self._holes[index][0] == end:
            right, end = index + 1, self._holes[index][1]
        self._holes[left:right] = [(begin, end)]

    def grow(self, capacity: int) -> None:
        """Let there be `capacity` rows, more than before."""
        first, self.capacity = self.capacity, capacity
        self.give_back(first, capacity - first)
