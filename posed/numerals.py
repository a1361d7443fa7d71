"""Numbers in the texts of users and files, read with bounds: a short text can name a number of any size."""

from __future__ import annotations

import re
from fractions import Fraction

LONGEST = 64
"""Characters of a number that are read at most; the ones that people mean are shorter."""

LARGEST_EXPONENT = 400
"""Beyond it in size lies no float64; 1e999999999 alone would fill the memory."""


def read_fraction(text: str) -> Fraction:
    """Return the rational that a text names exactly: "60", "0.1", "1e-3", "30000/1001".

    Raises
    ------
    ValueError
        It names none, or is longer than `LONGEST`, or its exponent larger than `LARGEST_EXPONENT`.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a number of {len(text)} characters: at most {LONGEST} are read")
    exponent = re.search(r"[eE]([+-]?[\d_]+)\s*$", text)
    if exponent is not None and abs(int(exponent[1])) > LARGEST_EXPONENT:
        raise ValueError(f'the exponent of "{text}" is larger than {LARGEST_EXPONENT}')
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f'"{text}" divides by zero') from None


def read_index(text: str, most: int) -> int | None:
    """Return the integer that the digits of `text` name, None where they are none or name more than `most`."""
    if not text.isdecimal() or len(text) > LONGEST:
        return None
    number = int(text)
    return number if number <= most else None
