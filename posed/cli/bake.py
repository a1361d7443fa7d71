"""`posed bake`: a posed model as static meshes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from posed.cli.options import Seconds


@click.command(short_help="Write a posed model as a static mesh.")
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL")
@click.option("--clip", metavar="CLIP", help="A clip by name or index; the rest pose unless given.")
@click.option("--time", type=Seconds(), default="0", help="Seconds into the clip.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="posed.glb, .ply, .obj or .npz.")
def command(model: Path, clip: str | None, time: Fraction, output: Path) -> None:
    """Write MODEL, a .glb or .gltf, as a static mesh in a pose, vertices in the file's own order.

    \b
    posed bake character.glb --clip Walk --time 0.5 -o walk.ply
    """
    from posed.baked_files import write_baked
    from posed.baking import bake
    from posed.gltf import load as load_gltf

    loaded = load_gltf(model)
    names = [one.name for one in loaded.clips]
    chosen = int(clip) if clip is not None and clip not in names and clip.isdecimal() else clip
    meshes = bake(loaded, clip=chosen, time=float(time))
    write_baked(meshes, output, model=loaded)
    vertices = sum(len(mesh.positions) for mesh in meshes)
    triangles = sum(len(mesh.triangles) for mesh in meshes)
    click.echo(f"{output}: {len(meshes)} parts, {vertices} vertices, {triangles} triangles")
