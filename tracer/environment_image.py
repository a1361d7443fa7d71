"""An environment given by an equirectangular image: its radiance, and directions drawn where it is bright.

The image's centre lies along -Z, its right half toward +X, its top row around +Y. A texel's chance is its brightness,
with its neighbours' because radiance is interpolated, times the solid angle it covers.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, leaf


class ImageTable(NamedTuple):
    """An image as kernels read it, H rows and W columns; none where H is 0."""

    texels: NDArray[np.float32]
    """(H, W, 3) linear radiance"""
    edges: NDArray[np.float64]
    """(H + 1,) cosine of the polar angle at the rows' edges, from 1 down to -1"""
    rows: NDArray[np.float64]
    """(H + 1,) chance of the rows above an edge"""
    columns: NDArray[np.float64]
    """(H, W + 1) chance, within a row, of the columns left of an edge"""


def image_table(image: NDArray[np.float32] | None) -> ImageTable:
    """Give the table of an image, (H, W, 3) float32, not negative; None gives an empty one."""
    texels = np.zeros((0, 0, 3), np.float32) if image is None else image.copy()
    height, width = texels.shape[:2]
    edges = np.cos(np.pi * np.arange(height + 1) / max(height, 1))
    bright = texels.astype(np.float64).max(axis=2)
    bright = bright + np.roll(bright, 1, axis=1) + np.roll(bright, -1, axis=1)
    above, below = np.concatenate([bright[:1], bright[:-1]]), np.concatenate([bright[1:], bright[-1:]])
    bright = bright + above + below
    if not bright.any():
        bright = np.ones((height, width))
    columns, weights = _cumulative(bright)
    rows, _ = _cumulative(weights * (edges[:-1] - edges[1:]))
    table = ImageTable(texels, edges, rows, columns)
    for values in table:
        values.setflags(write=False)
    return table


@leaf
def image_radiance(table: ImageTable, dx: float, dy: float, dz: float, channel: int) -> float:
    """Return the radiance of one channel from a direction of any length, bilinear between texels."""
    height, width = table.texels.shape[0], table.texels.shape[1]
    across, down = _place(dx, dy, dz)
    x, y = across * width - 0.5, down * height - 0.5
    left, top = np.floor(x), np.floor(y)
    right_share, low_share = x - left, y - top
    column, upper, lower = np.intp(left), np.intp(max(top, 0.0)), np.intp(min(top + 1.0, height - 1.0))
    first, second = (column + width) % width, (column + 1) % width
    texels = table.texels
    high = (1.0 - right_share) * texels[upper, first, channel] + right_share * texels[upper, second, channel]
    low = (1.0 - right_share) * texels[lower, first, channel] + right_share * texels[lower, second, channel]
    return float((1.0 - low_share) * high + low_share * low)


@leaf
def image_direction(table: ImageTable, first: float, second: float) -> tuple[float, float, float]:
    """Return a unit direction with density `image_density`, from two numbers in [0, 1)."""
    row = interval(table.rows, second)
    down = (second - table.rows[row]) / (table.rows[row + 1] - table.rows[row])
    column = interval(table.columns[row], first)
    left, right = table.columns[row, column], table.columns[row, column + 1]
    around = 2.0 * math.pi * ((column + (first - left) / (right - left)) / table.texels.shape[1] - 0.5)
    y = table.edges[row] + (table.edges[row + 1] - table.edges[row]) * down
    radius = math.sqrt(max(1.0 - y * y, 0.0))
    return radius * math.sin(around), y, -radius * math.cos(around)


@leaf
def image_density(table: ImageTable, dx: float, dy: float, dz: float) -> float:
    """Return the density per steradian with which `image_direction` draws a direction, here of any length."""
    height, width = table.texels.shape[0], table.texels.shape[1]
    across, down = _place(dx, dy, dz)
    row, column = np.intp(min(down * height, height - 1.0)), np.intp(min(across * width, width - 1.0))
    solid_angle = 2.0 * math.pi / width * (table.edges[row] - table.edges[row + 1])
    chance = (table.rows[row + 1] - table.rows[row]) * (table.columns[row, column + 1] - table.columns[row, column])
    return float(chance / solid_angle)


@leaf
def _place(dx: float, dy: float, dz: float) -> tuple[float, float]:
    """Return where a direction lies in the image, across and down, both in [0, 1]."""
    across = 0.5 + math.atan2(dx, -dz) / (2.0 * math.pi)
    return across, math.atan2(math.sqrt(dx * dx + dz * dz), dy) / math.pi


@leaf
def interval(cumulative: NDArray[np.float64], number: float) -> Index:
    """Return the interval of a cumulative distribution that holds a number in [0, 1); it is not empty."""
    low, high = 0, len(cumulative) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if cumulative[middle] <= number:
            low = middle
        else:
            high = middle
    return low


def _cumulative(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give cumulative chances along the last axis, from 0 to 1, and the sums; equal chances where all weigh nothing."""
    sums = np.cumsum(weights, axis=-1)
    total = sums[..., -1:] if sums.shape[-1] else np.ones((*sums.shape[:-1], 1))
    even = np.arange(1, weights.shape[-1] + 1) / max(weights.shape[-1], 1)
    shares = np.where(total > 0.0, sums / np.where(total > 0.0, total, 1.0), even)
    return np.concatenate([np.zeros((*shares.shape[:-1], 1)), shares], axis=-1), total[..., 0]
