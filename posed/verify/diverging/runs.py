"""Runs: snapshots by tick, in memory, in a folder that an engine filled, or played from a scene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from posed.errors import PosedError
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.replay import Replay
from posed.verify.loading import load_side

NUMBER = re.compile(r"\d+")

SUFFIXES = (".json", ".npz")


class Run(Protocol):
    """Snapshots by tick.

    `ticks` are those that it has, rising; None where it can play any. `notes` are what a reader of it should know, once
    it has been gone through.
    """

    ticks: Sequence[int] | None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences."""
        ...

    def through(self, ticks: Sequence[int]) -> Iterator[Posed]:
        """Yield the snapshots of some ticks that it has, rising."""
        ...


class ListedRun:
    """Snapshots in memory.

    Raises
    ------
    PosedError
        Two are of one tick, or one lies between ticks.
    """

    def __init__(self, snapshots: Iterable[Posed]) -> None:
        self._by_tick: dict[int, Posed] = {}
        for one in snapshots:
            if one.tick in self._by_tick:
                raise PosedError(f"the run has two snapshots of tick {one.tick}: leave one")
            if one.alpha != 0.0:
                raise PosedError(f"the run has a snapshot of tick {one.tick} + {one.alpha:g}: give whole ticks")
            self._by_tick[one.tick] = one
        self.ticks: Sequence[int] | None = sorted(self._by_tick)
        self.notes: tuple[str, ...] = ()

    def through(self, ticks: Sequence[int]) -> Iterator[Posed]:
        """Yield the snapshots of some ticks."""
        yield from (self._by_tick[tick] for tick in ticks)


class DumpedRun:
    """A folder of snapshots, read one by one as they are asked for.

    Every entry is a snapshot (.json, .npz), or a folder with one as posed.json or posed.npz, and has its tick as the
    last number in its name: `0042.posed.json`, `tick_42/posed.npz`. The name is what whoever asked for the tick calls
    it, so it goes before the tick that the snapshot states: an engine that is late may not know.

    Raises
    ------
    PosedError
        The folder is none, holds none, or an entry's name has no number or that of another.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise PosedError(f"{folder}: is no folder: give one with a snapshot for each tick, such as 0042.posed.json")
        self._folder = folder
        self._places: dict[int, Path] = {}
        for path in sorted(folder.iterdir()):
            if path.name.startswith(".") or not (path.is_dir() or path.suffix.lower() in SUFFIXES):
                continue
            numbers = NUMBER.findall(path.name)
            if not numbers:
                raise PosedError(f"{path}: its name does not say its tick: call it 0042.{path.name}, or move it away")
            tick = int(numbers[-1])
            if tick in self._places:
                raise PosedError(f"{folder}: {self._places[tick].name} and {path.name} are both of tick {tick}")
            self._places[tick] = path
        if not self._places:
            raise PosedError(f"{folder}: holds no snapshots: expected files such as 0042.posed.json, one a tick")
        self.ticks: Sequence[int] | None = sorted(self._places)
        self._restated: dict[int, str] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """Tell of snapshots that state another tick than their names."""
        if not self._restated:
            return ()
        several = len(self._restated)
        what = (
            "a snapshot states another tick than its name, which counts"
            if several == 1
            else (f"{several:,} snapshots state other ticks than their names, which count")
        )
        return (f"{what}: {self._restated[min(self._restated)]}",)

    def through(self, ticks: Sequence[int]) -> Iterator[Posed]:
        """Yield the snapshots of some ticks.

        Raises
        ------
        PosedError
            An entry cannot be read, or is no snapshot.
        """
        for tick in ticks:
            path = self._places[tick]
            posed = load_side(path).pose
            if posed is None:
                raise PosedError(f"{path}: is no snapshot: a run is compared by what engines dump of their poses")
            if posed.tick != tick:
                self._restated[tick] = f"{path} is of tick {posed.tick}"
                posed = replace(posed, tick=tick, alpha=0.0)
            yield posed


class PlayedRun:
    """A scene as it plays, at any tick."""

    ticks: Sequence[int] | None = None
    notes: tuple[str, ...] = ()

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    def through(self, ticks: Sequence[int]) -> Iterator[Posed]:
        """Yield the snapshots of some ticks, played through in order."""
        yield from self._replay.through(dict.fromkeys(ticks, (0.0,)))


Runs = Iterable[Posed] | Path | str | Scene
"""Snapshots, a folder of them, or a scene that plays."""


def run_of(held: Runs) -> Run:
    """Return what is held as a run.

    Raises
    ------
    PosedError
        It is none.
    """
    if isinstance(held, Scene):
        return PlayedRun(Replay(held))
    if isinstance(held, Path | str):
        return DumpedRun(Path(held))
    return ListedRun(held)
