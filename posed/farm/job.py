"""Jobs: which ticks of which world, traced how; and the chunks that they are cut into."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from posed.camera import Camera
from posed.digest import digest
from posed.errors import PosedError
from posed.scene.description import Scene
from posed.world import World

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

    Raises
    ------
    PosedError
        `ticks` do not increase or begin before the world's tick.
    """

    world: World
    ticks: range
    settings: Mapping[str, Any] = field(default_factory=dict)
    suffix: str = ".png"
    backend: str | None = None

    def __post_init__(self) -> None:
        if self.ticks.step < 1 or (self.ticks and self.ticks[0] < self.world.ticks):
            raise PosedError(f"a job plays forward from tick {self.world.ticks}: found the ticks {self.ticks}")

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

    def chunks(self, wanted: Iterable[int]) -> Iterator[Chunk]:
        """Yield chunks of at most `CHUNK` of the `wanted` ticks, in order, each with the state that play has before it.

        The world is played through here, without a ray, and pickled at each chunk's border: a worker plays its own
        ticks alone.
        """
        world = copy_of(self.world)
        ticks = sorted(wanted)
        for start in range(0, len(ticks), CHUNK):
            mine = tuple(ticks[start : start + CHUNK])
            yield Chunk(self.scene.digest, freeze(world), mine, dict(self.settings), self.suffix, self.backend)
            world.advance(mine[-1])


@dataclass(frozen=True)
class Chunk:
    """A piece of a job that one worker renders: the pickled `state` of its world goes before the first of `ticks`."""

    scene: str
    state: bytes
    ticks: tuple[int, ...]
    settings: Mapping[str, Any]
    suffix: str
    backend: str | None


def copy_of(world: World) -> World:
    """Return a world in the same state over the same scene, which moves on its own."""
    return thaw(world.scene, freeze(world))


def freeze(world: World) -> bytes:
    """Return the state of `world` without its scene: a few kilobytes, whatever the scene weighs."""
    world.settle()
    stream = io.BytesIO()
    _Freezer(stream, world.scene).dump(world)
    return stream.getvalue()


def thaw(scene: Scene, state: bytes) -> World:
    """Return the world that `freeze` wrote, over `scene`, which equals the one it was over.

    `state` comes from a process of this very run; nothing from a file passes here.
    """
    world: World = _Thawer(io.BytesIO(state), scene).load()
    return world


class _Freezer(pickle.Pickler):
    """Writes the scene, and what hangs on it, as names."""

    def __init__(self, stream: io.BytesIO, scene: Scene) -> None:
        super().__init__(stream, protocol=pickle.HIGHEST_PROTOCOL)
        self._names = {id(value): name for name, value in _shared(scene)}

    def persistent_id(self, obj: Any) -> tuple[str, ...] | None:
        """Return the name of a value that the scene has, None for state."""
        return self._names.get(id(obj))


class _Thawer(pickle.Unpickler):
    """Reads names as what the scene has under them."""

    def __init__(self, stream: io.BytesIO, scene: Scene) -> None:
        super().__init__(stream)
        self._values = dict(_shared(scene))

    def persistent_load(self, pid: tuple[str, ...]) -> Any:
        """Return the value of a name."""
        return self._values[pid]


def _shared(scene: Scene) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield name and value of what worlds over `scene` refer to and never change."""
    yield ("scene",), scene
    for one in scene.objects:
        yield ("object", one.name), one
        yield ("model", one.name), one.model
        animation = one.animation
        if animation is not None and animation.rig is not None:
            yield ("rig", one.name), animation.rig
        if animation is not None and animation.sprite is not None:
            yield ("sheet", one.name), animation.sprite
        if one.model.clips:
            yield ("own rig", one.name), one.model.node_rig()


def _word(value: Any) -> str:
    if isinstance(value, Camera):
        return digest(value)
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
