"""By how much pixels differ: depth, vectors, directions and color, each in one pass over both pictures.

Kernels compute in float64 and make no copies of whole pictures in it. Equal numbers cost a comparison.
"""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from posed.arrays import Bool, Float32, Float64

TINY = float(np.finfo(np.float32).tiny)
"""The least depth that a difference is held against."""


def relative_error(expected: Float32, found: Float32, where: Bool) -> Float64:
    """Return |found - expected| / |expected|, (H, W) float64: 0 outside of `where`, infinite without two numbers."""
    result = np.zeros(where.shape)
    write_relative(expected, found, where, result)
    return result


def distances(expected: Float32, found: Float32, where: Bool) -> Float64:
    """Return the distance between vectors, (H, W) float64: 0 outside of `where`, infinite where either is none."""
    result = np.zeros(where.shape)
    write_distances(expected, found, where, result)
    return result


def angles(expected: Float32, found: Float32, where: Bool) -> Float64:
    """Return the angle between directions in degrees, (H, W) float64; 0 outside of `where`, 180 where one is none.

    The chord's length gives small angles without the cancellation that the cosine has.
    """
    result = np.zeros(where.shape)
    write_angles(expected, found, where, result)
    return result


def color_errors(expected: Float32, found: Float32, *, alpha: bool) -> Float64:
    """Return the largest difference of a channel of linear color, (H, W, 4) each, at each pixel, (H, W) float64.

    Beyond 1 it is relative. Where the found color never passes 1, as that of an 8-bit file, the expected one is clamped
    to it. Infinite where a channel is no number. `alpha`: coverage is a channel too.
    """
    result = np.zeros(expected.shape[:2])
    write_color_errors(expected, found, 4 if alpha else 3, result)
    return result


@kernel
def write_relative(expected: Float32, found: Float32, where: Bool, result: Float64) -> None:
    """Write `relative_error`."""
    for y in range(where.shape[0]):
        for x in range(where.shape[1]):
            if where[y, x] and not (expected[y, x] == found[y, x] and np.isfinite(found[y, x])):
                one, other = np.float64(expected[y, x]), np.float64(found[y, x])
                is_known = np.isfinite(one) and np.isfinite(other)
                result[y, x] = abs(other - one) / max(abs(one), TINY) if is_known else np.inf


@kernel
def write_distances(expected: Float32, found: Float32, where: Bool, result: Float64) -> None:
    """Write `distances`."""
    for y in range(where.shape[0]):
        for x in range(where.shape[1]):
            if where[y, x]:
                squared = 0.0
                for axis in range(expected.shape[2]):
                    step = np.float64(found[y, x, axis]) - np.float64(expected[y, x, axis])
                    squared += step * step
                result[y, x] = np.sqrt(squared) if np.isfinite(squared) else np.inf


@kernel
def write_angles(expected: Float32, found: Float32, where: Bool, result: Float64) -> None:
    """Write `angles`."""
    for y in range(where.shape[0]):
        for x in range(where.shape[1]):
            if not where[y, x]:
                continue
            one = other = 0.0
            for axis in range(3):
                one += np.float64(expected[y, x, axis]) * np.float64(expected[y, x, axis])
                other += np.float64(found[y, x, axis]) * np.float64(found[y, x, axis])
            if not (0.0 < one < np.inf and 0.0 < other < np.inf):
                result[y, x] = 180.0
                continue
            one, other, squared = np.sqrt(one), np.sqrt(other), 0.0
            for axis in range(3):
                step = np.float64(expected[y, x, axis]) / one - np.float64(found[y, x, axis]) / other
                squared += step * step
            result[y, x] = np.degrees(2.0 * np.arcsin(min(np.sqrt(squared) / 2.0, 1.0)))


@kernel
def write_color_errors(expected: Float32, found: Float32, channels: int, result: Float64) -> None:
    """Write `color_errors` of the first `channels`."""
    most = 0.0
    for y in range(result.shape[0]):
        for x in range(result.shape[1]):
            for channel in range(channels):
                value = np.float64(found[y, x, channel])
                if np.isfinite(value) and np.isfinite(np.float64(expected[y, x, channel])):
                    most = max(most, value)
    is_clamped = most <= 1.0
    for y in range(result.shape[0]):
        for x in range(result.shape[1]):
            for channel in range(channels):
                given, other = np.float64(expected[y, x, channel]), np.float64(found[y, x, channel])
                if not (np.isfinite(given) and np.isfinite(other)):
                    result[y, x] = np.inf
                    break
                one = min(given, 1.0) if is_clamped else given
                result[y, x] = max(result[y, x], abs(other - one) / max(1.0, abs(one)))
