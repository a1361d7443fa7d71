"""`posed render`: traced frames of a scene."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from posed.cli.options import SCENE, SIZE, Samples, machine_options, moment_options, use_machine
from posed.errors import PosedError


@click.command(short_help="Trace a frame, or a range of them.")
@SCENE
@moment_options(ranges=True)
@SIZE
@click.option(
    "--integrator", type=click.Choice(["direct", "aov"]), default="direct", show_default=True, help="aov: layers only."
)
@click.option(
    "--samples",
    type=Samples(),
    metavar="N|center",
    default="16",
    show_default=True,
    help="A pixel; center: one at its centre.",
)
@click.option("--layers", metavar="L,..", help="The layers of an .npz; all unless given.")
@click.option(
    "--background", type=click.Choice(["environment", "transparent"]), default="environment", help="Behind it."
)
@click.option("--seed", type=int, metavar="N", default=0, help="Another one places the samples of a pixel elsewhere.")
@machine_options
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="walk.png, .npz, frames/%04d.png.")
def command(
    scene: Path,
    tick: int | None,
    time: Fraction | None,
    ticks: range | None,
    clips: tuple[str, ...],
    object_: str | None,
    posed: Path | None,
    size: tuple[int, int],
    integrator: str,
    samples: int | str,
    layers: str | None,
    background: str,
    seed: int,
    backend: str | None,
    embree: str | None,
    threads: int | None,
    output: Path,
) -> None:
    """Trace a frame of SCENE, or a range of frames.

    \b
    posed render golden/scenes/walker.toml --tick 42 -o walker.png
    posed render character.glb --clip Walk --ticks 0:60 -o frames/%04d.png
    posed render character.glb --time 0.5 --integrator aov -o layers.npz
    """
    from posed.cli.moments import load_scene, many_posed, one_posed
    from posed.cli.progress import Compiling, over
    from posed.frame import FORMATS
    from posed.tracing import Tracing

    if output.suffix.lower() not in FORMATS:
        raise PosedError(f'{output}: a frame is saved as {" or ".join(FORMATS)}, found "{output.suffix}"')
    if (ticks is not None) != ("%" in output.name):
        raise PosedError(
            f"{output}: a range of ticks needs a place for the number, such as frames/%04d.png"
            if ticks is not None
            else f"{output}: the name has a place for a number: give --ticks A:B"
        )
    numbered(output, 0)
    backend = use_machine(backend, embree, threads)
    loaded = load_scene(scene)
    kernels = Compiling()
    if ticks is None:
        poses = iter([one_posed(loaded, tick=tick, time=time, clips=clips, object_=object_, posed=posed)])
    elif tick is not None or time is not None or posed is not None:
        raise PosedError("--ticks chooses the moments: leave out --tick, --time and --posed")
    else:
        poses = many_posed(loaded, ticks, clips, object_)
        output.parent.mkdir(parents=True, exist_ok=True)
    tracing = Tracing(
        loaded,
        size=size,
        integrator=integrator,
        samples=samples,
        seed=seed,
        layers=_layers(layers, output),
        background=background,
        backend=backend,
    )
    count = 0
    for pose in over(poses, None if ticks is None else len(ticks), "tracing"):
        kernels.wait()
        path = numbered(output, pose.tick)
        tracing.frame(pose).save(path)
        count += 1
    width, height = size
    if ticks is None:
        click.echo(f"{path}: tick {pose.tick}, {width} x {height}")
    else:
        click.echo(f"{numbered(output, ticks[0])} .. {path.name}: {count} frames, {width} x {height}")


def _layers(text: str | None, output: Path) -> tuple[str, ...] | None:
    """Return the layers asked for; a PNG needs its color alone."""
    if text is not None:
        return tuple(text.split(","))
    return ("color",) if output.suffix.lower() == ".png" else None


def numbered(output: Path, tick: int) -> Path:
    """Return `output` with its %04d or %d as the tick.

    Raises
    ------
    PosedError
        The name holds another kind of place.
    """
    if "%" not in output.name:
        return output
    try:
        return output.with_name(output.name % tick)
    except (TypeError, ValueError) as error:
        raise PosedError(f"{output}: {error}: number frames with one %d or %04d") from error
