"""Products of affine matrices in float64, in a fixed order: the same bits on every machine."""

from __future__ import annotations

import numpy as np

from anim.matrix import multiply_affine
from posed.arrays import Float64


def multiply(a: Float64, b: Float64) -> Float64:
    """Return a times b; both (4, 4) float64, acting on column vectors, last row 0 0 0 1."""
    out = np.empty((4, 4))
    multiply_affine(a, b, out)
    return out


def moved(matrix: Float64, origin: Float64) -> Float64:
    """Return `matrix` in a space whose origin stands at `origin`."""
    out = np.array(matrix, np.float64)
    out[:3, 3] -= origin
    return out
