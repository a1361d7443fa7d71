"""What a front end is told of a scene before the first picture: what can be chosen."""

from __future__ import annotations

from typing import Any

from posed.overlay.choosing import NAMES
from posed.scene.description import Scene
from posed.viewer.look import LAYERS, RENDERERS
from posed.viewer.playing import Playing

OWN = "the scene's own"
"""What an object plays until somebody chooses a clip."""

JOINTS = 2000
"""That are listed at most; a click finds the others."""


def about(scene: Scene, *, tick: int, size: tuple[int, int], shown: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the choices of a scene as plain values."""
    playing = Playing(scene, tick)
    joints = dict.fromkeys(f"{one.object}/{one.name}" for one in scene.ids.joints if one.name)
    return {
        "saved": False,
        "size": list(size),
        "rate": float(scene.rate),
        "first": 0,
        "step": 1,
        "length": playing.length(),
        "tick": tick,
        "own": OWN,
        "objects": [
            {"name": one.name, "clips": [clip.name or f"clip {i}" for i, clip in enumerate(one.model.clips)]}
            for one in playing.objects
        ],
        "layers": list(LAYERS),
        "overlays": list(dict.fromkeys([*(name for name in NAMES if ":" not in name), *shown])),
        "shown": list(shown),
        "joints": list(joints)[:JOINTS],
        "renderers": list(RENDERERS),
    }
