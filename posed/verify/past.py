"""How well motion is known: a point that was near the plane of the eye went by at any speed."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray, Bool, Float64
from posed.frame import Frame
from posed.verify.geometry import Geometry


def motion_slack(geometry: Geometry, reference: Frame, where: Bool) -> Float64:
    """Return by how many pixels motion may be off at the pixels `where`, (H, W) bool, row by row, (N,).

    A vertex may be posed off by the allowance of `geometry`, now and in the snapshot before. A point that lay at the
    depth d then, and is seen to come from the place p of the picture plane at depth 1, is so placed off by
    `allowance / d * sqrt(1 + p p)` of that plane. The camera of then is taken to be that of now: this asks how far off,
    not where. Nothing is allowed where the reference does not say which point is seen, or what it was traced from.
    """
    slack = np.zeros(int(where.sum()))
    if reference.staged is None or not all(name in reference for name in ("part", "triangle", "barycentric")):
        return slack
    staged, camera = reference.staged
    before = staged.positions if staged.previous is None else staged.previous
    rows = _rows(staged.part, staged.triangle, reference["part"][where], reference["triangle"][where])
    second, third = reference["barycentric"][where].astype(np.float64).T
    weights = np.stack([1.0 - second - third, second, third], axis=1)
    corners = before[staged.triangles[rows]].astype(np.float64) - camera.matrix[:3, 3]
    depth = np.abs((weights * -(corners * camera.matrix[:3, 2]).sum(axis=2)).sum(axis=1))
    off = 2.0 * geometry.allowance
    if geometry.orthographic:
        return slack + float(geometry.scale[0]) * off
    height, width = where.shape
    down, right = np.nonzero(where)
    places = np.stack([right + 0.5 - width / 2.0, down + 0.5 - height / 2.0], axis=1) - reference["motion"][where]
    far = np.sqrt(1.0 + ((places / geometry.scale) ** 2).sum(axis=1))
    near_eye = depth <= off
    known: Float64 = np.where(near_eye, np.inf, geometry.scale[0] * off * far / np.where(near_eye, 1.0, depth))
    return known


def _rows(parts: AnyArray, triangles: AnyArray, part: AnyArray, triangle: AnyArray) -> AnyArray:
    """Return the row of each triangle by its part and number; of instances, which share both, the first."""
    keys, asked = (one.astype(np.int64) << 32 | other for one, other in ((parts, triangles), (part, triangle)))
    order = np.argsort(keys, kind="stable")
    rows: AnyArray = order[np.searchsorted(keys, asked, sorter=order)]
    return rows
