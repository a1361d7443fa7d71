"""`diverge`: two runs walked side by side up to where they part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posed.errors import PosedError
from posed.fitting import fit
from posed.game import Game
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.diagnosing import diagnose
from posed.verify.diagnosing.pose_evidence import WITHIN, WORDS, PoseEvidence, State, joint_name
from posed.verify.diagnosing.replay import Replay
from posed.verify.diverging.divergence import Divergence
from posed.verify.diverging.runs import PlayedRun, Run, Runs, run_of

WINDOW = 60
"""Ticks before and after that are tried for a cause."""


@dataclass(frozen=True)
class _Off:
    """The first thing that differs at a tick, and how far off it is in millimetres, None where that is not known."""

    state: State
    millimetres: float | None


def diverge(
    runs_a: Runs,
    runs_b: Runs,
    *,
    scene: Scene | None = None,
    game: Game | None = None,
    inputs: Sequence[Any] | Mapping[int, Any] | None = None,
    bisect: bool = False,
) -> Divergence:
    """Find the first tick at which two runs differ, the first joint there, and the likeliest cause.

    The ticks that both have are compared in order, up to the first that differs, so that runs which part and come
    together again, as loops do, are not taken for equal.

    Parameters
    ----------
    runs_a, runs_b
        The right one and the other: snapshots, a folder of them (see `runs.DumpedRun`), or a scene that plays.
    scene
        What both show; it names joints and is searched for the cause. A scene among the runs serves.
    game, inputs
        What plays a scene, see `posed.play`; without them, what its file says.
    bisect
        Halve the ticks in place of walking through them: few snapshots of a long run are read. It finds a tick before
        which they agree and from which they differ; which is the first only where runs that have parted stay apart.

    Raises
    ------
    PosedError
        A run cannot be read, or they have no tick in common.
    PoseError
        A snapshot does not fit the scene.
    """
    chosen = scene or next((one for one in (runs_a, runs_b) if isinstance(one, Scene)), None)
    one, other = (_run(held, game, inputs) for held in (runs_a, runs_b))
    ticks = _common(one, other)
    found, agreeing, count = (_halved if bisect else _walked)(one, other, ticks, chosen)
    notes = (*_left_out(one, other, ticks), *one.notes, *other.notes)
    if found is None:
        return Divergence(compared=count, last_agreeing=agreeing, notes=notes)
    expected, live, off = found
    name = joint_name(chosen, off.state)
    diagnosis = None
    if chosen is None:
        notes = (*notes, "without the scene no cause is searched for: give it")
    else:
        diagnosis = diagnose(chosen, live, posed=expected, game=game, inputs=inputs, window=WINDOW)
        notes = (*notes, *diagnosis.notes)
    return Divergence(
        tick=expected.tick,
        object=off.state.object,
        joint=name,
        what=WORDS[off.state.kind],
        millimetres=off.millimetres,
        compared=count,
        last_agreeing=agreeing,
        diagnosis=diagnosis,
        notes=notes,
    )


Found = tuple[Posed, Posed, _Off] | None


def _run(held: Runs, game: Game | None, inputs: Sequence[Any] | Mapping[int, Any] | None) -> Run:
    return PlayedRun(Replay(held, game, inputs)) if isinstance(held, Scene) else run_of(held)


def _common(one: Run, other: Run) -> list[int]:
    """Return the ticks that both runs have, rising."""
    if one.ticks is None and other.ticks is None:
        raise PosedError("both runs are scenes, which play without end: give the snapshots of one")
    own = one.ticks if one.ticks is not None else other.ticks
    others = other.ticks if other.ticks is not None else own
    assert own is not None
    assert others is not None
    ticks = sorted(set(own) & set(others))
    if not ticks:
        raise PosedError(f"the runs have no tick in common: one has {_span(own)}, the other {_span(others)}")
    return ticks


def _span(ticks: Sequence[int]) -> str:
    return f"{ticks[0]} to {ticks[-1]}" if ticks else "none"


def _left_out(one: Run, other: Run, ticks: Sequence[int]) -> tuple[str, ...]:
    sides = (("first", one), ("second", other))
    extra = [(name, len(run.ticks) - len(ticks)) for name, run in sides if run.ticks is not None]
    return tuple(f"ticks of the {name} run that the other has not: {count}" for name, count in extra if count)


def _walked(one: Run, other: Run, ticks: Sequence[int], scene: Scene | None) -> tuple[Found, int | None, int]:
    """Return the first difference, the tick before it, and how many ticks were compared."""
    agreeing: int | None = None
    for count, (expected, live) in enumerate(zip(one.through(ticks), other.through(ticks), strict=True), 1):
        off = _first_off(expected, live, scene)
        if off is not None:
            return (expected, live, off), agreeing, count
        agreeing = expected.tick
    return None, agreeing, len(ticks)


def _halved(one: Run, other: Run, ticks: Sequence[int], scene: Scene | None) -> tuple[Found, int | None, int]:
    """Return a difference whose tick before agrees, that tick, and how many ticks were compared."""

    def at(place: int) -> Found:
        (expected,), (live,) = one.through([ticks[place]]), other.through([ticks[place]])
        off = _first_off(expected, live, scene)
        return None if off is None else (expected, live, off)

    last = len(ticks) - 1
    found, count = at(last), 1
    if found is None:
        return None, ticks[last], count
    low, high = -1, last
    while high - low > 1:
        middle = (low + high) // 2
        seen = at(middle)
        count += 1
        if seen is None:
            low = middle
        else:
            high, found = middle, seen
    return found, ticks[low] if low >= 0 else None, count


def _first_off(expected: Posed, live: Posed, scene: Scene | None) -> _Off | None:
    """Return the first thing that differs, in the order of objects and of the hierarchy; None where nothing does."""
    if expected.digest == live.digest:
        return None
    if scene is None:
        return next((_Off(state, None) for state in _bare(expected, live)), None)
    evidence = PoseEvidence(scene, fit(scene, expected), live)
    off = np.flatnonzero(evidence.off > 1.0)
    if not len(off):
        return None
    first = int(off[0])
    return _Off(evidence.states[first], evidence.millimetres(first))


def _bare(expected: Posed, live: Posed) -> Iterator[State]:
    """Yield what differs of what both snapshots state, without knowing what they show."""
    for name in expected.models:
        if name in live.models and _apart(expected.models[name], live.models[name]):
            yield State("object", name)
    for kind, field in (("node", "nodes"), ("joint", "palettes"), ("morph", "morphs")):
        for name, nodes in getattr(expected, field).items():
            for node, value in nodes.items():
                found = getattr(live, field).get(name, {}).get(node)
                if found is None or not _apart(value, found):
                    continue
                rows = range(len(value)) if kind == "joint" and found.shape == value.shape else ()
                yield State(kind, name, node, next((row for row in rows if _apart(value[row], found[row])), None))
    for name, frame in expected.sprites.items():
        if live.sprites.get(name, frame) != frame:
            yield State("sprite", name)


def _apart(one: Any, other: Any) -> bool:
    if one.shape != other.shape:
        return True
    size = max(1.0, float(np.abs(one).max(initial=0.0)))
    return bool((np.abs(one.astype(np.float64) - other) > WITHIN * size).any())
