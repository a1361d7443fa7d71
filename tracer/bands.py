"""A picture's rows shared out among threads, band by band."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numba

BAND: Final = 16
"""Rows that a thread takes at a time: a multiple of the tile's four."""

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


def in_bands(work: Callable[[int, int], None], height: int, report: Report) -> None:
    """Run a kernel over all rows in threads: kernels give up the GIL, and no result depends on who takes which band."""
    spans: Iterable[tuple[int, int]] = [(first, min(first + BAND, height)) for first in range(0, height, BAND)]
    workers = min(numba.get_num_threads(), band_count(height))
    if workers == 1:
        for first, last in spans:
            work(first, last)
            report()
        return
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(lambda span: work(*span), spans):
            report()
