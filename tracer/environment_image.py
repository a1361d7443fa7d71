"""Directions drawn where an equirectangular image of the environment is brighter than its mean.

Light up to the mean comes from everywhere, and a material's own lobes find it better than a draw that knows nothing of
the material: a texel's chance is what its brightness has beyond the mean, times the solid angle it covers. Its
brightness is taken with its neighbours' because radiance is interpolated. Where nothing is drawn, multiple importance
sampling leaves all to the lobes, so that no light is lost.

Source: Karlik, Sik, Vevoda, Skrivan and Krivanek, *MIS Compensation: Optimizing Sampling Techniques in Multiple
Importance Sampling*, ACM Transactions on Graphics 38(6), 2019.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.apart import apart
from tracer.compiling import Index, leaf
from tracer.sky import image_place

LEAST_SPREAD: Final = 1.0
"""Variance of the radiance over the sphere, in squares of its mean, below which no direction is drawn from an image.

The lobes alone find it sooner then: up to five times as soon where it is a gradient or half dark (0.2 to 0.4), twenty
times as late where it has a bright window (2.4).
"""


class ImageTable(NamedTuple):
    """The chances of an image's texels, H rows and W columns; H is 0 where none is drawn."""

    edges: NDArray[np.float64]
    """(H + 1,) cosine of the polar angle at the rows' edges, from 1 down to -1"""
    rows: NDArray[np.float64]
    """(H + 1,) chance of the rows above an edge"""
    columns: NDArray[np.float64]
    """(H, W + 1) chance, within a row, of the columns left of an edge"""


def image_table(image: NDArray[np.float32] | None) -> tuple[ImageTable, float]:
    """Give the table of an image, (H, W, 3) float32, not negative, and the mean radiance of what is drawn from it.

    The table is empty, and the mean 0, for None and for an image of less than `LEAST_SPREAD`.
    """
    bright = np.zeros((0, 0)) if image is None else image.max(axis=2).astype(np.float64)
    height = bright.shape[0]
    edges = np.cos(np.pi * np.arange(height + 1) / max(height, 1))
    around = bright + np.roll(bright, 1, axis=1) + np.roll(bright, -1, axis=1)
    above, below = np.concatenate([around[:1], around[:-1]]), np.concatenate([around[1:], around[-1:]])
    around = (around + above + below) / 9.0
    covered = (edges[:-1] - edges[1:]) / 2.0
    mean = float((around.mean(axis=1) * covered).sum()) if height else 0.0
    excess = np.maximum(around - mean, 0.0)
    drawn = float((excess.mean(axis=1) * covered).sum()) if height else 0.0
    squared = float(((around * around).mean(axis=1) * covered).sum()) if height else 0.0
    if not squared - mean * mean > LEAST_SPREAD * mean * mean:
        edges, covered, excess, drawn = edges[:1], covered[:0], excess[:0], 0.0
    columns, weights = _cumulative(excess)
    rows, _ = _cumulative(weights * covered)
    table = ImageTable(edges, rows, columns)
    for values in table:
        values.setflags(write=False)
    return table, drawn


@apart
def image_direction(table: ImageTable, first: float, second: float) -> tuple[float, float, float]:
    """Return a unit direction with density `image_density`, from two numbers in [0, 1)."""
    row = interval(table.rows, second)
    down = (second - table.rows[row]) / (table.rows[row + 1] - table.rows[row])
    column = interval(table.columns[row], first)
    left, right = table.columns[row, column], table.columns[row, column + 1]
    around = 2.0 * math.pi * ((column + (first - left) / (right - left)) / (table.columns.shape[1] - 1) - 0.5)
    y = table.edges[row] + (table.edges[row + 1] - table.edges[row]) * down
    radius = math.sqrt(max(1.0 - y * y, 0.0))
    return radius * math.sin(around), y, -radius * math.cos(around)


@apart
def image_density(table: ImageTable, dx: float, dy: float, dz: float) -> float:
    """Return the density per steradian with which `image_direction` draws a direction, here of any length.

    It is 0 where the image is no brighter than its mean.
    """
    height, width = table.columns.shape[0], table.columns.shape[1] - 1
    across, down = image_place(dx, dy, dz)
    row, column = np.intp(min(down * height, height - 1.0)), np.intp(min(across * width, width - 1.0))
    solid_angle = 2.0 * math.pi / width * (table.edges[row] - table.edges[row + 1])
    chance = (table.rows[row + 1] - table.rows[row]) * (table.columns[row, column + 1] - table.columns[row, column])
    return float(chance / solid_angle)


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
