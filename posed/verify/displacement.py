"""How far one matrix takes a vertex from where another does, at a stated distance around a center."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posed.arrays import AnyArray

Floats = NDArray[np.float64]


def displacements(expected: AnyArray, found: AnyArray, centers: AnyArray, reach: AnyArray) -> Floats:
    """Return how far `found` displaces a virtual vertex on a shell around a center, (N,) float64.

    The vertex lies on the shell where the two matrices differ most in what they do to a direction, so that a turn about
    any axis counts in full (the error metric of the Animation Compression Library, with a direction in place of its
    three axes).

    Parameters
    ----------
    expected, found
        (N, 4, 4) affine matrices.
    centers
        (N, 3) where the shells stand.
    reach
        (N,) their radii.
    """
    change = found.astype(np.float64) - expected
    middle = (change[:, :3, :3] * centers[:, None, :]).sum(axis=2) + change[:, :3, 3]
    spread = change[:, :3, :3] * reach[:, None, None]
    strongest = np.linalg.svd(spread)[2][:, 0]
    toward = (spread * middle[:, :, None]).sum(axis=1)
    starts = (strongest, -strongest, toward)
    farthest: Floats = np.max([_farthest(middle, spread, start) for start in starts], axis=0)
    return farthest


ROUNDS = 24
"""Steps of the search for the direction that is displaced most; each gains, the last ones next to nothing."""


def _farthest(middle: Floats, spread: Floats, start: Floats) -> Floats:
    """Return the length of `middle + spread u` at a direction u that a climb from `start` ends at, (N,).

    The square of the length is convex in u, so that a step to the direction of its gradient never loses.
    """
    direction = start
    for _ in range(ROUNDS):
        size = length(direction)[:, None]
        direction = np.divide(direction, size, out=np.zeros_like(direction), where=size > 0.0)
        reached = middle + (spread * direction[:, None, :]).sum(axis=2)
        direction = (spread * reached[:, :, None]).sum(axis=1)
    return length(reached)


def length(vectors: AnyArray) -> Floats:
    """Return the lengths of vectors, (..., 3) to (...) float64."""
    wide = vectors.astype(np.float64)
    lengths: Floats = np.sqrt((wide * wide).sum(axis=-1))
    return lengths


def bind_centers(inverse_bind: AnyArray, around: AnyArray) -> Floats:
    """Return where joints lie in the mesh they bind, (J, 3), from inverse bind matrices (J, 4, 4).

    A matrix that has no inverse gives the middle of `around`, (V, 3), the mesh's vertices.
    """
    middle = around.mean(axis=0, dtype=np.float64) if len(around) else np.zeros(3)
    centers = np.tile(middle, (len(inverse_bind), 1))
    for joint, matrix in enumerate(inverse_bind.astype(np.float64)):
        try:
            place = np.linalg.inv(matrix)[:3, 3]
        except np.linalg.LinAlgError:
            continue
        if np.isfinite(place).all():
            centers[joint] = place
    return centers


def step_at(largest: float) -> float:
    """Return the step of float32 at a coordinate."""
    return float(np.spacing(np.float32(largest)))
