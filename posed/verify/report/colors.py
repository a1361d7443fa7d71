"""The colors of a report's pictures: one for each id, one for each size of a difference, one for each kind of pixel."""

from __future__ import annotations

import math

import numpy as np

from posed.arrays import AnyArray, UInt8, UInt32
from posed.color import GOLDEN_ANGLE, oklch

NAMED_MOST = 1 << 16
"""Ids with a color of their own at most; those beyond share their color with others."""

SCRAMBLE = 0x9E3779
"""An odd multiplier takes 24 bits to 24 bits one to one, so that a triangle's color is its id in disguise."""

UNSCRAMBLE = pow(SCRAMBLE, -1, 1 << 24)

SMALLEST, LARGEST = 0.01, 100.0
"""Multiples of the limit at which the colors of differences begin and end."""

STEPS = 8
"""Colors for a factor of ten."""

EDGE_COLOR, TIE_COLOR, WRONG_COLOR = (74, 144, 226), (229, 178, 44), (224, 33, 85)
"""Of a mask: explained at an edge, explained by a tie, unexplained; eyes that confuse red and green tell them apart."""

MISSING_COLOR, EXTRA_COLOR = (20, 160, 140), (240, 140, 30)
"""Covered in the reference alone, and in the live frame alone."""


def id_colors(largest: int) -> UInt8:
    """Return the colors of the ids 0 to `largest`, (N, 4) uint8 sRGB, no two alike; 0 is transparent."""
    count = min(largest, NAMED_MOST) + 1
    colors = np.zeros((count, 4), np.uint8)
    taken = {(0, 0, 0)}
    for number in range(1, count):
        lightness = (0.70, 0.58, 0.82)[number % 3]
        color = oklch(lightness, 0.115, GOLDEN_ANGLE * number)
        while color in taken:
            red, green, blue = color
            color = red, green + (blue == 255), (blue + 1) % 256
        taken.add(color)
        colors[number] = (*color, 255)
    return colors


def triangle_codes(ids: UInt32) -> UInt8:
    """Return the colors of triangle ids, (..., 4) uint8: `SCRAMBLE` times the id in its 24 bits; 0 is transparent."""
    codes = (ids.astype(np.uint64) * SCRAMBLE) & 0xFFFFFF
    planes = [codes >> 16, (codes >> 8) & 0xFF, codes & 0xFF, np.where(ids > 0, 255, 0)]
    return np.stack(planes, axis=-1).astype(np.uint8)


def difference_colors() -> UInt8:
    """Return the colors of differences from `SMALLEST` to `LARGEST` limits, (N, 4) uint8, no two alike.

    Below the limit they go from pale to blue, above it from amber to dark red; the first is transparent and stands for
    less than `SMALLEST`.
    """
    below = round(STEPS * math.log10(1.0 / SMALLEST))
    above = round(STEPS * math.log10(LARGEST))
    colors = [(0, 0, 0, 0)]
    for step in range(below):
        share = step / (below - 1)
        colors.append((*oklch(0.88 - 0.28 * share, 0.03 + 0.09 * share, math.radians(250.0)), 255))
    for step in range(above):
        share = step / (above - 1)
        colors.append((*oklch(0.82 - 0.42 * share, 0.16 + 0.01 * share, math.radians(75.0 - 65.0 * share)), 255))
    return np.array(colors, np.uint8)


def difference_steps(ratio: AnyArray) -> AnyArray:
    """Return which of `difference_colors` each difference has, given as a multiple of the limit, 0 or more or NaN."""
    last = round(STEPS * math.log10(LARGEST / SMALLEST))
    seen = ~(ratio < SMALLEST)
    steps = np.zeros(ratio.shape, np.int64)
    bounded = np.clip(np.nan_to_num(ratio[seen], nan=LARGEST), SMALLEST, LARGEST)
    steps[seen] = np.minimum(np.floor(STEPS * np.log10(bounded / SMALLEST)).astype(np.int64) + 1, last)
    return steps
