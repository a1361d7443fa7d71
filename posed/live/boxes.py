"""Boxes around posed instances, all in one kernel: a thousand characters of sixty joints take 0.9 ms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.arrays import Float32, Float64
from posed.live.bounds import RestBounds

Indices = NDArray[np.int64]


class BoundsTable(NamedTuple):
    """The boxes of several meshes before they are posed, one mesh after the other.

    `firsts` (M + 1,) is where each mesh's `joints` (B,), `centers` and `extents` (B, 3) begin, `targets` (M + 1,) where
    its morph targets' `reaches` (T, 3) do. `sure` (M,) says which boxes no vertex leaves. `lows` and `highs` (M, 3) are
    the corners of what holds all boxes of a mesh.
    """

    firsts: Indices
    joints: Indices
    centers: Float64
    extents: Float64
    targets: Indices
    reaches: Float64
    sure: NDArray[np.bool_]
    lows: Float64
    highs: Float64

    @classmethod
    def of(cls, bounds: Sequence[RestBounds]) -> BoundsTable:
        """Return the table of some meshes."""
        return cls(
            np.cumsum([0, *(len(one.joints) for one in bounds)], dtype=np.int64),
            np.concatenate([np.zeros(0, np.int64), *(one.joints for one in bounds)]),
            np.concatenate([np.zeros((0, 3)), *(one.centers for one in bounds)]),
            np.concatenate([np.zeros((0, 3)), *(one.extents for one in bounds)]),
            np.cumsum([0, *(len(one.morphs) for one in bounds)], dtype=np.int64),
            np.concatenate([np.zeros((0, 3)), *(one.morphs for one in bounds)]),
            np.array([one.sure for one in bounds], bool),
            np.array([(one.centers - one.extents).min(axis=0) for one in bounds]).reshape(-1, 3),
            np.array([(one.centers + one.extents).max(axis=0) for one in bounds]).reshape(-1, 3),
        )


def posed_boxes(
    table: BoundsTable,
    meshes: Indices,
    places: Float64,
    palettes: Float32,
    palette_rows: Indices,
    weights: Float32,
    weight_rows: Indices,
) -> tuple[Float64, Float64, Float64]:
    """Return the lowest and highest corners, (N, 3) float64 each, of posed instances in the world, and their reach.

    The first number of an instance's lowest corner is none where a matrix leads to where no number is. The reach, (N,),
    is no less than any sum of absolute values that gives a coordinate in the box, infinity where the box is not sure.

    Parameters
    ----------
    table
        The boxes of their meshes before posing.
    meshes
        Which of these each instance shows, (N,).
    places
        Posed space -> world, (N, 4, 4).
    palettes, palette_rows
        All joints' matrices, (J, 3, 4) or (J, 4, 4), and where each instance's palette begins, (N,); -1 for identities.
    weights, weight_rows
        All morph weights, (W,), and where each instance's begin, (N,); -1 for zeros.
    """
    low, high, reach = np.empty((len(meshes), 3)), np.empty((len(meshes), 3)), np.empty(len(meshes))
    write_boxes(table, meshes, places, palettes, palette_rows, weights, weight_rows, low, high, reach)
    return low, high, reach


@kernel
def write_boxes(
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
    """Write the corners of `posed_boxes` to low and high (N, 3), and what they are summed of to reach (N,).

    A box under a matrix has its centre where the matrix takes it, and half sizes that the absolute values of the matrix
    give: it holds all that the turned box holds.
    """
    for n in range(len(meshes)):
        mesh, row, place = meshes[n], palette_rows[n], places[n]
        grown_x, grown_y, grown_z = 0.0, 0.0, 0.0
        if weight_rows[n] >= 0:
            for target in range(table.targets[mesh], table.targets[mesh + 1]):
                weight = abs(np.float64(weights[weight_rows[n] + target - table.targets[mesh]]))
                grown_x += weight * table.reaches[target, 0]
                grown_y += weight * table.reaches[target, 1]
                grown_z += weight * table.reaches[target, 2]
        low_x, low_y, low_z = np.inf, np.inf, np.inf
        high_x, high_y, high_z = -np.inf, -np.inf, -np.inf
        far_x, far_y, far_z = 0.0, 0.0, 0.0
        # Finite where all numbers are: what is none compares as false.
        total = 0.0
        # One number at a time: arrays of nine would go through memory for each box.
        a, b, c, d, e, f, g, h, i = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
        x, y, z = 0.0, 0.0, 0.0
        for box in range(table.firsts[mesh], table.firsts[mesh + 1]):
            if row >= 0:
                joint = row + table.joints[box]
                a, b, c, x = _row(palettes, joint, 0)
                d, e, f, y = _row(palettes, joint, 1)
                g, h, i, z = _row(palettes, joint, 2)
            center_x, center_y, center_z = table.centers[box, 0], table.centers[box, 1], table.centers[box, 2]
            half_x, half_y, half_z = (
                table.extents[box, 0] + grown_x,
                table.extents[box, 1] + grown_y,
                table.extents[box, 2] + grown_z,
            )
            most_x, most_y, most_z = abs(center_x) + half_x, abs(center_y) + half_y, abs(center_z) + half_z
            far_x = max(far_x, _sum(a, b, c, most_x, most_y, most_z) + abs(x))
            far_y = max(far_y, _sum(d, e, f, most_x, most_y, most_z) + abs(y))
            far_z = max(far_z, _sum(g, h, i, most_x, most_y, most_z) + abs(z))
            middle_x = a * center_x + b * center_y + c * center_z + x
            middle_y = d * center_x + e * center_y + f * center_z + y
            middle_z = g * center_x + h * center_y + i * center_z + z
            p, q, r = place[0, 0], place[0, 1], place[0, 2]
            middle = p * middle_x + q * middle_y + r * middle_z + place[0, 3]
            half = _sum(p * a + q * d + r * g, p * b + q * e + r * h, p * c + q * f + r * i, half_x, half_y, half_z)
            begin, end = middle - half, middle + half
            low_x, high_x = begin if begin < low_x else low_x, end if end > high_x else high_x
            total += begin + end
            p, q, r = place[1, 0], place[1, 1], place[1, 2]
            middle = p * middle_x + q * middle_y + r * middle_z + place[1, 3]
            half = _sum(p * a + q * d + r * g, p * b + q * e + r * h, p * c + q * f + r * i, half_x, half_y, half_z)
            begin, end = middle - half, middle + half
            low_y, high_y = begin if begin < low_y else low_y, end if end > high_y else high_y
            total += begin + end
            p, q, r = place[2, 0], place[2, 1], place[2, 2]
            middle = p * middle_x + q * middle_y + r * middle_z + place[2, 3]
            half = _sum(p * a + q * d + r * g, p * b + q * e + r * h, p * c + q * f + r * i, half_x, half_y, half_z)
            begin, end = middle - half, middle + half
            low_z, high_z = begin if begin < low_z else low_z, end if end > high_z else high_z
            total += begin + end
        low[n, 0], low[n, 1], low[n, 2] = low_x + (total - total), low_y, low_z
        high[n, 0], high[n, 1], high[n, 2] = high_x, high_y, high_z
        reach[n] = 0.0 if table.sure[mesh] else np.inf
        for axis in range(3):
            p, q, r = place[axis, 0], place[axis, 1], place[axis, 2]
            reach[n] = max(reach[n], _sum(p, q, r, far_x, far_y, far_z) + abs(place[axis, 3]))


@kernel
def _row(palettes: Float32, joint: int, row: int) -> tuple[float, float, float, float]:
    """Return a row of a joint's matrix in float64."""
    return (
        np.float64(palettes[joint, row, 0]),
        np.float64(palettes[joint, row, 1]),
        np.float64(palettes[joint, row, 2]),
        np.float64(palettes[joint, row, 3]),
    )


@kernel
def _sum(p: float, q: float, r: float, x: float, y: float, z: float) -> float:
    """Return how far a row of a matrix takes what reaches as far as x, y, z."""
    return abs(p) * x + abs(q) * y + abs(r) * z
