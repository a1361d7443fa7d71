"""The environment's radiance from a direction, and what it adds up to on a surface: a gradient's or an image's.

The image's centre lies along -Z, its right half toward +X, its top row around +Y.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anim.scalar import PI, atan2
from tracer.apart import apart
from tracer.compiling import leaf
from tracer.tables import Shine


@leaf
def sky_radiance(shine: Shine, dx: float, dy: float, dz: float, channel: int) -> float:
    """Return the environment's radiance of one channel from a direction of any length."""
    if len(shine.texels) > 0:
        return image_radiance(shine.texels, dx, dy, dz, channel)
    # The gradient's: lerp(bottom, top, (d.y + 1) / 2).
    environment = shine.environment
    share = 0.5 * (dy / math.sqrt(dx * dx + dy * dy + dz * dz) + 1.0)
    return float(environment[channel] + (environment[3 + channel] - environment[channel]) * share)


@apart
def image_radiance(texels: NDArray[np.float32], dx: float, dy: float, dz: float, channel: int) -> float:
    """Return the radiance of one channel of an image, (H, W, 3), from a direction of any length.

    It is bilinear between the middles of texels, around the seam; beyond the first and the last row as these are.
    """
    height, width = texels.shape[0], texels.shape[1]
    across, down = image_place(dx, dy, dz)
    x, y = across * width - 0.5, down * height - 0.5
    left, top = np.floor(x), np.floor(y)
    right_share, low_share = x - left, y - top
    column, upper, lower = np.intp(left), np.intp(max(top, 0.0)), np.intp(min(top + 1.0, height - 1.0))
    first, second = (column + width) % width, (column + 1) % width
    high = (1.0 - right_share) * texels[upper, first, channel] + right_share * texels[upper, second, channel]
    low = (1.0 - right_share) * texels[lower, first, channel] + right_share * texels[lower, second, channel]
    return float((1.0 - low_share) * high + low_share * low)


@leaf
def image_place(dx: float, dy: float, dz: float) -> tuple[float, float]:
    """Return where a direction of any length lies in an image, across and down, both in [0, 1]."""
    across = 0.5 + atan2(dx, -dz) / (2.0 * PI)
    return across, atan2(math.sqrt(dx * dx + dz * dz), dy) / PI


@leaf
def irradiance_over_pi(shine: Shine, x: float, y: float, z: float, channel: int) -> float:
    """Return what a white Lambert surface with the unit normal (x, y, z) would show of one channel."""
    c = shine.irradiance
    total = c[0, channel] + c[1, channel] * x + c[2, channel] * y + c[3, channel] * z
    total += c[4, channel] * x * y + c[5, channel] * y * z + c[6, channel] * z * x
    total += c[7, channel] * (3.0 * y * y - 1.0) + c[8, channel] * (x * x - z * z)
    return float(max(total, 0.0))
