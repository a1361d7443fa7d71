"""Another tick: the live side is early or late, by whole ticks or by a part of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case, agreed, named
from posed.verify.diagnosing.changes import spliced
from posed.verify.diagnosing.diagnosis import ENOUGH, Finding
from posed.verify.diagnosing.hypothesis import USUAL, Family, Hypothesis
from posed.verify.diagnosing.replay import same_pose
from posed.verify.hypotheses.times import shifted

NAME = "another tick"

PARTS = 8
"""Steps of a tick that are tried around the best whole ones."""

NEAR = 2.0
"""Ticks off that are the most usual of all mistakes: counting from one, drawing before or after the step."""

FAR = 0.01
"""Surprise of each tick further off."""

MOST_REFINED = 2
"""Whole ticks around which parts are tried."""

WHOLE = 0.999
"""Share from which nothing finer is looked for."""

CURE = "when the engine advances its animation, when it draws, and which tick it calls which"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield every tick of the window but the truth's own."""
    moments = {tick: (case.truth.alpha,) for tick in case.window if tick != case.truth.tick}
    for other in _moments(case, moments):
        yield _hypothesis(case, other, case.suspects)


def refine(case: Case, best: Sequence[Finding]) -> Iterator[Hypothesis]:
    """Yield parts of ticks around the best; where no tick explains enough for all suspects, every tick for each."""
    if best and best[0].share >= WHOLE:
        return
    if len(case.suspects) > 1 and not (best and best[0].share >= ENOUGH):
        moments = {tick: (case.truth.alpha,) for tick in case.window if tick != case.truth.tick}
        for other in _moments(case, moments):
            for name in case.suspects:
                yield _hypothesis(case, other, (name,))
    ticks = [one.hypothesis.posed.tick for one in best[:MOST_REFINED]] or [case.truth.tick]
    parts = tuple(part / PARTS for part in range(PARTS) if part / PARTS != case.truth.alpha)
    for other in _moments(case, {near: parts for tick in ticks for near in (tick - 1, tick) if near >= 0}):
        yield _hypothesis(case, other, case.suspects)


def _hypothesis(case: Case, other: Posed, names: Sequence[str]) -> Hypothesis:
    """Return that the live side shows another moment, or that some objects do where others that move do not."""
    left = [one.name for one in case.scene.objects if one.name not in names]
    whole = all(same_pose(case.truth, other, name) for name in left)
    moment, true = _exact(other), _exact(case.truth)
    if whole:
        claim = f"the live frame is tick {_tick(moment)}, not {_tick(true)}"
    else:
        objects = tuple(case.scene.object(name) for name in names)
        claim = f"{named(objects)} {agreed(objects, 'is', 'are')} at tick {_tick(moment)}, not {_tick(true)}"
    off = abs(float(moment - true))
    return Hypothesis(
        family=NAME,
        claim=claim,
        cure=CURE,
        posed=other if whole else replace(spliced(case.truth, other, names), tick=other.tick, alpha=other.alpha),
        objects=tuple(names),
        values={"tick": float(moment), "expected": float(true), "off": float(moment - true)},
        surprise=USUAL / 2.0 if off <= NEAR else USUAL + FAR * off,
    )


def _moments(case: Case, moments: Mapping[int, Sequence[float]]) -> Iterator[Posed]:
    """Yield the snapshots of some ticks: played again, or with the truth's own clips moved on."""
    if case.replay is not None:
        yield from case.replay.through(moments)
        return
    played = {name: case.played(case.scene.object(name)) for name in case.suspects}
    known = {name: one for name, one in played.items() if one is not None}
    if not known:
        case.note("no other tick was tried: the snapshot is not what the scene plays, and does not say what it plays")
        return
    case.note(
        "other ticks are those of the truth's own clips, at its weights: the snapshot is not what the scene plays"
    )
    for tick in sorted(moments):
        for alpha in moments[tick]:
            seconds = (tick + Fraction(alpha)) / case.scene.rate - case.seconds
            posed = case.reposed({name: shifted(one, seconds) for name, one in known.items()})
            if posed is not None:
                yield replace(posed, tick=tick, alpha=alpha)


def _exact(posed: Posed) -> Fraction:
    return posed.tick + Fraction(posed.alpha)


def _tick(moment: Fraction) -> str:
    return f"{float(moment):g}"


FAMILY = Family(NAME, propose, refine)
