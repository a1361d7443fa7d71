"""Whether edges are displaced at random, as rounding does it, or most of them one way: a shift by part of a pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray

LIMIT = 14.0
"""What chance passes once in a million frames: e^-14."""

FEWEST = 12
"""Edges from which on their directions say something."""


@dataclass(frozen=True)
class Drift:
    """How much the displacements of edges agree.

    `agreement` is m R^2 of m unit directions whose mean has the length R: chance alone passes z with the probability
    e^-z (Rayleigh 1880). `right` and `down` are the least shift in pixels that most of them have in common.
    """

    agreement: float = 0.0
    right: float = 0.0
    down: float = 0.0

    def sentence(self) -> str:
        """Say where the edges lie."""
        return f"edges lie {_way(self.right, 'right', 'left')} and {_way(self.down, 'down', 'up')} of where they are"


def drift_of(offsets: AnyArray, edges: AnyArray) -> Drift:
    """Return how much displacements agree.

    Parameters
    ----------
    offsets
        (N, 2) float64: from each overstepped edge to the pixel's centre that it was moved beyond, pixels.
    edges
        (N,) int64: which edge. An edge counts once, however many pixels it crosses.
    """
    lengths = np.sqrt((offsets * offsets).sum(axis=1))
    usable = (lengths > 0.0) & (edges >= 0)
    if not usable.any():
        return Drift()
    numbers, first = np.unique(edges[usable], return_inverse=True)
    units = offsets[usable] / lengths[usable, None]
    sums = np.stack([np.bincount(first, units[:, axis], len(numbers)) for axis in range(2)], axis=1)
    sizes = np.sqrt((sums * sums).sum(axis=1))
    directions = sums[sizes > 0.0] / sizes[sizes > 0.0, None]
    count = len(directions)
    if count < FEWEST:
        return Drift()
    mean = directions.sum(axis=0) / count
    size = math.hypot(*mean.tolist())
    if size == 0.0:
        return Drift()
    along = (offsets[usable] * mean).sum(axis=1) / size
    shift = float(np.percentile(along, 90.0))
    right, down = (mean / size * shift).tolist()
    return Drift(count * size * size, right, down)


def _way(pixels: float, forth: str, back: str) -> str:
    return f"{abs(pixels):.2g} pixels {forth if pixels >= 0.0 else back}"
