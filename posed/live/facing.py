"""Which side of posed triangles is the front, where that can be said of all of an instance at once.

A triangle's front is its counter-clockwise side, unless what poses its first vertex mirrors. Where no vertex's blended
matrix mirrors, or each does, the device may drop the backs of one-sided surfaces before it shades them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.arrays import Float32, Float64, Int8
from posed.live.mesh_data import SkinData

Indices = NDArray[np.int64]

UNKNOWN = 0
"""A facing of which nothing is known; else it is 1, or -1 where the front is the clockwise side."""

MOST_JOINTS = 1024
"""Joints of a mesh of which facings are told: a table of all pairs of them is made when it is uploaded."""

MOST_INFLUENCES = 16
"""Influences of its vertices: float32 loses with each of them."""

MOST_PAIRS = 1 << 13
"""Pairs of joints that are compared for one draw; of larger ones nothing is told, since it would take milliseconds."""

LEAST = 0.25
"""What is asked for of a determinant, and of the least that one matrix stretches as another does, with 1 for the same
orthogonal one. Then a blended determinant is above 0.0007 times the cube of the blended matrices' mean size, and what
float32 loses of it, of sixteen influences, below 0.00002 times that."""

LEAST_SIZE, MOST_SIZE = 2.0**-20, 2.0**20
"""Root mean squares of a matrix's rows between which float32 holds the determinant."""


@dataclass(frozen=True, eq=False)
class Blends:
    """Which joints a mesh's vertices are blended of.

    `leaders` (R,) int64 are joints, the heaviest of some vertex; `starts` (R + 1,) is where the `others` (P,) of each
    begin, all that some vertex has beside it. `told` is False where nothing can be told of such a mesh.
    """

    leaders: Indices
    starts: Indices
    others: Indices
    told: bool = True


def blends_of(skin: SkinData | None) -> Blends:
    """Return which joints are blended; none where nothing is skinned."""
    nothing = np.zeros(0, np.int64)
    if skin is None:
        return Blends(nothing, np.zeros(1, np.int64), nothing)
    influences = np.count_nonzero(skin.weights, axis=1).max()
    if skin.joint_count > MOST_JOINTS or influences > MOST_INFLUENCES or (skin.weights < 0).any():
        return Blends(nothing, np.zeros(1, np.int64), nothing, told=False)
    heaviest = np.take_along_axis(skin.joints, skin.weights.argmax(axis=1)[:, None], axis=1)
    beside = np.zeros((skin.joint_count, skin.joint_count), bool)
    bound = skin.weights != 0
    beside[np.broadcast_to(heaviest, bound.shape)[bound], skin.joints[bound]] = True
    leaders = np.flatnonzero(beside.any(axis=1))
    return Blends(leaders, np.cumsum([0, *beside[leaders].sum(axis=1)], dtype=np.int64), np.nonzero(beside)[1])


@dataclass(frozen=True, eq=False)
class FacingTable:
    """The blends of several meshes, one after the other.

    `firsts` (M + 1,) is where each mesh's `leaders` (R,) begin, `starts` (R + 1,) where the `others` (P,) of each of
    these do.
    """

    firsts: Indices
    leaders: Indices
    starts: Indices
    others: Indices

    @classmethod
    def of(cls, blends: Sequence[Blends]) -> FacingTable:
        """Return the table of some meshes."""
        counts = [np.diff(one.starts) for one in blends]
        return cls(
            np.cumsum([0, *(len(one.leaders) for one in blends)], dtype=np.int64),
            np.concatenate([np.zeros(0, np.int64), *(one.leaders for one in blends)]),
            np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])),
            np.concatenate([np.zeros(0, np.int64), *(one.others for one in blends)]),
        )


