"""Materials as records and their textures as one run of texels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posed.arrays import AnyArray, UInt32
from posed.gltf.image import Image
from posed.gltf.material import Material, Texture
from posed.live import layout

TEXTURES = ("color", "metallic_roughness", "normal", "emission")
"""A material's textures."""


def images_of(material: Material) -> tuple[Image, ...]:
    """Return the images that a material's textures show."""
    textures = [_texture_of(material, name) for name in TEXTURES]
    return tuple(texture.image for texture in textures if texture is not None)


def pack_materials(materials: Sequence[Material]) -> tuple[AnyArray, UInt32]:
    """Return the records, (M,) `layout.MATERIAL`, and all texels, (N,) uint32: red in the lowest byte.

    An image that several textures show is stored once.
    """
    firsts: dict[Image, int] = {}
    runs: list[UInt32] = [np.zeros(0, np.uint32)]
    for image in (image for material in materials for image in images_of(material)):
        if image not in firsts:
            firsts[image] = sum(map(len, runs))
            runs.append(np.ascontiguousarray(image.texels).view("<u4").ravel())
    records = np.zeros(len(materials), layout.MATERIAL)
    for index, material in enumerate(materials):
        record = records[index : index + 1]
        for name in TEXTURES:
            texture = _texture_of(material, name)
            if texture is not None:
                record[f"{name}_use"]["first"] = firsts[texture.image]
        write_material(material, record)
    return records, np.concatenate(runs)


def write_material(material: Material, record: AnyArray) -> None:
    """Write all but where the texels lie to `record`, (1,) `layout.MATERIAL`."""
    for name in ("base_color", "metallic", "roughness", "transmission", "unlit", "alpha_mode", "alpha_cutoff"):
        record[name] = getattr(material, name)
    record["double_sided"] = material.double_sided
    record["emission"][:, :3] = material.emission
    # An index of refraction of 0 stands for an infinite one (KHR_materials_ior).
    normal_incidence = ((material.ior - 1.0) / (material.ior + 1.0)) ** 2 if material.ior > 0.0 else 1.0
    record["reflectance"] = min(normal_incidence, 1.0) * material.specular
    record["grazing"] = material.specular
    for name in TEXTURES:
        texture = _texture_of(material, name)
        if texture is not None:
            _write_use(texture, record[f"{name}_use"])


def _write_use(texture: Texture, use: AnyArray) -> None:
    use["row_s"][:, :3], use["row_t"][:, :3] = texture.transform
    use["uv_set"], use["linear"], use["scale"] = texture.uv, texture.linear, texture.scale
    use["wrap_s"], use["wrap_t"] = texture.wrap_s, texture.wrap_t
    use["height"], use["width"] = texture.image.texels.shape[:2]


def _texture_of(material: Material, name: str) -> Texture | None:
    texture: Texture | None = getattr(material, f"{name}_texture")
    return texture
