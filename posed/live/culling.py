"""Culling: on the device, of a draw of more triangles than there are pixels, only those are drawn that may show.

A computation poses every vertex once and leaves out triangles that cannot cover a pixel's centre, that lie outside of
the picture, or whose backs face the camera and are not seen (Wihlidal, Optimizing the Graphics Pipeline with Compute,
GDC 2016). What is left is drawn in its order by the same vertex stage, so that a frame has the same bits as without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from posed.arrays import Float64
from posed.live import layout, shaders
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.draws import Draw, Kept
from posed.live.growing import Growing

LIMIT = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
"""Bytes of a piece's corners, and of its vertices' places."""

CORNERS, SPOT = 12, 16
"""Bytes of a triangle's corners and of a vertex's `Spot` of cull.wgsl."""

GROUP, PLACED = 256, 64
"""Triangles and vertices of a workgroup."""

MOST_INSTANCES = DEFAULT_LIMITS["max-compute-workgroups-per-dimension"]
"""Instances of a piece."""

HEAD = 32
"""Bytes of a draw's arguments before the counts."""


class Sight(NamedTuple):
    """How a picture is seen: what `clip_rows` returns, and its W, H in pixels."""

    clip: Float64
    reach: Float64
    size: tuple[int, int]


class Culling:
    """Leaves out triangles of draws on a device; `wanted` says of which: all, none, or with None those where it pays.

    It pays where an adapter has a rasterizer to spare, so not where the processor is one, and where a draw has more
    triangles than the picture has pixels. What is drawn in one piece has 128 MiB of corners at most.
    """

    def __init__(self, gpu: Gpu, wanted: bool | None) -> None:
        self._gpu, self._wanted = gpu, wanted
        self._spots = Growing(gpu, "STORAGE")
        self._left = Growing(gpu, "STORAGE")
        self._pieces: list[_Piece] = []
        self._used = 0

    def kept(
        self,
        encoder: Any,
        frame_group: Any,
        draws: Sequence[Draw],
        sight: Sight,
    ) -> list[Draw]:
        """Record what finds the triangles of `draws` that may be seen, and return the draws of these.

        Parameters
        ----------
        encoder, frame_group
            What records, and bind group 0.
        draws
            What is drawn.
        sight
            How they are seen.
        """
        done: list[Draw] = []
        pieces = 0
        compute = None
        for draw in draws:
            if not self._pays(draw, sight.size):
                done.append(draw)
                continue
            compute = compute or encoder.begin_compute_pass()
            for run in _pieces(draw):
                if pieces == len(self._pieces):
                    self._pieces.append(_Piece(self._gpu))
                done.append(self._encode(compute, frame_group, run, self._pieces[pieces], sight))
                pieces += 1
        if compute is not None:
            compute.end()
        self._used = pieces
        return done

    def left(self) -> int:
        """Wait for the device, and return how many triangles were left of those that it last looked at."""
        counts = [self._gpu.queue.read_buffer(one.counts.buffer, 0, 4) for one in self._pieces[: self._used]]
        return sum(int(np.frombuffer(count, np.uint32)[0]) // 3 for count in counts)

    def _pays(self, draw: Draw, size: tuple[int, int]) -> bool:
        if draw.mesh.triangles * CORNERS > LIMIT or draw.mesh.vertices * SPOT > LIMIT or not draw.mesh.triangles:
            return False
        if self._wanted is not None:
            return self._wanted
        return self._gpu.adapter.kind != "CPU" and draw.count * draw.mesh.triangles > size[0] * size[1]

    def _encode(
        self,
        compute: Any,
        frame_group: Any,
        draw: Draw,
        piece: _Piece,
        sight: Sight,
    ) -> Draw:
        mesh, total = draw.mesh, draw.count * draw.mesh.triangles
        groups = -(-total // GROUP)
        spots, left = self._spots.at_least(draw.count * mesh.vertices * SPOT), self._left.at_least(groups * GROUP // 8)
        counts, corners = piece.counts.at_least(HEAD + 4 * groups), piece.corners.at_least(total * CORNERS)
        record = np.zeros(1, layout.PIECE)
        record["clip"], record["reach"], record["size"] = sight
        record["first"], record["count"], record["triangles"] = draw.first, draw.count, mesh.triangles
        record["vertices"], record["first_corner"] = mesh.vertices, mesh.first_corner
        record["one_sided"] = not draw.look.double_sided
        self._gpu.queue.write_buffer(piece.record, 0, record)
        steps = _pipelines(self._gpu)
        compute.set_bind_group(1, mesh.page.group)
        compute.set_bind_group(0, frame_group)
        compute.set_bind_group(2, piece.placing.group(piece.record, spots))
        compute.set_pipeline(steps["find_spots"])
        compute.dispatch_workgroups(-(-mesh.vertices // PLACED), draw.count)
        compute.set_bind_group(0, piece.nothing)
        compute.set_bind_group(2, piece.sifting.group(piece.record, spots, left, counts, corners))
        for name, workgroups in (("sift", groups), ("add_up", 1), ("list_corners", groups)):
            compute.set_pipeline(steps[name])
            compute.dispatch_workgroups(workgroups)
        return replace(draw, kept=Kept(corners, piece.record, layout.RUN, counts))


class _Piece:
    """The buffers of one run of instances: its record, the arguments of its draw with the counts, and its corners."""

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage, layouts = wgpu.BufferUsage, layout.layouts(gpu)
        self.record = gpu.device.create_buffer(
            size=layout.PIECE.itemsize, usage=usage.UNIFORM | usage.VERTEX | usage.COPY_DST
        )
        self.counts, self.corners = Growing(gpu, "STORAGE", "INDIRECT", "COPY_SRC"), Growing(gpu, "STORAGE", "INDEX")
        self.placing, self.sifting = layout.Bindings(gpu, layouts.reading), layout.Bindings(gpu, layouts.sifting)
        self.nothing = layout.bind(gpu, layouts.nothing)


def _pieces(draw: Draw) -> Iterator[Draw]:
    """Yield runs of a draw's instances that fit into one piece."""
    most = min(LIMIT // (CORNERS * draw.mesh.triangles), LIMIT // (SPOT * draw.mesh.vertices), MOST_INSTANCES)
    for first in range(0, draw.count, most):
        yield replace(draw, first=draw.first + first, count=min(most, draw.count - first))


@cache
def _pipelines(gpu: Gpu) -> dict[str, Any]:
    layouts, device = layout.layouts(gpu), gpu.device
    module = device.create_shader_module(label="cull", code=shaders.source("frame", "geometry", "skinning", "cull"))
    placing = device.create_pipeline_layout(bind_group_layouts=[layouts.frame, layouts.page, layouts.reading])
    sifting = device.create_pipeline_layout(bind_group_layouts=[layouts.nothing, layouts.page, layouts.sifting])

    def made(name: str, bound: Any) -> Any:
        return device.create_compute_pipeline(label=name, layout=bound, compute={"module": module, "entry_point": name})

    steps = {name: made(name, sifting) for name in ("sift", "add_up", "list_corners")}
    return {"find_spots": made("find_spots", placing), **steps}
