"""`posed render`: traced frames of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from posed.animation_file import check_size
from posed.cli.kinds import Background, OneOf, Samples, Whole
from posed.cli.moment import Moment
from posed.cli.options import (
    SCENE,
    SIZE,
    crew_options,
    machine_options,
    memory_option,
    model_options,
    moment_options,
    use_machine,
)
from posed.cli.outputs import check_output, check_ticks_alone, chosen_layers, numbered
from posed.errors import PosedError
from posed.words import counted

if TYPE_CHECKING:
    from posed.arrays import UInt8
    from posed.farm import Job


@click.command(short_help="Trace a frame, or a range of them.")
@SCENE
@model_options
@moment_options(ranges=True)
@SIZE
@click.option(
    "--integrator",
    type=OneOf("direct", "path", "aov"),
    default="direct",
    show_default=True,
    help="path: all light there is; aov: layers only.",
)
@click.option(
    "--samples",
    type=Samples(),
    metavar="N|center",
    default="16",
    show_default=True,
    help="A pixel; center: one at its centre.",
)
@click.option("--layers", metavar="L,..", help="The layers of an .exr or .npz; all unless given.")
@click.option(
    "--filter",
    "filter_",
    type=OneOf("box", "blackman-harris"),
    default="box",
    show_default=True,
    help="How the samples of a pixel and of those around it count.",
)
@click.option(
    "--bounces",
    type=Whole(0, 2**31 - 1),
    metavar="N",
    help="Of path: reflections after which light no longer counts; all unless given.",
)
@click.option(
    "--background",
    type=Background(),
    metavar="environment|transparent|R,G,B",
    default="environment",
    help="Behind it; a color is linear.",
)
@click.option(
    "--overlay",
    "overlays",
    multiple=True,
    metavar="NAME",
    help="Drawn into the picture, any number of them: bones, boxes, dominant_joints, normals, tangents, wireframe, "
    "weights:JOINT.",
)
@click.option(
    "--seed",
    type=Whole(0, 2**32 - 1),
    metavar="N",
    default=0,
    help="Another one places the samples of a pixel elsewhere.",
)
@machine_options
@crew_options("a range")
@memory_option(
    "4GiB", "What a worker's frames may take beside program and scene; larger ones are made in strips, or refused."
)
@click.option("--fresh", is_flag=True, help="Make every frame of a range again, as --play always does.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="walk.png, .exr, .npz; a range: frames/%04d.png, walk.webp.",
)
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    moment: Moment,
    size: tuple[int, int],
    integrator: str,
    samples: int | str,
    layers: str | None,
    filter_: str,
    bounces: int | None,
    background: str | tuple[float, float, float],
    overlays: tuple[str, ...],
    seed: int,
    backend: str | None,
    embree: str | None,
    threads: int | None,
    workers: int,
    cluster: str | None,
    memory: int,
    fresh: bool,
    output: Path,
) -> None:
    """Trace a frame of SCENE, or a range of frames.

    \b
    posed render golden/scenes/walker.toml --tick 42 -o walker.png
    posed render character.glb --clip Walk --ticks 0:60 -o frames/%04d.png
    posed render character.glb --clip Walk --ticks 0:60:2 --size 480x270 -o walk.webp
    posed render character.glb --time 0.5 --integrator aov -o layers.exr
    posed render character.glb --clip Walk --tick 9 --overlay bones --overlay weights:hand_R -o weights.png

    A range of numbered files is kept with a manifest, posed-run.json: the same command again makes only the frames
    that are not there yet, after whatever stopped it.
    """
    from posed.cli.moments import load_scene
    from posed.cli.progress import Bar, Compiling, modes_of
    from posed.farm import Job, render
    from posed.farm.budget import frame_file
    from posed.files import check_place, make_folder, written_whole
    from posed.tracing import Tracing

    ticks = moment.ticks
    animated = check_output(output, ticks)
    wanted = chosen_layers(layers, output, color=integrator != "aov")
    check_place(output)
    if overlays:
        from posed.overlay.choosing import overlay

        for one in overlays:
            overlay(one)  # a name that is none is refused before the work
    backend = use_machine(backend, embree, threads)
    loaded = load_scene(scene, playing=moment.playing, number=number, variant=variant)
    modes = dict.fromkeys((*modes_of(integrator, samples, wanted), *(("aov",) if overlays else ())))
    width, height = size
    settings: dict[str, Any] = {
        "size": size,
        "integrator": integrator,
        "samples": samples,
        "seed": seed,
        "layers": wanted,
        "background": background,
        **({"overlays": overlays} if overlays else {}),
        "filter": filter_,
        "bounces": bounces,
    }
    if ticks is None:
        if workers > 1 or cluster is not None or fresh:
            raise PosedError("--workers, --cluster and --fresh are for a range: give --ticks A:B")
        moment.check(loaded)
        kernels = Compiling(*modes)
        pose = moment.snapshot(loaded)
        kernels.wait()
        with Tracing(loaded, backend=backend) as tracing, written_whole(output) as beside:
            beside.write_bytes(frame_file(tracing, pose, settings, output.suffix.lower(), memory))
        click.echo(f"{output}: tick {pose.tick}, {width} x {height}")
        return
    check_ticks_alone(moment)
    if animated:
        check_size(output, size, len(ticks))
    crew: dict[str, Any] = {"workers": workers, "cluster": cluster}
    moment.check(loaded)
    kernels = Compiling(*modes)
    world = moment.world(loaded)
    kernels.wait()
    if animated:
        _animate(Job(world, ticks, settings, backend=backend, memory=memory), output, crew)
        click.echo(f"{output}: {counted(len(ticks), 'frame')}, {width} x {height}")
        return
    fresh = fresh or moment.play is not None  # a manifest does not know what a game's code has become
    job = Job(world, ticks, settings, output.suffix.lower(), backend, memory)
    make_folder(output.parent)
    with Bar("tracing", len(ticks)) as bar:
        done = render(job, partial(numbered, output), output.parent, **crew, fresh=fresh, progress=bar.show)
    kept = f" ({done.kept} of them were there)" if done.kept else ""
    first, last = numbered(output, ticks[0]), numbered(output, ticks[-1])
    click.echo(f"{first} .. {last.name}: {counted(len(ticks), 'frame')}{kept}, {width} x {height}")


def _animate(job: Job, output: Path, crew: dict[str, Any]) -> None:
    """Write the job's frames as one file, each compressed while the next ones are traced."""
    from posed.animation_file import durations, save_webp
    from posed.cli.progress import Bar
    from posed.farm.rendering import frames
    from posed.gltf.image import Image

    with Bar("tracing", len(job.ticks)) as bar:

        def pictures() -> Iterator[UInt8]:
            for done, frame in enumerate(frames(job, **crew), 1):
                yield Image(f"tick {frame.tick}", frame.data, str(output)).texels
                bar.show(done, len(job.ticks))

        save_webp(output, pictures(), durations(job.ticks, job.scene.rate))
