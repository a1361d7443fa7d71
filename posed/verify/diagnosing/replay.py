"""A scene played again, to see what it shows at other moments."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from posed.game import Game, worlds
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.world import World

ALMOST = 1e-9
"""Difference of matrices' and weights' numbers that a way through a file explains."""


class Replay:
    """What plays a scene: what its file says alone, or a script.

    Parameters
    ----------
    scene
    game, inputs
        The script and its inputs, see `posed.play`; a copy of it plays, each time.
    """

    def __init__(
        self, scene: Scene, game: Game | None = None, inputs: Sequence[Any] | Mapping[int, Any] | None = None
    ) -> None:
        self._scene, self._game, self._inputs = scene, game, inputs

    def at(self, tick: int, alpha: float = 0.0) -> Posed:
        """Return the snapshot of one moment."""
        return next(self.through({tick: (alpha,)}))

    def through(self, moments: Mapping[int, Sequence[float]]) -> Iterator[Posed]:
        """Yield the snapshots of some ticks, in order, each at its fractions in [0, 1) of the way to the next."""
        ticks = sorted(moments)
        if self._game is None:
            world = World(self._scene)
            for tick in ticks:
                world.advance(tick)
                yield from (world.posed(alpha) for alpha in moments[tick])
            return
        played = worlds(copy.deepcopy(self._game), self._scene, ticks[-1] + 1 if ticks else 0, self._inputs)
        for tick, world in enumerate(played):
            yield from (world.posed(alpha) for alpha in moments.get(tick, ()))

    def shows(self, truth: Posed) -> bool:
        """Return whether this is what the snapshot was taken of."""
        return same_pose(self.at(truth.tick, truth.alpha), truth)


def same_pose(one: Posed, other: Posed, name: str | None = None) -> bool:
    """Return whether two whole snapshots show the same pose, of all objects or of one."""
    for field in ("models", "nodes", "palettes", "morphs", "properties", "sprites"):
        ours, theirs = getattr(one, field), getattr(other, field)
        for owner in (*ours, *(owner for owner in theirs if owner not in ours)):
            if name in (None, owner) and not _same(ours.get(owner), theirs.get(owner)):
                return False
    return True


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if one is None or other is None:
        return one is other
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and bool((np.abs(one - other) <= ALMOST).all())
