"""Rough boxes around many posed instances: they hold those of boxes.py, and take a third of the time.

All joints' matrices lie between two, the palette's span, and so does what they make of the mesh.
"""

from __future__ import annotations

import numpy as np

from anim.kernel import kernel
from posed.arrays import Float32, Float64
from posed.live.boxes import BoundsTable, Indices
from posed.live.spans import write_spans

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
    spans: Float32 | None = None,
) -> tuple[Float64, Float64, Float64]:
    """Return boxes and reaches as `posed_boxes` does, from the same parameters, none smaller than what it returns.

    `spans` are those of the palettes where they are known, (N, 2, 3, 4): see spans.py. The first number of a lowest
    corner is also none where a box is too large for float64.
    """
    if spans is None:
        spans = np.empty((len(meshes), 2, 3, 4), np.float32)
        write_spans(table, meshes, palettes, palette_rows, spans)
    low, high, reach = np.empty((len(meshes), 3)), np.empty((len(meshes), 3)), np.empty(len(meshes))
    write_rough_boxes(table, meshes, places, spans, weights, weight_rows, low, high, reach)
    return low, high, reach


@kernel
def write_rough_boxes(
    table: BoundsTable,
    meshes: Indices,
    places: Float64,
    spans: Float32,
    weights: Float32,
    weight_rows: Indices,
    low: Float64,
    high: Float64,
    reach: Float64,
) -> None:
    """Write the corners of `rough_boxes` to low and high (N, 3), and what they are summed of to reach (N,)."""
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
        least, most = spans[n, 0], spans[n, 1]
        for axis in range(3):
            for column in range(4):
                total += np.float64(least[axis, column]) + np.float64(most[axis, column])
        for axis in range(3):
            lowest, highest = np.float64(least[axis, 3]), np.float64(most[axis, 3])
            far[axis] = max(abs(lowest), abs(highest))
            for column in range(3):
                a, b = np.float64(least[axis, column]) * begin[column], np.float64(least[axis, column]) * end[column]
                c, d = np.float64(most[axis, column]) * begin[column], np.float64(most[axis, column]) * end[column]
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
