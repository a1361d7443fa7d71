"""Checks shared out: each snapshot goes to a worker, whose verdicts come back in order and without their frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from posed.farm.chunk import Chunk, Packed, Ready
from posed.farm.crew import crew_of, in_order
from posed.farm.state import copy_of, freeze, thaw
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.verify.report import Shown, shown
from posed.verify.suite.description import Suite, Test
from posed.verify.suite.result import CheckResult
from posed.verify.suite.run import checked
from posed.verify.verdict import Side, Verdict
from posed.world import World

Checker = Callable[[Scene, Posed], CheckResult]
"""Makes the live side of a snapshot and holds it against its trace; a value that can be pickled."""


class Series(NamedTuple):
    """Snapshots to be checked: those of `ticks`, played from the state in which `world` is, each by every checker.

    Where ticks go back, play begins anew. The world is copied, never advanced.
    """

    world: World
    ticks: Sequence[int]
    checkers: Sequence[Checker]


class Checked(NamedTuple):
    """What came of one frame, without scene, snapshots and frames, and what a report shows of it if one is wanted."""

    result: CheckResult
    shown: Shown | None


@dataclass(frozen=True)
class CheckChunk(Chunk[Checked]):
    """One snapshot and all of its checkers: the pickled `state` of its world goes before its `tick`."""

    state: bytes
    tick: int
    checkers: tuple[Checker, ...]
    with_shown: bool

    @property
    def words(self) -> str:
        """Which tick."""
        return f"the checks at tick {self.tick}"

    def carried_out(self, ready: Ready) -> list[Checked]:
        """Play to the tick and let each checker judge it."""
        world = thaw(ready.scene, self.state)
        world.advance(self.tick)
        pose = world.posed()
        return [self._kept(checker(ready.scene, pose)) for checker in self.checkers]

    def _kept(self, one: CheckResult) -> Checked:
        if one.verdict is None:
            return Checked(one, None)
        page = shown(one.verdict) if self.with_shown else None
        return Checked(replace(one, verdict=_alone(one.verdict)), page)


def checks(
    coming: Iterable[Series], *, workers: int = 1, cluster: str | None = None, with_shown: bool = False
) -> Generator[Checked, None, None]:
    """Yield what comes of every check in order: series by series, tick by tick, checker by checker.

    Parameters
    ----------
    coming
        What is checked; each is asked for when workers have room for it.
    workers, cluster
        Who checks: this process, several of this machine, or the workers of the Dask cluster at an address.
    with_shown
        Whether a report is made of them.

    Raises
    ------
    PosedError
        A scene cannot be played, or workers keep ending.
    MissingError
        The cluster, or Dask, is not there.
    """
    with crew_of(workers, cluster) as crew:
        yield from in_order(crew, _work(coming, with_shown))


def suite_series(suite: Suite, *, backend: str | None = None) -> Iterator[Series]:
    """Yield a suite's tests in order, each scene loaded when its turn comes.

    Raises
    ------
    PosedError
        A scene cannot be loaded.
    """
    for test in suite.tests:
        alone = replace(suite, path=Path(os.path.abspath(suite.path)), tests=(test,))
        checkers = [partial(_check, alone, test, name, backend) for name in test.renderers]
        yield Series(World(load(test.scene)), test.ticks, checkers)


def _check(suite: Suite, test: Test, renderer: str, backend: str | None, scene: Scene, pose: Posed) -> CheckResult:
    return checked(suite, test, scene, pose, suite.renderers[renderer], backend=backend)


def _work(coming: Iterable[Series], with_shown: bool) -> Iterator[tuple[Packed, CheckChunk]]:
    """Yield a chunk for each tick, with the state of play before it."""
    for series in coming:
        scene = Packed.of(series.world.scene)
        world = copy_of(series.world)
        for tick in series.ticks:
            if tick < world.ticks:
                world = copy_of(series.world)
            yield scene, CheckChunk(freeze(world), tick, tuple(series.checkers), with_shown)
            world.advance(tick)


def _alone(verdict: Verdict) -> Verdict:
    """Return a verdict that crosses to another process in a few kilobytes."""
    kept = verdict.without_pictures()
    return replace(kept, scene=None, reference=Side(kept.reference.origin), live=Side(kept.live.origin))
