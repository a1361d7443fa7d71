"""Which pixels posed instances may show in: what no box is seen in is neither drawn nor read back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
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
    windows = np.zeros((len(low), 4), np.int64)
    eye = camera.matrix[:3, 3].copy()
    axes = np.stack([camera.matrix[:3, 0], camera.matrix[:3, 1], -camera.matrix[:3, 2]])
    far = float(np.abs(eye).max() + np.abs(origin).max())
    if camera.yfov is not None:
        half = math.tan(camera.yfov / 2.0)
    else:
        assert camera.ymag is not None
        half = camera.ymag
    write_windows(low, high, reach, far, eye, axes, camera.yfov is not None, half, *size, windows)
    return windows


@kernel
def write_windows(
    low: Float64,
    high: Float64,
    reach: Float64,
    far: float,
    eye: Float64,
    axes: Float64,
    perspective: bool,
    half: float,
    width: int,
    height: int,
    windows: Indices,
) -> None:
    """Write the pixels of `windows_of` to windows (N, 4), zeros at first.

    `far` is the largest coordinate of eye and origin, `axes` (3, 3) are right, up and forward, `half` is half of what
    is seen from bottom to top, one metre away or anywhere.
    """
    pixels = height / 2.0 / half
    ends = np.empty((2, 3))
    for n in range(len(low)):
        slack, behind = LOSS * (reach[n] + far), 0
        left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
        for axis in range(3):
            ends[0, axis], ends[1, axis] = low[n, axis] - slack - eye[axis], high[n, axis] + slack - eye[axis]
        for corner in range(8):
            x, y, z = ends[corner & 1, 0], ends[corner >> 1 & 1, 1], ends[corner >> 2, 2]
            deep = x * axes[2, 0] + y * axes[2, 1] + z * axes[2, 2] if perspective else 1.0
            if deep <= 0.0:
                behind += 1
                continue
            across = width / 2.0 + pixels * (x * axes[0, 0] + y * axes[0, 1] + z * axes[0, 2]) / deep
            down = height / 2.0 - pixels * (x * axes[1, 0] + y * axes[1, 1] + z * axes[1, 2]) / deep
            left, right = min(left, across), max(right, across)
            top, bottom = min(top, down), max(bottom, down)
        if not np.isfinite(reach[n]) or 0 < behind < 8:
            windows[n, 2], windows[n, 3] = width, height
        elif behind == 0:
            windows[n, 0], windows[n, 2] = _pixel(left, -MARGIN, width), _pixel(right, MARGIN, width)
            windows[n, 1], windows[n, 3] = _pixel(top, -MARGIN, height), _pixel(bottom, MARGIN, height)


@kernel
def _pixel(place: float, margin: int, side: int) -> Any:
    """Return a whole pixel within a side, rounded the way that the margin goes."""
    rounded = np.floor(place) if margin < 0 else np.ceil(place)
    return np.int64(min(max(rounded + margin, 0.0), np.float64(side)))


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
