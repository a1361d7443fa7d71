"""Influences: which joints pull a vertex and how strongly, over all sets together (glTF 2.0, section 3.7.3.3)."""

from __future__ import annotations

import numpy as np

from posed.arrays import Float32, Float64, UInt32
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record

_REEXPORT = "export the file again"


def read_influences(
    attributes: Record, accessors: Accessors, vertex_count: int, notes: list[str]
) -> tuple[UInt32 | None, Float32 | None]:
    """Return joints (V, K) and weights (V, K) of a primitive, K over all its sets, or (None, None) without any.

    Weights sum to 1 at every vertex: they are normalized in float64 over all sets. A vertex whose weights sum to
    nothing is bound to joint 0, with a note. A joint that pulls with weight 0 counts as joint 0.

    Raises
    ------
    AssetError
        Sets are numbered with gaps or come without their partner, or a weight is not finite.
    """
    sets = sum(1 for name in attributes.data if name.startswith("JOINTS_"))
    if sum(1 for name in attributes.data if name.startswith("WEIGHTS_")) != sets:
        raise attributes.error(
            f"expected a WEIGHTS set for each of {sets} JOINTS sets, found another number: {_REEXPORT}"
        )
    if sets == 0:
        return None, None
    joints: list[UInt32] = []
    weights: list[Float64] = []
    for number in range(sets):
        for name, kind in ((f"JOINTS_{number}", "joints"), (f"WEIGHTS_{number}", "weights")):
            accessor = attributes.required_index(name, len(accessors), "accessors")
            if accessors.count(accessor) != vertex_count:
                raise attributes.error(
                    f"expected {vertex_count} elements, one a vertex, found {accessors.count(accessor)}: {_REEXPORT}",
                    name,
                )
            if kind == "joints":
                joints.append(accessors.integers(accessor, ("VEC4",), attributes, name))
            else:
                weights.append(
                    _finite(accessors.floats(accessor, ("VEC4",), np.float64, attributes, name), attributes, name)
                )
    return normalize_influences(np.concatenate(joints, axis=1), np.concatenate(weights, axis=1), attributes, notes)


def normalize_influences(
    joints: UInt32, weights: Float64, attributes: Record, notes: list[str]
) -> tuple[UInt32, Float32]:
    """Return joints and weights, both (V, K) and read-only, with weights that sum to 1; see `read_influences`."""
    total = np.zeros(len(weights))
    for influence in range(weights.shape[1]):
        total += weights[:, influence]
    unbound = ~(total > 0.0)
    divisor = np.where(unbound, 1.0, total)
    scaled = (weights / divisor[:, None]).astype(np.float32)
    if unbound.any():
        first = int(np.flatnonzero(unbound)[0])
        scaled[unbound] = 0.0
        scaled[unbound, 0] = 1.0
        notes.append(
            f"{attributes.pointer}: {int(unbound.sum())} vertices have no weights, the first is vertex {first}; "
            "they follow joint 0"
        )
    pulling = np.where(scaled == 0.0, np.uint32(0), joints)
    pulling[unbound] = 0
    pulling.flags.writeable = scaled.flags.writeable = False
    return pulling, scaled


def _finite(weights: Float64, attributes: Record, name: str) -> Float64:
    if not np.isfinite(weights).all():
        vertex = int(np.flatnonzero(~np.isfinite(weights).all(axis=1))[0])
        raise attributes.error(
            f"expected finite weights, found {weights[vertex].tolist()} at vertex {vertex}: {_REEXPORT}", name
        )
    return weights
