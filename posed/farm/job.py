"""Jobs: which ticks of which world, traced how; and the chunks that they are cut into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from posed.camera import Camera
from posed.digest import digest
from posed.errors import PosedError
from posed.farm.budget import MEMORY, Cost, stripped
from posed.farm.chunk import Chunk, Ready
from posed.farm.state import copy_of, freeze, thaw
from posed.frame_files import encoded
from posed.scene.description import Scene
from posed.world import World

if TYPE_CHECKING:
    from posed.tracing import Tracing

CHUNK = 4
"""Ticks that a worker takes at a time: few, so that little is lost with a worker; a chunk's own cost is small."""


@dataclass(frozen=True, eq=False)
class Job:
    """The frames of `ticks`, played from the state in which `world` is, each saved as a file of the kind `suffix`.

    Parameters
    ----------
    world
        Where play begins; it is copied, never advanced.
    ticks
        Increasing and none before the world's own tick.
    settings
        Options of `posed.Tracing.trace`.
    suffix
        One of `posed.frame.FORMATS`.
    backend
        ``"embree"`` or ``"bvh"``; each worker's best one unless named.
    memory
        Bytes that a worker's frames may take: larger ones are made in strips, with the same bits.

    Raises
    ------
    PosedError
        `ticks` do not increase or begin before the world's tick, or a frame takes more memory even in strips.
    """

    world: World
    ticks: range
    settings: Mapping[str, Any] = field(default_factory=dict)
    suffix: str = ".png"
    backend: str | None = None
    memory: int = MEMORY

    def __post_init__(self) -> None:
        self._strip_rows  # noqa: B018 - refuses what takes too much
        if self.ticks.step < 1 or (self.ticks and self.ticks[0] < self.world.ticks):
            raise PosedError(f"a job plays forward from tick {self.world.ticks}: found the ticks {self.ticks}")

    @property
    def _strip_rows(self) -> int | None:
        return Cost(self.settings, self.suffix).rows(self.memory)

    @property
    def scene(self) -> Scene:
        """The scene played."""
        return self.world.scene

    @cached_property
    def asked(self) -> dict[str, str]:
        """What identifies the frames, as words: the scene's digest, how it is played, and every setting."""
        first = copy_of(self.world).posed()
        words = {
            "scene": self.scene.digest,
            "play": digest({"posed": first.digest, "sources": first.sources}),
            "suffix": self.suffix,
            "backend": self.backend or "the best",
        }
        return words | {name: _word(value) for name, value in sorted(self.settings.items())}

    def chunks(self, wanted: Iterable[int]) -> Iterator[FrameChunk]:
        """Yield chunks of at most `CHUNK` of the `wanted` ticks, in order, each with the state that play has before it.

        Frames that are made in strips go one by one.

        The world is played through here, without a ray, and pickled at each chunk's border: a worker plays its own
        ticks alone.
        """
        world = copy_of(self.world)
        ticks = sorted(wanted)
        rows = self._strip_rows
        length = CHUNK if rows is None else 1
        for start in range(0, len(ticks), length):
            mine = tuple(ticks[start : start + length])
            yield FrameChunk(freeze(world), mine, dict(self.settings), self.suffix, self.backend, rows)
            world.advance(mine[-1])


@dataclass(frozen=True)
class Finished:
    """One frame: `posed` is its snapshot's digest, `data` the content of its file."""

    tick: int
    posed: str
    data: bytes


@dataclass(frozen=True)
class FrameChunk(Chunk[Finished]):
    """Ticks that are traced one after the other: the pickled `state` of their world goes before the first.

    `rows` are those of a strip where frames are made in strips, None where each is traced whole.
    """

    state: bytes
    ticks: tuple[int, ...]
    settings: Mapping[str, Any]
    suffix: str
    backend: str | None
    rows: int | None

    @property
    def words(self) -> str:
        """Which ticks."""
        return f"ticks {self.ticks[0]} to {self.ticks[-1]}"

    def carried_out(self, ready: Ready) -> list[Finished]:
        """Play and trace each tick; files are encoded while the next one is traced."""
        world, tracing = thaw(ready.scene, self.state), ready.tracing(self.backend)
        if self.rows is not None:
            return [self._stripped(world, tick, tracing, self.rows) for tick in self.ticks]
        with ThreadPoolExecutor(1, "encoding") as encoder:
            coming = []
            for tick in self.ticks:
                world.advance(tick)
                posed = world.posed()
                frame = tracing.trace(posed, **self.settings)
                coming.append((tick, posed.digest, encoder.submit(encoded, frame, self.suffix)))
            return [Finished(tick, posed, data.result()) for tick, posed, data in coming]

    def _stripped(self, world: World, tick: int, tracing: Tracing, rows: int) -> Finished:
        world.advance(tick)
        posed = world.posed()
        return Finished(tick, posed.digest, stripped(tracing, posed, self.settings, self.suffix, rows))


def _word(value: Any) -> str:
    if isinstance(value, Camera):
        return digest(value)
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
