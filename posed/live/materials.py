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

TEXTURES = (
    ("color", "rgba8unorm-srgb"),
    ("metallic_roughness", "rgba8unorm"),
    ("normal", "rgba8unorm"),
    ("emission", "rgba8unorm-srgb"),
)
"""A material's textures in the order of their bindings, and how their texels are stored."""


class MaterialStore:
    """Materials and images of one device, by identity; an entry lives as long as what it was made from."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._groups: WeakKeyDictionary[Material, Any] = WeakKeyDictionary()
        self._images: WeakKeyDictionary[Image, dict[str, Any]] = WeakKeyDictionary()
        self._white = self._upload(np.full((1, 1, 4), 255, np.uint8), "rgba8unorm")

    def group(self, material: Material) -> Any:
        """Return the bind group (group 2) of `material`."""
        group = self._groups.get(material)
        if group is None:
            group = self._groups[material] = self._bind(material)
        return group

    def _bind(self, material: Material) -> Any:
        import wgpu

        uniform = layout.create_buffer(self._gpu, material_record(material).reshape(1), wgpu.BufferUsage.UNIFORM)
        views = []
        for name, form in TEXTURES:
            texture = _texture_of(material, name)
            image = self._white if texture is None else self._image(texture.image, form)
            views.append(image.create_view())
        return layout.bind(self._gpu, layout.layouts(self._gpu).material, uniform, *views)

    def _image(self, image: Image, form: str) -> Any:
        uploaded = self._images.setdefault(image, {})
        if form not in uploaded:
            height, width = image.texels.shape[:2]
            limit = DEFAULT_LIMITS["max-texture-dimension-2d"]
            if max(width, height) > limit:
                raise PosedError(
                    f'image "{image.name}" of {image.source} is {width} x {height}; the live renderer reads at most '
                    f"{limit} a side: scale it down"
                )
            uploaded[form] = self._upload(image.texels, form)
        return uploaded[form]

    def _upload(self, texels: AnyArray, form: str) -> Any:
        import wgpu

        height, width = texels.shape[:2]
        texture = self._gpu.device.create_texture(
            size=(width, height, 1),
            format=form,
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
    for name in (
        "base_color",
        "metallic",
        "roughness",
        "transmission",
        "unlit",
        "alpha_mode",
        "alpha_cutoff",
        "double_sided",
    ):
        record[name] = getattr(material, name)
    record["emission"][:3] = material.emission
    # An index of refraction of 0 stands for an infinite one (KHR_materials_ior).
    normal_incidence = ((material.ior - 1.0) / (material.ior + 1.0)) ** 2 if material.ior > 0.0 else 1.0
    record["reflectance"] = min(normal_incidence, 1.0) * material.specular
    record["grazing"] = material.specular
    for name, _ in TEXTURES:
        texture = _texture_of(material, name)
        if texture is not None:
            record[f"{name}_use"] = _texture_use(texture)
    return record


def _texture_of(material: Material, name: str) -> Texture | None:
    texture: Texture | None = getattr(material, f"{name}_texture")
    return texture


def _texture_use(texture: Texture) -> AnyArray:
    use = np.zeros((), layout.TEXTURE_USE)
    use["row_s"][:3], use["row_t"][:3] = texture.transform
    use["uv_set"], use["linear"], use["present"] = texture.uv, texture.linear, 1
    use["wrap_s"], use["wrap_t"] = texture.wrap_s, texture.wrap_t
    use["scale"] = texture.scale
    return use
