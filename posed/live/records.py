"""Records of instances, copied and placed as plain numbers: field by field, NumPy takes ten times as long."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.arrays import AnyArray, Float32, Float64, Int8
from posed.live import layout
from posed.live.boxes import Indices


def _column(field: str) -> int:
    """Return where a field of `layout.INSTANCE` begins, in numbers of four bytes."""
    place: Any = layout.INSTANCE.fields
    return int(place[field][1]) // 4


ROWS, PREVIOUS_ROWS, MIRROR = _column("rows"), _column("previous_rows"), _column("mirror")
WORDS = layout.INSTANCE.itemsize // 4


def copied(records: AnyArray, picked: Indices | slice) -> AnyArray:
    """Return those of `records` that are picked, (N,) `layout.INSTANCE`, as a copy: whole, not field by field."""
    words = records.view(np.uint32).reshape(-1, WORDS)
    return np.array(words[picked]).view(layout.INSTANCE).reshape(-1)


def place_records(records: AnyArray, worlds: Float64, origin: Float64) -> Int8:
    """Write places to `records`, (N,) `layout.INSTANCE`; return 1 or, where it mirrors, -1 for each, (N,).

    Parameters
    ----------
    records
        Of instances.
    worlds
        Posed space -> world, now and in the frame before, (N, 2, 4, 4).
    origin
        The point that records are relative to, (3,).
    """
    mirror = np.empty(len(records), np.int8)
    write_places(worlds, origin, records.view(np.float32).reshape(-1, WORDS), mirror)
    return mirror


@kernel
def write_places(worlds: Float64, origin: Float64, records: Float32, mirror: NDArray[np.int8]) -> None:
    """Write places to records (N, `WORDS`), and on which side of a mirror they are, 1 or -1, to mirror (N,)."""
    for n in range(len(worlds)):
        for axis in range(3):
            for column in range(3):
                records[n, ROWS + 4 * axis + column] = np.float32(worlds[n, 0, axis, column])
                records[n, PREVIOUS_ROWS + 4 * axis + column] = np.float32(worlds[n, 1, axis, column])
            records[n, ROWS + 4 * axis + 3] = np.float32(worlds[n, 0, axis, 3] - origin[axis])
            records[n, PREVIOUS_ROWS + 4 * axis + 3] = np.float32(worlds[n, 1, axis, 3] - origin[axis])
        m = worlds[n, 0]
        determinant = (
            m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        )
        mirror[n] = np.int8(-1) if determinant < 0.0 else np.int8(1)
        records[n, MIRROR] = np.float32(mirror[n])
