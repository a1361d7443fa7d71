"""Options that several commands share."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from posed.cli.kinds import Memory, OneOf, Seconds, Size, Tick, Ticks, Whole
from posed.cli.moment import Moment

Command = TypeVar("Command", bound=Callable[..., Any])

SCENE = click.argument("scene", type=click.Path(path_type=Path), metavar="SCENE")
"""A .toml, .glb or .gltf."""


def model_options(command: Command) -> Command:
    """Add the options that choose what of a .glb or .gltf is shown."""
    return _all(
        [
            click.option(
                "--scene",
                "number",
                type=Whole(0, 2**31 - 1),
                metavar="N",
                help="Of a .glb or .gltf, the scene to show; its own choice unless given.",
            ),
            click.option("--variant", metavar="NAME", help="Of a .glb or .gltf, the variant of its materials to show."),
        ]
    )(command)


def moment_options(*, ranges: bool) -> Callable[[Command], Command]:
    """Add the options that choose what is played and when; with `ranges`, also `--ticks`.

    The command gets them together, as the `Moment` of its parameter `moment`.
    """
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

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def gathered(**given: Any) -> Any:
            own = {one.name: given.pop(one.name) for one in fields(Moment) if one.name in given}
            return command(moment=Moment(**own), **given)

        return _all(options)(cast("Command", gathered))

    return decorate


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
            click.option("--backend", type=OneOf("embree", "bvh"), envvar="POSED_BACKEND", help="What finds the hits."),
            click.option("--embree", envvar="POSED_EMBREE", metavar="CONFIG", help="Embree's configuration: isa=avx2."),
            click.option(
                "--threads", type=Whole(1, 1024), envvar="POSED_THREADS", metavar="N", help="Threads of the trace."
            ),
        ]
    )(command)


def memory_option(default: str, help: str) -> Callable[[Command], Command]:
    """Add the option that bounds what a worker's pictures may take."""
    return click.option("--memory", type=Memory(), metavar="AMOUNT", default=default, show_default=True, help=help)


def crew_options(what: str) -> Callable[[Command], Command]:
    """Add the options that choose who shares `what`, the words for it."""
    return _all(
        [
            click.option(
                "--workers",
                type=Whole(1, 1024),
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
