"""Layers as frames hold them, from the window of a layer that was read back; around it nothing is seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anim.kernel import kernel
from posed.arrays import AnyArray, Float32, Float64
from posed.camera import Camera
from posed.frame import LAYERS
from posed.live.camera import rays_of
from posed.live.readback import Region

ALIGNMENT = 64
"""Bytes: layers begin at multiples of this in their block."""


def blank(layers: Sequence[str], size: tuple[int, int]) -> dict[str, AnyArray]:
    """Return `layers` by name, (H, W) or (H, W, C), of a picture of `size`, (W, H), in which nothing is seen.

    They lie in one block: the C library keeps the memory of the largest block that was given back, and asks the system
    anew, page by page, for what several small ones take (malloc's dynamic threshold). That took 3 of a frame's 17 ms.
    """
    shapes = []
    end = 0
    for name in layers:
        channels, kind = LAYERS[name]
        shape = (size[1], size[0], channels) if channels else (size[1], size[0])
        shapes.append((name, shape, np.dtype(kind), end))
        end += -(-math.prod(shape) * np.dtype(kind).itemsize // ALIGNMENT) * ALIGNMENT
    block = np.zeros(end, np.uint8)
    made = {name: np.ndarray(shape, kind, block.data, offset) for name, shape, kind, offset in shapes}
    if "depth" in made:
        made["depth"].fill(np.inf)
    return made


def write_picture(name: str, whole: AnyArray, read: AnyArray, window: Region, camera: Camera) -> None:
    """Write a layer, as frames hold it, to its place in a blank picture.

    Parameters
    ----------
    name
        One of the live renderer's layers.
    whole
        The layer of the picture, (H, W) or (H, W, C).
    read
        What was read of the layer that it is made of (`MADE_OF`), (h, w) or (h, w, c).
    window
        Where in the picture that is.
    camera
        Who looks, for positions.
    """
    if name == "position":
        rays = rays_of(camera, (whole.shape[1], whole.shape[0]), np.zeros(3))
        write_positions(
            np.ascontiguousarray(read), window.x, window.y, rays.eye, rays.ray, rays.across, rays.down, whole
        )
        return
    inside = whole[window.y : window.y + window.height, window.x : window.x + window.width]
    inside[:] = read if whole.ndim == 2 else read[..., : whole.shape[2]]


@kernel
def write_positions(
    depth: Float32,
    x: int,
    y: int,
    eye: Float64,
    ray: Float64,
    across: Float64,
    down: Float64,
    positions: Float32,
) -> None:
    """Write where the rays through pixels' centres are at a depth (h, w) to positions (H, W, 3), from pixel (x, y) on.

    What has no finite depth is left as it is. The rays are those of `posed.live.camera.Rays`.
    """
    for row in range(depth.shape[0]):
        for column in range(depth.shape[1]):
            deep = np.float64(depth[row, column])
            if not np.isfinite(deep):
                continue
            right, below = np.float64(x + column) + 0.5, np.float64(y + row) + 0.5
            for axis in range(3):
                way = ray[axis] + right * across[axis] + below * down[axis]
                place = eye[axis] + deep * way if eye[3] != 0.0 else way - deep * eye[axis]
                positions[y + row, x + column, axis] = np.float32(place)
