"""Rigs and clips shown: the skeleton at rest from two sides, a table of its bones, the curves of a clip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import anim
from posed.arrays import Float64, Int32
from posed.notebook.curves import curve
from posed.notebook.page import ROWS, Cell, Shown, drawing, folded_table, paragraph, row, table
from posed.words import counted

LEGEND = "from its first value: x red, y green, z blue; rotations as turns"

SIDE = 220
"""Pixels of a drawing of a skeleton."""


def rig(value: anim.Rig) -> Shown:
    """Show a rig."""
    skeleton = value.skeleton
    counts = [(skeleton.bone_count, "bone"), (skeleton.joint_count, "joint"), (len(value.clips), "clip")]
    said = ", ".join(counted(count, noun) for count, noun in counts if count)
    clips = [(index, clip.name, clip.duration, len(clip.channels)) for index, clip in enumerate(value.clips)]
    names = ", ".join(clip.name for clip in value.clips[:ROWS])

    def blocks() -> list[str]:
        at = skeleton.world_transforms()[:, :3, 3]
        return [
            paragraph(said),
            row(
                drawing(stick_figure(at, skeleton.parents, (0, 1)), "from the front, at rest"),
                drawing(stick_figure(at, skeleton.parents, (2, 1)), "from the side"),
                folded_table("clip", ("", "clip", "seconds", "channels"), clips),
            ),
            folded_table("bone", ("", "bone", "parent", "joint", "x", "y", "z"), _bones(skeleton, at)),
        ]

    return Shown(f"Rig: {said}" + (f": {names}" if names else ""), "Rig", blocks)


def _bones(skeleton: anim.Skeleton, at: Float64) -> list[Sequence[object]]:
    rows = {int(bone): joint for joint, bone in enumerate(skeleton.joints)}
    return [
        (
            index,
            name,
            skeleton.names[parent] if (parent := int(skeleton.parents[index])) >= 0 else "",
            rows.get(index, ""),
            *(round(float(one), 4) for one in at[index]),
        )
        for index, name in enumerate(skeleton.names)
    ]


def stick_figure(at: Float64, parents: Sequence[int] | Int32, axes: tuple[int, int]) -> str:
    """Return bones at places (B, 3), seen along the third axis, as an SVG drawing; `axes` run right and up."""
    flat = np.asarray(at, np.float64)[:, list(axes)]
    low, high = flat.min(axis=0, initial=np.inf), flat.max(axis=0, initial=-np.inf)
    scale = (SIDE - 24) / max(float((high - low).max(initial=0.0)), 1e-9)
    places = (flat - (low + high) / 2.0) * (scale, -scale) + SIDE / 2.0
    lines, dots = [], []
    for bone, parent in enumerate(parents):
        x, y = places[bone]
        if parent >= 0:
            a, b = places[int(parent)]
            lines.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{x:.1f}" y2="{y:.1f}"/>')
        dots.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"/>')
    return (
        f'<svg width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}">'
        f'<rect width="{SIDE}" height="{SIDE}" rx="4" fill="currentColor" fill-opacity=".06"/>'
        f'<g stroke="#5b8def" stroke-width="2.2" stroke-linecap="round">{"".join(lines)}</g>'
        f'<g fill="#e8a33d">{"".join(dots)}</g></svg>'
    )


def clip(value: anim.Clip) -> Shown:
    """Show a clip on its own: its channels by node."""
    return clip_of(value, {})


def clip_of(value: anim.Clip, names: dict[int, str]) -> Shown:
    """Show a clip whose nodes have names."""
    said = f"{value.duration:.6g} s, {counted(len(value.channels), 'channel')}" + (
        f", {counted(len(value.events), 'event')}" if value.events else ""
    )
    title = f'Clip "{value.name}"'

    def blocks() -> list[str]:
        rows = []
        for channel in value.channels[:ROWS]:
            reach, svg = curve(channel, value.duration)
            name = names.get(channel.node) or f"node {channel.node}"
            kind = channel.interpolation.name.lower()
            rows.append((name, channel.path.name.lower(), kind, len(channel.times), reach, Cell(svg)))
        more = len(value.channels) - len(rows)
        return [
            paragraph(said),
            table(("node", "path", "interpolation", "keys", "goes", LEGEND), rows),
            paragraph(f"and {counted(more, 'more channel')}") if more > 0 else "",
            folded_table("event", ("seconds", "event"), [(event.time, event.name) for event in value.events]),
        ]

    return Shown(f"{title}: {said}", title, blocks)
