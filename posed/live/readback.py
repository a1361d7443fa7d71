"""Textures on their way back to arrays, through a buffer that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

import numpy as np

from posed.arrays import AnyArray
from posed.live.device import Gpu

ROW_ALIGNMENT = 256
"""Bytes: rows of a texture that is copied to a buffer begin at multiples of this (WebGPU, section 13.5)."""

ELEMENTS = {
    "r32uint": (np.uint32, 1),
    "r32float": (np.float32, 1),
    "rg32float": (np.float32, 2),
    "rg32uint": (np.uint32, 2),
    "rgba16float": (np.float16, 4),
    "rgba32float": (np.float32, 4),
}
"""Format to the type and number of its channels."""


class Region(NamedTuple):
    """Texels of a texture: those of `width` columns from `x` on and `height` rows from `y` on."""

    x: int
    y: int
    width: int
    height: int


class Readback:
    """Reads textures of a device, one call after the other."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._staging: Any = None

    def read(self, encoder: Any, textures: Sequence[tuple[Any, str, Region]]) -> AbstractContextManager[list[AnyArray]]:
        """Submit `encoder`; return what waits, and gives regions of textures, each with its format, to a block of code.

        They are (h, w, channels), views of the device's memory: to be copied before the block ends. What is done
        before the block begins is done while the device draws.
        """
        import wgpu

        places: list[tuple[int, int]] = []
        end = 0
        for _, form, region in textures:
            pitch = -(-region.width * texel_bytes(form) // ROW_ALIGNMENT) * ROW_ALIGNMENT
            places.append((end, pitch))
            end += pitch * region.height
        if end and (self._staging is None or self._staging.size < end):
            usage = wgpu.BufferUsage
            self._staging = self._gpu.device.create_buffer(size=end, usage=usage.MAP_READ | usage.COPY_DST)
        for (texture, _, region), (offset, pitch) in zip(textures, places, strict=True):
            if not (region.width and region.height):
                continue
            encoder.copy_texture_to_buffer(
                {"texture": texture, "origin": (region.x, region.y, 0)},
                {"buffer": self._staging, "offset": offset, "bytes_per_row": pitch, "rows_per_image": region.height},
                (region.width, region.height, 1),
            )
        self._gpu.queue.submit([encoder.finish()])
        forms = [(form, region) for _, form, region in textures]
        return self._mapped(end, [(*one, *place) for one, place in zip(forms, places, strict=True)])

    @contextmanager
    def _mapped(self, end: int, layout: Sequence[tuple[str, Region, int, int]]) -> Iterator[list[AnyArray]]:
        """Wait, and give what was copied to a block of code: of each texture its format, region, offset and pitch."""
        if not end:
            yield [_texels(np.zeros(0, np.uint8), 0, form, region) for form, region, _, _ in layout]
            return
        # wgpu-py would submit once more before: there is nothing that was not (its own `read_buffer` maps so, too).
        self._staging.map_sync("READ_NOSYNC", 0, end)
        try:
            data = np.frombuffer(self._staging.read_mapped(0, end, copy=False), np.uint8)
            yield [_texels(data[offset:], pitch, form, region) for form, region, offset, pitch in layout]
        finally:
            self._staging.unmap()


def texel_bytes(form: str) -> int:
    """Return the bytes of a texel."""
    kind, channels = ELEMENTS[form]
    return np.dtype(kind).itemsize * channels


def _texels(data: AnyArray, pitch: int, form: str, region: Region) -> AnyArray:
    """Return the texels that begin `data`, without the bytes between one row and the next."""
    kind, channels = ELEMENTS[form]
    rows = data[: pitch * region.height].reshape(region.height, pitch)[:, : region.width * texel_bytes(form)]
    return rows.view(kind).reshape(region.height, region.width, channels)
