"""Workers on this machine: processes started afresh, never forked, each with its share of the threads."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from posed.errors import PosedError
from posed.farm.crew import Crew, WorkerLostError
from posed.farm.job import Chunk
from posed.farm.worker import Finished, Refused, begin, work


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
            raise PosedError(f"{workers} workers cannot render anything: expected 1 or more")
        self._workers = workers
        self._threads = threads or max(1, (os.cpu_count() or 1) // workers)
        self._has_answered = False
        self.ahead = 2 * workers
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, context, begin, (self._threads,))

    def give(self, scene: bytes, chunk: Chunk, sources: str) -> Future[list[Finished] | Refused]:
        """Give out a chunk."""
        try:
            return self._pool.submit(work, scene, chunk, sources)
        except BrokenProcessPool as error:
            lost: Future[list[Finished] | Refused] = Future()
            lost.set_exception(error)
            return lost

    def take(self, given: Future[list[Finished] | Refused]) -> list[Finished] | Refused:
        """Return what became of it."""
        try:
            answer = given.result()
        except BrokenProcessPool as error:
            if not self._has_answered:
                raise PosedError(
                    "the worker processes ended before their first frame: a script that starts workers does so under "
                    '`if __name__ == "__main__":`, as each of them imports it'
                ) from error
            raise WorkerLostError from error
        self._has_answered = True
        return answer

    def renew(self) -> None:
        """Start all of them anew: a pool that has lost one process gives up the others."""
        self.close()
        self._pool = self._started()

    def close(self) -> None:
        """End the processes at once."""
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
