"""Scripted play: a game gives commands tick by tick, and every tick is frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from posed.errors import PoseError
from posed.events import AnimationEvent
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.world import World


class Game:
    """What a script does to a world; derive from it and override what is needed.

    At every tick: `tick` is called with the tick as the world's current one, so that a clip started there plays from
    that tick and its marks at 0 fire on it; then animators and sprites advance; then `animated` is called if there are
    events; then the camera follows its node and the tick is frozen.
    """

    def tick(self, world: World, tick: int, input: Any) -> None:
        """Give the commands of `tick`; `input` is the script's own value for it, None where it has none."""

    def animated(self, world: World, events: list[AnimationEvent]) -> None:
        """Answer to the events of the current tick, in order; commands given here start at the current tick."""


def play(
    game: Game, scene: Scene, ticks: int, inputs: Sequence[Any] | Mapping[int, Any] | None = None
) -> Iterator[Posed]:
    """Play `game` in a new world of `scene` and yield the snapshot of each tick from 0 on.

    Parameters
    ----------
    game
        The script.
    scene
        What is played.
    ticks
        How many ticks, 0 or more.
    inputs
        The input of each tick, by place or by tick; None where there is none.

    Raises
    ------
    PoseError
        `ticks` is negative, or the game's commands are refused.
    """
    if ticks < 0:
        raise PoseError(f"{ticks} ticks cannot be played: expected 0 or more")
    for world in worlds(game, scene, ticks, inputs):
        yield world.posed()


def worlds(
    game: Game, scene: Scene, ticks: int, inputs: Sequence[Any] | Mapping[int, Any] | None = None
) -> Iterator[World]:
    """Play `game` as `play` does and yield its world at each tick, to be looked at before the next one."""
    world = PlayedWorld(scene, game, inputs)
    for tick in range(ticks):
        world.advance(tick)
        yield world


class PlayedWorld(World):
    """A world that a game plays: on its way to a tick, `advance` plays each tick with the game's commands.

    Parameters
    ----------
    scene
        What is played.
    game
        The script.
    inputs
        See `play`.
    """

    def __init__(
        self, scene: Scene, game: Game, inputs: Sequence[Any] | Mapping[int, Any] | None = None, *, strict: bool = True
    ) -> None:
        super().__init__(scene, strict=strict)
        self._game, self._inputs, self._played = game, inputs, -1

    def advance(self, tick: int) -> list[AnimationEvent]:
        """Play on to `tick`, see `World.advance`; the game gives its commands and answers at every tick on the way."""
        if tick <= self._played:
            return super().advance(tick)
        events: list[AnimationEvent] = []
        for each in range(self._played + 1, tick + 1):
            self.begin(each)
            self._game.tick(self, each, _input(self._inputs, each))
            here = super().advance(each)
            if here:
                self._game.animated(self, here)
            events += here
            self._played = each
        return events


def _input(inputs: Sequence[Any] | Mapping[int, Any] | None, tick: int) -> Any:
    if isinstance(inputs, Mapping):
        return inputs.get(tick)
    return inputs[tick] if inputs is not None and tick < len(inputs) else None
