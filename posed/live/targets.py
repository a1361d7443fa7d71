"""What passes draw into, kept while the size stays, and the way back to arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.live.device import Gpu
from posed.live.passes import DEPTH_FORMAT, FORMAT_BYTES, Pass

ROW_ALIGNMENT = 256
"""Bytes: rows of a texture that is copied to a buffer begin at multiples of this (WebGPU, section 13.5)."""


class Targets:
    """The textures of one picture size and the buffer they are read through."""

    def __init__(self, gpu: Gpu, size: tuple[int, int]) -> None:
        self.size = size
        self._gpu = gpu
        self._colors: dict[str, Any] = {}
        self._formats: dict[str, str] = {}
        self._depth = self._texture(DEPTH_FORMAT)
        self._staging: Any = None

    def attachments(self, one: Pass) -> dict[str, Any]:
        """Return the attachments of a pass, cleared to a miss: zeros, and infinity in the depth layer."""
        return {
            "color_attachments": [
                {
                    "view": self._color(layer, form).create_view(),
                    "load_op": "clear",
                    "store_op": "store",
                    "clear_value": (np.inf if layer == "depth" else 0.0, 0.0, 0.0, 0.0),
                }
                for layer, form in one.targets
            ],
            "depth_stencil_attachment": {
                "view": self._depth.create_view(),
                "depth_clear_value": 0.0,
                "depth_load_op": "clear",
                "depth_store_op": "discard",
            },
        }

    def colored(self, layer: str, form: str) -> dict[str, Any]:
        """Return the attachments of a pass that writes one layer, cleared to zeros, and leaves its depth."""
        return {
            "color_attachments": [
                {
                    "view": self._color(layer, form).create_view(),
                    "load_op": "clear",
                    "store_op": "store",
                    "clear_value": (0.0, 0.0, 0.0, 0.0),
                }
            ],
            "depth_stencil_attachment": {
                "view": self._depth.create_view(),
                "depth_clear_value": 0.0,
                "depth_load_op": "clear",
                "depth_store_op": "store",
            },
        }

    def read(self, encoder: Any, layers: Sequence[str]) -> dict[str, AnyArray]:
        """Submit `encoder`, wait, and return `layers` as (H, W) or (H, W, C) arrays."""
        import wgpu

        width, height = self.size
        places: dict[str, tuple[int, int]] = {}
        end = 0
        for layer in layers:
            pitch = -(-width * FORMAT_BYTES[self._formats[layer]] // ROW_ALIGNMENT) * ROW_ALIGNMENT
            places[layer] = end, pitch
            end += pitch * height
        if self._staging is None or self._staging.size < end:
            usage = wgpu.BufferUsage
            self._staging = self._gpu.device.create_buffer(size=end, usage=usage.MAP_READ | usage.COPY_DST)
        for layer, (offset, pitch) in places.items():
            encoder.copy_texture_to_buffer(
                {"texture": self._colors[layer]},
                {"buffer": self._staging, "offset": offset, "bytes_per_row": pitch, "rows_per_image": height},
                (width, height, 1),
            )
        self._gpu.queue.submit([encoder.finish()])
        self._staging.map_sync("READ", 0, end)
        try:
            data = np.frombuffer(self._staging.read_mapped(0, end), np.uint8)
        finally:
            self._staging.unmap()
        return {layer: self._unpad(layer, data[offset:], pitch) for layer, (offset, pitch) in places.items()}

    def _unpad(self, layer: str, data: AnyArray, pitch: int) -> AnyArray:
        width, height = self.size
        form = self._formats[layer]
        rows = data[: pitch * height].reshape(height, pitch)[:, : width * FORMAT_BYTES[form]]
        element = np.uint32 if form.endswith("uint") else np.float32
        picture = np.ascontiguousarray(rows).view(element)
        return picture if FORMAT_BYTES[form] == 4 else picture.reshape(height, width, -1)

    def _color(self, layer: str, form: str) -> Any:
        if layer not in self._colors:
            self._colors[layer], self._formats[layer] = self._texture(form), form
        return self._colors[layer]

    def _texture(self, form: str) -> Any:
        import wgpu

        usage = wgpu.TextureUsage
        return self._gpu.device.create_texture(
            size=(*self.size, 1),
            format=form,
            usage=usage.RENDER_ATTACHMENT | (0 if form == DEPTH_FORMAT else usage.COPY_SRC),
        )
