"""Numbers from 0 to 1 tried in tenths, then in tenths of a tenth around the best, finer and finer."""

from __future__ import annotations

from collections.abc import Sequence

from posed.verify.diagnosing.diagnosis import Finding
from posed.verify.diagnosing.hypothesis import USUAL

TENTHS = tuple(step / 10.0 for step in range(11))

FINEST = 1e-5
"""The smallest step."""

SAME = 1e-6
"""Difference of two numbers that count as one."""


def finer(best: Sequence[Finding], name: str) -> tuple[float, list[float]] | None:
    """Return the next smaller step and the numbers around the best finding's value `name`; None where all is found."""
    if not best or best[0].share >= 1.0:
        return None
    values = best[0].hypothesis.values
    middle, step = values[name], values["step"]
    assert isinstance(middle, float)
    assert isinstance(step, float)
    if step <= FINEST * 1.5:
        return None
    smaller = round(step / 10.0, 6)
    near = [round(middle + smaller * part, 6) for part in range(-9, 10) if part]
    return smaller, [one for one in near if 0.0 <= one <= 1.0]


def surprise(value: float, step: float) -> float:
    """Return how surprising a number is: 0 and 1 come of things left out, tenths of knobs, others of neither."""
    if value in (0.0, 1.0):
        return USUAL
    return USUAL + 0.5 + (0.0 if step == TENTHS[1] else 0.25)
