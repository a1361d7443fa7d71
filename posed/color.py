"""The sRGB transfer function (IEC 61966-2-1): linear light to the 8-bit codes of a file, once, at the file."""

from __future__ import annotations

from functools import cache

import numpy as np

from posed.arrays import Float32, Float64, UInt8


def encode_srgb(color: Float32) -> UInt8:
    """Return linear `color`, any shape with 3 or 4 channels last, as sRGB codes; alpha, if any, stays linear.

    Values outside [0, 1] are clamped. Each value gets the nearest code: 0.5 is 188.
    """
    codes = np.empty(color.shape, np.uint8)
    codes[..., :3] = np.searchsorted(_thresholds(), color[..., :3], side="right")
    if color.shape[-1] == 4:
        codes[..., 3] = np.floor(np.clip(color[..., 3], 0.0, 1.0) * np.float32(255.0) + np.float32(0.5))
    return codes


def decode_srgb(codes: UInt8) -> Float32:
    """Return sRGB codes, any shape with 3 or 4 channels last, as linear float32; alpha, if any, divided by 255."""
    linear = _decoded()[codes]
    if codes.shape[-1] == 4:
        linear[..., 3] = codes[..., 3] / np.float32(255.0)
    return linear


def _linear(encoded: float) -> float:
    return float(encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4)


@cache
def _decoded() -> Float32:
    return np.array([_linear(code / 255.0) for code in range(256)], np.float32)


@cache
def _thresholds() -> Float64:
    """The linear values at which the nearest code goes up by one, 255 of them."""
    return np.array([_linear((code + 0.5) / 255.0) for code in range(255)])
