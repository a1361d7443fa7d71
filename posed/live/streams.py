"""Buffers that are rewritten every frame and grow when a frame needs more."""

from __future__ import annotations

from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.live import layout
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.skin_store import SkinStore


class FrameStream:
    """The frame's uniform and instances, bound as group 0 with the palettes and morph weights that pose them."""

    def __init__(self, gpu: Gpu, skins: SkinStore) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self._gpu, self._skins = gpu, skins
        self._usages = usage.UNIFORM, usage.STORAGE
        self._buffers: list[Any] = [None, None]
        self._bindings = layout.Bindings(gpu, layout.layouts(gpu).frame)

    def write(self, frame: AnyArray, records: AnyArray) -> Any:
        """Write the uniform, (1,) `layout.FRAME`, and the instances, (N,) `layout.INSTANCE`; return the bind group.

        Raises
        ------
        PosedError
            The instances are larger than a binding may be.
        """
        for i, array in enumerate((frame, records)):
            data = np.ascontiguousarray(array)
            self._fit(i, data.nbytes)
            if data.nbytes:
                self._gpu.queue.write_buffer(self._buffers[i], 0, data)
        return self._bindings.group(*self._buffers, self._skins.palettes.buffer, self._skins.morphs.buffer)

    def _fit(self, i: int, size: int) -> None:
        import wgpu

        limit = DEFAULT_LIMITS["max-storage-buffer-binding-size"]
        if size > limit:
            raise PosedError(
                f"a frame's instances take {size} bytes on the device; at most {limit} fit a binding: draw fewer "
                "objects at once"
            )
        if self._buffers[i] is None or self._buffers[i].size < size:
            capacity = min(1 << max(size - 1, 255).bit_length(), limit)
            usage = self._usages[i] | wgpu.BufferUsage.COPY_DST
            self._buffers[i] = self._gpu.device.create_buffer(size=capacity, usage=usage)
