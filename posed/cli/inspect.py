"""`posed inspect`: what a model holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from posed.cli.options import model_options

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

Facts = dict[str, Any]


@click.command(short_help="Show what a model holds.")
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL")
@model_options
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def command(model: Path, number: int | None, variant: str | None, as_json: bool) -> None:
    """Show what MODEL, a .glb or .gltf, holds: its nodes as a tree, clips, skins, parts, materials, sizes, extensions.

    \b
    posed inspect character.glb
    """
    from posed.gltf import load as load_gltf
    from posed.inspection import inspection

    facts = inspection(load_gltf(model, scene=number, variant=variant))
    if as_json:
        click.echo(json.dumps(facts, indent=1))
        return
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    for position, block in enumerate(_blocks(facts)):
        if position:
            console.print()
        console.print(block, soft_wrap=isinstance(block, str))


def _blocks(facts: Facts) -> Iterator[RenderableType]:
    """Yield the report piece by piece; kinds of which the file has none are left out."""
    yield _head(facts)
    yield _tree(facts)
    if facts["clips"]:
        yield _table(
            ("clip", "", "seconds", "ticks", "channels", "keys", "nodes", "interpolation"),
            [
                (
                    index,
                    clip["name"],
                    f"{clip['seconds']:.4g}",
                    f"{clip['ticks']:.6g}",
                    clip["channels"],
                    clip["keys"],
                    clip["nodes"],
                    ", ".join(clip["interpolations"]).lower(),
                )
                for index, clip in enumerate(facts["clips"])
            ],
        )
    if facts["skins"]:
        yield _table(
            ("skin", "", "joints", "on nodes"),
            [(index, skin["name"], skin["joints"], _short(skin["nodes"])) for index, skin in enumerate(facts["skins"])],
        )
    if facts["meshes"]:
        yield _table(
            ("part", "mesh", "vertices", "triangles", "influences", "targets", "uvs", "also has", "material"),
            list(_parts(facts)),
        )
    if facts["materials"]:
        yield _table(
            ("material", "", "alpha", "metallic", "roughness", "textures"),
            [_material(index, material) for index, material in enumerate(facts["materials"])],
        )
    if facts["notes"]:
        yield "\n".join(f"[yellow]note[/yellow] {_plain(note)}" for note in facts["notes"])


def _head(facts: Facts) -> str:
    sizes, names = facts["bytes"], facts["extensions"]["used"]
    parts = [part for mesh in facts["meshes"] for part in mesh["parts"]]
    counts = {
        "node": len(facts["nodes"]),
        "part": len(parts),
        "vertex": sum(part["vertices"] for part in parts),
        "triangle": sum(part["triangles"] for part in parts),
        "clip": len(facts["clips"]),
    }
    lines = [
        f"[bold]{_plain(facts['file'])}[/bold]  {_bytes(sizes['file'])}: {_bytes(sizes['json'])} of JSON, "
        f"{_bytes(sizes['buffers'])} in buffers",
        ", ".join(_count(number, noun) for noun, number in counts.items()),
    ]
    if facts["generator"]:
        lines.append(f"[dim]written by {_plain(facts['generator'])}[/dim]")
    if names:
        required = set(facts["extensions"]["required"])
        lines.append("extensions " + ", ".join(f"{_plain(n)}{' (required)' * (n in required)}" for n in names))
    if facts["variants"]:
        lines.append("variants " + ", ".join(map(_plain, facts["variants"])))
    return "\n".join(lines)


def _tree(facts: Facts) -> Tree:
    """Return the nodes of the scene, each once, however deep, marked with what they carry."""
    from rich.tree import Tree

    top = Tree(_scene(facts))
    waiting = [(node, top) for node in reversed(facts["roots"])]
    while waiting:
        index, above = waiting.pop()
        branch = above.add(_node(facts, index))
        waiting.extend((child, branch) for child in reversed(facts["nodes"][index]["children"]))
    return top


def _scene(facts: Facts) -> str:
    """Return what the shown scene is called; of several, its index and which there are."""
    names, shown = facts["scenes"], facts["scene"]
    name = "" if shown is None else _plain(names[shown])
    if len(names) < 2:
        return f"[bold]scene[/bold]{f' {name}' if name else ''}"
    return f"[bold]scene {shown}[/bold]{f' {name}' if name else ''} [dim]of 0 to {len(names) - 1}[/dim]"


def _node(facts: Facts, index: int) -> str:
    node = facts["nodes"][index]
    marks = [
        f"[green]joint {row}{f' of skin {skin}' * (len(facts['skins']) > 1)}[/green]"
        for skin, row in node["joint"].items()
    ]
    if node["mesh"] is not None:
        skinned = "" if node["skin"] is None else f" under skin {node['skin']}"
        copies = "" if node["instances"] is None else f", {node['instances']} times"
        marks.append(f"[magenta]mesh {node['mesh']}{skinned}{copies}[/magenta]")
    if node["camera"] is not None:
        marks.append(f"[blue]camera {node['camera']}[/blue]")
    if node["light"] is not None:
        marks.append(f"[yellow]{facts['lights'][node['light']]['kind']} light[/yellow]")
    if not node["visible"]:
        marks.append("[dim]hidden[/dim]")
    return "  ".join([f"{_plain(node['name'] or 'node')} [dim]{index}[/dim]", *marks])


def _parts(facts: Facts) -> Iterator[tuple[object, ...]]:
    for index, mesh in enumerate(facts["meshes"]):
        for number, part in enumerate(mesh["parts"]):
            yield (
                f"{index}/{number}",
                mesh["name"],
                f"{part['vertices']:,}",
                f"{part['triangles']:,}" if part["draws"].startswith("triangle") else part["draws"],
                part["influences"] or "",
                part["targets"] or "",
                part["uvs"] or "",
                ", ".join(part["attributes"]),
                "" if part["material"] is None else part["material"],
            )


def _material(index: int, material: Facts) -> tuple[object, ...]:
    kinds = [material["alpha"], *(["double-sided"] if material["double_sided"] else [])]
    textures = [
        f"{slot} {_sides(texture['size'])}, {_bytes(texture['bytes'])}"
        for slot, texture in material["textures"].items()
    ]
    shine = ("unlit", "") if material["unlit"] else (f"{material['metallic']:g}", f"{material['roughness']:g}")
    return index, material["name"], ", ".join(kinds), *shine, "; ".join(textures)


def _sides(size: list[int] | None) -> str:
    return "unreadable" if size is None else f"{size[0]}x{size[1]}"


def _table(titles: tuple[str, ...], rows: list[tuple[object, ...]]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    numeric = {"seconds", "ticks", "channels", "keys", "nodes", "joints", "vertices", "triangles", "influences"}
    for title in titles:
        table.add_column(title, justify="right" if title in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_plain(str(cell)) for cell in row))
    return table


def _plain(text: str) -> str:
    """Return text of a file for printing: markup and control characters mean nothing in it."""
    from rich.markup import escape

    return escape("".join(letter if letter.isprintable() else "?" for letter in text))


def _short(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")


def _count(number: int, noun: str) -> str:
    plural = "vertices" if noun == "vertex" else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def _bytes(count: int) -> str:
    for unit, size in (("MB", 1_000_000), ("kB", 1_000)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"
