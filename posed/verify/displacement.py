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
    _, stretch, directions = np.linalg.svd(change[:, :3, :3])
    along = (change[:, :3, :3] * directions[:, None, 0]).sum(axis=2) * reach[:, None]
    found_by_side = [length(middle + along), length(middle - along)]
    return np.where(stretch[:, 0] > 0.0, np.maximum(*found_by_side), length(middle))


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
