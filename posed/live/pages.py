"""Pages: a scene's geometry, materials and texels in as few buffers as fit, uploaded once.

One page is bound for a whole pass: drivers were seen to finish what was drawn before at each change of a bind group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.gltf.image import Image
from posed.gltf.material import Material
from posed.live import layout
from posed.live.bounds import RestBounds, rest_bounds
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.geometry import Packed, pack
from posed.live.materials import images_of, pack_materials, write_material
from posed.scene.description import Part, Scene

LIMIT = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
"""Bytes that a buffer may have."""


@dataclass(frozen=True, eq=False)
class Page:
    """Buffers bound as group 1 and freed with this object; `indices` is the index buffer.

    `materials` is the buffer of materials, `records` (M,) `layout.MATERIAL` what it holds, of which `shown` are the
    numbers, from 0, of those that this page shows.
    """

    group: Any
    indices: Any
    materials: Any
    records: AnyArray
    shown: tuple[int, ...]

    def show(self, gpu: Gpu, materials: Sequence[Material]) -> None:
        """Let the page show the scene's materials as they are now: the same textures, other factors."""
        records = self.records.copy()
        for number in self.shown:
            write_material(materials[number], records[number : number + 1])
        if records.tobytes() != self.records.tobytes():
            self.records[:] = records
            gpu.queue.write_buffer(self.materials, 0, records)


@dataclass(frozen=True, eq=False)
class Geometry:
    """A primitive on the device.

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
    """Return the geometry of each part that has triangles, by part id; every page has all materials it shows.

    Primitives that several parts show are uploaded once; one that a palette poses here and a node there, twice. What
    does not fit one binding goes to several pages.

    Raises
    ------
    PosedError
        A part and its textures alone pass what a binding holds.
    """
    drawn = [part for part in scene.parts if len(part.primitive.triangles)]
    kinds: dict[tuple[int, bool], list[Part]] = {}
    for part in drawn:
        kinds.setdefault((id(part.primitive), part.skinned), []).append(part)
    made: dict[int, Geometry] = {}
    page: list[tuple[Packed, list[Part]]] = []
    for parts in kinds.values():
        entry = pack(parts[0]), parts
        if max(_sizes([*page, entry]).values()) > LIMIT:
            made |= _upload(gpu, scene, page)
            page = []
        page.append(entry)
        _refuse_oversize(entry)
    return made | _upload(gpu, scene, page)


def _sizes(page: list[tuple[Packed, list[Part]]]) -> dict[str, int]:
    """Return the bytes of a page's large buffers."""
    images: dict[Image, int] = {}
    for _, parts in page:
        for part in parts:
            for image in images_of(part.material):
                images[image] = 4 * image.size[0] * image.size[1]
    return {
        "vertices": sum(one.attributes.nbytes for one, _ in page),
        "influences and triangles": sum(one.influences.nbytes + one.corners.nbytes for one, _ in page),
        "morph targets": sum(one.deltas.nbytes for one, _ in page),
        "textures": sum(images.values()),
    }


def _refuse_oversize(entry: tuple[Packed, list[Part]]) -> None:
    part = entry[0].part
    for what, size in _sizes([entry]).items():
        if size > LIMIT:
            raise PosedError(
                f'object "{part.object.name}", node {part.node}, primitive {part.primitive.index}: its {what} take '
                f"{size} bytes on the device, at most {LIMIT} fit a binding of the live renderer: make them smaller"
            )


def _upload(gpu: Gpu, scene: Scene, page: list[tuple[Packed, list[Part]]]) -> dict[int, Geometry]:
    import wgpu

    usage = wgpu.BufferUsage
    attribute, index, delta = 0, 0, 0
    for one, _ in page:
        one.record["first_attribute"], one.record["first_delta"] = attribute, delta
        one.record["first_influence"], one.record["first_corner"] = index, index + one.influences.size
        attribute, delta = attribute + one.attributes.size, delta + one.deltas.size
        index += one.influences.size + one.corners.size
    shown = {part.material_id for _, parts in page for part in parts}
    # Materials keep their numbers in every page; those of other pages are left empty there.
    records, texels = pack_materials([one for number, one in enumerate(scene.materials, 1) if number in shown])
    materials = np.zeros(len(scene.materials), layout.MATERIAL)
    materials[np.array(sorted(shown), np.intp) - 1] = records

    def buffer(arrays: list[AnyArray], dtype: DTypeLike, extra: int = 0) -> Any:
        joined = np.concatenate([np.zeros(0, dtype), *arrays])
        return layout.create_buffer(gpu, joined, usage.STORAGE | extra)

    packed = [one for one, _ in page]
    material_buffer = buffer([materials], layout.MATERIAL, usage.COPY_DST)
    indices = buffer([words for one in packed for words in (one.influences, one.corners)], np.uint32, usage.INDEX)
    group = layout.bind(
        gpu,
        layout.layouts(gpu).page,
        buffer([one.record.reshape(1) for one in packed], layout.GEOMETRY),
        buffer([one.attributes for one in packed], np.float32),
        indices,
        buffer([one.deltas for one in packed], np.float32),
        material_buffer,
        buffer([texels], np.uint32),
    )
    held = Page(group, indices, material_buffer, materials, tuple(sorted(number - 1 for number in shown)))
    made: dict[int, Geometry] = {}
    for number, (one, parts) in enumerate(page):
        primitive = one.part.primitive
        geometry = Geometry(
            page=held,
            index=number,
            first_corner=int(one.record["first_corner"]),
            vertices=len(primitive.positions),
            triangles=len(primitive.triangles),
            flat=primitive.normals is None,
            bounds=rest_bounds(primitive, one.part.skinned),
        )
        made |= {part.id: geometry for part in parts}
    return made
