"""Options that several commands share, and the kinds of values they take."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from posed.numerals import read_fraction, read_index

Command = TypeVar("Command", bound=Callable[..., Any])

LARGEST_SIDE = 16384
"""Pixels."""

LARGEST_TICK = 2**53

LARGEST_NUMBER = 1e6
"""Of seconds or megabytes."""

LARGEST_SAMPLES = 65536
"""A pixel."""


class Size(click.ParamType[Any]):
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


class Memory(click.ParamType[Any]):
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


class Positive(click.ParamType[Any]):
    """A number above 0, up to a million."""

    name = "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return it."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0.0 < number <= LARGEST_NUMBER:
            self.fail(f'"{value}" is no number above 0, up to {LARGEST_NUMBER:,.0f}', param, ctx)
        return number


class Tick(click.ParamType[Any]):
    """An integer tick."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the tick."""
        tick = read_index(str(value), LARGEST_TICK)
        if tick is None:
            self.fail(f'"{value}" is no tick: give an integer from 0 to 2^53', param, ctx)
        return tick


class Samples(click.ParamType[Any]):
    """A number of samples a pixel, or "center"."""

    name = "N|center"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Return the number or "center"."""
        if value == "center":
            return "center"
        number = read_index(str(value), LARGEST_SAMPLES)
        if not number:
            self.fail(f'"{value}" is neither a number from 1 to {LARGEST_SAMPLES} nor "center"', param, ctx)
        return number


class Background(click.ParamType[Any]):
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


class Ticks(click.ParamType[Any]):
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
            self.fail("the step is 0", param, ctx)
        ticks = range(*numbers)
        if not ticks:
            self.fail(f'"{value}" holds no tick: B lies beyond A', param, ctx)
        return ticks


class Seconds(click.ParamType[Any]):
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


SCENE = click.argument("scene", type=click.Path(path_type=Path), metavar="SCENE")
"""A .toml, .glb or .gltf."""


def model_options(command: Command) -> Command:
    """Add the options that choose what of a .glb or .gltf is shown."""
    return _all(
        [
            click.option(
                "--scene",
                "number",
                type=click.IntRange(0),
                metavar="N",
                help="Of a .glb or .gltf, the scene to show; its own choice unless given.",
            ),
            click.option("--variant", metavar="NAME", help="Of a .glb or .gltf, the variant of its materials to show."),
        ]
    )(command)


def moment_options(*, ranges: bool) -> Callable[[Command], Command]:
    """Add the options that choose what is played and when; with `ranges`, also `--ticks`."""
    options = [
        click.option("--tick", type=Tick(), help="The tick; 0 unless the moment is given otherwise."),
        click.option("--time", type=Seconds(), help="The time, in place of the tick; may lie between two ticks."),
        click.option(
            "--clip",
            "clips",
            multiple=True,
            metavar="CLIP[:WEIGHT]",
            help="A clip by name or index, in place of what the scene plays; several are blended by weight.",
        ),
        click.option("--object", "object_", metavar="NAME", help="The object that --clip is for; the first that fits."),
        click.option(
            "--play",
            metavar="MODULE:GAME",
            help="A posed.Game that plays the scene, of a module in the working folder.",
        ),
        click.option(
            "--posed", type=click.Path(path_type=Path), metavar="FILE", help="A saved snapshot in place of a tick."
        ),
    ]
    if ranges:
        options.insert(2, click.option("--ticks", type=Ticks(), help="A range of ticks; B is left out."))
    return _all(options)


def _on_github(value: bool | None) -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true" if value is None else value


JUNIT = click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE.xml", help="Write the results as JUnit XML."
)

GITHUB = click.option(
    "--github/--no-github",
    default=None,
    callback=lambda _context, _option, value: _on_github(value),
    help="Annotations for GitHub Actions; by themselves where its runner is.",
)

SIZE = click.option("--size", type=Size(), metavar="WxH", default="960x540", show_default=True, help="Pixels.")


ADAPTER = click.option(
    "--adapter", envvar="POSED_ADAPTER", metavar="NAME", help="Part of the name of the adapter to draw with."
)


def machine_options(command: Command) -> Command:
    """Add the options that choose what of this machine is used; each has an environment variable."""
    return _all(
        [
            click.option(
                "--backend", type=click.Choice(["embree", "bvh"]), envvar="POSED_BACKEND", help="What finds the hits."
            ),
            click.option("--embree", envvar="POSED_EMBREE", metavar="CONFIG", help="Embree's configuration: isa=avx2."),
            click.option(
                "--threads", type=click.IntRange(1), envvar="POSED_THREADS", metavar="N", help="Threads of the trace."
            ),
        ]
    )(command)


MEMORY = click.option(
    "--memory",
    type=Memory(),
    metavar="AMOUNT",
    default="4GiB",
    show_default=True,
    help="What a worker's frames may take beside program and scene; larger ones are made in strips, or refused.",
)


def crew_options(what: str) -> Callable[[Command], Command]:
    """Add the options that choose who shares `what`, the words for it."""
    return _all(
        [
            click.option(
                "--workers",
                type=click.IntRange(1, 1024),
                metavar="N",
                default=1,
                help=f"Processes that share {what}, each with its share of the threads; this one alone unless given.",
            ),
            click.option(
                "--cluster",
                metavar="ADDRESS",
                help=f"The workers of a Dask cluster share {what}: tcp://host:8786, its scheduler.",
            ),
        ]
    )


def use_machine(backend: str | None, embree: str | None, threads: int | None) -> str | None:
    """Apply `machine_options`; return the backend."""
    if embree:
        os.environ["POSED_EMBREE"] = embree
    if threads is not None:
        os.environ["NUMBA_NUM_THREADS"] = str(max(threads, os.cpu_count() or 1))
        import numba

        numba.set_num_threads(threads)
    return backend


def _all(options: list[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
