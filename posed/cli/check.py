"""`posed check`: the verdict of a live frame against the trace."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import click

from posed.cli.options import ADAPTER, SCENE, SIZE, machine_options, model_options, moment_options, use_machine


@click.command(short_help="Check a live frame against its trace.")
@SCENE
@model_options
@moment_options(ranges=False)
@SIZE
@click.option(
    "--live", type=click.Path(path_type=Path), metavar="FILE", help="A frame (.npz); drawn here unless given."
)
@click.option(
    "--policy", type=click.Choice(["exact", "gpu", "foreign"]), default="gpu", show_default=True, help="How strict."
)
@ADAPTER
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE.html", help="Write a page that shows what was found."
)
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@machine_options
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    tick: int | None,
    time: Fraction | None,
    clips: tuple[str, ...],
    object_: str | None,
    posed: Path | None,
    size: tuple[int, int],
    live: Path | None,
    policy: str,
    adapter: str | None,
    report: Path | None,
    as_json: bool,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> int:
    """Check a live frame of SCENE against its trace, layer by layer: exit status 0 where they agree, 1 where not.

    \b
    posed check golden/scenes/walker.toml --tick 42
    posed check character.glb --clip Run --tick 10 --live mine.npz --report run.html
    """
    from posed.cli.moments import load_scene, one_posed
    from posed.cli.progress import Compiling
    from posed.files import check_place
    from posed.frame import Frame
    from posed.verify import check

    if report is not None:
        check_place(report)
    backend = use_machine(backend, embree, threads)
    loaded = load_scene(scene, playing=bool(clips or posed), number=number, variant=variant)
    kernels = Compiling()
    pose = one_posed(loaded, tick=tick, time=time, clips=clips, object_=object_, posed=posed)
    kernels.wait()
    frame = None if live is None else Frame.load(live)
    verdict = check(loaded, pose, frame, size=size, policy=policy, backend=backend, adapter=adapter)
    if as_json:
        click.echo(json.dumps(verdict.to_json(), indent=1))
    else:
        from rich.console import Console

        Console(width=None if sys.stdout.isatty() else 160, highlight=False).print(verdict.table())
    if report is not None:
        verdict.save_report(report)
        click.echo(f"{report}: the report", err=as_json)
    return 0 if verdict.passed else 1
