"""Which joints may move a triangle's points most, found once when a mesh is packed.

A weight is mixed over a triangle from those at its corners. So a joint that has at least another one's weight at all
three corners has it everywhere between, and the other one need not be asked about: most triangles keep one joint.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anim.kernel import kernel
from posed.arrays import AnyArray, Float32, UInt32
from posed.live.slots import SLOT

ALONE = 1 << 31
"""Marks an entry that is the joint itself."""


def strongest_joints(corners: UInt32, joints: AnyArray, weights: Float32) -> UInt32:
    """Return a table, uint32: an entry a triangle, then lists.

    An entry is `ALONE` and a joint, or where in the table a list begins: the number of joints, then for each, in the
    order of their numbers, the joint and the bits of its weights at the corners in slots 0, 1 and 2.

    Parameters
    ----------
    corners
        (3 F,) with their slots, as `slotted_corners` has them.
    joints, weights
        (V, K), the influences of each vertex; a joint that is listed twice adds up.
    """
    faces = corners.reshape(-1, 3)
    most = 3 * joints.shape[1]
    room = np.zeros(most, np.int64), np.zeros((most, 3), np.float32)
    bound = joints.astype(np.int64), np.ascontiguousarray(weights, np.float32)
    table = np.zeros(3 * len(faces), np.uint32)
    used = _write_table(faces, *bound, *room, table)
    if used > len(table):
        table = np.zeros(used, np.uint32)
        _write_table(faces, *bound, *room, table)
    return table[:used].copy()


@kernel
def _write_table(faces: UInt32, joints: Any, weights: Float32, found: Any, at_corners: Any, table: UInt32) -> int:
    """Write as much of the table as there is room for and return its length.

    `found` (N,) and `at_corners` (N, 3) are room to work in.
    """
    bits = table.view(np.float32)
    end = len(faces)
    for triangle in range(len(faces)):
        count, only = 0, 0
        for corner in range(3):
            vertex = np.int64(faces[triangle, corner]) & ((1 << SLOT) - 1)
            slot = np.int64(faces[triangle, corner]) >> SLOT
            for influence in range(joints.shape[1]):
                if weights[vertex, influence] == np.float32(0.0):
                    continue
                taken = _place_of(joints[vertex, influence], found, at_corners, count)
                count = max(count, taken + 1)
                at_corners[taken, slot] += weights[vertex, influence]
        _sort(found, at_corners, count)
        kept = 0
        for place in range(count):
            if not _is_dominated(at_corners, place, count):
                kept += 1
                only = place
        if kept == 1:
            table[triangle] = np.uint32(ALONE | found[only])
            continue
        if end + 1 + 4 * kept <= len(table):
            table[triangle], table[end] = np.uint32(end), np.uint32(kept)
            row = end + 1
            for place in range(count):
                if not _is_dominated(at_corners, place, count):
                    table[row] = np.uint32(found[place])
                    for column in range(3):
                        bits[row + 1 + column] = at_corners[place, column]
                    row += 4
        end += 1 + 4 * kept
    return end


@kernel
def _place_of(joint: int, found: Any, at_corners: Any, count: int) -> int:
    """Return where a joint is among those found, at the end with no weights where it is new."""
    for place in range(count):
        if found[place] == joint:
            return place
    found[count] = joint
    for slot in range(3):
        at_corners[count, slot] = np.float32(0.0)
    return count


@kernel
def _sort(found: Any, at_corners: Any, count: int) -> None:
    """Put the joints into the order of their numbers."""
    for last in range(1, count):
        for place in range(last, 0, -1):
            if found[place - 1] <= found[place]:
                break
            found[place - 1], found[place] = found[place], found[place - 1]
            for slot in range(3):
                swapped = at_corners[place - 1, slot]
                at_corners[place - 1, slot] = at_corners[place, slot]
                at_corners[place, slot] = swapped


@kernel
def _is_dominated(at_corners: Any, place: int, count: int) -> bool:
    """Say whether another joint has this one's weight or more everywhere; of two that are alike the first one stays."""
    for other in range(count):
        at_least, more = True, other < place
        for slot in range(3):
            at_least = at_least and at_corners[other, slot] >= at_corners[place, slot]
            more = more or at_corners[other, slot] > at_corners[place, slot]
        if other != place and at_least and more:
            return True
    return False
