"""Large arrays of zeros, cleared by the threads that first write to them."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

LARGE: Final = 4 * 2**20
"""Bytes from which on large pages are asked for: two of Linux's at least."""


def fresh_zeros(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return zeros, as `numpy.zeros` does.

    NumPy's come from memory that was used before and is cleared here and now, by one thread, or in small pages, a fault
    of a quarter of a microsecond for each: of a large picture's layers as much as what is written to them. Pages that
    the system clears where a thread first touches them are shared out as the work is, and large ones are few.
    """
    size = np.broadcast_to(np.zeros((), dtype), shape).nbytes
    if size < LARGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(shape, dtype)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a system built without large pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, dtype).reshape(shape)
