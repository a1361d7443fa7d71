"""Games that the command line is given by name: `--play MODULE:GAME`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from posed.errors import PosedError, PoseError
from posed.events import AnimationEvent
from posed.game import Game
from posed.world import World


class NamedGame(Game):
    """A user's game; what it raises is told as its own, with the tick."""

    def __init__(self, name: str, game: Game) -> None:
        self._name, self._game = name, game

    def tick(self, world: World, tick: int, input: Any) -> None:
        """Let it give its commands."""
        self._call(world, lambda: self._game.tick(world, tick, input))

    def animated(self, world: World, events: list[AnimationEvent]) -> None:
        """Let it answer."""
        self._call(world, lambda: self._game.animated(world, events))

    def _call(self, world: World, call: Callable[[], None]) -> None:
        try:
            call()
        except PosedError as error:
            raise PoseError(f"--play {self._name}: tick {world.ticks}: {error}") from error
        except Exception as error:
            raise PoseError(f"--play {self._name}: tick {world.ticks}: {type(error).__name__}: {error}") from error


def load_game(name: str) -> Game:
    """Return the game that "MODULE:GAME" names: a class derived from `Game`, which is made, or a game.

    The module is looked for in the working folder first, then where Python looks.

    Raises
    ------
    PoseError
        There is no such module or game, or it cannot be made.
    """
    place, _, attribute = name.partition(":")
    if not place or not attribute or place.endswith(".py"):
        raise PoseError(f"--play {name}: expected MODULE:GAME, the name of a module and of a posed.Game in it")
    module = _module(place, name)
    found = getattr(module, attribute, None)
    if isinstance(found, type) and issubclass(found, Game):
        try:
            found = found()
        except Exception as error:
            raise PoseError(f"--play {name}: cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(found, Game):
        games = [key for key, value in vars(module).items() if isinstance(value, type) and issubclass(value, Game)]
        have = ", ".join(key for key in games if key != "Game") or "none"
        what = f'"{attribute}" is no posed.Game' if found is not None else f'there is no "{attribute}"'
        raise PoseError(f"--play {name}: {what} in {place}: its games are {have}")
    return NamedGame(name, found)


def _module(place: str, name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is not None and place.startswith(error.name):
            raise PoseError(f"--play {name}: there is no module {error.name} here or where Python looks") from error
        raise PoseError(f"--play {name}: {place} needs {error.name}, which is not installed") from error
    except Exception as error:
        raise PoseError(f"--play {name}: {place} cannot be imported: {type(error).__name__}: {error}") from error
