"""Influences: which joints pull a vertex and how strongly, over all sets together (glTF 2.0, section 3.7.3.3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posed.arrays import Float32, Float64, UInt32
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record
from posed.words import counted

BLOCK = 1 << 16
"""Vertices worked on at a time, so that double precision takes little room."""

SUM_WITHIN = 1e-6
"""How far a sum of weights may be from 1 and still count as 1: a few float32 steps."""

LARGEST_SUM = float(np.finfo(np.float32).max)

_REEXPORT = "export the file again"


class Influences(NamedTuple):
    """Joints (V, K) and weights (V, K) over all sets, all None where a primitive has none.

    `sums` (V,) is what the file's weights of each vertex add up to, None where that is 1 at every vertex.
    """

    joints: UInt32 | None = None
    weights: Float32 | None = None
    sums: Float32 | None = None


def read_influences(attributes: Record, accessors: Accessors, vertex_count: int, notes: list[str]) -> Influences:
    """Return the influences of a primitive.

    Weights sum to 1 at every vertex: they are normalized in float64 over all sets. A vertex whose weights sum to
    nothing is bound to joint 0, with a note. A joint that pulls with weight 0 counts as joint 0.

    Raises
    ------
    AssetError
        Sets are numbered with gaps or come without their partner, or a weight is not finite.
    """
    sets, partners = (sum(name.startswith(kind) for name in attributes.data) for kind in ("JOINTS_", "WEIGHTS_"))
    if sets != partners:
        raise attributes.error(
            f"expected as many WEIGHTS sets as JOINTS sets, found {partners} and {sets}: {_REEXPORT}"
        )
    if sets == 0:
        return Influences()
    joint_sets, weight_sets = (
        [_accessor(f"{kind}_{number}", attributes, accessors, vertex_count) for number in range(sets)]
        for kind in ("JOINTS", "WEIGHTS")
    )
    joints = np.empty((vertex_count, 4 * sets), np.uint32)
    weights = np.empty((vertex_count, 4 * sets), np.float32)
    sums = np.empty(vertex_count, np.float32)
    unbound: list[int] = []
    for first in range(0, vertex_count, BLOCK):
        rows = slice(first, first + BLOCK)
        given = np.concatenate([accessors.some_floats(index, rows, np.float64) for index in weight_sets], axis=1)
        _check_finite(given, first, attributes)
        weights[rows], total = normalize_weights(given)
        sums[rows] = np.clip(total, -LARGEST_SUM, LARGEST_SUM)
        free = ~(total > 0.0)
        pulling = np.concatenate([accessors.raw(index)[rows] for index in joint_sets], axis=1)
        joints[rows] = np.where(weights[rows] == 0.0, 0, pulling)
        joints[rows][free] = 0
        unbound += (np.flatnonzero(free) + first).tolist()
    if unbound:
        notes.append(
            f"{attributes.pointer}: {counted(len(unbound), 'vertex has', 'vertices have')} no weights, the first is "
            f"vertex {unbound[0]}; without any a vertex follows joint 0"
        )
    joints.flags.writeable = weights.flags.writeable = sums.flags.writeable = False
    return Influences(joints, weights, sums if (np.abs(sums - 1.0) > SUM_WITHIN).any() else None)


def normalize_weights(weights: Float64) -> tuple[Float32, Float64]:
    """Return weights (V, K) that sum to 1, and their sums (V,) before; where there was none, the first has 1."""
    total = np.zeros(len(weights))
    for influence in range(weights.shape[1]):
        total += weights[:, influence]
    free = ~(total > 0.0)
    scaled = (weights / np.where(free, 1.0, total)[:, None]).astype(np.float32)
    scaled[free] = 0.0
    scaled[free, 0] = 1.0
    return scaled, total


def _accessor(name: str, attributes: Record, accessors: Accessors, vertex_count: int) -> int:
    accessor = attributes.required_index(name, len(accessors), "accessors")
    accessors.check(accessor, ("VEC4",), attributes, name, unsigned=name.startswith("JOINTS"))
    if accessors.count(accessor) != vertex_count:
        raise attributes.error(
            f"expected {vertex_count} elements, one a vertex, found {accessors.count(accessor)}: {_REEXPORT}", name
        )
    return accessor


def _check_finite(weights: Float64, first: int, attributes: Record) -> None:
    if not np.isfinite(weights).all():
        row, influence = np.argwhere(~np.isfinite(weights))[0].tolist()
        shown = weights[row, influence // 4 * 4 :][:4].tolist()
        raise attributes.error(
            f"expected finite weights, found {shown} at vertex {first + row}: {_REEXPORT}", f"WEIGHTS_{influence // 4}"
        )
