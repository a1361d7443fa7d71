"""Index streams of meshopt: triangles by recent edges and vertices, and plain sequences (appendix A, modes 1 and 2)."""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from posed.arrays import UInt8, UInt32
from posed.gltf.meshopt_bytes import WRAP, byte, read_varint

_TABLE = 16
"""Bytes of the table of codes at the end of a triangle stream."""
_PADDING = 4
"""Bytes after a sequence."""
FAILED = -1


def decode_triangles(data: UInt8, count: int) -> UInt32 | None:
    """Return `count` indices of triangles, or None where the stream is not one of them."""
    begin, end = 1 + count // 3, len(data) - _TABLE
    if end < begin or data[0] not in (0xE0, 0xE1):
        return None
    out = np.empty(count, np.uint32)
    nearest = 13 if data[0] == 0xE1 else 15
    return out if write_triangles(data, begin, end, nearest, out) == end else None


def decode_sequence(data: UInt8, count: int) -> UInt32 | None:
    """Return `count` indices of any topology, or None where the stream is not one of them."""
    end = len(data) - _PADDING
    if end < 1 + count or data[0] not in (0xD0, 0xD1):
        return None
    out = np.empty(count, np.uint32)
    return out if write_sequence(data, 1, end, out) == end else None


@kernel
def write_sequence(data: UInt8, begin: int, end: int, out: UInt32) -> int:
    """Write the indices of a sequence into out; return where the reading stopped, or `FAILED`."""
    last = np.zeros(2, np.int64)
    at = begin
    for i in range(len(out)):
        value, at = read_varint(data, at, end)
        if at < 0:
            return FAILED
        baseline = value & 1
        last[baseline] = (last[baseline] + unzigzag(value >> 1)) & WRAP
        out[i] = last[baseline]
    return at


@kernel
def write_triangles(data: UInt8, begin: int, end: int, nearest: int, out: UInt32) -> int:
    """Write the indices of a triangle stream into out; return where the reading stopped, or `FAILED`.

    The codes are data[1:begin], what they need beside themselves data[begin:end], the table of codes lies behind.
    `nearest` is the first code of a third vertex that is told by the last explicit index.
    """
    edges = np.full((16, 2), -1, np.int64)
    vertices = np.full(16, -1, np.int64)
    edge_end = vertex_end = following = last = 0
    at = begin
    for triangle in range(begin - 1):
        code = byte(data, 1 + triangle)
        if code < 0xF0:
            edge = (edge_end - 1 - (code >> 4)) & 15
            a, b = edges[edge, 0], edges[edge, 1]
            third = code & 15
            fresh = third == 0 or third >= nearest
            if third == 0:
                c = following
                following = (following + 1) & WRAP
            elif third < nearest:
                c = vertices[(vertex_end - 1 - third) & 15]
            elif third < 15:
                c = last = (last + (1 if third == 14 else -1)) & WRAP
            else:
                value, at = read_varint(data, at, end)
                if at < 0:
                    return FAILED
                c = last = (last + unzigzag(value)) & WRAP
            if fresh:
                vertices[vertex_end] = c
                vertex_end = (vertex_end + 1) & 15
        else:
            explicit = code >= 0xFE
            if explicit:
                if at >= end:
                    return FAILED
                pair = byte(data, at)
                at += 1
                if pair == 0:
                    following = 0
            else:
                pair = byte(data, end + (code & 15))
            corners = (15 if code == 0xFF else 0, pair >> 4, pair & 15)
            a = b = c = -1
            for corner in range(3):
                told = corners[corner]
                if told == 0:
                    index = following
                    following = (following + 1) & WRAP
                elif told < 15:
                    # Counted from before this triangle's own vertices are pushed, hence from its start.
                    index = vertices[(vertex_end - told) & 15]
                elif explicit:
                    value, at = read_varint(data, at, end)
                    if at < 0:
                        return FAILED
                    index = last = (last + unzigzag(value)) & WRAP
                else:
                    return FAILED
                if corner == 0:
                    a = index
                elif corner == 1:
                    b = index
                else:
                    c = index
            for corner in range(3):
                if corners[corner] == 0 or corners[corner] == 15:
                    vertices[vertex_end] = a if corner == 0 else b if corner == 1 else c
                    vertex_end = (vertex_end + 1) & 15
            edges[edge_end, 0], edges[edge_end, 1] = b, a
            edge_end = (edge_end + 1) & 15
        if a < 0 or b < 0 or c < 0:
            return FAILED
        edges[edge_end, 0], edges[edge_end, 1] = c, b
        edge_end = (edge_end + 1) & 15
        edges[edge_end, 0], edges[edge_end, 1] = a, c
        edge_end = (edge_end + 1) & 15
        out[3 * triangle], out[3 * triangle + 1], out[3 * triangle + 2] = a, b, c
    return at


@kernel
def unzigzag(value: int) -> int:
    """Return the signed integer whose code is `value`: 0, -1, 1, -2, 2 and so on."""
    return -((value + 1) >> 1) if value & 1 else value >> 1
