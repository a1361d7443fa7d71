"""Where in and around its pixel a sample is placed: the filter's weight is the chance, so that all samples count alike.

Source: Ernst, Stamminger and Greiner, *Filter Importance Sampling*, IEEE Symposium on Interactive Ray Tracing, 2006;
Harris, *On the Use of Windows for Harmonic Analysis*, Proc. IEEE 66(1), 1978, for the window.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import leaf

WIDTH: Final = 3.0
"""Pixels that the Blackman-Harris window spans along each axis."""

_COEFFICIENTS: Final = (0.35875, -0.48829, 0.14128, -0.01168)
_STEPS: Final = 4096


def filter_table(name: str) -> NDArray[np.float64]:
    """Give a filter as kernels read it: where numbers 0, 1/N, .. 1 fall along an axis, in pixels from the pixel's edge.

    (N + 1,) float64; the box has N = 1.
    """
    if name == "box":
        places = np.array([0.0, 1.0])
    else:
        x = np.linspace(0.0, 1.0, _STEPS + 1)
        below = _COEFFICIENTS[0] * x
        for order, coefficient in enumerate(_COEFFICIENTS[1:], 1):
            below += coefficient * np.sin(2.0 * np.pi * order * x) / (2.0 * np.pi * order)
        places = 0.5 + WIDTH * (np.interp(np.linspace(0.0, 1.0, _STEPS + 1), below / below[-1], x) - 0.5)
    places.setflags(write=False)
    return places


@leaf
def filtered(table: NDArray[np.float64], number: float) -> float:
    """Return where a number in [0, 1) falls along an axis, in pixels from the pixel's edge."""
    place = number * (len(table) - 1)
    below = np.intp(place)
    return float(table[below] + (table[below + 1] - table[below]) * (place - below))
