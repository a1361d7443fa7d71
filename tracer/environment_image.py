"""Directions drawn where an equirectangular image of the environment is bright.

A texel's chance is its brightness, with its neighbours' because radiance is interpolated, times the solid angle it
covers.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, leaf
from tracer.sky import image_place


class ImageTable(NamedTuple):
    """The chances of an image's texels, H rows and W columns; none where H is 0."""

    edges: NDArray[np.float64]
    """(H + 1,) cosine of the polar angle at the rows' edges, from 1 down to -1"""
    rows: NDArray[np.float64]
    """(H + 1,) chance of the rows above an edge"""
    columns: NDArray[np.float64]
    """(H, W + 1) chance, within a row, of the columns left of an edge"""


def image_table(image: NDArray[np.float32] | None) -> ImageTable:
    """Give the table of an image, (H, W, 3) float32, not negative; None gives an empty one."""
    bright = np.zeros((0, 0)) if image is None else image.max(axis=2).astype(np.float64)
    height, width = bright.shape
    edges = np.cos(np.pi * np.arange(height + 1) / max(height, 1))
    bright = bright + np.roll(bright, 1, axis=1) + np.roll(bright, -1, axis=1)
    above, below = np.concatenate([bright[:1], bright[:-1]]), np.concatenate([bright[1:], bright[-1:]])
    bright = bright + above + below
    if not bright.any():
        bright = np.ones((height, width))
    columns, weights = _cumulative(bright)
    rows, _ = _cumulative(weights * (edges[:-1] - edges[1:]))
    table = ImageTable(edges, rows, columns)
    for values in table:
        values.setflags(write=False)
    return table


@leaf
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


@leaf
def image_density(table: ImageTable, dx: float, dy: float, dz: float) -> float:
    """Return the density per steradian with which `image_direction` draws a direction, here of any length."""
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
