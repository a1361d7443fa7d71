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
from posed.live.passes import Held
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


def write_picture(name: str, whole: AnyArray, texels: AnyArray, held: Held, window: Region, camera: Camera) -> None:
    """Write a layer, as frames hold it, to its place in a blank picture.

    Parameters
    ----------
    name
        One of the live renderer's layers.
    whole
        The layer of the picture, (H, W) or (H, W, C).
    texels
        What was read of a target that has the layer which it is made of (`MADE_OF`), or a part of it, (h, w, channels).
    held
        What the target has of it.
    window
        Where in the picture that is.
    camera
        Who looks, for positions.
    """
    read = texels[..., held.first : held.first + held.channels].view(whole.dtype)
    if name == "position":
        rays = rays_of(camera, (whole.shape[1], whole.shape[0]), np.zeros(3))
        write_positions(
            np.ascontiguousarray(read[..., 0]), window.x, window.y, rays.eye, rays.ray, rays.across, rays.down, whole
        )
        return
    if name == "geometric_normal":
        write_unfolded(np.ascontiguousarray(read), window.x, window.y, whole)
        return
    inside = whole[window.y : window.y + window.height, window.x : window.x + window.width]
    if whole.ndim == 2:
        inside[:] = read[..., 0]
    elif held.channels == 2 and whole.shape[2] % 2 == 0:
        # Pairs as one: NumPy copies rows of them, not each by itself.
        inside.view(np.uint64)[..., held.to // 2] = read.view(np.uint64)[..., 0]
    else:
        inside[..., held.to : held.to + held.channels] = read


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


@kernel
def write_unfolded(folded: Float32, x: int, y: int, directions: Float32) -> None:
    """Write what `folded` of layers.wgsl made of unit directions, (h, w, 2), to directions (H, W, 3), from pixel (x, y)
    on; zeros of zeros."""
    for row in range(folded.shape[0]):
        for column in range(folded.shape[1]):
            if folded[row, column, 0] == np.float32(0.0):
                continue
            a, b = np.float64(folded[row, column, 0]) - 2.0, np.float64(folded[row, column, 1]) - 2.0
            c = 1.0 - abs(a) - abs(b)
            if c < 0.0:
                a, b = np.copysign(1.0 - abs(b), a), np.copysign(1.0 - abs(a), b)
            length = np.sqrt(a * a + b * b + c * c)
            directions[y + row, x + column, 0] = np.float32(a / length)
            directions[y + row, x + column, 1] = np.float32(b / length)
            directions[y + row, x + column, 2] = np.float32(c / length)
