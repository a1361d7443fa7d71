"""`posed explain`: a pixel's whole story."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from posed.cli.kinds import LARGEST_SIDE, Whole
from posed.cli.moment import Moment
from posed.cli.options import SCENE, SIZE, machine_options, model_options, moment_options, use_machine


@click.command(short_help="Tell why a pixel shows what it shows.")
@SCENE
@model_options
@moment_options(ranges=False)
@click.option(
    "--pixel",
    nargs=2,
    type=Whole(0, LARGEST_SIDE - 1),
    metavar="X Y",
    required=True,
    help="Column and row of the pixel, from the upper left, counted from 0.",
)
@SIZE
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@machine_options
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    moment: Moment,
    pixel: tuple[int, int],
    size: tuple[int, int],
    as_json: bool,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> None:
    """Tell the story of a pixel of SCENE: its object, triangle, vertices, and the joints, clips and keys behind them.

    \b
    posed explain golden/scenes/walker.toml --tick 42 --pixel 480 270
    posed explain character.glb --clip Run --tick 10 --pixel 300 200 --json
    """
    from posed.cli.moments import load_scene
    from posed.cli.progress import Compiling
    from posed.verify.explaining import explain

    backend = use_machine(backend, embree, threads)
    loaded = load_scene(scene, playing=moment.playing, number=number, variant=variant)
    moment.check(loaded)
    kernels = Compiling("aov")
    pose = moment.snapshot(loaded)
    kernels.wait()
    story = explain(loaded, pose, *pixel, size=size, backend=backend)
    if as_json:
        click.echo(json.dumps(story.to_dict(), indent=1))
        return
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 160, highlight=False).print(story.tree())
