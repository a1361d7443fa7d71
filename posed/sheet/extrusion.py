"""Extrusion: color for texels that nothing covers, from the nearest that something does."""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from posed.arrays import Int32, UInt8


def extruded(texels: UInt8) -> UInt8:
    """Return `texels`, (H, W, 4) sRGB codes with straight alpha, with color under alpha 0 from the nearest other texel.

    Alpha stays as it is. A filter that mixes neighbours before it blends then meets the outline's own color beyond it,
    not black. Of texels equally near the one to the left wins, then the upper one. Where nothing is covered, nothing
    changes.
    """
    rows = np.empty(texels.shape[:2], np.int32)
    out = texels.copy()
    _set_nearest_rows(texels, rows)
    _set_colors(texels, rows, out)
    return out


@kernel
def _set_nearest_rows(texels: UInt8, rows: Int32) -> None:
    """Write, for each texel, the row of the nearest covered texel in its column, -1 where the column has none."""
    height, width = rows.shape
    for x in range(width):
        last = -1
        for y in range(height):
            if texels[y, x, 3] > 0:
                last = y
            rows[y, x] = last
        last = -1
        for step in range(height):
            y = height - 1 - step
            if texels[y, x, 3] > 0:
                last = y
            above = rows[y, x]
            if last >= 0 and (above < 0 or last - y < y - above):
                rows[y, x] = last


@kernel
def _set_colors(texels: UInt8, rows: Int32, out: UInt8) -> None:
    """Write the color of the nearest covered texel under each uncovered one, searching columns outward."""
    height, width = rows.shape
    for y in range(height):
        for x in range(width):
            if texels[y, x, 3] > 0:
                continue
            nearest = -1
            best = height * height + width * width
            for away in range(width):
                if away * away >= best:
                    break
                for side in range(2):
                    column = x - away if side == 0 else x + away
                    if 0 <= column < width and rows[y, column] >= 0:
                        down = rows[y, column] - y
                        distance = away * away + down * down
                        if distance < best:
                            best, nearest = distance, column
            if nearest >= 0:
                for channel in range(3):
                    out[y, x, channel] = texels[rows[y, nearest], nearest, channel]
