"""Stores: device buffers that grow, in which rows are taken and given back."""

from __future__ import annotations

from collections import deque

import numpy as np

from posed.arrays import AnyArray
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.free_list import FreeList

LIMIT = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
"""Bytes that a buffer may have."""

SMALLEST = 1024
"""Bytes that a buffer begins with."""


class Span:
    """Rows of a store from `first` on; they are given back when nothing refers to this object any more."""

    def __init__(self, returned: deque[tuple[int, int]], first: int, count: int) -> None:
        self._returned = returned
        self.first, self.count = first, count

    def __del__(self) -> None:
        # May run in any thread, whatever locks it holds: the store sees to it when it is next asked for rows.
        self._returned.append((self.first, self.count))


class Store:
    """A buffer of rows of `row` bytes. `buffer` is another object after each growth, for bind groups to notice."""

    def __init__(self, gpu: Gpu, row: int, usage: int) -> None:
        import wgpu

        self._gpu, self._row = gpu, row
        self._usage = usage | wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC
        self._returned: deque[tuple[int, int]] = deque()
        capacity = max(min(SMALLEST, LIMIT) // row, 1)
        self._list = FreeList(capacity)
        self.buffer = gpu.device.create_buffer(size=capacity * row, usage=self._usage)

    @property
    def empty(self) -> bool:
        """Whether no rows are taken."""
        self._collect()
        return self._list.used == 0

    def take(self, count: int) -> Span | None:
        """Take `count` rows; None where they pass what a binding holds."""
        self._collect()
        if count == 0:
            return Span(deque(), 0, 0)
        first = self._list.take(count)
        if first is None:
            if not self._grow(count):
                return None
            first = self._list.take(count)
            assert first is not None
        return Span(self._returned, first, count)

    def write(self, span: Span, data: AnyArray) -> None:
        """Write `data`, as many bytes as the span has, at its rows."""
        array = np.ascontiguousarray(data)
        assert array.nbytes == span.count * self._row
        if array.nbytes:
            self._gpu.queue.write_buffer(self.buffer, span.first * self._row, array)

    def _collect(self) -> None:
        while self._returned:
            self._list.give_back(*self._returned.popleft())

    def _grow(self, count: int) -> bool:
        """Make room for `count` rows at the end; False where a binding does not hold them."""
        most, old = LIMIT // self._row, self._list.capacity
        needed = old - self._list.tail + count
        if needed > most:
            return False
        capacity = min(max(2 * old, needed), most)
        grown = self._gpu.device.create_buffer(size=capacity * self._row, usage=self._usage)
        encoder = self._gpu.device.create_command_encoder()
        encoder.copy_buffer_to_buffer(self.buffer, 0, grown, 0, old * self._row)
        self._gpu.queue.submit([encoder.finish()])
        self.buffer = grown
        self._list.grow(capacity)
        return True
