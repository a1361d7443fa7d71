"""Crews: who renders the chunks. Frames come back in order, and a lost worker's chunk is given to another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from anim.kernel import source_digest
from posed.errors import MissingError, PosedError
from posed.farm.job import Chunk
from posed.farm.worker import Finished, Refused, work

ATTEMPTS = 4
"""How often a chunk is given out before it is held to be what kills its workers."""


class WorkerLostError(Exception):
    """The process that had a chunk is gone, and the chunk with it."""


class Crew(ABC):
    """Workers that render chunks of one scene; used in a `with`, which lets them go at its end."""

    ahead: int = 2
    """Chunks given out at a time: enough that nobody waits, few enough that memory stays flat."""

    @abstractmethod
    def give(self, scene: bytes, chunk: Chunk, sources: str) -> Any:
        """Give out a chunk; return what `take` wants to see again."""

    @abstractmethod
    def take(self, given: Any) -> list[Finished] | Refused:
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
    """A crew of one: a thread of this process, which traces with all of its threads while the caller writes files."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "rendering")

    def give(self, scene: bytes, chunk: Chunk, sources: str) -> Future[list[Finished] | Refused]:
        """Give out a chunk."""
        return self._pool.submit(work, scene, chunk, sources)

    def take(self, given: Future[list[Finished] | Refused]) -> list[Finished] | Refused:
        """Return what became of it."""
        return given.result()

    def renew(self) -> None:
        """Nothing: the one thread ends with the process alone."""

    def close(self) -> None:
        """Wait for the chunk at hand and drop the others."""
        self._pool.shutdown(cancel_futures=True)


@dataclass
class _Given:
    """A chunk that is out."""

    chunk: Chunk
    handle: Any
    attempts: int = 1


def in_order(crew: Crew, scene: bytes, chunks: Iterable[Chunk]) -> Iterator[Finished]:
    """Yield every frame of `chunks` in order, as soon as it and all before it are there.

    Raises
    ------
    PosedError
        A chunk is refused, or has lost `ATTEMPTS` workers.
    """
    sources = source_digest("posed")
    coming = iter(chunks)
    out: deque[_Given] = deque()
    while True:
        while len(out) < crew.ahead and (chunk := next(coming, None)) is not None:
            out.append(_Given(chunk, crew.give(scene, chunk, sources)))
        if not out:
            return
        try:
            answer = crew.take(out[0].handle)
        except WorkerLostError:
            _again(crew, scene, out, sources)
            continue
        out.popleft()
        if isinstance(answer, Refused):
            raise (MissingError if answer.exit_status == MissingError.exit_status else PosedError)(answer.message)
        yield from answer


def _again(crew: Crew, scene: bytes, out: deque[_Given], sources: str) -> None:
    """Give out again the chunk at the head, and with it all behind it: who has lost one has often lost several."""
    head = out[0]
    head.attempts += 1
    if head.attempts > ATTEMPTS:
        first, last = head.chunk.ticks[0], head.chunk.ticks[-1]
        raise PosedError(
            f"ticks {first} to {last}: {ATTEMPTS} workers in a row ended without a word while they had them: "
            "does their machine have enough memory? try fewer workers or a smaller size"
        )
    crew.renew()
    for given in out:
        given.handle = crew.give(scene, given.chunk, sources)
