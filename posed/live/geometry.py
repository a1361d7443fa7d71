"""Meshes packed for the device: records, attributes, influences, corners and morph deltas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float32, UInt32
from posed.live import layout
from posed.live.mesh_data import MeshData, SkinData
from posed.live.slots import slotted_corners
from posed.live.strongest import strongest_joints


@dataclass(frozen=True, eq=False)
class Packed:
    """A mesh in the form of the buffers: `record` is (1,) `layout.GEOMETRY`, the others are flat arrays.

    `indices` holds where each vertex's influences begin and how many they are, then weights and joints of each vertex,
    then the corners of the triangles with their slots, then the table of `strongest_joints`.
    """

    record: AnyArray
    attributes: Float32
    indices: UInt32
    deltas: Float32


def pack(data: MeshData, skin: SkinData | None = None) -> Packed:
    """Return a mesh, with influences where a palette poses it."""
    record, attributes = _attributes(data)
    corners = slotted_corners(data.triangles, len(data.positions))
    influences = strongest = np.zeros(0, np.uint32)
    record["skinned"], record["first_strongest"] = skin is not None, layout.ABSENT
    if skin is not None:
        influences, strongest = _influences(skin), strongest_joints(corners, skin.joints, skin.weights)
        record["first_strongest"] = len(influences) + len(corners)
    record["first_corner"] = len(influences)
    indices = np.concatenate([influences, corners, strongest])
    return Packed(record, attributes.ravel(), indices, _deltas(data).ravel())


def _attributes(data: MeshData) -> tuple[AnyArray, Float32]:
    """Return the geometry record and the interleaved attributes, (V, stride) float32."""
    record = np.zeros(1, layout.GEOMETRY)
    columns: list[Float32] = [data.positions]
    offset = 3
    for name, values in (
        ("normal", data.normals),
        ("tangent", data.tangents),
        ("color", data.colors),
        ("uv", np.concatenate(data.uvs, axis=1) if data.uvs else None),
    ):
        record[name] = layout.ABSENT if values is None else offset
        if values is not None:
            columns.append(values)
            offset += values.shape[1]
    record["stride"], record["uv_sets"] = offset, len(data.uvs)
    record["targets"] = len(data.targets)
    record["vertices"], record["triangles"] = len(data.positions), len(data.triangles)
    return record, np.concatenate(columns, axis=1, dtype=np.float32)


def _influences(skin: SkinData) -> UInt32:
    """Return where each vertex's influences begin and how many it has, then its weights, then its joints, two a word.

    Influences of weight 0 are left out: they add nothing. The others keep their order.
    """
    bound = skin.weights != 0
    counts = np.count_nonzero(bound, axis=1)
    words = counts + (counts + 1) // 2
    starts = 2 * len(counts) + np.cumsum(words) - words
    packed = np.zeros(2 * len(counts) + int(words.sum()), np.uint32)
    packed[: 2 * len(counts)] = np.stack([starts, counts], axis=1).ravel()
    rows, sets = np.nonzero(bound)
    place = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
    packed[starts[rows] + place] = skin.weights[rows, sets].view(np.uint32)
    halves = packed.view("<u2")
    halves[2 * (starts + counts)[rows] + place] = skin.joints[rows, sets]
    return packed


def _deltas(data: MeshData) -> Float32:
    """Return the deltas of all targets, (M, V, 9) float32: position, normal, tangent; zero where a target lacks one."""
    deltas = np.zeros((len(data.targets), len(data.positions), 9), np.float32)
    for target, of_target in zip(data.targets, deltas, strict=True):
        for first, values in ((0, target.positions), (3, target.normals), (6, target.tangents)):
            if values is not None:
                of_target[:, first : first + 3] = values
    return deltas
