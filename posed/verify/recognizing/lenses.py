"""Frames taken through another lens: a wider or narrower field of view, or another aspect than the picture's."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posed.arrays import AnyArray
from posed.frame import Frame
from posed.verify.recognizing.undoing import Case, Undone, recognition
from posed.verify.results import Recognition

FEWEST = 8
"""Ids that both frames show, from which on their places tell a lens."""

SMALL = 0.005
"""Difference of scale that is none."""

JUDGED = ("silhouette", "object", "part")


def refocused(case: Case) -> Recognition | None:
    """Return the recognition of another lens, told by where both frames show the same triangles; else None."""
    if not case.fails(*JUDGED) or not all(name in frame for frame in _frames(case) for name in ("part", "triangle")):
        return None
    places = [_places(frame) for frame in _frames(case)]
    shared = [np.array([one[key] for key in places[0].keys() & places[1].keys()]) for one in places]
    if len(shared[0]) < FEWEST:
        return None
    across, down = (_scale(shared[0][:, axis], shared[1][:, axis]) for axis in range(2))
    if max(abs(across - 1.0), abs(down - 1.0)) < SMALL:
        return None
    layers, known = _resampled(case.live, across, down)
    camera = case.reference.camera
    if abs(across / down - 1.0) < SMALL:
        claim = "the live frame has another field of view"
        cure = "a field of view is the full vertical angle in radians"
        if camera is not None and camera.yfov is not None:
            live = 2.0 * math.atan(math.tan(camera.yfov / 2.0) / down)
            claim += f": {math.degrees(live):.1f} degrees up and down, not {math.degrees(camera.yfov):.1f}"
    else:
        claim = f"the live frame has another aspect: it is {across / down:.3g} times as wide for its height"
        cure = "the projection's aspect is width over height of what is drawn"
    code = "field of view" if abs(across / down - 1.0) < SMALL else "aspect"
    undoing = f"scaled by {1.0 / across:.3f} across and {1.0 / down:.3f} down"
    return recognition(case, Undone(code, claim, undoing, cure, layers, JUDGED, known, within=1))


def _frames(case: Case) -> tuple[Frame, Frame]:
    return case.reference, case.live


def _places(frame: Frame) -> dict[int, NDArray[np.float64]]:
    """Return for each triangle shown away from a frame's border the mean place of its pixels, from the middle."""
    keys = frame["part"].astype(np.int64) << 32 | frame["triangle"].astype(np.int64)
    height, width = keys.shape
    border = np.unique(np.concatenate([keys[0], keys[-1], keys[:, 0], keys[:, -1]]))
    starts = np.ones(keys.shape, np.bool_)  # of runs of pixels of a row: fewer to put in order than pixels
    starts[:, 1:] = keys[:, 1:] != keys[:, :-1]
    first = np.flatnonzero(starts)
    lengths = np.diff(first, append=keys.size)
    names, which = np.unique(keys.ravel()[first], return_inverse=True)
    counts = np.bincount(which, lengths)
    x = np.bincount(which, lengths * (first % width + lengths / 2.0 - width / 2.0)) / counts
    y = np.bincount(which, lengths * (first // width + 0.5 - height / 2.0)) / counts
    cut = np.isin(names, border) | (names == 0)
    return {int(name): np.array([x[i], y[i]]) for i, name in enumerate(names) if not cut[i]}


def _scale(expected: AnyArray, found: AnyArray) -> float:
    """Return by how much places lie farther from the middle: the slope through those that go with the median."""
    far = np.abs(expected) >= max(1.0, float(np.percentile(np.abs(expected), 25.0)))
    if not far.any():
        return 1.0
    one, other = expected[far], found[far]
    middle = float(np.median(other / one))
    fits = np.abs(other - middle * one) <= 1.0
    return float((one[fits] * other[fits]).sum() / (one[fits] * one[fits]).sum()) if fits.any() else middle


def _resampled(live: Frame, across: float, down: float) -> tuple[dict[str, AnyArray], NDArray[np.bool_]]:
    """Return a frame's layers scaled back about the middle, and which pixels they then have, (H, W)."""
    width, height = live.size
    columns = np.floor((np.arange(width) + 0.5 - width / 2.0) * across + width / 2.0).astype(np.int64)
    rows = np.floor((np.arange(height) + 0.5 - height / 2.0) * down + height / 2.0).astype(np.int64)
    known = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
    rows, columns = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
    return {name: layer[rows][:, columns] for name, layer in live.layers.items()}, known
