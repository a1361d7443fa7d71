"""`posed check`: the verdict of a live frame against the trace."""

from __future__ import annotations

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
    "--live",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A frame, a snapshot, vertices, or a folder with any of them; drawn here unless given.",
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
    from posed.cli.verdicts import say_verdict
    from posed.files import check_place
    from posed.verify import check
    from posed.verify.loading import load_side

    if report is not None:
        check_place(report)
    backend = use_machine(backend, embree, threads)
    loaded = load_scene(scene, playing=bool(clips or posed), number=number, variant=variant)
    kernels = Compiling()
    pose = one_posed(loaded, tick=tick, time=time, clips=clips, object_=object_, posed=posed)
    kernels.wait()
    side = None if live is None else load_side(live)
    verdict = check(loaded, pose, side, size=size, policy=policy, backend=backend, adapter=adapter)
    say_verdict(verdict, as_json=as_json)
    if report is not None:
        verdict.save_report(report)
        click.echo(f"{report}: the report", err=as_json)
    return 0 if verdict.passed else 1
