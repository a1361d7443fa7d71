"""`posed view`: a window that plays a scene."""

from __future__ import annotations

from pathlib import Path

import click

from posed.cli.options import ADAPTER, SCENE, SIZE, machine_options, model_options, use_machine


@click.command(short_help="Play a scene in a window: orbit, scrub, overlays.")
@SCENE
@model_options
@click.option("--tick", type=click.IntRange(0), default=0, metavar="N", help="Where it begins.")
@SIZE
@click.option(
    "--renderer",
    type=click.Choice(["trace", "live"]),
    default="trace",
    show_default=True,
    help="t switches.",
)
@ADAPTER
@machine_options
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    tick: int,
    size: tuple[int, int],
    renderer: str,
    adapter: str | None,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> None:
    """Play SCENE in a window. `?` in it lists the keys.

    \b
    posed view golden/scenes/walker.toml
    posed view character.glb --size 1280x720 --renderer live
    """
    from posed.cli.moments import load_scene
    from posed.cli.progress import Compiling
    from posed.viewer.session import Session
    from posed.viewer.window import show

    use_machine(backend, embree, threads)
    loaded = load_scene(scene, playing=True, number=number, variant=variant)
    Compiling().wait()
    show(Session(loaded, tick=tick, size=size, renderer=renderer, adapter=adapter), title=f"posed: {scene.name}")
