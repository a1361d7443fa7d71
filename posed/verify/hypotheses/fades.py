"""Crossfades: not applied, so that the new clip stands at once or the old one stays, or at another moment of theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from posed.verify.diagnosing.case import Case
from posed.verify.diagnosing.diagnosis import Finding
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.hypotheses.steps import SAME, TENTHS, finer, surprise

NAME = "crossfade not applied"

CURE = "how the engine mixes two clips while one fades into the other: for how long, and which of them keeps playing"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield the fade of the newest clip at its end, at its start, and at tenths between."""
    for name in case.suspects:
        yield from _faded(case, name, TENTHS[1], TENTHS)


def refine(case: Case, best: Sequence[Finding]) -> Iterator[Hypothesis]:
    """Yield finer moments around the best."""
    found = finer(best, "weight")
    if found is not None:
        yield from _faded(case, best[0].hypothesis.objects[0], *found)


def _faded(case: Case, name: str, step: float, weights: Sequence[float]) -> Iterator[Hypothesis]:
    played = case.played(case.scene.object(name))
    if played is None or len(played.mixes) < 2:
        return
    below, newest = played.mixes[-2], played.mixes[-1]
    new, old = (", ".join(f'"{one.clip}"' for one in mix.layers) or "the rest pose" for mix in (newest, below))
    for weight in weights:
        if abs(weight - newest.weight) < SAME:
            continue
        if weight == 1.0:
            claim = f"the crossfade is not applied: {new} alone is drawn, where {old} still shows"
        elif weight == 0.0:
            claim = f"the crossfade is not applied: {old} alone is drawn, where {new} shows already"
        else:
            claim = f"the crossfade to {new} is at {weight:g}, not {newest.weight:.4g}"
        posed = case.reposed({name: (*played.mixes[:-1], replace(newest, weight=weight))})
        if posed is not None:
            yield Hypothesis(
                family=NAME,
                claim=f'object "{name}": {claim}',
                cure=CURE,
                posed=posed,
                objects=(name,),
                values={"weight": weight, "expected": newest.weight, "step": step},
                surprise=surprise(weight, step),
            )


FAMILY = Family(NAME, propose, refine)
