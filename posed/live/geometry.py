"""Static geometry on the device: each primitive of a scene uploaded once, whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from posed.arrays import AnyArray, Float32, UInt32
from posed.errors import PosedError
from posed.gltf.mesh import Primitive
from posed.live import layout
from posed.live.bounds import RestBounds, rest_bounds
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.scene.description import Part, Scene

LIMIT = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
"""Bytes that a buffer may have."""


@dataclass(frozen=True, eq=False)
class Page:
    """Buffers that hold the primitives of a scene, bound as group 1 and freed with this object.

    `indices` is the index buffer.
    """

    group: Any
    indices: Any


@dataclass(frozen=True, eq=False)
class Geometry:
    """One primitive on the device.

    `index` is its record in the page's `geometries`, `first_corner` where its 3 `triangles` corners begin in the index
    buffer. `flat` says that the file has no normals, so that the posed triangles give them.
    """

    page: Page
    index: int
    first_corner: int
    vertices: int
    triangles: int
    flat: bool
    bounds: RestBounds


def upload_scene(gpu: Gpu, scene: Scene) -> dict[int, Geometry]:
    """Return the geometry of each part that has triangles, by part id.

    Primitives that several parts show are uploaded once; one that a palette poses here and a node there, twice. What
    does not fit one binding goes to several pages.

    Raises
    ------
    PosedError
        A single primitive passes what a binding holds.
    """
    drawn = [part for part in scene.parts if len(part.primitive.triangles)]
    distinct = list({(id(part.primitive), part.skinned): part for part in drawn}.values())
    made: dict[tuple[int, bool], Geometry] = {}
    page: list[_Packed] = []
    for part in distinct:
        packed = _pack(part)
        if any(size > LIMIT for size in _sizes([*page, packed])):
            made |= _upload(gpu, page)
            page = []
        page.append(packed)
    made |= _upload(gpu, page)
    return {part.id: made[id(part.primitive), part.skinned] for part in drawn}


@dataclass(frozen=True, eq=False)
class _Packed:
    """A primitive in the form of the buffers: its record, attributes, influences, corners and deltas."""

    part: Part
    record: AnyArray
    attributes: Float32
    influences: UInt32
    corners: UInt32
    deltas: Float32


def _pack(part: Part) -> _Packed:
    primitive = part.primitive
    record, attributes = _attributes(primitive)
    record["skinned"] = part.skinned
    packed = _Packed(
        part,
        record,
        attributes,
        _influences(primitive) if part.skinned else np.zeros(0, np.uint32),
        np.ascontiguousarray(primitive.triangles, np.uint32),
        _deltas(primitive),
    )
    if any(size > LIMIT for size in _sizes([packed])):
        raise PosedError(
            f'object "{part.object.name}", node {part.node}, primitive {primitive.index}: takes {max(_sizes([packed]))} '
            f"bytes in one buffer, at most {LIMIT} fit a binding of the live renderer: split the mesh"
        )
    return packed


def _sizes(page: list[_Packed]) -> tuple[int, int, int]:
    """Return the bytes of the three large buffers."""
    return (
        sum(one.attributes.nbytes for one in page),
        sum(one.influences.nbytes + one.corners.nbytes for one in page),
        sum(one.deltas.nbytes for one in page),
    )


def _upload(gpu: Gpu, packed: list[_Packed]) -> dict[tuple[int, bool], Geometry]:
    import wgpu

    usage = wgpu.BufferUsage
    attribute, index, delta = 0, 0, 0
    for one in packed:
        one.record["first_attribute"], one.record["first_delta"] = attribute, delta
        one.record["first_influence"], one.record["first_corner"] = index, index + one.influences.size
        attribute, delta = attribute + one.attributes.size, delta + one.deltas.size
        index += one.influences.size + one.corners.size
    words = [array.ravel() for one in packed for array in (one.influences, one.corners)]
    indices = layout.create_buffer(gpu, _joined(words, np.uint32), usage.STORAGE | usage.INDEX)
    group = layout.bind(
        gpu,
        layout.layouts(gpu).geometry,
        layout.create_buffer(gpu, _joined([one.record.reshape(1) for one in packed], layout.GEOMETRY), usage.STORAGE),
        layout.create_buffer(gpu, _joined([one.attributes.ravel() for one in packed], np.float32), usage.STORAGE),
        indices,
        layout.create_buffer(gpu, _joined([one.deltas.ravel() for one in packed], np.float32), usage.STORAGE),
    )
    page = Page(group, indices)
    return {
        (id(one.part.primitive), one.part.skinned): Geometry(
            page=page,
            index=number,
            first_corner=int(one.record["first_corner"]),
            vertices=len(one.part.primitive.positions),
            triangles=len(one.part.primitive.triangles),
            flat=one.part.primitive.normals is None,
            bounds=rest_bounds(one.part.primitive, one.part.skinned),
        )
        for number, one in enumerate(packed)
    }


def _joined(arrays: list[AnyArray], dtype: DTypeLike) -> AnyArray:
    return np.concatenate([np.zeros(0, dtype), *arrays])


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
