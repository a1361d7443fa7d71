"""Slots: each corner of a triangle in one of three, so that values of all three vertices reach a fragment apart.

What a vertex hands on is mixed over a triangle by the corners' weights. A vertex that writes to a slot of its own, and
zeros to the other two, arrives there times its weight, whatever its neighbours are. A vertex that two triangles want in
different slots is posed once for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anim.kernel import kernel
from posed.arrays import UInt32

SLOT = 30
"""The lowest bit of a corner's slot; the bits below are its vertex."""


def slotted_corners(triangles: UInt32, vertices: int) -> UInt32:
    """Return the corners of `triangles`, (F, 3), with their slots: (3 F,) uint32.

    Triangle by triangle, the slots are those that add the fewest pairs of a vertex and a slot: most meshes need hardly
    more pairs than they have vertices.
    """
    corners = np.ascontiguousarray(triangles, np.uint32).copy()
    _write_slots(corners, np.zeros(vertices, np.uint8))
    return corners.ravel()


@kernel
def _write_slots(corners: UInt32, taken: Any) -> None:
    """Write the slots of `corners`, (F, 3).

    `taken`, (V,) uint8, has a bit for each slot that a vertex is in, none at first.
    """
    for triangle in range(len(corners)):
        best, fewest = 0, 4
        for order in range(6):
            added = 0
            for corner in range(3):
                bit = np.uint8(1 << _slot(order, corner))
                added += 1 if taken[corners[triangle, corner]] & bit == np.uint8(0) else 0
            if added < fewest:
                best, fewest = order, added
        for corner in range(3):
            slot = _slot(best, corner)
            taken[corners[triangle, corner]] |= np.uint8(1 << slot)
            corners[triangle, corner] |= np.uint32(slot << SLOT)


@kernel
def _slot(order: int, corner: int) -> Any:
    """Return the slot of a corner in one of the six orders."""
    return (order + corner) % 3 if order < 3 else (order - corner) % 3
