"""Primitives packed for the device: records, attributes, influences, corners and morph deltas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float32, UInt32
from posed.gltf.mesh import Primitive
from posed.live import layout
from posed.scene.description import Part


@dataclass(frozen=True, eq=False)
class Packed:
    """A primitive in the form of the buffers: `record` is a `layout.GEOMETRY`, the others are flat arrays.

    `influences` holds where each vertex's influences begin and how many they are, then joint and weight of each.
    """

    part: Part
    record: AnyArray
    attributes: Float32
    influences: UInt32
    corners: UInt32
    deltas: Float32


def pack(part: Part) -> Packed:
    """Return the primitive that `part` shows, with influences where a palette poses it."""
    primitive = part.primitive
    record, attributes = _attributes(primitive)
    record["skinned"] = part.skinned
    return Packed(
        part,
        record,
        attributes.ravel(),
        _influences(primitive) if part.skinned else np.zeros(0, np.uint32),
        np.ascontiguousarray(primitive.triangles, np.uint32).ravel(),
        _deltas(primitive).ravel(),
    )


def _attributes(primitive: Primitive) -> tuple[AnyArray, Float32]:
    """Return the geometry record and the interleaved attributes, (V, stride) float32."""
    record = np.zeros((), layout.GEOMETRY)
    columns: list[Float32] = [primitive.positions]
    offset = 3
    for name, values in (
        ("normal", primitive.normals),
        ("tangent", primitive.tangents),
        ("color", primitive.colors),
        ("uv", np.concatenate(primitive.uvs, axis=1) if primitive.uvs else None),
    ):
        record[name] = layout.ABSENT if values is None else offset
        if values is not None:
            columns.append(values)
            offset += values.shape[1]
    record["stride"], record["uv_sets"] = offset, len(primitive.uvs)
    record["targets"] = len(primitive.targets)
    record["vertices"], record["triangles"] = len(primitive.positions), len(primitive.triangles)
    return record, np.concatenate(columns, axis=1, dtype=np.float32)


def _influences(primitive: Primitive) -> UInt32:
    """Return where each vertex's influences begin and how many it has, then joint and weight of each, in file order.

    Influences of weight 0 are left out: they add nothing.
    """
    assert primitive.joints is not None
    assert primitive.weights is not None
    counts = np.count_nonzero(primitive.weights, axis=1).astype(np.uint32)
    vertices = len(counts)
    spans = np.empty((vertices, 2), np.uint32)
    spans[:, 0] = 2 * vertices + 2 * (np.cumsum(counts) - counts)
    spans[:, 1] = counts
    rows, sets = np.nonzero(primitive.weights)
    pairs = np.empty((len(rows), 2), np.uint32)
    pairs[:, 0] = primitive.joints[rows, sets]
    pairs[:, 1] = primitive.weights[rows, sets].astype(np.float32).view(np.uint32)
    return np.concatenate([spans.ravel(), pairs.ravel()])


def _deltas(primitive: Primitive) -> Float32:
    """Return the deltas of all targets, (M, V, 9) float32: position, normal, tangent; zero where a target lacks one."""
    deltas = np.zeros((len(primitive.targets), len(primitive.positions), 9), np.float32)
    for target, of_target in zip(primitive.targets, deltas, strict=True):
        for first, values in ((0, target.positions), (3, target.normals), (6, target.tangents)):
            if values is not None:
                of_target[:, first : first + 3] = values
    return deltas
