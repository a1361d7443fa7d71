"""Another tick: the live side is early or late, by whole ticks or by a part of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from posed.snapshot import Posed
from posed.verify.diagnosing.case import MOST_ALONE, Case, agreed, named
from posed.verify.diagnosing.changes import spliced
from posed.verify.diagnosing.diagnosis import Finding
from posed.verify.diagnosing.hypothesis import USUAL, Family, Hypothesis
from posed.verify.diagnosing.replay import same_pose
from posed.verify.hypotheses.times import shifted

NAME = "another tick"

PARTS = 8
"""Steps that are tried from one moment to the next, finer and finer."""

FINEST = Fraction(1, 500)
"""Of a tick: a step below it is not divided."""

NEAR = 2.0
"""Ticks off that are the most usual of all mistakes: counting from one, drawing before or after the step."""

PARTED = 0.1
"""Surprise of parts of ticks, the more the finer they are."""

FAR = 0.01
"""Surprise of each tick further off."""

ALONE = 12
"""Ticks off up to which one of several objects is tried alone."""

MOST_REFINED = 2
"""Whole ticks around which parts are tried."""

WHOLE = 0.999
"""Share from which nothing finer is looked for."""

CURE = "when the engine advances its animation, when it draws, and which tick it calls which"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield every tick of the window but the truth's own; near it also that one of several objects shows it alone."""
    moments = {tick: (case.truth.alpha,) for tick in case.window if tick != case.truth.tick}
    for other in _moments(case, moments):
        yield _hypothesis(case, other, case.suspects, Fraction(1))
        if len(case.suspects) > 1 and abs(other.tick - case.truth.tick) <= ALONE:
            for name in case.suspects[:MOST_ALONE]:
                yield _hypothesis(case, other, (name,), Fraction(1))


def refine(case: Case, best: Sequence[Finding]) -> Iterator[Hypothesis]:
    """Yield parts of ticks around the best, and parts of these, until one explains it."""
    step = Fraction(str(best[0].hypothesis.values["step"])) if best else Fraction(1)
    if step < FINEST or (best and best[0].share >= WHOLE):
        return
    chosen = best[: MOST_REFINED if step == 1 else 1]
    names = chosen[0].hypothesis.objects if chosen else case.suspects
    fine: dict[int, set[float]] = {}
    for middle in [_exact(one.hypothesis.posed) for one in chosen] or [_exact(case.truth)]:
        for part in range(1 - PARTS, PARTS):
            moment = middle + step * part / PARTS
            if part and moment >= 0 and moment != _exact(case.truth):
                fine.setdefault(int(moment), set()).add(float(moment - int(moment)))
    for other in _moments(case, {tick: sorted(alphas) for tick, alphas in fine.items()}):
        yield _hypothesis(case, other, names, step / PARTS)


def _hypothesis(case: Case, other: Posed, names: Sequence[str], step: Fraction) -> Hypothesis:
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
        values={"tick": float(moment), "expected": float(true), "off": float(moment - true), "step": str(step)},
        surprise=(USUAL / 2.0 if off <= NEAR else USUAL + FAR * off) + (PARTED if step < 1 else 0.0) * float(2 - step),
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
