"""What was picked: the chain of joints that pull a place in the picture, and the weights of its triangle's vertices."""

from __future__ import annotations

from typing import Any

from posed.verify.explaining.explanation import Explanation
from posed.verify.explaining.pixel import NEEDED, explain
from posed.viewer.look import Look


def picked(look: Look, place: tuple[float, float]) -> dict[str, Any] | None:
    """Return what a look shows at a place, as plain values; None where nothing is but the background.

    `place` is in shares of the picture's width and height. ``joint`` names the one that pulls most as overlays take it,
    ``bones`` go parents first, each at its ``depth`` below the first.
    """
    width, height = look.size
    x, y = min(int(place[0] * width), width - 1), min(int(place[1] * height), height - 1)
    story = explain(look.scene, look.playing.posed(), x, y, frame=look.geometry(NEEDED))
    if story.surface is None:
        return None
    surface = story.surface
    shares = {bone.node: bone.share for bone in story.bones if bone.joint is not None and bone.share is not None}
    most = max(shares, key=lambda node: shares[node], default=None)
    joints = {bone.node: f"{surface.object}/{bone.name}" for bone in story.bones if bone.node in shares and bone.name}
    material = f", material {surface.material}" if surface.material else ""
    return {
        "where": f"{surface.object}: {surface.mesh or f'part {surface.part}'}, triangle {surface.triangle}{material}",
        "joint": None if most is None else joints.get(most),
        "bones": [
            {
                "name": bone.name or f"node {bone.node}",
                "depth": _depth(story, bone.node),
                "share": shares.get(bone.node),
                "joint": joints.get(bone.node),
            }
            for bone in story.bones
        ],
        "vertices": [
            {
                "index": vertex.index,
                "share": vertex.share,
                "influences": [[one.name or f"joint {one.joint}", one.weight] for one in vertex.influences],
            }
            for vertex in story.vertices
        ],
        "notes": list(story.notes),
    }


def _depth(story: Explanation, node: int) -> int:
    """Return how many of the story's bones lie above one."""
    parents = {bone.node: bone.parent for bone in story.bones}
    depth, above = 0, parents[node]
    while above is not None and above in parents:
        depth, above = depth + 1, parents[above]
    return depth
