"""Draws: parts that share geometry and material go to the device in one call, instance by instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from posed.gltf.material import Material
from posed.live.device import Gpu
from posed.live.geometry import Geometry
from posed.live.passes import Pass, pipeline
from posed.live.targets import Targets


@dataclass(frozen=True, eq=False)
class Draw:
    """`count` instances from `first` on that show `geometry` with `material`, bound as group 2."""

    geometry: Geometry
    material: Any
    first: int
    count: int


def group_draws(shown: list[tuple[Geometry, Material]]) -> tuple[list[tuple[Geometry, Material, int]], list[int]]:
    """Return (geometry, material, how many) for each kind of draw, and the order that makes instances contiguous.

    `shown` has one entry per instance; kinds come in the order of their first instance, instances in their own.
    """
    kinds: dict[tuple[int, int], list[int]] = {}
    for index, (geometry, material) in enumerate(shown):
        kinds.setdefault((id(geometry), id(material)), []).append(index)
    groups = [(*shown[indices[0]], len(indices)) for indices in kinds.values()]
    return groups, [index for indices in kinds.values() for index in indices]


def encode_pass(gpu: Gpu, encoder: Any, one: Pass, targets: Targets, frame_group: Any, draws: list[Draw]) -> None:
    """Record one pass over all draws."""
    render = encoder.begin_render_pass(**targets.attachments(one))
    render.set_bind_group(0, frame_group)
    page = None
    for draw in draws:
        geometry = draw.geometry
        unshared = one.flat or (one.normals and geometry.flat) or not gpu.adapter.primitive_index
        render.set_pipeline(pipeline(gpu, one, not unshared))
        if geometry.page is not page:
            page = geometry.page
            render.set_bind_group(1, page.group)
            render.set_index_buffer(page.indices, "uint32")
        render.set_bind_group(2, draw.material)
        if unshared:
            render.draw(3 * geometry.triangles, draw.count, 0, draw.first)
        else:
            render.draw_indexed(3 * geometry.triangles, draw.count, geometry.first_corner, 0, draw.first)
    render.end()
