"""Color ramps: numbers from 0 to 1 as colors whose order an eye sees, color-blind or not."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from posed.arrays import AnyArray, Float32, UInt8
from posed.color import decode_srgb, oklch

STEPS = 256

HEAT = ((0.42, 0.14, 285.0), (0.55, 0.15, 255.0), (0.70, 0.15, 195.0), (0.86, 0.17, 105.0), (0.62, 0.23, 28.0))
"""Lightness, chroma and hue in degrees (OKLCH) at even steps: blue over green and yellow to red."""

GLOW = ((0.22, 0.10, 290.0), (0.42, 0.19, 315.0), (0.62, 0.22, 5.0), (0.80, 0.17, 55.0), (0.96, 0.10, 100.0))
"""The darker the less: violet over red to a pale yellow."""

Stops = tuple[tuple[float, float, float], ...]


@cache
def ramp_codes(stops: Stops) -> UInt8:
    """Return the ramp through `stops`, (256, 3) sRGB codes."""
    lightness, chroma, hue = np.array(stops).T
    unwound = np.unwrap(np.radians(hue))
    at, places = np.linspace(0.0, 1.0, STEPS), np.linspace(0.0, 1.0, len(stops))
    channels = [np.interp(at, places, values) for values in (lightness, chroma, unwound)]
    return np.array([oklch(*map(float, row)) for row in zip(*channels, strict=True)], np.uint8)


def ramp(stops: Stops, shares: AnyArray) -> Float32:
    """Return the linear colors, (N, 3), of shares from 0 to 1; what lies outside is clamped."""
    steps = np.clip(np.nan_to_num(shares) * (STEPS - 1) + 0.5, 0, STEPS - 1).astype(np.int64)
    colors: Float32 = decode_srgb(ramp_codes(stops))[steps]
    return colors


def linear(red: int, green: int, blue: int, alpha: float = 1.0) -> Float32:
    """Return sRGB codes as a linear color with alpha, (4,)."""
    return np.append(decode_srgb(np.array([[red, green, blue]], np.uint8))[0], np.float32(alpha)).astype(np.float32)


def hue(degrees: float, lightness: float = 0.72, chroma: float = 0.15) -> tuple[int, int, int]:
    """Return a color by its hue as sRGB codes."""
    return oklch(lightness, chroma, math.radians(degrees))
