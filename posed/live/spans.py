"""Spans of palettes: the two matrices, entry by entry, that all of its joints' lie between.

A crowd's are found as its palettes are copied: to go through a thousand of them, 4 MB, once more takes as long again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anim.kernel import kernel
from posed.arrays import Float32
from posed.live.boxes import BoundsTable, Indices


@kernel
def write_spans(table: BoundsTable, meshes: Indices, palettes: Float32, rows: Indices, spans: Float32) -> None:
    """Write the spans of the joints that bind some of a mesh to spans (N, 2, 3, 4).

    Instances show `meshes` (N,), and their palettes begin in `palettes` (R, 3, 4) at `rows` (N,), -1 for identities.
    The first number of a span is none where a matrix has one that is none.
    """
    for n in range(len(meshes)):
        if rows[n] < 0:
            for axis in range(3):
                for column in range(4):
                    spans[n, 0, axis, column] = spans[n, 1, axis, column] = np.float32(1.0 if column == axis else 0.0)
        else:
            joints = table.joints[table.firsts[meshes[n]] : table.firsts[meshes[n] + 1]]
            _write_span(palettes, rows[n], joints, spans[n, 0], spans[n, 1])


@kernel
def write_crowd(given: Float32, joints: Indices, palettes: Float32, spans: Float32) -> None:
    """Write the palettes of N instances, given (N, J, 4, 4), to palettes (N J, 3, 4), and their spans as `write_spans`
    does, but of all `joints`, 0 to J - 1."""
    for n in range(len(given)):
        first = n * len(joints)
        for joint in range(len(joints)):
            for row in range(3):
                for column in range(4):
                    palettes[first + joint, row, column] = given[n, joint, row, column]
        _write_span(palettes, first, joints, spans[n, 0], spans[n, 1])


@kernel
def _write_span(palettes: Float32, first: int, joints: Indices, least: Float32, most: Float32) -> None:
    """Write the least and most of some joints' matrices, (3, 4) each; `first` is where their palette begins.

    All twelve numbers are looked at side by side, as each waits for itself.
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
    if total - total != np.float32(0.0):
        least[0, 0] = np.float32(np.nan)


@kernel
def _lower(value: Any, than: Any) -> Any:
    return value if value < than else than


@kernel
def _higher(value: Any, than: Any) -> Any:
    return value if value > than else than


@kernel
def _sum(p: Any, q: Any, r: Any, s: Any) -> Any:
    return (p + q) + (r + s)
