"""`python -m tracer.warm`: compile what a picture needs and leave it in the kernel cache."""

from __future__ import annotations

import numpy as np

from tracer.camera import Camera
from tracer.scene import Scene
from tracer.trace import trace


def warm() -> None:
    """Take the smallest picture there is: what it compiled is on disk for the next process."""
    ids = np.ones(1, np.uint32)
    scene = Scene(
        positions=np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32),
        normals=np.zeros((3, 3), np.float32),
        triangles=np.array([[0, 1, 2]], np.uint32),
        flat=np.ones(1, np.bool_),
        facing=np.ones(1, np.int8),
        object=ids,
        part=ids,
        triangle=ids,
        material=np.zeros(1, np.uint32),
        uvs=np.zeros((0, 3, 2), np.float32),
    )
    trace(scene, Camera(np.eye(4), yfov=1.0), size=(1, 1), samples=1, layers=("color",))


if __name__ == "__main__":
    warm()
