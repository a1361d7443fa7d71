"""`posed live`: frames of a scene as the live renderer draws them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posed.animation_file import check_size
from posed.cli.moment import Moment
from posed.cli.options import ADAPTER, SIZE, model_options, moment_options
from posed.cli.outputs import check_output, check_ticks_alone, chosen_layers, numbered
from posed.cli.usage import missing
from posed.errors import MissingError
from posed.words import counted

if TYPE_CHECKING:
    from posed.frame import Frame


@click.command(short_help="Draw a frame live, or a range of them.")
@click.argument("scene", type=click.Path(path_type=Path), metavar="SCENE", required=False)
@model_options
@moment_options(ranges=True)
@SIZE
@click.option("--layers", metavar="L,..", help="The layers of an .exr or .npz; all unless given.")
@ADAPTER
@click.option("--list-adapters", is_flag=True, help="Say which adapters this machine has, without a SCENE.")
@click.option("--json", "as_json", is_flag=True, help="The list for machines.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="walk.png, .exr, .npz; a range: frames/%04d.png, walk.webp."
)
def command(
    scene: Path | None,
    number: int | None,
    variant: str | None,
    moment: Moment,
    size: tuple[int, int],
    layers: str | None,
    adapter: str | None,
    list_adapters: bool,
    as_json: bool,
    output: Path | None,
) -> None:
    """Draw a frame of SCENE, or a range of frames, as an engine does: on a graphics device, skinned by its shaders.

    \b
    posed live golden/scenes/walker.toml --tick 42 -o walker.png
    posed live character.glb --clip Walk --ticks 0:60 -o frames/%04d.png
    posed live character.glb --clip Walk --ticks 0:60:2 --size 480x270 -o walk.webp
    posed live character.glb --time 0.5 --layers object,depth -o layers.exr
    posed live --list-adapters
    """
    if list_adapters:
        _list(as_json)
        return
    if scene is None:
        raise missing("scene")
    if output is None:
        raise missing("output")
    from posed.cli.moments import load_scene
    from posed.cli.progress import over
    from posed.files import check_place
    from posed.live import ALL_LAYERS, Renderer

    ticks = moment.ticks
    animated = check_output(output, ticks)
    wanted = chosen_layers(layers, output) or ALL_LAYERS
    check_place(output)
    renderer = Renderer(adapter)
    loaded = load_scene(scene, playing=moment.playing, number=number, variant=variant)
    width, height = size
    if ticks is None:
        pose = moment.snapshot(loaded)
        renderer.render(loaded, pose, size=size, layers=wanted).save(output)
        click.echo(f"{output}: tick {pose.tick}, {width} x {height}, {renderer.adapter.name}")
        return
    check_ticks_alone(moment)
    if animated:
        check_size(output, size, len(ticks))
    world = moment.world(loaded)

    def drawn() -> Iterator[tuple[int, Frame]]:
        for number_of_tick in over(ticks, len(ticks), "drawing"):
            world.advance(number_of_tick)
            yield number_of_tick, renderer.render(loaded, world.posed(), size=size, layers=wanted)

    if animated:
        from posed.animation_file import durations, save_webp

        save_webp(output, (frame.rgba() for _, frame in drawn()), durations(ticks, loaded.rate))
    else:
        for number_of_tick, frame in drawn():
            frame.save(numbered(output, number_of_tick))
    first, last = numbered(output, ticks[0]), numbered(output, ticks[-1])
    place = f"{output}" if animated else f"{first} .. {last.name}"
    click.echo(f"{place}: {counted(len(ticks), 'frame')}, {width} x {height}, {renderer.adapter.name}")


def _list(as_json: bool) -> None:
    from posed.live.device import CURE, list_adapters

    found = list_adapters()
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=1))
        return
    if not found:
        raise MissingError(f"no graphics adapter was found: {CURE}")
    for one in found:
        short = f"; below WebGPU's default limits: {', '.join(one.short_of)}" if one.short_of else ""
        click.echo(f"{one.name} ({one.kind}, {one.backend}, {one.driver}){short}")
