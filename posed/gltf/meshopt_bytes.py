"""Integers out of meshopt streams, signed in kernels whatever the bytes are."""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from posed.arrays import UInt8

WRAP = 0xFFFFFFFF
"""What keeps an index within 32 bits."""


@kernel
def byte(data: UInt8, at: int) -> int:
    """Return a byte as a signed integer, so that kernels never mix the two kinds."""
    return int(np.int64(data[at]))


@kernel
def read_varint(data: UInt8, begin: int, end: int) -> tuple[int, int]:
    """Return an unsigned integer in groups of seven bits, lowest first, and where it ends: -1 where it does not."""
    value = 0
    for i in range(5):
        if begin + i >= end:
            return 0, -1
        group = byte(data, begin + i)
        value |= (group & 127) << (7 * i)
        if group < 128:
            return value & WRAP, begin + i + 1
    return 0, -1
