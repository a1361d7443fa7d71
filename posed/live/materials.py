"""Materials on the device: factors, how the textures are read, and the textures themselves, each uploaded once."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.gltf.image import Image
from posed.gltf.material import Material, Texture
from posed.live import layout
from posed.live.device import DEFAULT_LIMITS, Gpu


class MaterialStore:
    """Materials and images of one device, by identity; an entry lives as long as what it was made from."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._groups: WeakKeyDictionary[Material, Any] = WeakKeyDictionary()
        self._images: WeakKeyDictionary[Image, Any] = WeakKeyDictionary()
        self._white = self._upload(np.full((1, 1, 4), 255, np.uint8))

    def group(self, material: Material) -> Any:
        """Return the bind group (group 2) of `material`."""
        group = self._groups.get(material)
        if group is None:
            group = self._groups[material] = self._bind(material)
        return group

    def _bind(self, material: Material) -> Any:
        import wgpu

        uniform = layout.create_buffer(self._gpu, material_record(material).reshape(1), wgpu.BufferUsage.UNIFORM)
        color = self._white if material.color_texture is None else self._image(material.color_texture.image)
        return layout.bind(self._gpu, layout.layouts(self._gpu).material, uniform, color.create_view())

    def _image(self, image: Image) -> Any:
        texture = self._images.get(image)
        if texture is None:
            height, width = image.texels.shape[:2]
            limit = DEFAULT_LIMITS["max-texture-dimension-2d"]
            if max(width, height) > limit:
                raise PosedError(
                    f'image "{image.name}" of {image.source} is {width} x {height}; the live renderer reads at most '
                    f"{limit} a side: scale it down"
                )
            texture = self._images[image] = self._upload(image.texels)
        return texture

    def _upload(self, texels: AnyArray) -> Any:
        import wgpu

        height, width = texels.shape[:2]
        texture = self._gpu.device.create_texture(
            size=(width, height, 1),
            format="rgba8unorm-srgb",
            usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
        )
        self._gpu.queue.write_texture(
            {"texture": texture},
            np.ascontiguousarray(texels),
            {"bytes_per_row": 4 * width, "rows_per_image": height},
            (width, height, 1),
        )
        return texture


def material_record(material: Material) -> AnyArray:
    """Return `material` as the shaders read it, one `layout.MATERIAL`."""
    record = np.zeros((), layout.MATERIAL)
    record["base_color"] = material.base_color
    record["alpha_mode"] = material.alpha_mode
    record["alpha_cutoff"] = material.alpha_cutoff
    record["double_sided"] = material.double_sided
    if material.color_texture is not None:
        record["color_use"] = _texture_use(material.color_texture)
    return record


def _texture_use(texture: Texture) -> AnyArray:
    use = np.zeros((), layout.TEXTURE_USE)
    use["row_s"][:3], use["row_t"][:3] = texture.transform
    use["uv_set"], use["linear"] = texture.uv, texture.linear
    use["wrap_s"], use["wrap_t"] = texture.wrap_s, texture.wrap_t
    return use
