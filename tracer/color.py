"""From linear light to sRGB bytes, once, at the file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def encode_srgb(color: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Encode linear color for a PNG: 0.5 becomes 188.

    Parameters
    ----------
    color
        (..., C) linear, scene-referred; values outside [0, 1] are clipped, NaN is 0. A fourth channel is alpha: it
        stays linear, and color is taken as it is, so straight alpha must be given.

    Returns
    -------
    (..., C) uint8, rounded to nearest (IEC 61966-2-1).
    """
    linear = np.clip(np.nan_to_num(np.asarray(color, np.float32), nan=0.0), np.float32(0.0), np.float32(1.0))
    low = linear * np.float32(12.92)
    high = np.float32(1.055) * np.power(linear, np.float32(1.0 / 2.4)) - np.float32(0.055)
    encoded = np.where(linear <= np.float32(0.0031308), low, high)
    if linear.shape[-1:] == (4,):
        encoded[..., 3] = linear[..., 3]
    return np.asarray(encoded * np.float32(255.0) + np.float32(0.5), np.uint8)
