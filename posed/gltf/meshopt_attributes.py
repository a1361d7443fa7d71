"""Vertex streams of meshopt: packed deltas, plane by plane (KHR_meshopt_compression, appendix A, mode 0)."""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from posed.arrays import AnyArray, UInt8
from posed.gltf.meshopt_bytes import byte

GROUP = 16
"""Elements whose deltas are packed together."""
LARGEST_BLOCK_BYTES, LARGEST_BLOCK = 8192, 256

_BITS = np.array([[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]], np.int64)
"""Bits a delta takes by the two header bits of its group: in version 0, and in version 1 by control mode."""
_SMALLEST_TAIL = {0: 32, 1: 24}


def decode_attributes(data: UInt8, count: int, stride: int) -> UInt8 | None:
    """Return `count` elements of `stride` bytes, (count, stride), or None where the stream is not one of them."""
    if len(data) == 0 or data[0] & 0xF0 != 0xA0 or data[0] & 0x0F > 1:
        return None
    version = int(data[0] & 0x0F)
    tail = stride + (stride // 4 if version == 1 else 0)
    end = len(data) - max(tail, _SMALLEST_TAIL[version])
    codes = np.empty((stride, count), np.uint8)
    if end < 1 or unpack_codes(data, 1, end, version, _BITS, codes) != end:
        return None
    first = data[len(data) - tail :][:stride]
    channels = data[len(data) - stride // 4 :] if version == 1 else np.zeros(stride // 4, np.uint8)
    elements = np.empty((count, stride), np.uint8)
    for channel, mode in enumerate(channels.tolist()):
        lanes = slice(4 * channel, 4 * channel + 4)
        decoded = _undo_deltas(codes[lanes], first[lanes], mode)
        if decoded is None:
            return None
        elements[:, lanes] = decoded
    return elements


def _undo_deltas(codes: UInt8, first: UInt8, mode: int) -> UInt8 | None:
    """Return the four bytes of each element, (count, 4), from their codes (4, count) and the element before the first.

    Sums wrap around, as the format has it. Mode 0 takes each byte by itself, 1 pairs, 2 all four by exclusive or.
    """
    together, turn = mode & 15, mode >> 4
    if together > 2 or (together < 2 and turn):
        return None
    dtype = np.dtype(("u1", "<u2", "<u4")[together])
    rows = np.ascontiguousarray(codes.T).view(dtype)
    before = np.ascontiguousarray(first).view(dtype)
    one = dtype.type(1)
    if together == 2:
        turned = (rows >> dtype.type(turn)) | (rows << dtype.type((32 - turn) % 32)) if turn else rows
        values: AnyArray = np.bitwise_xor.accumulate(turned, axis=0) ^ before
    else:
        deltas = np.where(rows & one, ~(rows >> one), rows >> one)
        values = np.cumsum(deltas, axis=0, dtype=dtype) + before
    return np.ascontiguousarray(values).view(np.uint8)


@kernel
def unpack_codes(data: UInt8, begin: int, end: int, version: int, bits: AnyArray, out: UInt8) -> int:
    """Write the code of every byte of every element into out (stride, count) from data[begin:end].

    Return where the reading stopped, or -1 where the data ends early.
    """
    stride, count = out.shape
    at = begin
    block = min(LARGEST_BLOCK_BYTES // stride // GROUP * GROUP, LARGEST_BLOCK)
    for first in range(0, count, block):
        last = min(first + block, count)
        controls = at
        if version == 1:
            at += stride // 4
        if at > end:
            return -1
        for lane in range(stride):
            control = 0
            if version == 1:
                control = 1 + ((byte(data, controls + lane // 4) >> (2 * (lane % 4))) & 3)
            if control == 3:
                for element in range(first, last):
                    out[lane, element] = 0
            elif control == 4:
                if at + last - first > end:
                    return -1
                for element in range(first, last):
                    out[lane, element] = data[at + element - first]
                at += last - first
            else:
                at = unpack_lane(data, at, end, bits[control], out[lane], first, last)
                if at < 0:
                    return -1
    return at


@kernel
def unpack_lane(data: UInt8, begin: int, end: int, bits: AnyArray, out: UInt8, first: int, last: int) -> int:
    """Write the codes of one byte of the elements first to last into out; return where they end, or -1."""
    groups = (last - first + GROUP - 1) // GROUP
    at = begin + (groups + 3) // 4
    if at > end:
        return -1
    for group in range(groups):
        width = bits[(byte(data, begin + group // 4) >> (2 * (group % 4))) & 3]
        packed = at
        at += 2 * width
        if at > end:
            return -1
        mask = (1 << width) - 1
        for i in range(GROUP):
            code = 0
            if width == 8:
                code = byte(data, packed + i)
            elif width > 0:
                place = i * width
                # Single bits are stored from the lowest up, wider codes from the highest down.
                shift = place % 8 if width == 1 else 8 - width - place % 8
                code = (byte(data, packed + place // 8) >> shift) & mask
                if code == mask:
                    if at >= end:
                        return -1
                    code = byte(data, at)
                    at += 1
            if first + group * GROUP + i < last:
                out[first + group * GROUP + i] = code
    return at
