"""Posed vertices read back: the vertex stage's own WGSL function, run as a computation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posed.arrays import Float32
from posed.live import layout
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.meshes import Mesh
from posed.live.passes import reading_pipeline

WORKGROUP = 64
"""Vertices that one workgroup of read_vertices.wgsl poses."""

STEP = WORKGROUP * DEFAULT_LIMITS["max-compute-workgroups-per-dimension"]
"""Vertices that one dispatch poses at most."""


@dataclass(frozen=True, eq=False)
class PosedVertices:
    """What the device made of one part's vertices, in the file's order.

    positions (V, 3) float32 are in the object's space where a palette poses the part, else in the primitive's own;
    normals (V, 3) and tangents (V, 4) are unit length, zero where the file has none.
    """

    positions: Float32
    normals: Float32
    tangents: Float32


def read_vertices(gpu: Gpu, frame_group: Any, mesh: Mesh, instance: int) -> PosedVertices:
    """Return the posed vertices of `mesh` as the `instance` of the frame bound by `frame_group` has them."""
    import wgpu

    usage = wgpu.BufferUsage
    posed = gpu.device.create_buffer(size=40 * mesh.vertices, usage=usage.STORAGE | usage.COPY_SRC)
    encoder = gpu.device.create_command_encoder()
    for first in range(0, mesh.vertices, STEP):
        record = np.array([(instance, first, 0)], layout.READING)
        reading = layout.create_buffer(gpu, record, usage.UNIFORM)
        compute = encoder.begin_compute_pass()
        compute.set_pipeline(reading_pipeline(gpu))
        compute.set_bind_group(0, frame_group)
        compute.set_bind_group(1, mesh.page.group)
        compute.set_bind_group(2, layout.bind(gpu, layout.layouts(gpu).reading, reading, posed))
        compute.dispatch_workgroups(-(-min(STEP, mesh.vertices - first) // WORKGROUP))
        compute.end()
    gpu.queue.submit([encoder.finish()])
    rows = np.frombuffer(gpu.queue.read_buffer(posed), np.float32).reshape(-1, 10)
    return PosedVertices(rows[:, :3].copy(), rows[:, 3:6].copy(), rows[:, 6:].copy())
