"""What is seen through: blended and transmissive surfaces, a list of them a pixel, laid over what is opaque in order.

Surfaces that are drawn back to front part by part come in the wrong order wherever two of one part lie behind each
other. So every fragment is kept, and each pixel puts its own in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from posed.errors import PosedError
from posed.live import layout, shaders
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.draws import Draw, DrawRecorder
from posed.live.growing import Growing
from posed.live.passes import DEPTH_FORMAT, UNSHARED, Pass, vertex_stage
from posed.live.shading import Counts, Shading
from posed.live.targets import Targets

LIMIT = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
"""Bytes of the lists, and of their fragments."""

NODE = 48
"""Bytes of a fragment: NODE of through.wgsl."""

HEADER = 16
"""Bytes before the lists of the pixels: HEADS of through.wgsl."""

FEWEST = 1 << 16
"""Fragments that there is room for at first."""

FORMAT = "rgba32float"

JOINING = Pass("join", (), normals=True, numbered=True)
"""The pass that makes the lists; it writes no layer."""


class Lit(NamedTuple):
    """What shines: the resources that shading binds first in group 3, and what is known of them beforehand."""

    resources: tuple[Any, ...]
    counts: Counts


class Through:
    """Lists of fragments on a device. They grow to what a frame needs; what no binding holds is drawn in bands."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._lists, self._nodes = (Growing(gpu, "STORAGE", "COPY_DST", "COPY_SRC") for _ in range(2))
        layouts = layout.layouts(gpu)
        self._joining, self._ordering = layout.Bindings(gpu, layouts.through), layout.Bindings(gpu, layouts.order)

    def draw(
        self,
        encoder: Any,
        targets: Targets,
        frame_group: Any,
        lit: Lit,
        draws: Sequence[Draw],
        behind: Any,
        color: Any,
    ) -> Any:
        """Submit `encoder`, which records what is opaque, draw what is seen through and lay it over that.

        Parameters
        ----------
        encoder
            The frame's.
        targets
            Whose depth says what is hidden.
        frame_group, lit
            Bind group 0, and what shines.
        draws
            What is seen through.
        behind, color
            Views of what is opaque and of what is written.

        Returns
        -------
        encoder
            What to record further passes with.

        Raises
        ------
        PosedError
            The fragments of one row of pixels pass what a binding holds.
        """
        width, height = targets.size
        rows = min(height, (LIMIT - HEADER) // 4 // width)
        first = 0
        while first < height:
            rows = min(rows, height - first)
            band = first, rows
            lists, nodes = self._lists.at_least(HEADER + 4 * width * rows), self._nodes.at_least(NODE * FEWEST)
            room = nodes.size // NODE
            header = np.array([0, room, first, 0], np.uint32)
            self._gpu.queue.write_buffer(lists, 0, header)
            encoder.clear_buffer(lists, HEADER, 4 * width * rows)
            self._join(encoder, targets, frame_group, lit, draws, band)
            self._lay_over(encoder, width, behind, color, band)
            self._gpu.queue.submit([encoder.finish()])
            encoder = self._gpu.device.create_command_encoder()
            used = int(np.frombuffer(self._gpu.queue.read_buffer(lists, 0, 4), np.uint32)[0])
            if used <= room:
                first += rows
            elif used * NODE <= LIMIT:
                self._nodes.at_least(min(2 * NODE * used, LIMIT))
            elif rows > 1:
                self._nodes.at_least(LIMIT // NODE * NODE)
                rows = max(rows // 2, 1)
            else:
                raise PosedError(
                    f"{used} surfaces are seen through in row {first} of the picture: the live renderer keeps "
                    f"{LIMIT // NODE} a row, draw a smaller picture"
                )
        return encoder

    def _join(
        self,
        encoder: Any,
        targets: Targets,
        frame_group: Any,
        lit: Lit,
        draws: Sequence[Draw],
        band: tuple[int, int],
    ) -> None:
        attachment = {"view": targets.depth, "depth_read_only": True}
        render = encoder.begin_render_pass(color_attachments=[], depth_stencil_attachment=attachment)
        render.set_scissor_rect(0, band[0], targets.size[0], band[1])
        recorder = DrawRecorder(render, frame_group)
        render.set_bind_group(
            3, self._joining.group(*lit.resources, self._lists.buffer, self._nodes.buffer, targets.depth)
        )
        for draw in draws:
            kind = draw.kind(self._gpu, JOINING)
            pipeline = _joining_pipeline(self._gpu, kind, Shading.of(draw.look, lit.counts), draw.hidden)
            recorder.record(draw, pipeline, unshared=kind in UNSHARED)
        render.end()

    def _lay_over(self, encoder: Any, width: int, behind: Any, color: Any, band: tuple[int, int]) -> None:
        attachment = {"view": color, "load_op": "load" if band[0] else "clear", "store_op": "store"}
        render = encoder.begin_render_pass(color_attachments=[attachment])
        render.set_scissor_rect(0, band[0], width, band[1])
        render.set_pipeline(_ordering_pipeline(self._gpu))
        render.set_bind_group(0, self._ordering.group(self._lists.buffer, self._nodes.buffer, behind))
        render.draw(3)
        render.end()


@cache
def _joining_pipeline(gpu: Gpu, kind: str, shading: Shading, hidden: str) -> Any:
    layouts = layout.layouts(gpu)
    module = _joining_module(gpu)
    return gpu.device.create_render_pipeline(
        label=f"{kind} through",
        layout=gpu.device.create_pipeline_layout(
            bind_group_layouts=[layouts.frame, layouts.page, layouts.materials, layouts.through]
        ),
        vertex=vertex_stage(module, kind),
        primitive={"topology": "triangle-list", "front_face": "ccw", "cull_mode": hidden},
        depth_stencil={"format": DEPTH_FORMAT, "depth_write_enabled": False, "depth_compare": "greater"},
        fragment={
            "module": module,
            "entry_point": "join_unshared" if kind in UNSHARED else "join_shared",
            "constants": shading.constants,
            "targets": [],
        },
    )


@cache
def _joining_module(gpu: Gpu) -> Any:
    names = [*shaders.SHADING, "through"]
    if gpu.adapter.primitive_index:
        names.append("through_shared")
    return gpu.device.create_shader_module(label="through", code=shaders.source(*names))


@cache
def _ordering_pipeline(gpu: Gpu) -> Any:
    module = gpu.device.create_shader_module(label="order", code=shaders.source("order"))
    return gpu.device.create_render_pipeline(
        label="order",
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=[layout.layouts(gpu).order]),
        vertex={"module": module, "entry_point": "everywhere"},
        primitive={"topology": "triangle-list"},
        fragment={"module": module, "entry_point": "lay_over", "targets": [{"format": FORMAT}]},
    )
