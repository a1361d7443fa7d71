"""Buffers that are rewritten every frame and grow when a frame needs more."""

from __future__ import annotations

from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.live import layout
from posed.live.device import DEFAULT_LIMITS, Gpu


class FrameStream:
    """The frame's uniform, instances, palettes and morph weights, bound as group 0."""

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self._gpu = gpu
        self._usages = (usage.UNIFORM, usage.STORAGE, usage.STORAGE, usage.STORAGE)
        self._buffers: list[Any] = [None] * len(self._usages)
        self._group: Any = None

    def write(self, *arrays: AnyArray) -> Any:
        """Write the four arrays in the order of their bindings and return the bind group.

        Raises
        ------
        PosedError
            One is larger than a binding may be.
        """
        for i, array in enumerate(arrays):
            data = np.ascontiguousarray(array)
            self._fit(i, data.nbytes)
            if data.nbytes:
                self._gpu.queue.write_buffer(self._buffers[i], 0, data)
        if self._group is None:
            self._group = layout.bind(self._gpu, layout.layouts(self._gpu).frame, *self._buffers)
        return self._group

    def _fit(self, i: int, size: int) -> None:
        import wgpu

        limit = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
        if size > limit:
            raise PosedError(
                f"a frame's instances or palettes take {size} bytes on the device; at most {limit} fit a binding: draw "
                "fewer objects at once"
            )
        if self._buffers[i] is not None and self._buffers[i].size >= size:
            return
        capacity = min(1 << max(size - 1, 255).bit_length(), limit)
        usage = self._usages[i] | wgpu.BufferUsage.COPY_DST
        self._buffers[i] = self._gpu.device.create_buffer(size=capacity, usage=usage)
        self._group = None
