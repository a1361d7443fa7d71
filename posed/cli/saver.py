"""Saving frames while the next one is traced."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from posed.frame import Frame


class Saver:
    """Saves frames in a thread of its own, in order; at most one waits, so that memory stays flat.

    An error of saving is raised by the next `save`, or at the end of the `with`.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "saver")
        self._running: Future[None] | None = None

    def save(self, frame: Frame, path: Path) -> None:
        """Save `frame` at `path` soon; wait for the one before."""
        self._finish()
        self._running = self._pool.submit(frame.save, path)

    def _finish(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.result()

    def __enter__(self) -> Saver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._finish()
        finally:
            self._pool.shutdown()
