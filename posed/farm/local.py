"""Workers on this machine: processes started afresh, never forked, each with its share of the threads."""

from __future__ import annotations

import gc
import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

from posed.errors import PosedError
from posed.farm.chunk import Chunk, Packed
from posed.farm.crew import Answer, Crew, WorkerLostError
from posed.farm.worker import begin, end_all, work

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

REFUSING = 5.0
"""Seconds in which processes whose pool is broken have ended."""


class Processes(Crew):
    """So many processes of this machine.

    Parameters
    ----------
    workers
        How many, 1 or more.
    threads
        Of each; the machine's, shared out evenly, unless given.
    """

    def __init__(self, workers: int, threads: int | None = None) -> None:
        if workers < 1:
            raise PosedError(f"{workers} workers can do nothing: expected 1 or more")
        self._workers = workers
        self._threads = threads or max(1, (os.cpu_count() or 1) // workers)
        self._has_answered = False
        self.ahead = 2 * workers
        self._pool = self._started()
        self._processes: list[BaseProcess] = []

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, context, begin, (self._threads,))

    def give(self, scene: Packed, chunk: Chunk[Any], sources: str) -> Future[Answer]:
        """Give out a chunk."""
        try:
            future = self._pool.submit(work, scene, chunk, sources)
            self._processes = list((self._pool._processes or {}).values())
            return future
        except BrokenProcessPool as error:
            lost: Future[Answer] = Future()
            lost.set_exception(error)
            return lost

    def take(self, given: Future[Answer]) -> Answer:
        """Return what became of it."""
        try:
            answer = given.result()
        except BrokenProcessPool as error:
            if not self._has_answered and self._has_refused():
                raise PosedError(
                    "the worker processes ended before their first answer: a script that starts workers does so under "
                    '`if __name__ == "__main__":`, as each of them imports it'
                ) from error
            raise WorkerLostError from error
        self._has_answered = True
        return answer

    def _has_refused(self) -> bool:
        """Say whether a process has ended by itself: one that was killed has a negative status."""
        for process in self._processes:
            process.join(REFUSING)
        return any((process.exitcode or 0) > 0 for process in self._processes)

    def renew(self) -> None:
        """Start all of them anew: a pool that has lost one process gives up the others."""
        self.close()
        self._pool = self._started()

    def close(self) -> None:
        """End the processes at once."""
        processes = self._processes
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            if process.pid is not None:
                end_all(process.pid)
            process.kill()  # where it has come to lead no group yet
        for process in processes:
            process.join()
        self._pool.shutdown()
        gc.collect()  # the queues' semaphores, which would outlive a process that ends at once
