"""Rough boxes around many posed instances: they hold those of boxes.py, and take a third of the time.

Palettes are looked at entry by entry: all joints' matrices lie between two, and so does what they make of the mesh.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anim.kernel import kernel
from posed.arrays import Float32, Float64
from posed.live.boxes import BoundsTable, Indices

MANY = 1 << 12
"""Joints' boxes of all instances together from which on rough ones are worth having: exact ones take 0.1 ms then."""


def rough_boxes(
    table: BoundsTable,
    meshes: Indices,
    places: Float64,
    palettes: Float32,
    palette_rows: Indices,
    weights: Float32,
    weight_rows: Indices,
) -> tuple[Float64, Float64, Float64]:
    """Return boxes and reaches as `posed_boxes` does, from the same parameters, none smaller than what it returns.

    The first number of a lowest corner is also none where a box is too large for float64.
    """
    low, high, reach = np.empty((len(meshes), 3)), np.empty((len(meshes), 3)), np.empty(len(meshes))
    write_rough_boxes(table, meshes, places, palettes, palette_rows, weights, weight_rows, low, high, reach)
    return low, high, reach


@kernel
def write_rough_boxes(
    table: BoundsTable,
    meshes: Indices,
    places: Float64,
    palettes: Float32,
    palette_rows: Indices,
    weights: Float32,
    weight_rows: Indices,
    low: Float64,
    high: Float64,
    reach: Float64,
) -> None:
    """Write the corners of `rough_boxes` to low and high (N, 3), and what they are summed of to reach (N,)."""
    least, most = np.empty((3, 4)), np.empty((3, 4))
    begin, end = np.empty(3), np.empty(3)
    middle, half, far = np.empty(3), np.empty(3), np.empty(3)
    for n in range(len(meshes)):
        mesh, place = meshes[n], places[n]
        for axis in range(3):
            begin[axis], end[axis] = table.lows[mesh, axis], table.highs[mesh, axis]
        if weight_rows[n] >= 0:
            for target in range(table.targets[mesh], table.targets[mesh + 1]):
                weight = abs(np.float64(weights[weight_rows[n] + target - table.targets[mesh]]))
                for axis in range(3):
                    begin[axis] -= weight * table.reaches[target, axis]
                    end[axis] += weight * table.reaches[target, axis]
        total = 0.0  # finite where all numbers are
        if palette_rows[n] < 0:
            for axis in range(3):
                for column in range(4):
                    least[axis, column] = most[axis, column] = 1.0 if column == axis else 0.0
        else:
            total += _write_span(
                palettes, palette_rows[n], table.joints[table.firsts[mesh] : table.firsts[mesh + 1]], least, most
            )
        for axis in range(3):
            lowest, highest = least[axis, 3], most[axis, 3]
            far[axis] = max(abs(lowest), abs(highest))
            for column in range(3):
                a, b = least[axis, column] * begin[column], least[axis, column] * end[column]
                c, d = most[axis, column] * begin[column], most[axis, column] * end[column]
                lowest += min(a, b, c, d)
                highest += max(a, b, c, d)
                far[axis] += max(abs(a), abs(b), abs(c), abs(d))
            middle[axis], half[axis] = (lowest + highest) / 2.0, (highest - lowest) / 2.0
        reach[n] = 0.0 if table.sure[mesh] else np.inf
        for axis in range(3):
            center, side, sum_of = place[axis, 3], 0.0, abs(place[axis, 3])
            for column in range(3):
                center += place[axis, column] * middle[column]
                side += abs(place[axis, column]) * half[column]
                sum_of += abs(place[axis, column]) * far[column]
            low[n, axis], high[n, axis] = center - side, center + side
            reach[n] = max(reach[n], sum_of)
            total += center + side
        low[n, 0] += total - total


@kernel
def _write_span(palettes: Float32, first: int, joints: Indices, least: Float64, most: Float64) -> Any:
    """Write the least and most of some joints' matrices, (3, 4) each; `first` is where their palette begins.

    Return a number that is finite as all of them are. All twelve are looked at side by side, as each waits for itself.
    """
    a = b = c = d = e = f = g = h = i = j = k = m = np.float32(np.inf)
    aa = bb = cc = dd = ee = ff = gg = hh = ii = jj = kk = mm = np.float32(-np.inf)
    total = np.float32(0.0)
    for place in range(len(joints)):
        joint = first + joints[place]
        p, q, r, s = palettes[joint, 0, 0], palettes[joint, 0, 1], palettes[joint, 0, 2], palettes[joint, 0, 3]
        a, b, c, d = _lower(p, a), _lower(q, b), _lower(r, c), _lower(s, d)
        aa, bb, cc, dd = _higher(p, aa), _higher(q, bb), _higher(r, cc), _higher(s, dd)
        total += _sum(p, q, r, s)
        p, q, r, s = palettes[joint, 1, 0], palettes[joint, 1, 1], palettes[joint, 1, 2], palettes[joint, 1, 3]
        e, f, g, h = _lower(p, e), _lower(q, f), _lower(r, g), _lower(s, h)
        ee, ff, gg, hh = _higher(p, ee), _higher(q, ff), _higher(r, gg), _higher(s, hh)
        total += _sum(p, q, r, s)
        p, q, r, s = palettes[joint, 2, 0], palettes[joint, 2, 1], palettes[joint, 2, 2], palettes[joint, 2, 3]
        i, j, k, m = _lower(p, i), _lower(q, j), _lower(r, k), _lower(s, m)
        ii, jj, kk, mm = _higher(p, ii), _higher(q, jj), _higher(r, kk), _higher(s, mm)
        total += _sum(p, q, r, s)
    least[0, 0], least[0, 1], least[0, 2], least[0, 3] = a, b, c, d
    least[1, 0], least[1, 1], least[1, 2], least[1, 3] = e, f, g, h
    least[2, 0], least[2, 1], least[2, 2], least[2, 3] = i, j, k, m
    most[0, 0], most[0, 1], most[0, 2], most[0, 3] = aa, bb, cc, dd
    most[1, 0], most[1, 1], most[1, 2], most[1, 3] = ee, ff, gg, hh
    most[2, 0], most[2, 1], most[2, 2], most[2, 3] = ii, jj, kk, mm
    return total


@kernel
def _lower(value: Any, than: Any) -> Any:
    return value if value < than else than


@kernel
def _higher(value: Any, than: Any) -> Any:
    return value if value > than else than


@kernel
def _sum(p: Any, q: Any, r: Any, s: Any) -> Any:
    return (p + q) + (r + s)