def facings(
    table: FacingTable, meshes: Indices, asked: NDArray[np.bool_], palettes: Float32, palette_rows: Indices
) -> Int8:
    """Return what is known of the facing of posed instances, (N,): 1, -1 or `UNKNOWN`, their places left aside.

    Parameters
    ----------
    table
        The blends of their meshes.
    meshes
        Which of these each instance shows, (N,).
    asked
        Of which instances it is asked, (N,); of the others nothing is known.
    palettes, palette_rows
        All joints' matrices, (J, 3, 4) or (J, 4, 4), and where each instance's palette begins, (N,); -1 for identities.
    """
    known = np.zeros(len(meshes), np.int8)
    write_facings(table.firsts, table.leaders, table.starts, table.others, meshes, asked, palettes, palette_rows, known)
    return known


@kernel
def write_facings(
    firsts: Indices,
    leaders: Indices,
    starts: Indices,
    others: Indices,
    meshes: Indices,
    asked: NDArray[np.bool_],
    palettes: Float32,
    palette_rows: Indices,
    known: Int8,
) -> None:
    """Write the facings of `facings` to known (N,).

    Let A be the leader's matrix and B the inverse of A times another's. A sum of matrices that stretch along every
    direction by more than nothing, as B does where B + B' is positive definite, does so too, and has a positive
    determinant (Horn and Johnson, Matrix Analysis, 7.8): the blended one's has the sign of A's, whatever the weights.
    """
    adjoint = np.zeros((3, 3))
    for n in range(len(meshes)):
        if not asked[n]:
            continue
        facing = np.int8(0)
        if palette_rows[n] < 0 or firsts[meshes[n]] == firsts[meshes[n] + 1]:
            known[n] = np.int8(1)
            continue
        for leader in range(firsts[meshes[n]], firsts[meshes[n] + 1]):
            sign = _write_adjoint(palettes[palette_rows[n] + leaders[leader]], adjoint)
            if sign == np.int8(0) or facing == -sign:
                facing = np.int8(0)
                break
            agree = True
            for pair in range(starts[leader], starts[leader + 1]):
                agree = agree and _stretches(adjoint, palettes[palette_rows[n] + others[pair]])
            if not agree:
                facing = np.int8(0)
                break
            facing = sign
        known[n] = facing


@kernel
def _write_adjoint(m: Float32, adjoint: Float64) -> Any:
    """Write the inverse of the upper left 3x3 of m (4, 4), times its determinant's absolute value, to adjoint (3, 3).

    Return the determinant's sign, 0 where float32 may not hold it.
    """
    squares = 0.0
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for axis in range(3):
            y, z = (axis + 1) % 3, (axis + 2) % 3
            adjoint[axis, i] = np.float64(m[j, y]) * np.float64(m[k, z]) - np.float64(m[j, z]) * np.float64(m[k, y])
            squares += np.float64(m[i, axis]) * np.float64(m[i, axis])
    determinant = m[0, 0] * adjoint[0, 0] + m[0, 1] * adjoint[1, 0] + m[0, 2] * adjoint[2, 0]
    sign = np.int8(1) if determinant > 0.0 else np.int8(-1)
    for i in range(3):
        for axis in range(3):
            adjoint[i, axis] *= np.float64(sign)
    size = np.sqrt(squares / 3.0)
    held = LEAST_SIZE < size < MOST_SIZE and abs(determinant) > LEAST * size * size * size
    return sign if held else np.int8(0)


@kernel
def _stretches(adjoint: Float64, m: Float32) -> Any:
    """Say whether B = adjoint m stretches along every direction by `LEAST` of its size: B + B' less twice that, times
    the identity, has positive pivots."""
    b = np.zeros((3, 3))
    squares = 0.0
    for i in range(3):
        for j in range(3):
            for k in range(3):
                b[i, j] += adjoint[i, k] * np.float64(m[k, j])
            squares += b[i, j] * b[i, j]
    least = LEAST * np.sqrt(squares / 3.0)
    xx, yy, zz = b[0, 0] - least, b[1, 1] - least, b[2, 2] - least
    xy, yz, zx = (b[0, 1] + b[1, 0]) / 2.0, (b[1, 2] + b[2, 1]) / 2.0, (b[2, 0] + b[0, 2]) / 2.0
    if not xx > 0.0:
        return False
    second = yy - xy * xy / xx
    across = yz - xy * zx / xx
    return second > 0.0 and zz - zx * zx / xx - across * across / second > 0.0
