"""A picture's rows shared out among threads, band by band, and triangles or pixels part by part."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import numba
from numpy.typing import NDArray

Job = TypeVar("Job")
Memory = TypeVar("Memory")

BAND: Final = 16
"""Rows that a thread takes at a time: a multiple of the tile's four."""

PART: Final = 2048
"""Items that a thread takes at a time."""

Progress = Callable[[float], None]


class Report:
    """Turns finished bands into shares of the whole."""

    def __init__(self, progress: Progress | None, bands: int, passes: int) -> None:
        self._progress = progress
        self._whole = bands * passes
        self._done = 0

    def __call__(self) -> None:
        """Count one more band."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done / self._whole)


def band_count(height: int) -> int:
    """Return how many bands a picture of so many rows has."""
    return -(-height // BAND)


def per_thread(make: Callable[[], Memory]) -> Callable[[], Memory]:
    """Return what gives each thread its own memory, made when that thread first asks for it."""
    local = threading.local()

    def own() -> Memory:
        if not hasattr(local, "memory"):
            local.memory = make()
        memory: Memory = local.memory
        return memory

    return own


def in_bands(work: Callable[[int, int], None], height: int, report: Report, *, top: int = 0) -> None:
    """Run a kernel over the rows from `top` to `height` in threads.

    Kernels give up the GIL, and no result depends on who takes which band.
    """
    spans = [(first, min(first + BAND, height)) for first in range(top, height, BAND)]
    for _ in _in_threads(lambda span: work(*span), spans):
        report()


def in_parts(work: Callable[[NDArray[Any]], None], items: NDArray[Any]) -> None:
    """Run a kernel over all items in threads, some thousands at a time; no result may depend on who takes which."""
    for _ in _in_threads(work, [items[first : first + PART] for first in range(0, len(items), PART)]):
        pass


def _in_threads(work: Callable[[Job], None], jobs: Sequence[Job]) -> Iterator[None]:
    """Do jobs in as many threads as numba has, yielding as each is done."""
    workers = min(numba.get_num_threads(), len(jobs))
    if workers <= 1:
        yield from map(work, jobs)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, jobs)
