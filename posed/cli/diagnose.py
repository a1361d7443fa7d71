"""`posed diagnose`: the likeliest cause of what differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from posed.cli.kinds import Whole
from posed.cli.moment import Moment
from posed.cli.options import SCENE, machine_options, model_options, moment_options, use_machine


@click.command(short_help="Search for the mistake behind a live frame.")
@SCENE
@model_options
@moment_options(ranges=False)
@click.option(
    "--live",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="What the engine made: a frame, a snapshot, vertices, or a folder with any of them.",
)
@click.option(
    "--window",
    type=Whole(0, 100_000),
    default=300,
    show_default=True,
    metavar="N",
    help="Ticks before and after that it may show.",
)
@click.option(
    "--policy",
    metavar="NAME|FILE",
    default="gpu",
    show_default=True,
    help="What differs: exact, gpu, foreign, or a file of limits (.toml).",
)
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@machine_options
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    moment: Moment,
    live: Path,
    window: int,
    policy: str,
    as_json: bool,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> int:
    """Say which classic mistake explains how a live frame of SCENE differs from the truth.

    Exit status 0 where nothing differs, 1 where something does.

    \b
    posed diagnose golden/scenes/walker.toml --tick 42 --live engine.exr
    posed diagnose character.glb --clip Run --tick 10 --live dump.posed.json
    """
    from posed.cli.causes import say
    from posed.cli.moments import load_scene
    from posed.cli.progress import Compiling
    from posed.verify import diagnose
    from posed.verify.loading import load_side
    from posed.verify.suite.load import load_policy

    backend = use_machine(backend, embree, threads)
    side, limits = load_side(live), load_policy(policy)
    loaded = load_scene(scene, playing=moment.playing, number=number, variant=variant)
    moment.check(loaded)
    kernels = Compiling("aov", "range", "verdict") if side.frame is not None else None
    if not moment.chosen:
        moment = replace(moment, tick=side.tick)  # what the live side itself says that it shows
    pose = moment.snapshot(loaded)
    game = moment.game(loaded)
    if kernels is not None:
        kernels.wait()
    found = diagnose(loaded, side, posed=pose, game=game, window=window, policy=limits, backend=backend)
    say(found, as_json=as_json)
    return 0 if found.differing == 0 else 1
