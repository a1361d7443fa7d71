"""Topology: a primitive's indices as a plain list of triangles (glTF 2.0, section 3.7.2.1)."""

from __future__ import annotations

import numpy as np

from posed.arrays import UInt32
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record
from posed.words import counted

TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = 4, 5, 6


def read_triangles(record: Record, accessors: Accessors, mode: int, vertex_count: int, notes: list[str]) -> UInt32:
    """Return a primitive's triangles, (F, 3), read-only; none for points and lines.

    Raises
    ------
    AssetError
        An index is not below `vertex_count`.
    """
    indices = _read_indices(record, accessors, vertex_count)
    triangles = unroll(indices, mode)
    if mode == TRIANGLES and len(indices) % 3:
        count = counted(len(indices), "index is", "indices are")
        notes.append(f"{record.pointer}: {count} no whole number of triangles, the rest is dropped")
    triangles.flags.writeable = False
    return triangles


def unroll(indices: UInt32, mode: int) -> UInt32:
    """Return the triangles, (F, 3), that `indices`, (N,), draw in `mode`, in the specification's order of corners."""
    if mode == TRIANGLES:
        return indices[: len(indices) // 3 * 3].reshape(-1, 3)
    if len(indices) < 3 or mode not in {TRIANGLE_STRIP, TRIANGLE_FAN}:
        return np.zeros((0, 3), np.uint32)
    if mode == TRIANGLE_FAN:
        hub = np.broadcast_to(indices[0], len(indices) - 2)
        return np.stack([indices[1:-1], indices[2:], hub], axis=1)
    triangles = np.stack([indices[:-2], indices[1:-1], indices[2:]], axis=1)
    triangles[1::2, 1:] = triangles[1::2, :0:-1].copy()
    return triangles


def _read_indices(record: Record, accessors: Accessors, vertex_count: int) -> UInt32:
    accessor = record.index("indices", len(accessors), "accessors")
    if accessor is None:
        return np.arange(vertex_count, dtype=np.uint32)
    indices = accessors.integers(accessor, ("SCALAR",), record, "indices")
    if len(indices) and int(indices.max()) >= vertex_count:
        position = int(np.flatnonzero(indices >= vertex_count)[0])
        raise record.error(
            f"expected indices below {vertex_count}, the number of vertices, found {indices[position]} at position "
            f"{position}: export the file again",
            "indices",
        )
    return indices
