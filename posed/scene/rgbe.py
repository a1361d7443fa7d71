"""Radiance pictures (`.hdr`): three mantissas and a common exponent a texel, packed in runs.

Source: Ward, *Real Pixels*, Graphics Gems II, 1991; *Radiance File Formats*, "Picture file format", of the Radiance
manual. A mantissa m with exponent e is `m 2^(e - 136)`, which float32 holds exactly; an exponent of 0 is black.
"""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np

from anim.kernel import kernel
from posed.arrays import Float32, UInt8

LONGEST_HEAD: Final = 1 << 16
"""Bytes within which the head ends."""

_SIZE: Final = re.compile(rb"-Y (\d{1,6}) \+X (\d{1,6})")
_RUNS: Final = (8, 0x7FFF)
"""Widths whose rows may be packed channel by channel."""

_SCALES: Final = np.array([0.0, *(math.ldexp(1.0, exponent - 136) for exponent in range(1, 256))], np.float32)
"""What a mantissa counts for, by the exponent beside it."""


def read_head(data: bytes) -> tuple[int, int, int]:
    """Return width, height, and where the texels begin.

    `EXPOSURE` and `COLORCORR` of the head are not applied: what is stored is what is shown, as in engines.

    Raises
    ------
    ValueError
        It is no head of a picture in red, green, blue and exponent, its rows from the top.
    """
    lines, begin = [], 0
    while True:
        end = data.find(b"\n", begin, LONGEST_HEAD)
        if end < 0:
            raise ValueError("its head does not end")
        lines.append(data[begin:end].strip())
        begin = end + 1
        if len(lines) > 1 and not lines[-2]:
            break
    if lines[0] not in (b"#?RADIANCE", b"#?RGBE"):
        raise ValueError("its head does not begin with #?RADIANCE")
    formats = {line.partition(b"=")[2].strip() for line in lines if line.startswith(b"FORMAT=")}
    if formats != {b"32-bit_rle_rgbe"}:
        raise ValueError("its FORMAT is not 32-bit_rle_rgbe")
    size = _SIZE.fullmatch(lines[-1])
    if size is None:
        stated = lines[-1][:40].decode("ascii", "backslashreplace")
        raise ValueError(f'its rows do not run from the top, left to right: expected "-Y H +X W", found "{stated}"')
    return int(size[2]), int(size[1]), begin


def decode(data: bytes) -> Float32:
    """Return the texels, (H, W, 3) float32 linear, row 0 on top; whoever calls has found the size to be bearable.

    Raises
    ------
    ValueError
        As `read_head`, or the texels end early or do not follow the format.
    """
    width, height, begin = read_head(data)
    texels = np.zeros((height, width, 4), np.uint8)
    row = int(_unpack(np.frombuffer(data, np.uint8), begin, texels, _RUNS[0] <= width <= _RUNS[1]))
    if row < height:
        raise ValueError(f"row {row} of {height} ends early or is not packed as the format says")
    return texels[..., :3] * _SCALES[texels[..., 3], None]


@kernel
def _byte(data: UInt8, at: int) -> int:
    """Return a byte as a signed integer, so that kernels never mix the two kinds."""
    return int(np.int64(data[at]))


@kernel
def _begins_runs(data: UInt8, at: int) -> bool:
    """Say whether a row at `at` is packed channel by channel."""
    return at + 4 <= len(data) and data[at] == 2 and data[at + 1] == 2 and data[at + 2] < 128


@kernel
def _unpack(data: UInt8, begin: int, texels: UInt8, may_have_runs: bool) -> int:
    """Write texels, (H, W, 4); return how many rows were whole."""
    height, width = len(texels), len(texels[0])
    at = begin
    for row in range(height):
        if may_have_runs and _begins_runs(data, at):
            if _byte(data, at + 2) * 256 + _byte(data, at + 3) != width:
                return row
            at = _unpack_channels(data, at + 4, texels[row])
        else:
            at = _unpack_texels(data, at, texels[row])
        if at < 0:
            return row
    return height


@kernel
def _unpack_channels(data: UInt8, begin: int, texels: UInt8) -> int:
    """Write a row, (W, 4), packed as runs of each channel; return where it ends, -1 where it does not."""
    at, width = begin, len(texels)
    for channel in range(4):
        column = 0
        while column < width:
            if at + 2 > len(data):
                return -1
            count = _byte(data, at)
            is_run = count > 128
            if is_run:
                count -= 128
            if count == 0 or column + count > width or at + 1 + (1 if is_run else count) > len(data):
                return -1
            for step in range(count):
                texels[column + step, channel] = data[at + 1 + (0 if is_run else step)]
            column += count
            at += 2 if is_run else 1 + count
    return at


@kernel
def _unpack_texels(data: UInt8, begin: int, texels: UInt8) -> int:
    """Write a row, (W, 4), of whole texels; (1, 1, 1, n) says the one before n times more. Return as above."""
    at, column, shift = begin, 0, 0
    while column < len(texels):
        if at + 4 > len(data):
            return -1
        if data[at] == 1 and data[at + 1] == 1 and data[at + 2] == 1:
            count = _byte(data, at + 3) << shift
            if column == 0 or column + count > len(texels):
                return -1
            for step in range(count):
                for channel in range(4):
                    texels[column + step, channel] = texels[column - 1, channel]
            column += count
            shift += 8
            if shift > 24:
                return -1
        else:
            for channel in range(4):
                texels[column, channel] = data[at + channel]
            column += 1
            shift = 0
        at += 4
    return at
