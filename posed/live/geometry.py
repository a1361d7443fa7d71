"""Static geometry on the device: one primitive uploaded once, whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posed.arrays import AnyArray, Float32, UInt32
from posed.errors import PosedError
from posed.gltf.mesh import Primitive
from posed.live import layout
from posed.live.bounds import RestBounds, rest_bounds
from posed.live.device import DEFAULT_LIMITS, Gpu


@dataclass(frozen=True, eq=False)
class Geometry:
    """A primitive's buffers, bound as group 1; they are freed with this object.

    `corners` is the index buffer of 3 `triangles` indices. `flat` says that the file has no normals, so that the posed
    triangles give them.
    """

    group: Any
    corners: Any
    vertices: int
    triangles: int
    skinned: bool
    flat: bool
    bounds: RestBounds


def upload_geometry(gpu: Gpu, primitive: Primitive, skinned: bool) -> Geometry:
    """Return `primitive` on the device.

    Parameters
    ----------
    gpu
        The device.
    primitive
        At least one vertex and one triangle.
    skinned
        Whether a palette poses it; a primitive with joints may also stand on a node without a skin.

    Raises
    ------
    PosedError
        One of its buffers passes what WebGPU guarantees.
    """
    import wgpu

    usage = wgpu.BufferUsage
    record, attributes = _attributes(primitive)
    record["skinned"] = skinned
    parts = {
        "attributes": attributes,
        "influences": _influences(primitive) if skinned else np.zeros(0, np.uint32),
        "morph deltas": _deltas(primitive),
        "triangles": np.ascontiguousarray(primitive.triangles, np.uint32),
    }
    limit = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
    for name, array in parts.items():
        if array.nbytes > limit:
            raise PosedError(
                f"primitive {primitive.index}: its {name} take {array.nbytes} bytes on the device, at most {limit} fit "
                "a binding of the live renderer: split the mesh"
            )
    uniform = layout.create_buffer(gpu, record.reshape(1), usage.UNIFORM)
    storages = [
        layout.create_buffer(gpu, array, usage.STORAGE | (usage.INDEX if name == "triangles" else 0))
        for name, array in parts.items()
    ]
    return Geometry(
        group=layout.bind(gpu, layout.layouts(gpu).geometry, uniform, *storages),
        corners=storages[3],
        vertices=len(primitive.positions),
        triangles=len(primitive.triangles),
        skinned=skinned,
        flat=primitive.normals is None,
        bounds=rest_bounds(primitive, skinned),
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
