"""Environment images on the device, uploaded once and kept while their environment lives."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from posed.errors import PosedError
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.scene.lights import Environment


class Panoramas:
    """The radiance of environments as textures."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._views: WeakKeyDictionary[Environment, Any] = WeakKeyDictionary()
        self._none = self._texture(1, 1).create_view()

    def view(self, environment: Environment) -> Any:
        """Return a view of an environment's image, of one texel of nothing where it has none.

        Raises
        ------
        PosedError
            The image is larger than a texture may be.
        """
        if environment.image is None:
            return self._none
        found = self._views.get(environment)
        if found is None:
            found = self._views[environment] = self._upload(environment).create_view()
        return found

    def _upload(self, environment: Environment) -> Any:
        radiance = environment.radiance
        height, width = radiance.shape[:2]
        largest = DEFAULT_LIMITS["max-texture-dimension-2d"]
        if max(width, height) > largest:
            raise PosedError(
                f"the environment's image is {width}x{height}: the live renderer takes {largest} texels a side, make "
                "it smaller"
            )
        texels = np.ones((height, width, 4), np.float32)
        texels[..., :3] = radiance
        texture = self._texture(width, height)
        pitch = {"bytes_per_row": 16 * width, "rows_per_image": height}
        self._gpu.queue.write_texture({"texture": texture}, texels, pitch, (width, height, 1))
        return texture

    def _texture(self, width: int, height: int) -> Any:
        import wgpu

        usage = wgpu.TextureUsage
        return self._gpu.device.create_texture(
            size=(width, height, 1), format="rgba32float", usage=usage.TEXTURE_BINDING | usage.COPY_DST
        )
