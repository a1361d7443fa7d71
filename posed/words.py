"""Words of sentences for people: counts with their nouns, lists that end somewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

LISTED = 8
"""Entries of a list that a sentence names at most."""

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
    """Return a number as tables have it: a whole one in full, with commas; three digits of another; "" of an infinite.

    >>> numeral(1886), numeral(0.007843), numeral(math.inf)
    ('1,886', '0.00784', '')
    """
    if not math.isfinite(value):
        return ""
    whole = float(value).is_integer() and abs(value) < LARGEST_WHOLE
    return f"{value:,.0f}" if whole else f"{value:.3g}"


def listed(numbers: Sequence[int], one: str = "") -> str:
    """Return numbers as a sentence lists them, the first `LISTED`: 1, 2, ...; after their noun where one is given."""
    text = ", ".join(map(str, numbers[:LISTED])) + (", ..." if len(numbers) > LISTED else "")
    return f"{noun(len(numbers), one)} {text}" if one else text
