"""Meshes on the device: in as few buffers as hold them, each given back with its object.

One page is bound for a whole pass: drivers were seen to finish what was drawn before at each change of a bind group.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posed.errors import PosedError
from posed.live import layout, store
from posed.live.bounds import RestBounds, rest_bounds
from posed.live.device import Gpu
from posed.live.facing import Blends, blends_of
from posed.live.geometry import Packed, pack
from posed.live.mesh_data import MeshData, SkinData
from posed.live.store import Span, Store


class MeshPage:
    """Buffers that are bound together as group 1; that of `indices` is the index buffer too."""

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self._gpu = gpu
        self.geometries = Store(gpu, layout.GEOMETRY.itemsize, usage.STORAGE)
        self.attributes = Store(gpu, 4, usage.STORAGE)
        self.indices = Store(gpu, 4, usage.STORAGE | usage.INDEX)
        self.deltas = Store(gpu, 4, usage.STORAGE)
        self._bindings = layout.Bindings(gpu, layout.layouts(gpu).page)

    @property
    def group(self) -> Any:
        """The bind group."""
        stores = (self.geometries, self.attributes, self.indices, self.deltas)
        return self._bindings.group(*(one.buffer for one in stores))

    def upload(self, packed: Packed) -> tuple[Span, ...] | None:
        """Put a mesh into the buffers and return where it lies, its record first; None where it does not fit."""
        sizes = (1, packed.attributes.size, packed.indices.size, packed.deltas.size)
        stores = (self.geometries, self.attributes, self.indices, self.deltas)
        spans = []
        for one, size in zip(stores, sizes, strict=True):
            span = one.take(size)
            if span is None:
                return None
            spans.append(span)
        record = packed.record.copy()
        record["first_attribute"], record["first_influence"] = spans[1].first, spans[2].first
        record["first_corner"] += np.uint32(spans[2].first)
        record["first_strongest"] += np.uint32(spans[2].first) * (record["first_strongest"] != layout.ABSENT)
        record["first_delta"] = spans[3].first
        for one, span, data in zip(
            stores, spans, (record, packed.attributes, packed.indices, packed.deltas), strict=True
        ):
            one.write(span, data)
        return tuple(spans)


class Mesh:
    """A mesh on the device; what it takes there is given back when nothing refers to it any more.

    `vertices`, `triangles` and `targets` are counts; `joints` is the number of joints that a palette for it needs, 0
    where nothing skins it. `flat` says that it has no normals, so that the posed triangles give them; `framed` that it
    has normals and tangents, as a normal map needs.
    """

    page: MeshPage
    index: int
    first_corner: int
    vertices: int
    triangles: int
    joints: int
    targets: int
    flat: bool
    framed: bool
    bounds: RestBounds
    blends: Blends
    _spans: tuple[Span, ...]

    def hold(
        self, page: MeshPage, spans: tuple[Span, ...], packed: Packed, data: MeshData, skin: SkinData | None
    ) -> None:
        """Be `data`, which lies at `spans` of `page`."""
        self.page, self._spans = page, spans
        self.index = spans[0].first
        self.first_corner = spans[2].first + int(packed.record["first_corner"][0])
        self.vertices, self.triangles = len(data.positions), len(data.triangles)
        self.joints = 0 if skin is None else skin.joint_count
        self.targets, self.flat = len(data.targets), data.normals is None
        self.framed = not self.flat and data.tangents is not None
        self.bounds, self.blends = rest_bounds(data, skin), blends_of(skin)


class Meshes:
    """The pages of a device. `changes` counts the meshes that were uploaded or replaced."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self.changes = 0
        self._pages: list[MeshPage] = []

    def upload(self, data: MeshData, skin: SkinData | None, name: str) -> Mesh:
        """Return `data` on the device.

        Raises
        ------
        PosedError
            The two have other counts of vertices, or `name` alone passes what a binding holds.
        """
        mesh = Mesh()
        self.replace(mesh, data, skin, name)
        return mesh

    def replace(self, mesh: Mesh, data: MeshData, skin: SkinData | None, name: str) -> None:
        """Let `mesh` be `data` from now on; errors as for `upload`, and then it stays what it was."""
        if skin is not None and len(skin.joints) != len(data.positions):
            raise PosedError(f"{name}: {len(skin.joints)} vertices are bound, there are {len(data.positions)}")
        packed = pack(data, skin)
        _refuse_oversize(packed, name)
        self._pages = [page for page in self._pages if not page.geometries.empty]
        for page in self._pages:
            spans = page.upload(packed)
            if spans is not None:
                break
        else:
            page = MeshPage(self._gpu)
            self._pages.append(page)
            spans = page.upload(packed)
            assert spans is not None
        mesh.hold(page, spans, packed, data, skin)
        self.changes += 1


def _refuse_oversize(packed: Packed, name: str) -> None:
    for what, size in (
        ("vertices", packed.attributes.nbytes),
        ("influences and triangles", packed.indices.nbytes),
        ("morph targets", packed.deltas.nbytes),
    ):
        if size > store.LIMIT:
            raise PosedError(
                f"{name}: its {what} take {size} bytes on the device, at most {store.LIMIT} fit a binding of the live "
                "renderer: make them smaller"
            )
