"""Boxes around posed instances, all in one kernel: a thousand characters of sixty joints take 1.4 ms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.arrays import Float32, Float64
from posed.live.bounds import RestBounds

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BoundsTable:
    """The boxes of several meshes before they are posed, one mesh after the other.

    `firsts` (M + 1,) is where each mesh's `joints` (B,), `centers` and `extents` (B, 3) begin, `targets` (M + 1,) where
    its morph targets' `reaches` (T, 3) do. `sure` (M,) says which boxes no vertex leaves.
    """

    firsts: Indices
    joints: Indices
    centers: Float64
    extents: Float64
    targets: Indices
    reaches: Float64
    sure: NDArray[np.bool_]

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
    is the largest sum of absolute values that gives a coordinate in the box, infinity where the box is not sure.

    Parameters
    ----------
    table
        The boxes of their meshes before posing.
    meshes
        Which of these each instance shows, (N,).
    places
        Posed space -> world, (N, 4, 4).
    palettes, palette_rows
        All joints' matrices, (J, 4, 4), and where each instance's palette begins, (N,); -1 for identities.
    weights, weight_rows
        All morph weights, (W,), and where each instance's begin, (N,); -1 for zeros.
    """
    low, high, reach = np.empty((len(meshes), 3)), np.empty((len(meshes), 3)), np.empty(len(meshes))
    write_boxes(
        table.firsts,
        table.joints,
        table.centers,
        table.extents,
        table.targets,
        table.reaches,
        table.sure,
        meshes,
        places,
        palettes,
        palette_rows,
        weights,
        weight_rows,
        low,
        high,
        reach,
    )
    return low, high, reach


@kernel
def write_boxes(
    firsts: Indices,
    joints: Indices,
    centers: Float64,
    extents: Float64,
    targets: Indices,
    reaches: Float64,
    sure: NDArray[np.bool_],
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
    identity = np.zeros((4, 4), np.float32)
    for axis in range(4):
        identity[axis, axis] = np.float32(1.0)
    for n in range(len(meshes)):
        mesh, place = meshes[n], places[n]
        for axis in range(3):
            low[n, axis], high[n, axis] = np.inf, -np.inf
        finite = True
        reach[n] = 0.0 if sure[mesh] else np.inf
        grown_x, grown_y, grown_z = 0.0, 0.0, 0.0
        if weight_rows[n] >= 0:
            for target in range(targets[mesh], targets[mesh + 1]):
                weight = abs(np.float64(weights[weight_rows[n] + target - targets[mesh]]))
                grown_x += weight * reaches[target, 0]
                grown_y += weight * reaches[target, 1]
                grown_z += weight * reaches[target, 2]
        for box in range(firsts[mesh], firsts[mesh + 1]):
            m = identity if palette_rows[n] < 0 else palettes[palette_rows[n] + joints[box]]
            x, y, z = centers[box, 0], centers[box, 1], centers[box, 2]
            half_x, half_y, half_z = extents[box, 0] + grown_x, extents[box, 1] + grown_y, extents[box, 2] + grown_z
            middle_x = m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3]
            middle_y = m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3]
            middle_z = m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3]
            most_x, most_y, most_z = abs(x) + half_x, abs(y) + half_y, abs(z) + half_z
            far_x = abs(m[0, 0]) * most_x + abs(m[0, 1]) * most_y + abs(m[0, 2]) * most_z + abs(m[0, 3])
            far_y = abs(m[1, 0]) * most_x + abs(m[1, 1]) * most_y + abs(m[1, 2]) * most_z + abs(m[1, 3])
            far_z = abs(m[2, 0]) * most_x + abs(m[2, 1]) * most_y + abs(m[2, 2]) * most_z + abs(m[2, 3])
            for axis in range(3):
                p, q, r = place[axis, 0], place[axis, 1], place[axis, 2]
                middle = p * middle_x + q * middle_y + r * middle_z + place[axis, 3]
                half = (
                    abs(p * m[0, 0] + q * m[1, 0] + r * m[2, 0]) * half_x
                    + abs(p * m[0, 1] + q * m[1, 1] + r * m[2, 1]) * half_y
                    + abs(p * m[0, 2] + q * m[1, 2] + r * m[2, 2]) * half_z
                )
                finite = finite and np.isfinite(middle) and np.isfinite(half)
                low[n, axis] = min(low[n, axis], middle - half)
                high[n, axis] = max(high[n, axis], middle + half)
                reach[n] = max(reach[n], abs(p) * far_x + abs(q) * far_y + abs(r) * far_z + abs(place[axis, 3]))
        if not finite:
            low[n, 0] = np.nan
