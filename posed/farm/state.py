"""The state of play between two ticks, without the scene: what a worker needs to play on from there."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from typing import Any

from posed.scene.description import Scene
from posed.world import World


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
