"""Where posed geometry lies: conservative boxes from each joint's bound vertices, without posing a vertex."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posed.arrays import Float64
from posed.live.mesh_data import MeshData, SkinData

MOST_OFF = 2.0**-18
"""What a vertex's weights may miss 1 by for its mesh to have sure bounds."""


@dataclass(frozen=True, eq=False)
class RestBounds:
    """Boxes of a mesh's vertices, one for each joint that binds any of them, or a single one where none does.

    `joints` (B,) are rows of the palette; `centers` and `extents` (B, 3) float64 are the boxes' middles and half
    sizes; `morphs` (M, 3) is the most that each target moves a vertex at weight 1. `sure` is False where vertices may
    leave the posed boxes, since their weights are no shares of 1.
    """

    joints: NDArray[np.int64]
    centers: Float64
    extents: Float64
    morphs: Float64
    sure: bool = True


def rest_bounds(data: MeshData, skin: SkinData | None) -> RestBounds:
    """Return the boxes of a mesh before it is posed."""
    positions = data.positions.astype(np.float64)
    morphs = [
        np.zeros(3) if target.positions is None else np.abs(target.positions).max(axis=0).astype(np.float64)
        for target in data.targets
    ]
    joints, lows, highs, sure = [0], [positions.min(axis=0)], [positions.max(axis=0)], True
    if skin is not None:
        vertices, sets = np.nonzero(skin.weights)
        bound_joints = skin.joints[vertices, sets].astype(np.int64)
        order = np.argsort(bound_joints, kind="stable")
        starts = np.flatnonzero(np.diff(bound_joints[order], prepend=-1))
        points = positions[vertices[order]]
        joints = [int(joint) for joint in bound_joints[order][starts]]
        lows = list(np.minimum.reduceat(points, starts))
        highs = list(np.maximum.reduceat(points, starts))
        off = np.abs(skin.weights.sum(axis=1, dtype=np.float64) - 1.0).max()
        sure = bool(off <= MOST_OFF and (skin.weights >= 0).all())
    low, high = np.array(lows), np.array(highs)
    return RestBounds(
        np.array(joints, np.int64), (low + high) / 2.0, (high - low) / 2.0, np.array(morphs).reshape(-1, 3), sure
    )


COARSEST = 1024.0
"""Metres between origins at most, however far away something is."""


def frame_origin(eye: Float64, low: Float64, high: Float64) -> Float64:
    """Return the point, (3,) float64, that a frame subtracts from every translation before rounding to float32.

    It is the camera's position `eye` rounded to a multiple of the power of two above the diagonal of the box from `low`
    to `high`, of `COARSEST` at most: close enough that what is near the camera keeps its precision, and still while the
    camera moves a little.
    """
    size = high - low
    diagonal = math.sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2])
    if not (0.0 < diagonal < math.inf):
        return np.zeros(3)
    step = min(math.ldexp(1.0, math.frexp(diagonal)[1]), COARSEST)
    return np.floor(eye / step + 0.5) * step
