"""Kinds of values that options take: each says of a wrong one what it is not, and what to give."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from posed.numerals import read_fraction, read_index

if TYPE_CHECKING:
    Kind = click.ParamType[Any]
else:
    Kind = click.ParamType  # takes no parameter before click 8.4

LARGEST_SIDE = 16384
"""Pixels."""

LARGEST_TICK = 2**53

MOST_TICKS = 1_000_000

LARGEST_NUMBER = 1e6
"""Of seconds or megabytes."""

LARGEST_SAMPLES = 65536
"""A pixel."""


class Whole(Kind):
    """A whole number from `low` to `high`."""

    name = "N"

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return it."""
        number = read_index(str(value), self._high)
        if number is None or number < self._low:
            self.fail(f'"{value}" is no number for it: give a whole one from {self._low} to {self._high}', param, ctx)
        return number


class OneOf(Kind):
    """One of some words."""

    def __init__(self, *words: str) -> None:
        self._words, self.name = words, "|".join(words)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the words as the help shows them."""
        del param, ctx
        return self.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return it."""
        if value not in self._words:
            self.fail(f'"{value}" is none of its values: give {" or ".join(self._words)}', param, ctx)
        return str(value)


class Size(Kind):
    """WxH in pixels."""

    name = "WxH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return (W, H)."""
        if isinstance(value, tuple):
            return value[0], value[1]
        sides = [read_index(part, LARGEST_SIDE) or 0 for part in str(value).lower().split("x")]
        if len(sides) != 2 or 0 in sides:
            self.fail(
                f'"{value}" is no size: give WxH in pixels, up to {LARGEST_SIDE} each, such as 960x540', param, ctx
            )
        return sides[0], sides[1]


class Memory(Kind):
    """An amount of memory."""

    name = "AMOUNT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return bytes."""
        if isinstance(value, int):
            return value
        read = re.fullmatch(r"(\d+(?:\.\d+)?)([kMGT]i?B)", str(value))
        if read is None:
            self.fail(f'"{value}" is no amount of memory: give a number and a unit, such as 512MiB or 2GiB', param, ctx)
        power = "kMGT".index(read[2][0]) + 1
        return int(Fraction(read[1]) * (1024 if "i" in read[2] else 1000) ** power)


class Positive(Kind):
    """A number above 0, up to a million."""

    name = "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return it."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0.0 < number <= LARGEST_NUMBER:
            self.fail(f'"{value}" is no number for it: give one above 0, up to {LARGEST_NUMBER:,.0f}', param, ctx)
        return number


class Tick(Kind):
    """An integer tick."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the tick."""
        tick = read_index(str(value), LARGEST_TICK)
        if tick is None:
            self.fail(f'"{value}" is no tick: give an integer from 0 to 2^53', param, ctx)
        return tick


class Samples(Kind):
    """A number of samples a pixel, or "center"."""

    name = "N|center"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Return the number or "center"."""
        if value == "center":
            return "center"
        number = read_index(str(value), LARGEST_SAMPLES)
        if not number:
            self.fail(f'"{value}" is no number of samples: give 1 to {LARGEST_SAMPLES}, or center', param, ctx)
        return number


class Background(Kind):
    """What lies behind everything: "environment", "transparent", or a linear color."""

    name = "environment|transparent|R,G,B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | tuple[float, float, float]:
        """Return the word, or the three numbers."""
        if isinstance(value, tuple) or value in ("environment", "transparent"):
            return value  # type: ignore[no-any-return]
        try:
            red, green, blue = (float(read_fraction(part)) for part in str(value).split(","))
        except (ValueError, OverflowError):
            red, green, blue = -1.0, -1.0, -1.0
        if not all(0.0 <= part <= 1e30 for part in (red, green, blue)):
            self.fail(
                f'"{value}" is no background: give environment, transparent, or red, green and blue as 0.5,0.5,0.5',
                param,
                ctx,
            )
        return red, green, blue


class Ticks(Kind):
    """A:B or A:B:STEP; B is left out, as Python does."""

    name = "A:B[:STEP]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """Return the ticks as a range, never empty."""
        if isinstance(value, range):
            return value
        read = [read_index(part, LARGEST_TICK) for part in str(value).split(":")]
        numbers = [number for number in read if number is not None]
        if len(read) not in (2, 3) or len(numbers) != len(read):
            self.fail(f'"{value}" is no range of ticks: give A:B or A:B:STEP, such as 0:60', param, ctx)
        if len(numbers) == 3 and numbers[2] == 0:
            self.fail(f'"{value}" has a step of 0: give one of 1 or more', param, ctx)
        ticks = range(*numbers)
        if not ticks:
            self.fail(f'"{value}" holds no tick: give A:B with B beyond A', param, ctx)
        if len(ticks) > MOST_TICKS:
            wrong = f'"{value}" holds {len(ticks):,} ticks: give at most {MOST_TICKS:,}, or a step between them'
            self.fail(wrong, param, ctx)
        return ticks


class Seconds(Kind):
    """A time in seconds, exact."""

    name = "SECONDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """Return the rational that the text names."""
        try:
            seconds = read_fraction(str(value))
        except ValueError:
            seconds = Fraction(-1)
        if not 0 <= seconds <= LARGEST_TICK:
            self.fail(f'"{value}" is no time: give seconds of 0 or more, such as 0.75', param, ctx)
        return seconds


class Rate(Kind):
    """Ticks a second: 60, or 30000/1001."""

    name = "RATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """Return the rational that the text names."""
        try:
            rate = read_fraction(str(value))
        except ValueError:
            rate = Fraction(0)
        if not 0 < rate <= 1_000_000:
            self.fail(f'"{value}" is no rate: give ticks a second, such as 60 or 30000/1001', param, ctx)
        return rate
