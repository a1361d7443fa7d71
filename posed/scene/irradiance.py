"""What an environment's light adds up to on a surface that faces some way: nine numbers a channel.

Irradiance is so smooth a function of the normal that spherical harmonics up to the second order hold it to some
percent (Ramamoorthi and Hanrahan, *An Efficient Representation for Irradiance Environment Maps*, SIGGRAPH 2001). With
their constants multiplied out, the irradiance on a normal n is a plain polynomial:

    E(n) = c0 + c1 x + c2 y + c3 z + c4 x y + c5 y z + c6 z x + c7 (3 y y - 1) + c8 (x x - z z)
"""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from anim.scalar import PI, cos, sin
from posed.arrays import Float32, Float64, read_only

COEFFICIENTS = 9

_FACTORS = (1 / 4, 1 / 2, 1 / 2, 1 / 2, 15 / 16, 15 / 16, 15 / 16, 5 / 64, 15 / 64)
"""The cosine lobe's own coefficient (pi, 2 pi / 3, pi / 4 by order) times the square of each polynomial's norm."""


def gradient_irradiance(bottom: tuple[float, float, float], top: tuple[float, float, float]) -> Float64:
    """Return the coefficients, (9, 3) float64, of the radiance `lerp(bottom, top, (d.y + 1) / 2)`: exact."""
    coefficients = np.zeros((COEFFICIENTS, 3))
    for channel, (low, high) in enumerate(zip(bottom, top, strict=True)):
        coefficients[0, channel] = PI * (low + high) / 2.0
        coefficients[2, channel] = PI * (high - low) / 3.0
    return read_only(coefficients)


def image_irradiance(texels: Float32) -> Float64:
    """Return the coefficients, (9, 3) float64, of an equirectangular image, (H, W, 3), its centre along -Z.

    The radiance between the middles of texels is bilinear, and beyond the first and last row as they are: that is
    integrated exactly, but for rounding. The bits are the same everywhere.
    """
    coefficients = np.zeros((COEFFICIENTS, 3))
    _write_projection(np.ascontiguousarray(texels, np.float32), _row_weights(len(texels)), coefficients)
    return read_only(coefficients * np.array(_FACTORS)[:, None])


@kernel
def _antiderivatives(polar: float, out: Float64) -> None:
    """Write what gives, derived twice, sin, sin cos, sin^2, sin^2 cos, sin (3 cos^2 - 1) and sin^3 of a polar angle."""
    s1, s2, s3 = sin(polar), sin(2.0 * polar), sin(3.0 * polar)
    c1, c2, c3 = cos(polar), cos(2.0 * polar), cos(3.0 * polar)
    out[0] = -s1
    out[1] = -s2 / 8.0
    out[2] = polar * polar / 4.0 + c2 / 8.0
    out[3] = -c1 / 4.0 + c3 / 36.0
    out[4] = s1 / 4.0 - s3 / 12.0
    out[5] = s3 / 36.0 - 0.75 * s1


_FIRST_SLOPES = (-1.0, -1 / 4, 0.0, 0.0, 0.0, -2 / 3)
_LAST_SLOPES = (1.0, -1 / 4, PI / 2, 0.0, 0.0, 2 / 3)
"""Those functions derived once, at the two poles."""


def _row_weights(height: int) -> Float64:
    """Return what a row's hat, (H, 6), weighs against each of the six functions.

    A hat is 1 at the middle of its row, 0 at those of its neighbours, straight between, and flat toward a pole. Its
    integral against a function is the second difference of the function's second antiderivative.
    """
    step = PI / height
    values = np.zeros((height, 6))
    for row in range(height):
        _antiderivatives((row + 0.5) * step, values[row])
    slopes = np.concatenate([[_FIRST_SLOPES], (values[1:] - values[:-1]) / step, [_LAST_SLOPES]])
    weights: Float64 = slopes[1:] - slopes[:-1]
    return weights


@kernel
def _write_projection(texels: Float32, rows: Float64, out: Float64) -> None:
    """Add the integral of radiance times each of the nine polynomials to `out`, (9, 3)."""
    height, width = texels.shape[0], texels.shape[1]
    step = 2.0 * PI / width
    # A hat of half width h weighs h cos(m a) (sin(m h / 2) / (m h / 2))^2 against a cosine.
    first, second = 2.0 * sin(0.5 * step) / step, sin(step) / step
    around = np.zeros((width, 5))
    for column in range(width):
        angle = (column + 0.5) * step - PI
        around[column, 0] = step
        around[column, 1], around[column, 2] = step * first * first * cos(angle), step * first * first * sin(angle)
        around[column, 3] = step * second * second * cos(2.0 * angle)
        around[column, 4] = step * second * second * sin(2.0 * angle)
    for row in range(height):
        weights = rows[row]
        for channel in range(3):
            flat, c1, s1, c2, s2 = 0.0, 0.0, 0.0, 0.0, 0.0
            for column in range(width):
                radiance = np.float64(texels[row, column, channel])
                flat += radiance * around[column, 0]
                c1 += radiance * around[column, 1]
                s1 += radiance * around[column, 2]
                c2 += radiance * around[column, 3]
                s2 += radiance * around[column, 4]
            # x = sin p sin a, y = cos p, z = -sin p cos a
            out[0, channel] += weights[0] * flat
            out[1, channel] += weights[2] * s1
            out[2, channel] += weights[1] * flat
            out[3, channel] -= weights[2] * c1
            out[4, channel] += weights[3] * s1
            out[5, channel] -= weights[3] * c1
            out[6, channel] -= 0.5 * weights[5] * s2
            out[7, channel] += weights[4] * flat
            out[8, channel] -= weights[5] * c2
