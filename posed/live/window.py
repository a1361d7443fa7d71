"""Which pixels posed instances may show in: what no box is seen in is neither drawn nor read back."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from posed.arrays import Float64
from posed.camera import Camera
from posed.live.draws import Draw
from posed.live.readback import Region

Indices = NDArray[np.int64]

LOSS = 2.0**-17
"""Share of what a position is summed of that float32 may lose on the way to the screen, with weights that add up to 1
but for 2^-18 (`RestBounds.sure`): a hundred roundings, of which a vertex has some fifty."""

MARGIN = 1
"""Pixels around a box: where it ends within a pixel, and the rasterizer's grid."""


def windows_of(
    camera: Camera, size: tuple[int, int], low: Float64, high: Float64, reach: Float64, origin: Float64
) -> Indices:
    """Return the pixels that boxes may show in, (N, 4) int64: first column and row, and those behind the last ones.

    A box that is not seen has as many columns, or rows, as none.

    Parameters
    ----------
    camera, size
        Who looks, and how large the picture is, (W, H) pixels.
    low, high
        The boxes' corners in the world, (N, 3).
    reach
        What the coordinates in them are summed of, (N,) metres; infinity where nothing is known.
    origin
        The frame's origin, (3,).
    """
    if not len(low):
        return np.zeros((0, 4), np.int64)
    eye = camera.matrix[:3, 3]
    far = float(np.abs(eye).max() + np.abs(origin).max())
    slack = np.where(np.isfinite(reach), LOSS * (reach + far), 0.0)[:, None]
    # The corners along the camera's axes, relative to its place: (8, N) each.
    ends = np.stack([low - slack - eye, high + slack - eye]).transpose(0, 2, 1)
    axes = np.stack([camera.matrix[:3, 0], camera.matrix[:3, 1], -camera.matrix[:3, 2]])
    x, y, z = (ends[:, k] * axes[:, k, None, None] for k in range(3))
    across, up, deep = (x[:, None, None, :] + y[:, None, :, None] + z[:, :, None, None]).reshape(3, 8, -1)
    if camera.yfov is not None:
        half, behind, cut = math.tan(camera.yfov / 2.0), (deep <= 0.0).all(axis=0), (deep <= 0.0).any(axis=0)
        deep = np.where(deep > 0.0, deep, 1.0)
    else:
        assert camera.ymag is not None
        half, behind, cut = camera.ymag, np.zeros(len(low), bool), np.zeros(len(low), bool)
        deep = np.ones_like(deep)
    pixels = size[1] / 2.0 / half
    windows = np.zeros((len(low), 4), np.int64)
    for axis, (side, places) in enumerate(zip(size, (across, -up), strict=True)):
        seen = side / 2.0 + pixels * places / deep
        windows[:, axis] = np.clip(np.floor(seen.min(axis=0)) - MARGIN, 0, side)
        windows[:, axis + 2] = np.clip(np.ceil(seen.max(axis=0)) + MARGIN, 0, side)
    windows[cut | ~np.isfinite(reach)] = 0, 0, *size
    windows[behind & np.isfinite(reach)] = 0
    return windows


MOST_PARTS = 64
"""Boxes by which a draw of many instances is looked for, each around some that follow each other."""


def draw_windows(
    camera: Camera,
    size: tuple[int, int],
    draws: Sequence[Draw],
    boxes: tuple[Float64, Float64, Float64],
    origin: Float64,
) -> Indices:
    """Return the pixels that each of D draws may show in, (D, 4), as `windows_of` does for boxes.

    `boxes` are low, high and reach of the instances of `draws`.
    """
    if not draws:
        return np.zeros((0, 4), np.int64)
    firsts = [np.arange(one.first, one.first + one.count, -(-one.count // MOST_PARTS)) for one in draws]
    starts, (low, high, reach) = np.concatenate(firsts), boxes
    windows = windows_of(
        camera,
        size,
        np.minimum.reduceat(low, starts),
        np.maximum.reduceat(high, starts),
        np.maximum.reduceat(reach, starts),
        origin,
    )
    hidden = ~_seen(windows)
    windows[hidden, :2], windows[hidden, 2:] = max(size), 0
    parts = np.cumsum([0, *(len(one) for one in firsts[:-1])])
    windows = np.concatenate(
        [np.minimum.reduceat(windows[:, :2], parts), np.maximum.reduceat(windows[:, 2:], parts)], axis=1
    )
    windows[~_seen(windows)] = 0
    return windows


def _seen(windows: Indices) -> NDArray[np.bool_]:
    seen: NDArray[np.bool_] = (windows[:, 2] > windows[:, 0]) & (windows[:, 3] > windows[:, 1])
    return seen


def seen_draws(draws: Sequence[Draw], windows: Indices) -> list[Draw]:
    """Return those of `draws` of which some instance may show; `windows` (D, 4) are theirs."""
    return [draw for draw, is_seen in zip(draws, _seen(windows).tolist(), strict=True) if is_seen]


def around(windows: Indices) -> Region:
    """Return the smallest region that holds all of `windows`, (N, 4); one without texels where nothing shows."""
    seen = windows[_seen(windows)]
    if not len(seen):
        return Region(0, 0, 0, 0)
    (left, top), (right, bottom) = seen[:, :2].min(axis=0).tolist(), seen[:, 2:].max(axis=0).tolist()
    return Region(left, top, right - left, bottom - top)
