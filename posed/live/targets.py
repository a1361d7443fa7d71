"""What passes draw into, kept while the size stays, and the way back to arrays."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from posed.arrays import AnyArray
from posed.live.device import Gpu
from posed.live.passes import DEPTH_FORMAT, Pass, Target
from posed.live.readback import Readback, Region


class Targets:
    """The textures of one picture size and the way they are read."""

    def __init__(self, gpu: Gpu, size: tuple[int, int]) -> None:
        self.size = size
        self._gpu = gpu
        self._colors: dict[str, Any] = {}
        self._views: dict[str, Any] = {}
        self._depth = self._texture(DEPTH_FORMAT)
        self.depth = self._depth.create_view()
        self._attachments: dict[str, dict[str, Any]] = {}
        self._readback = Readback(gpu)

    def attachments(self, one: Pass) -> dict[str, Any]:
        """Return the attachments of a pass, cleared to where nothing is seen."""
        if one.name not in self._attachments:
            self._attachments[one.name] = {
                "color_attachments": [
                    {
                        "view": self.view(target),
                        "load_op": "clear",
                        "store_op": "store",
                        "clear_value": target.miss,
                    }
                    for target in one.targets
                ],
                "depth_stencil_attachment": {
                    "view": self.depth,
                    "depth_clear_value": 0.0,
                    "depth_load_op": "clear",
                    "depth_store_op": "store" if one.keeps_depth else "discard",
                },
            }
        return self._attachments[one.name]

    def view(self, target: Target) -> Any:
        """Return the view of a target's texture, which is made when it is first asked for."""
        if target.name not in self._views:
            self._colors[target.name] = self._texture(target.form)
            self._views[target.name] = self._colors[target.name].create_view()
        return self._views[target.name]

    def read(self, encoder: Any, regions: Mapping[Target, Region]) -> AbstractContextManager[list[AnyArray]]:
        """Submit `encoder`; return what waits and gives regions of targets to a block of code: see `Readback.read`."""
        textures = [(self._colors[target.name], target.form, region) for target, region in regions.items()]
        return self._readback.read(encoder, textures)

    def _texture(self, form: str) -> Any:
        import wgpu

        usage = wgpu.TextureUsage
        return self._gpu.device.create_texture(
            size=(*self.size, 1),
            format=form,
            usage=usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING | (0 if form == DEPTH_FORMAT else usage.COPY_SRC),
        )
