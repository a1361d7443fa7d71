"""`posed pose`: the snapshot of a scene as a file."""

from __future__ import annotations

from pathlib import Path

import click

from posed.cli.moment import Moment
from posed.cli.options import SCENE, model_options, moment_options


@click.command(short_help="Write the snapshot of a tick.")
@SCENE
@model_options
@moment_options(ranges=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="x.posed.npz, or x.json to read.")
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    moment: Moment,
    output: Path,
) -> None:
    """Write the snapshot of SCENE at a tick: object matrices, palettes, morph weights, sprite frames, camera.

    \b
    posed pose golden/scenes/walker.toml --tick 42 -o walker.json
    """
    from posed.cli.moments import load_scene
    from posed.files import check_place
    from posed.snapshot_file import check_format

    check_format(output)
    check_place(output)
    loaded = load_scene(scene, playing=moment.playing, number=number, variant=variant)
    pose = moment.snapshot(loaded)
    pose.save(output)
    click.echo(f"{output}: tick {pose.tick}, digest {pose.digest}")
