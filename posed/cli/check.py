"""`posed check`: the verdict of live frames against the trace."""

from __future__ import annotations

from pathlib import Path

import click

from posed.cli.moment import Moment
from posed.cli.options import (
    ADAPTER,
    GITHUB,
    JUNIT,
    SIZE,
    crew_options,
    machine_options,
    memory_option,
    model_options,
    moment_options,
    use_machine,
)
from posed.cli.outputs import check_ticks_alone
from posed.errors import PosedError


@click.command(short_help="Check a live frame against its trace.")
@click.argument("scene", type=click.Path(path_type=Path), metavar="[SCENE]", required=False)
@click.option(
    "--suite", type=click.Path(path_type=Path), metavar="SUITE.toml", help="All tests of a suite, in place of a scene."
)
@model_options
@moment_options(ranges=True)
@SIZE
@click.option(
    "--live",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A frame, a snapshot, vertices or a folder of them; with --ticks, frames/%04d.exr. Drawn here unless given.",
)
@click.option(
    "--live-command",
    metavar="CMD",
    help="Any engine, run without a shell with {scene_json}, {tick}, {out} and others filled in.",
)
@click.option(
    "--policy", metavar="NAME|FILE", help="How strict: exact, gpu (the default), foreign, or a file of limits (.toml)."
)
@ADAPTER
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE.html", help="Write a page that shows what was found."
)
@JUNIT
@GITHUB
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@machine_options
@crew_options("the checks of a range or a suite")
@memory_option("8GiB", "What a worker's check may take beside program and scene; a larger one is refused.")
def command(
    scene: Path | None,
    suite: Path | None,
    number: int | None,
    variant: str | None,
    moment: Moment,
    size: tuple[int, int],
    live: Path | None,
    live_command: str | None,
    policy: str | None,
    adapter: str | None,
    report: Path | None,
    junit: Path | None,
    github: bool,
    as_json: bool,
    backend: str | None,
    embree: str | None,
    threads: int | None,
    workers: int,
    cluster: str | None,
    memory: int,
) -> int:
    """Check live frames of SCENE, or of all that a suite names, against their traces, layer by layer.

    Exit status 0 where they agree, 1 where not.

    \b
    posed check golden/scenes/walker.toml --tick 42
    posed check character.glb --clip Run --tick 10 --live mine.npz --report run.html
    posed check walker.toml --ticks 0:60:10 --live-command "node draw.mjs {scene_json} {tick} {out}" --policy foreign
    posed check --suite suite.toml
    posed check --suite suite.toml --workers 4 --report nightly.html --junit nightly.xml

    An interrupt ends the checks and tells of those that are done; table, page and files say which were not checked.
    """
    from posed.cli.checking import Crewed, Told, check_many, check_one, check_suite, drawing
    from posed.files import check_place

    for page in (report, junit):
        if page is not None:
            check_place(page)
    backend = use_machine(backend, embree, threads)
    told, crew = Told(report, junit, github, as_json), Crewed(workers, cluster)
    if suite is not None:
        scene_only = {
            "SCENE": scene,
            "--scene": number,
            "--variant": variant,
            "--live": live,
            "--live-command": live_command,
            "--policy": policy,
        }
        given = [*moment.given(), *(name for name, value in scene_only.items() if value is not None)]
        if given:
            raise PosedError(
                f"--suite brings its own scenes, ticks, renderers and policies: leave out {', '.join(given)}"
            )
        return check_suite(suite, told, crew, backend=backend, memory=memory)
    if scene is None:
        raise PosedError("there is nothing to check: give SCENE or --suite SUITE.toml")
    from posed.cli.moments import load_scene
    from posed.cli.progress import CHECKED, Compiling

    draw = drawing(
        live, live_command, size=size, policy=policy or "gpu", adapter=adapter, backend=backend, memory=memory
    )
    loaded = load_scene(scene, playing=moment.playing, number=number, variant=variant)
    ticks = moment.ticks
    if ticks is None:
        if workers > 1 or cluster is not None:
            raise PosedError("--workers and --cluster share several checks: give --ticks A:B or --suite")
        moment.check(loaded)
        kernels = Compiling(*CHECKED)
        pose = moment.snapshot(loaded)
        kernels.wait()
        return check_one(draw, loaded, pose, told)
    check_ticks_alone(moment)
    moment.check(loaded)
    kernels = Compiling(*CHECKED)
    return check_many(draw, moment.world(loaded), ticks, told, crew, kernels)
