"""Compile what pictures need and leave it in the kernel cache, mode by mode."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tracer.camera import Camera
from tracer.color_range import color_range
from tracer.lights import Light
from tracer.scene import Scene
from tracer.trace import trace

MODES: Final[dict[str, dict[str, Any]]] = {
    "direct": {"samples": 1, "layers": ("color",)},
    "aov": {"integrator": "aov"},
    "center": {"samples": "center", "layers": ("color",)},
    "path": {"integrator": "path", "samples": 2, "layers": ("color", "variance")},
    "range": {},
}
"""By name: the options of a picture that runs every kernel of the mode; `range` is `color_range`."""


def warm(mode: str) -> None:
    """Take the smallest picture there is: what it compiled is on disk for the next process."""
    ids = np.ones(1, np.uint32)
    scene = Scene(
        positions=np.array([[-1, -1, -2], [1, -1, -2], [0, 1, -2]], np.float32),
        normals=np.zeros((3, 3), np.float32),
        triangles=np.array([[0, 1, 2]], np.uint32),
        flat=np.ones(1, np.bool_),
        facing=np.ones(1, np.int8),
        object=ids,
        part=ids,
        triangle=ids,
        material=np.zeros(1, np.uint32),
        uvs=np.zeros((0, 3, 2), np.float32),
        lights=(Light("sun", direction=(0, 0, -1)),),
    )
    camera = Camera(np.eye(4), yfov=1.0)
    if mode == "range":
        color_range(scene, camera, size=(1, 1), pixels=np.zeros((1, 2), np.int64), shadows=None)
    else:
        trace(scene, camera, size=(1, 1), **MODES[mode])
