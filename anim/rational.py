"""Exact numbers from what users write: a float stands for its shortest decimal, so that 0.3 means three tenths."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

from anim.errors import AnimError

Number = int | float | Fraction | Decimal
"""What an option may be given as."""


def exact(number: Number, name: str = "number") -> Fraction:
    """Return the rational a number stands for: of a float, that of its shortest decimal.

    Raises
    ------
    AnimError
        For what is no finite number.
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal | np.integer | np.floating):
        raise AnimError(f"{name} is {number!r}; expected a number")
    if isinstance(number, int | np.integer):
        return Fraction(int(number))
    if not math.isfinite(number):
        raise AnimError(f"{name} is {number}; expected a finite number")
    return Fraction(number) if isinstance(number, Decimal) else Fraction(repr(float(number)))


def exact_rate(rate: Number) -> Fraction:
    """Return a rate in ticks per second.

    Raises
    ------
    AnimError
        For one that is not positive.
    """
    fraction = exact(rate, "rate")
    if fraction <= 0:
        raise AnimError(f"rate is {rate}; expected a positive number of ticks per second")
    return fraction


def snapped(seconds: float, rate: Fraction) -> Fraction:
    """Return a time of a file as a rational: the whole tick it lies within one float32 step of, or else its own value.

    Files store times in float32, where 10/60 comes out just above ten ticks at a rate of 60.
    """
    own = Fraction(seconds)
    whole = Fraction(math.floor(own * rate + Fraction(1, 2))) / rate
    step = Fraction(float(np.spacing(np.float32(float(whole)))))
    return whole if abs(own - whole) <= step else own


def whole_ticks(seconds: Number, rate: Fraction) -> int:
    """Return a length of time in ticks, rounded half up.

    Raises
    ------
    AnimError
        For a negative or infinite length.
    """
    length = exact(seconds, "seconds")
    if length < 0:
        raise AnimError(f"seconds is {seconds}; expected 0 or more")
    return math.floor(length * rate + Fraction(1, 2))
