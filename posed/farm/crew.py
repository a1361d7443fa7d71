"""Crews: who carries out the chunks. Results come back in order, and a lost worker's chunk is given to another."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from anim.kernel import source_digest
from posed.errors import MissingError, PosedError
from posed.farm.chunk import Chunk, Made, Packed
from posed.farm.worker import Refused, work

Answer = list[Any] | Refused
"""What becomes of a chunk."""

ATTEMPTS = 4
"""How often a chunk is given out before it is held to be what kills its workers."""


class WorkerLostError(Exception):
    """The process that had a chunk is gone, and the chunk with it."""


class Crew(ABC):
    """Workers that carry out chunks; used in a `with`, which lets them go at its end."""

    ahead: int = 2
    """Chunks given out at a time: enough that nobody waits, few enough that memory stays flat."""

    @abstractmethod
    def give(self, scene: Packed, chunk: Chunk[Any], sources: str) -> Any:
        """Give out a chunk; return what `take` wants to see again."""

    @abstractmethod
    def take(self, given: Any) -> Answer:
        """Return what became of a chunk, waiting for it.

        Raises
        ------
        WorkerLostError
            Its worker is gone.
        """

    @abstractmethod
    def renew(self) -> None:
        """Make up for lost workers before their chunks are given out again."""

    @abstractmethod
    def close(self) -> None:
        """Let the workers go, whatever they have."""

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class OwnThread(Crew):
    """A crew of one: a thread of this process, which works with all of its threads while the caller writes files."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "working")

    def give(self, scene: Packed, chunk: Chunk[Any], sources: str) -> Future[Answer]:
        """Give out a chunk."""
        return self._pool.submit(work, scene, chunk, sources)

    def take(self, given: Future[Answer]) -> Answer:
        """Return what became of it."""
        return given.result()

    def renew(self) -> None:
        """Nothing: the one thread ends with the process alone."""

    def close(self) -> None:
        """Drop what is left, and end the engine at work on a chunk that was broken off; the thread ends after that."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        engines = sys.modules.get("posed.verify.suite.command")  # without it, no engine can be at work
        if engines is not None:
            for thread in self._pool._threads:
                engines.end_command(thread.ident)


@dataclass
class _Given:
    """A chunk that is out."""

    scene: Packed
    chunk: Chunk[Any]
    handle: Any
    attempts: int = 1


def in_order(crew: Crew, coming: Iterable[tuple[Packed, Chunk[Made]]]) -> Iterator[Made]:
    """Yield every result of chunks over their scenes in order, as soon as it and all before it are there.

    Raises
    ------
    PosedError
        A chunk is refused, or has lost `ATTEMPTS` workers.
    """
    sources = source_digest("posed")
    coming = iter(coming)
    out: deque[_Given] = deque()
    while True:
        while len(out) < crew.ahead and (found := next(coming, None)) is not None:
            out.append(_Given(*found, crew.give(*found, sources)))
        if not out:
            return
        try:
            answer = crew.take(out[0].handle)
        except WorkerLostError:
            _again(crew, out, sources)
            continue
        out.popleft()
        if isinstance(answer, Refused):
            raise (MissingError if answer.exit_status == MissingError.exit_status else PosedError)(answer.message)
        yield from answer


def _again(crew: Crew, out: deque[_Given], sources: str) -> None:
    """Give out again the chunk at the head, and with it all behind it: who has lost one has often lost several."""
    head = out[0]
    head.attempts += 1
    if head.attempts > ATTEMPTS:
        raise PosedError(
            f"{head.chunk.words}: {ATTEMPTS} workers in a row ended without a word while they had them: "
            "does their machine have enough memory? try fewer workers or a smaller size"
        )
    crew.renew()
    for given in out:
        given.handle = crew.give(given.scene, given.chunk, sources)


def crew_of(workers: int = 1, cluster: str | None = None) -> Crew:
    """Return the crew that options choose: this process, processes of this machine, or a Dask cluster's workers."""
    if cluster is not None:
        from posed.farm.cluster import Cluster

        return Cluster(cluster)
    if workers == 1:
        return OwnThread()
    from posed.farm.local import Processes

    return Processes(workers)
