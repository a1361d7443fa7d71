"""What passes draw into, kept while the size stays, and the way back to arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.live.device import Gpu
from posed.live.passes import DEPTH_FORMAT, Pass
from posed.live.readback import Readback, Region


class Targets:
    """The textures of one picture size and the way they are read."""

    def __init__(self, gpu: Gpu, size: tuple[int, int]) -> None:
        self.size = size
        self._gpu = gpu
        self._colors: dict[str, Any] = {}
        self._views: dict[str, Any] = {}
        self._formats: dict[str, str] = {}
        self._depth = self._texture(DEPTH_FORMAT)
        self.depth = self._depth.create_view()
        self._attachments: dict[str, dict[str, Any]] = {}
        self._readback = Readback(gpu)

    def attachments(self, one: Pass) -> dict[str, Any]:
        """Return the attachments of a pass, cleared to a miss: zeros, and infinity in the depth layer."""
        if one.name not in self._attachments:
            self._attachments[one.name] = {
                "color_attachments": [
                    {
                        "view": self.view(layer, form),
                        "load_op": "clear",
                        "store_op": "store",
                        "clear_value": (np.inf if layer == "depth" else 0.0, 0.0, 0.0, 0.0),
                    }
                    for layer, form in one.targets
                ],
                "depth_stencil_attachment": {
                    "view": self.depth,
                    "depth_clear_value": 0.0,
                    "depth_load_op": "clear",
                    "depth_store_op": "store" if one.keeps_depth else "discard",
                },
            }
        return self._attachments[one.name]

    def view(self, layer: str, form: str) -> Any:
        """Return the view of a layer's texture, which is made when it is first asked for."""
        if layer not in self._views:
            self._colors[layer], self._formats[layer] = self._texture(form), form
            self._views[layer] = self._colors[layer].create_view()
        return self._views[layer]

    @contextmanager
    def read(self, encoder: Any, layers: Mapping[str, Region]) -> Iterator[dict[str, AnyArray]]:
        """Submit `encoder`, wait, and give a region of each of some layers, (H, W) or (H, W, C), to a block of code.

        They are views of the device's memory, to be copied before the block ends.
        """
        textures = [(self._colors[layer], self._formats[layer], region) for layer, region in layers.items()]
        with self._readback.read(encoder, textures) as pictures:
            yield dict(zip(layers, pictures, strict=True))

    def _texture(self, form: str) -> Any:
        import wgpu

        usage = wgpu.TextureUsage
        return self._gpu.device.create_texture(
            size=(*self.size, 1),
            format=form,
            usage=usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING | (0 if form == DEPTH_FORMAT else usage.COPY_SRC),
        )
