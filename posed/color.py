"""Color: the sRGB transfer function (IEC 61966-2-1), applied once, at the file, and colors for people by hue."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from posed.arrays import AnyArray, Float32, UInt8

GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))
"""Between the hues of ids that follow each other: neighbours never look alike, however many there are."""


def encode_srgb(color: Float32) -> UInt8:
    """Return linear `color`, any shape with 3 or 4 channels last, as sRGB codes; alpha, if any, stays linear.

    Values outside [0, 1] are clamped. Each value gets the nearest code: 0.5 is 188.
    """
    codes = np.empty(color.shape, np.uint8)
    codes[..., :3] = _nearest(np.asarray(color[..., :3], np.float32))
    if color.shape[-1] == 4:
        codes[..., 3] = np.floor(np.clip(color[..., 3], 0.0, 1.0) * np.float32(255.0) + np.float32(0.5))
    return codes


def decode_srgb(codes: UInt8) -> Float32:
    """Return sRGB codes, any shape with 3 or 4 channels last, as linear float32; alpha, if any, divided by 255."""
    linear = _decoded()[codes]
    if codes.shape[-1] == 4:
        linear[..., 3] = codes[..., 3] / np.float32(255.0)
    return linear


def oklch(lightness: float, chroma: float, hue: float) -> tuple[int, int, int]:
    """Return a color of OKLab (Ottosson 2020) as sRGB codes, its channels clamped; `hue` in radians."""
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    red, green, blue = (_encoded(channel) for channel in linear)
    return red, green, blue


def hex_color(color: Sequence[int] | AnyArray) -> str:
    """Return the three channels of a color as "#rrggbb"."""
    return "#" + "".join(f"{int(channel):02x}" for channel in color[:3])


def _linear(encoded: float) -> float:
    return float(encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4)


@cache
def _decoded() -> Float32:
    return np.array([_linear(code / 255.0) for code in range(256)], np.float32)


def _nearest(values: Float32) -> UInt8:
    """Return the nearest code of each linear value.

    Values that begin with the same sixteen bits lie within a share of 1/128 of each other, so that they have at most
    two codes: where one ends and the next begins, values differ from those at the next end by 1/112 or more.
    """
    codes: UInt8 = _first_codes()[values.view(np.uint32) >> np.uint32(16)]
    return codes + (values > _last_values()[codes])


@cache
def _first_codes() -> UInt8:
    """The code of the value that begins with sixteen bits and goes on with zeros, (65536,)."""
    values = (np.arange(1 << 16, dtype=np.uint32) << np.uint32(16)).view(np.float32)
    return np.searchsorted(_last_values()[:-1], values, side="left").astype(np.uint8)


@cache
def _last_values() -> Float32:
    """The greatest linear value of each code, (256,): the last one's is infinite."""
    exact = np.array([_linear((code + 0.5) / 255.0) for code in range(255)])
    rounded = exact.astype(np.float32)
    below = np.where(rounded < exact, rounded, np.nextafter(rounded, np.float32(0.0)))
    return np.append(below, np.float32(np.inf))


def _encoded(linear: float) -> int:
    bounded = min(max(linear, 0.0), 1.0)
    encoded = 12.92 * bounded if bounded <= 0.0031308 else 1.055 * bounded ** (1.0 / 2.4) - 0.055
    return round(255.0 * encoded)
