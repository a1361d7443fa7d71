"""Buffers that are made anew, without what they held, where a frame needs more than they have."""

from __future__ import annotations

from typing import Any

from posed.live.device import Gpu


class Growing:
    """A device buffer, None before it is first asked for. `usages` are names of `wgpu.BufferUsage`."""

    def __init__(self, gpu: Gpu, *usages: str) -> None:
        self._gpu, self._usages = gpu, usages
        self.buffer: Any = None

    def at_least(self, size: int) -> Any:
        """Return the buffer with `size` bytes or more."""
        import wgpu

        if self.buffer is None or self.buffer.size < size:
            usage = 0
            for name in self._usages:
                usage |= getattr(wgpu.BufferUsage, name)
            self.buffer = self._gpu.device.create_buffer(size=size, usage=usage)
        return self.buffer
