"""Draws: parts that share geometry go to the device in one call, instance by instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from posed.live.device import Gpu
from posed.live.pages import Geometry
from posed.live.passes import Pass, pipeline
from posed.live.targets import Targets


@dataclass(frozen=True, eq=False)
class Draw:
    """`count` instances from `first` on that show `geometry`."""

    geometry: Geometry
    first: int
    count: int


def group_draws(shown: list[Geometry]) -> tuple[list[Draw], list[int]]:
    """Return the draws of all instances, and the order in which their records make each draw contiguous.

    `shown` has one entry an instance; draws come in the order of their first instance, instances in their own.
    """
    kinds: dict[int, list[int]] = {}
    for index, geometry in enumerate(shown):
        kinds.setdefault(id(geometry), []).append(index)
    draws: list[Draw] = []
    order: list[int] = []
    for indices in kinds.values():
        draws.append(Draw(shown[indices[0]], len(order), len(indices)))
        order.extend(indices)
    return draws, order


def encode_pass(gpu: Gpu, encoder: Any, one: Pass, targets: Targets, frame_group: Any, draws: list[Draw]) -> None:
    """Record one pass over all draws."""
    render = encoder.begin_render_pass(**targets.attachments(one))
    render.set_bind_group(0, frame_group)
    page = None
    for draw in draws:
        geometry = draw.geometry
        unshared = one.unshared or (one.normals and geometry.flat) or not gpu.adapter.primitive_index
        kind = "moving" if one.moving else ("unshared" if unshared else "shared")
        render.set_pipeline(pipeline(gpu, one, kind))
        if geometry.page is not page:
            page = geometry.page
            render.set_bind_group(1, page.group)
            render.set_index_buffer(page.indices, "uint32")
        if kind == "unshared":
            render.draw(3 * geometry.triangles, draw.count, 0, draw.first)
        else:
            render.draw_indexed(3 * geometry.triangles, draw.count, geometry.first_corner, 0, draw.first)
    render.end()
