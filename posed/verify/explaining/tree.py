"""A story as a tree for people."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.markup import escape

from posed.verify.explaining.explanation import Bone, Explanation, Mix, Move, Sprite, Surface, Vector, Vertex

if TYPE_CHECKING:
    from rich.tree import Tree

SMALLEST_SHARE = 5e-4
"""Of the way to the next key that is worth a word: files round key times to float32."""

WIDTH = 120
"""Columns of the text where no terminal says."""


def text(story: Explanation, *, width: int = WIDTH) -> str:
    """Return the tree as plain text, its lines broken at `width` columns."""
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, force_jupyter=False, width=width, highlight=False, color_system=None).print(story.tree())
    return stream.getvalue().rstrip("\n")


def tree(story: Explanation) -> Tree:
    """Return the whole story: what is seen, its vertices, its bones with their keys, what plays, and the notes."""
    from rich.tree import Tree

    between = f" + {story.alpha:g}" if story.alpha else ""
    top = Tree(
        f"[bold]pixel {story.x}, {story.y}[/bold] of {story.size[0]}x{story.size[1]}, tick {story.tick}{between}"
    )
    if story.surface is None:
        top.add("nothing is seen here but the background")
        return top
    _add_surface(top, story.surface)
    if story.sprite is not None:
        _add_sprite(top, story.sprite)
    branch = top.add("[bold]vertices[/bold] of the triangle")
    for vertex in story.vertices:
        _add_vertex(branch, vertex)
    _add_moves(branch, story.morph_moves)
    if story.mixes is not None:
        branch = top.add("[bold]plays[/bold]" if story.mixes else "[bold]plays[/bold] nothing: the rest pose")
        for number, mix in enumerate(story.mixes):
            _add_mix(branch, number, mix)
    _add_bones(top.add("[bold]bones[/bold] from the root to what pulls the pixel"), story.bones)
    for note in story.notes:
        top.add(f"[yellow]note[/yellow] {_plain(note)}")
    return top


def _add_surface(top: Tree, seen: Surface) -> None:
    instance = f", copy {seen.instance}" if seen.instance else ""
    branch = top.add(
        f'[bold]object "{_plain(seen.object)}"[/bold], part {_plain(seen.mesh or "mesh")}/{seen.primitive} '
        f'(node {seen.node} "{_plain(seen.node_name)}", material "{_plain(seen.material)}"){instance}, '
        f"triangle {seen.triangle}"
    )
    branch.add(f"{seen.depth:.4g} m away, at {_vector(seen.position)}, normal {_vector(seen.normal, 3)}")
    branch.add(f"barycentric {_vector(seen.barycentric, 3)}, uv {_vector(seen.uv, 4)}")


def _add_sprite(top: Tree, sprite: Sprite) -> None:
    clip = "" if sprite.clip is None else f'clip "{_plain(sprite.clip)}" ({sprite.playback}), step {sprite.step}: '
    left, above, width, height = sprite.rectangle
    branch = top.add(f"[bold]sprite[/bold] {clip}frame {sprite.frame} at {left}, {above}, {width}x{height}")
    branch.add(f"texel {sprite.texel[0]}, {sprite.texel[1]}: red, green, blue, alpha {sprite.color}")


def _add_vertex(branch: Tree, vertex: Vertex) -> None:
    below = branch.add(
        f"vertex {vertex.index} [dim]{vertex.share:.1%}[/dim]: bound at {_vector(vertex.bind)}, "
        f"posed to {_vector(vertex.position)}"
    )
    if vertex.influences:
        pulled = ", ".join(f"{_plain(one.name or f'joint {one.joint}')} {one.weight:.3f}" for one in vertex.influences)
        below.add(f"[green]{pulled}[/green]")
    for morph in vertex.morphs:
        name = f' "{_plain(morph.name)}"' if morph.name else ""
        below.add(f"[magenta]target {morph.target}{name}[/magenta] {morph.weight:.3f} of {_vector(morph.delta)}")


def _add_mix(branch: Tree, number: int, mix: Mix) -> None:
    weight = f"over the mixes before by {mix.weight:.3f}" if number else "the oldest"
    below = branch.add(f"mix {number}, {weight}" + ("" if mix.layers else ": the rest pose"))
    for layer in mix.layers:
        below.add(f'{layer.kind} "{_plain(layer.clip)}" {layer.weight:.3f} at {layer.time:.4f} s, {layer.playback}')


def _add_bones(top: Tree, bones: Iterable[Bone]) -> None:
    branches: dict[int | None, Tree] = {None: top}
    for bone in bones:
        name = _plain(bone.name or f"node {bone.node}")
        joint = "" if bone.joint is None else f"[green]joint {bone.joint}[/green] "
        share = "" if bone.share is None else f"pulls [bold]{bone.share:.1%}[/bold], "
        if bone.share is not None and bone.joint is None:
            share = "places the part, "
        place = "not told" if bone.position is None else f"at {_vector(bone.position)}"
        above = branches[bone.parent if bone.parent in branches else None]
        branches[bone.node] = above.add(f"{name} [dim]{bone.node}[/dim] {joint}{share}{place}")
        _add_moves(branches[bone.node], bone.moves)


def _add_moves(branch: Tree, moves: Iterable[Move]) -> None:
    for move in moves:
        shown = move.keys if move.share >= SMALLEST_SHARE else move.keys[:1]
        keys = " to ".join(f"{key.number} ({key.time:.4f} s)" for key in shown)
        way = f", {move.share:.1%} of the way" if len(shown) > 1 else ""
        branch.add(
            f"[cyan]{move.path}[/cyan] {_vector(move.value)} of {_plain(move.clip)} at {move.time:.4f} s: "
            f"{move.interpolation}, {'keys' if len(shown) > 1 else 'key'} {keys}{way}"
        )


def _vector(numbers: Vector, places: int = 4) -> str:
    return "(" + ", ".join(f"{number:.{places}f}" for number in numbers) + ")"


def _plain(words: str) -> str:
    """Return text of a file for printing: markup and control characters mean nothing in it."""
    return escape("".join(letter if letter.isprintable() else "?" for letter in words))
