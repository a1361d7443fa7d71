"""Words of sentences for people: counts with their nouns, lists that end somewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

LISTED = 8
"""Entries of a list that a sentence names at most."""

ALONE = {"pixels": "pixel", "joints and states": "joint or state"}
"""Units of counts, of one."""

LARGEST_WHOLE = 1e15
"""Below it a whole number is written in full."""


def counted(count: int, one: str, several: str = "") -> str:
    """Return a count with its noun: 1 part, 2 parts."""
    return f"{count} {noun(count, one, several)}"


def noun(count: int, one: str, several: str = "") -> str:
    """Return the noun, or the verb, that goes with a count: part, parts."""
    return one if count == 1 else several or one + "s"


def span(one: str, first: int, last: int) -> str:
    """Return a run of numbers after its noun: column 7, columns 7 to 9."""
    return f"{one} {first}" if first == last else f"{one}s {first} to {last}"


def numeral(value: float) -> str:
    """Return a number as tables have it: whole or large ones in full, with commas; else three digits; "" of infinity.

    >>> numeral(1886), numeral(0.007843), numeral(64341.27), numeral(math.inf)
    ('1,886', '0.00784', '64,341', '')
    """
    if not math.isfinite(value):
        return ""
    whole = float(value).is_integer() or abs(value) >= 999.5
    return f"{value:,.0f}" if whole and abs(value) < LARGEST_WHOLE else f"{value:.3g}"


def distance(millimetres: float) -> str:
    """Return a length with its unit, in metres from one metre on.

    >>> distance(41.234), distance(11920.0)
    ('41.23 mm', '11.92 m')
    """
    return f"{millimetres / 1000.0:.4g} m" if millimetres >= 1000.0 else f"{millimetres:.4g} mm"


def with_unit(value: float, unit: str) -> str:
    """Return a number with its unit, millimetres as `distance` has them, a single one of what is counted as one.

    >>> with_unit(1, "pixels"), with_unit(0.38, "degrees"), with_unit(2, "joints and states")
    ('1 pixel', '0.38 degrees', '2 joints and states')
    """
    if unit == "mm":
        return distance(value)
    number = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return f"{number} {unit_of(value, unit)}".rstrip()


def unit_of(value: float, unit: str) -> str:
    """Return the unit that goes with a number: pixel with a count of one."""
    return ALONE.get(unit, unit) if value == 1 and isinstance(value, int) else unit


def listed(numbers: Sequence[int], one: str = "") -> str:
    """Return numbers as a sentence lists them, the first `LISTED`: 1, 2, ...; after their noun where one is given."""
    text = ", ".join(map(str, numbers[:LISTED])) + (", ..." if len(numbers) > LISTED else "")
    return f"{noun(len(numbers), one)} {text}" if one else text
