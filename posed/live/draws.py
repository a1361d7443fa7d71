"""Draws: instances that share a mesh go to the device in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from posed.arrays import Int8
from posed.live.device import Gpu
from posed.live.materials import Look, MaterialPage
from posed.live.meshes import Mesh
from posed.live.passes import UNSHARED, Pass, pipeline, vertex_kind
from posed.live.readback import Region
from posed.live.targets import Targets


class Kept(NamedTuple):
    """What culling has left of a draw: buffers of its `corners`, of the `run` of instances that they are counted in,
    which is at an `offset`, and of the `arguments` of the device's own draw."""

    corners: Any
    run: Any
    offset: int
    arguments: Any


@dataclass(frozen=True, eq=False)
class Draw:
    """`count` instances from `first` on that show `mesh`, with materials of one page and look.

    `hidden` is the side, "front" or "back" where counter-clockwise is the front, that shows nowhere, or "none". All of
    their triangles are drawn, or what culling has `kept`.
    """

    mesh: Mesh
    materials: MaterialPage
    look: Look
    first: int
    count: int
    hidden: str = "none"
    kept: Kept | None = None

    def kind(self, gpu: Gpu, one: Pass) -> str:
        """Return which vertex stage a pass draws it with."""
        return vertex_kind(gpu, one, flat=self.mesh.flat, kept=self.kept is not None)


def group_draws(shown: Sequence[tuple[Mesh, MaterialPage, Look]]) -> tuple[list[Draw], list[int]]:
    """Return the draws of all instances, and the order in which their records make each draw contiguous.

    `shown` has one entry an instance. Draws of the same pages follow each other; within, they come in the order of
    their first instance, instances in their own.
    """
    kinds: dict[tuple[int, int], dict[tuple[int, Look], list[int]]] = {}
    for index, (mesh, materials, look) in enumerate(shown):
        kinds.setdefault((id(mesh.page), id(materials)), {}).setdefault((id(mesh), look), []).append(index)
    draws: list[Draw] = []
    order: list[int] = []
    for meshes in kinds.values():
        for indices in meshes.values():
            draws.append(Draw(*shown[indices[0]], len(order), len(indices)))
            order.extend(indices)
    return draws, order


HIDDEN = {1: "back", -1: "front"}
"""The side that is not seen of one-sided surfaces that face 1 or -1; see `posed.live.facing`."""


def hide_backs(draws: Sequence[Draw], facing: Int8) -> list[Draw]:
    """Return `draws` with the sides that do not show; `facing` (N,) is what is known of each of their instances."""
    if not draws:
        return []
    firsts = np.array([draw.first for draw in draws])
    lowest, highest = np.minimum.reduceat(facing, firsts), np.maximum.reduceat(facing, firsts)
    known = np.where(lowest == highest, lowest, 0).tolist()
    return [
        replace(draw, hidden=HIDDEN[side]) if side and not draw.look.double_sided else draw
        for draw, side in zip(draws, known, strict=True)
    ]


class DrawRecorder:
    """Records draws in a render pass, and only those changes of state that a draw needs."""

    def __init__(self, render: Any, frame_group: Any) -> None:
        self._render = render
        self._pipeline: Any = None
        self._page: Any = None
        self._indices: Any = None
        self._materials: Any = None
        render.set_bind_group(0, frame_group)

    def record(self, draw: Draw, pipeline: Any, *, unshared: bool) -> None:
        """Record `draw` by a pipeline, whose vertex stage is asked for corners where triangles are `unshared`."""
        render, mesh = self._render, draw.mesh
        if pipeline is not self._pipeline:
            self._pipeline = pipeline
            render.set_pipeline(pipeline)
        if mesh.page is not self._page:
            self._page = mesh.page
            render.set_bind_group(1, mesh.page.group)
        if draw.materials is not self._materials:
            self._materials = draw.materials
            render.set_bind_group(2, draw.materials.group)
        indices = mesh.page.indices.buffer if draw.kept is None else draw.kept.corners
        if indices is not self._indices:
            self._indices = indices
            render.set_index_buffer(indices, "uint32")
        if draw.kept is not None:
            render.set_vertex_buffer(0, draw.kept.run, draw.kept.offset)
            render.draw_indexed_indirect(draw.kept.arguments, 0)
        elif unshared:
            render.draw(3 * mesh.triangles, draw.count, 0, draw.first)
        else:
            render.draw_indexed(3 * mesh.triangles, draw.count, mesh.first_corner, 0, draw.first)


def encode_pass(
    gpu: Gpu,
    encoder: Any,
    one: Pass,
    targets: Targets,
    frame_group: Any,
    draws: Sequence[Draw],
    region: Region | None = None,
) -> None:
    """Record one pass over all draws, in the whole picture or in a region of it."""
    render = encoder.begin_render_pass(**targets.attachments(one))
    if region is not None:
        render.set_scissor_rect(*region)
    recorder = DrawRecorder(render, frame_group)
    for draw in draws:
        kind = draw.kind(gpu, one)
        made = pipeline(gpu, one, kind, draw.look.textured, draw.look.cut, draw.hidden)
        recorder.record(draw, made, unshared=kind in UNSHARED)
    render.end()
