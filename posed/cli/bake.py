"""`posed bake`: a posed model as static meshes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from posed.cli.kinds import Seconds
from posed.cli.options import model_options
from posed.words import counted


@click.command(short_help="Write a posed model as a static mesh.")
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL")
@model_options
@click.option("--clip", metavar="CLIP", help="A clip by name or index; the rest pose unless given.")
@click.option("--time", type=Seconds(), default="0", help="Seconds into the clip.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="posed.glb, .ply, .obj or .npz.")
def command(
    model: Path, number: int | None, variant: str | None, clip: str | None, time: Fraction, output: Path
) -> None:
    """Write MODEL, a .glb or .gltf, as a static mesh in a pose, vertices in the file's own order.

    \b
    posed bake character.glb --clip Walk --time 0.5 -o walk.ply
    """
    from posed.baked_files import check_format, write_baked
    from posed.baking import bake
    from posed.cli.moments import clip_key
    from posed.files import check_place
    from posed.gltf import load as load_gltf

    check_format(output)
    check_place(output)
    loaded = load_gltf(model, scene=number, variant=variant)
    meshes = bake(loaded, clip=None if clip is None else clip_key(loaded, clip), time=float(time))
    write_baked(meshes, output, model=loaded)
    vertices = sum(len(mesh.positions) for mesh in meshes)
    triangles = sum(len(mesh.triangles) for mesh in meshes)
    said = (counted(len(meshes), "part"), counted(vertices, "vertex", "vertices"), counted(triangles, "triangle"))
    click.echo(f"{output}: {', '.join(said)}")
