"""`posed demo`: the walker, without any file of yours."""

from __future__ import annotations

from pathlib import Path

import click

from posed.cli.kinds import Tick
from posed.cli.moment import Moment
from posed.cli.options import SIZE, machine_options, use_machine


@click.command(short_help="Trace the walker, which comes with posed.")
@click.option("--tick", type=Tick(), default=42, show_default=True, help="The tick.")
@SIZE
@machine_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default="walker.png", show_default=True, help="The picture."
)
def command(
    tick: int,
    size: tuple[int, int],
    backend: str | None,
    embree: str | None,
    threads: int | None,
    output: Path,
) -> None:
    """Trace a frame of the walker, a scene that comes with posed.

    \b
    posed demo
    posed demo --tick 10 --size 480x270 -o small.png
    """
    from posed.cli.moments import load_scene
    from posed.cli.progress import Compiling
    from posed.data import demo_scene
    from posed.errors import PosedError
    from posed.files import check_place, no_suffix
    from posed.tracing import trace

    if output.suffix.lower() != ".png":
        raise PosedError(f"{output}: the picture is saved as .png, {no_suffix(output)}")
    check_place(output)
    backend = use_machine(backend, embree, threads)
    scene = load_scene(demo_scene())
    kernels = Compiling("direct")
    pose = Moment(tick=tick).snapshot(scene)
    kernels.wait()
    trace(scene, pose, size=size, layers=("color",), backend=backend).save(output)
    click.echo(f"{output}: the walker at tick {tick}. Its scene: {demo_scene()}")
