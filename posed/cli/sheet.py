"""`posed sheet`: a clip of a model as a sprite sheet."""

from __future__ import annotations

from pathlib import Path

import click

from posed.cli.kinds import Samples, Size, Whole
from posed.cli.options import machine_options, model_options, use_machine
from posed.errors import PosedError


@click.command(short_help="Trace a clip into a sprite sheet.")
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL")
@model_options
@click.option("--clip", required=True, metavar="CLIP", help="A clip by name or index.")
@click.option("--frames", type=Whole(1, 4096), required=True, metavar="N", help="Columns: cells a turn of it.")
@click.option("--directions", type=Whole(1, 4096), default=1, show_default=True, metavar="D", help="Rows: sides of it.")
@click.option("--cell", type=Size(), metavar="WxH", default="128x128", show_default=True, help="Pixels of one cell.")
@click.option(
    "--samples",
    type=Samples(),
    metavar="N|center",
    default="16",
    show_default=True,
    help="A pixel; center: one at its centre.",
)
@machine_options
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="walk.png; walk.toml beside it.")
def command(
    model: Path,
    number: int | None,
    variant: str | None,
    clip: str,
    frames: int,
    directions: int,
    cell: tuple[int, int],
    samples: int | str,
    backend: str | None,
    embree: str | None,
    threads: int | None,
    output: Path,
) -> None:
    """Trace a clip of MODEL, a .glb or .gltf, into a sprite sheet, and write the scene file that plays it.

    Each row shows the model turned a step further, the first one facing the viewer; each column is an even share of
    the clip's length. The background is transparent, its color extended from the outline so that filters do not bleed.

    \b
    posed sheet character.glb --clip Walk --frames 12 --directions 8 -o walk.png
    posed render walk.toml --tick 10 --size 128x128 -o cell.png
    """
    from posed.cli.moments import clip_key
    from posed.cli.progress import Compiling, modes_of, over
    from posed.files import check_place, no_suffix, written_whole
    from posed.gltf import load as load_gltf
    from posed.sheet import SheetRenderer, scene_text

    if output.suffix.lower() != ".png":
        raise PosedError(f"{output}: a sheet is saved as .png, {no_suffix(output)}")
    check_place(output)
    backend = use_machine(backend, embree, threads)
    kernels = Compiling(*modes_of("direct", samples, ("color",)))
    loaded = load_gltf(model, scene=number, variant=variant)
    renderer = SheetRenderer(
        loaded,
        clip_key(loaded, clip),
        frames=frames,
        directions=directions,
        cell=cell,
        samples=samples,
        backend=backend,
    )
    kernels.wait()
    sheet = renderer.sheet(over(renderer.cells(), frames * directions, "tracing"))
    played = output.with_suffix(".toml")
    with written_whole(played) as beside:
        beside.write_text(scene_text(sheet, output.name, output.stem), encoding="utf-8")
        sheet.save(output)
    height, width = sheet.texels.shape[:2]
    click.echo(f"{output}: {frames} x {directions} cells, {width} x {height}; {played} plays it")
