"""Filters of meshopt: what unpacked elements still stand for (KHR_meshopt_compression, appendix B)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posed.arrays import AnyArray, Float64, UInt8


def undo_octahedral(elements: UInt8) -> AnyArray:
    """Return unit vectors, four signed components an element, from octahedral x, y and the code of 1.

    The fourth component is passed through. The elements are (count, 4) or (count, 8) bytes, for 8 or 16 bits.
    """
    coded = elements.view("i1" if elements.shape[1] == 4 else "<i2")
    largest = np.iinfo(coded.dtype).max
    one = np.where(coded[:, 2] == 0, 1, coded[:, 2]).astype(np.float64)
    x, y = coded[:, 0] / one, coded[:, 1] / one
    z = 1.0 - np.abs(x) - np.abs(y)
    below = np.minimum(z, 0.0)
    x, y = x - np.copysign(below, x), y - np.copysign(below, y)
    length = np.sqrt(x * x + y * y + z * z)
    decoded = coded.copy()
    for column, axis in enumerate((x, y, z)):
        decoded[:, column] = _rounded(axis / np.where(length > 0.0, length, 1.0) * largest, coded.dtype)
    return decoded


def undo_quaternion(elements: UInt8) -> AnyArray:
    """Return unit quaternions of four 16-bit components, from the three smallest and the place of the largest."""
    coded = elements.view("<i2")
    one = (coded[:, 3] | 3).astype(np.float64)
    x, y, z = (coded[:, column] / one * np.sqrt(0.5) for column in range(3))
    w = np.sqrt(np.maximum(1.0 - x * x - y * y - z * z, 0.0))
    place = (coded[:, 3] & 3).astype(np.intp)
    decoded = np.empty_like(coded)
    rows = np.arange(len(coded))
    for offset, part in enumerate((w, x, y, z)):
        decoded[rows, (place + offset) % 4] = _rounded(part * 32767.0, coded.dtype)
    return decoded


def undo_exponential(elements: UInt8) -> AnyArray:
    """Return float32 numbers from 24 bits of mantissa and 8 of exponent, exactly."""
    coded = elements.view("<i4")
    with np.errstate(over="ignore", under="ignore"):
        decoded: AnyArray = np.ldexp((coded << 8 >> 8).astype(np.float64), coded >> 24).astype("<f4")
    return decoded


def undo_color(elements: UInt8) -> AnyArray:
    """Return red, green, blue and alpha from luma, two chromas and an alpha under the bit that tells the precision."""
    unsigned, signed = ("u1", "i1") if elements.shape[1] == 4 else ("<u2", "<i2")
    coded, chroma = elements.view(unsigned).astype(np.int64), elements.view(signed).astype(np.int64)
    _, bits = np.frexp(coded[:, 3].astype(np.float64))
    ones = (1 << bits.astype(np.int64)) - 1
    luma, orange, green = coded[:, 0], chroma[:, 1], chroma[:, 2]
    alpha = coded[:, 3] & (ones >> 1)
    largest = np.iinfo(unsigned).max
    parts = (luma + orange - green, luma + green, luma - orange - green, (alpha << 1) | (alpha & 1))
    scale = largest / np.maximum(ones, 1)
    return np.stack([_rounded(part * scale, np.dtype(unsigned)) for part in parts], axis=1)


def _rounded(values: Float64, dtype: np.dtype[Any]) -> AnyArray:
    """Return the nearest integers, halves away from zero, held within the type."""
    limits: Any = np.iinfo(dtype)
    return np.clip(np.trunc(values + np.copysign(0.5, values)), limits.min, limits.max).astype(dtype)


FILTERS: dict[str, Callable[[UInt8], AnyArray]] = {
    "OCTAHEDRAL": undo_octahedral,
    "QUATERNION": undo_quaternion,
    "EXPONENTIAL": undo_exponential,
    "COLOR": undo_color,
}
"""The filters by their name in the file."""
