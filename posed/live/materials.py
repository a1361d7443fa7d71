"""Materials on the device: a record each, and their textures' texels; given back with their objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.gltf.image import Image
from posed.gltf.material import AlphaMode, Material, Texture
from posed.live import layout, store
from posed.live.device import Gpu
from posed.live.store import Span, Store

TEXTURES: Mapping[str, str] = {
    "color": "color_texture",
    "metallic_roughness": "metallic_roughness_texture",
    "normal": "normal_texture",
    "emission": "emission_texture",
    "specular": "specular_texture",
    "specular_color": "specular_color_texture",
    "transmission": "transmission_texture",
    "coat": "clearcoat.factor_texture",
    "coat_roughness": "clearcoat.roughness_texture",
    "coat_normal": "clearcoat.normal_texture",
    "sheen": "sheen.color_texture",
    "sheen_roughness": "sheen.roughness_texture",
}
"""A material's textures: the name of each in its record, and where the material has it."""

MOST_SETS = 4
"""Sets of texture coordinates that one material may read; any of a mesh's own."""


class Look(NamedTuple):
    """What of a material decides by which pipelines it is drawn.

    `cut` says that its alpha decides whether a surface is there, `through` that what lies behind is seen through it,
    `textured` that it has textures, `layered` that it has a coat, a sheen or a reflection that is not gray, `unlit`
    that it shows its own color alone, `double_sided` that its backs are seen.
    """

    cut: bool
    through: bool
    textured: bool
    layered: bool
    unlit: bool
    double_sided: bool

    @classmethod
    def of(cls, material: Material) -> Look:
        """Return how `material` is drawn."""
        return cls(
            cut=material.alpha_mode != AlphaMode.OPAQUE,
            through=material.alpha_mode == AlphaMode.BLEND or (material.transmission > 0.0 and not material.unlit),
            textured=bool(images_of(material)),
            layered=_is_layered(material),
            unlit=material.unlit,
            double_sided=material.double_sided,
        )


class MaterialPage:
    """Buffers that are bound together as group 2: records, and texels with red in the lowest byte.

    An image that several textures show is there once.
    """

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        usage = wgpu.BufferUsage.STORAGE
        self.records = Store(gpu, layout.MATERIAL.itemsize, usage)
        self.texels = Store(gpu, 4, usage)
        self.images: WeakValueDictionary[Image, Texels] = WeakValueDictionary()
        self._bindings = layout.Bindings(gpu, layout.layouts(gpu).materials)

    @property
    def group(self) -> Any:
        """The bind group."""
        return self._bindings.group(self.records.buffer, self.texels.buffer)

    def upload(self, images: Sequence[Image]) -> tuple[Span, tuple[Texels, ...]] | None:
        """Take a record and put images there; return None where they do not fit."""
        record, held = self.records.take(1), []
        for image in images:
            texels = self.images.get(image)
            if texels is None:
                width, height = image.size
                span = self.texels.take(width * height)
                if span is None:
                    return None
                self.texels.write(span, image.texels)
                texels = self.images[image] = Texels(image, span)
            held.append(texels)
        return None if record is None else (record, tuple(held))


class Texels:
    """An image on the device, for as long as a material shows it."""

    def __init__(self, image: Image, span: Span) -> None:
        self.image, self.span = image, span


class Surface:
    """A material on the device. It may be `show`n with other factors, never with other images."""

    def __init__(self, page: MaterialPage, material: Material, record: Span, texels: tuple[Texels, ...]) -> None:
        self.page, self.index, self.material = page, record.first, material
        self.look = Look.of(material)
        self._span, self._texels = record, texels
        self._shown = self._record(material)
        page.records.write(record, self._shown)

    @property
    def content(self) -> bytes:
        """The record as it is on the device."""
        return self._shown.tobytes()

    def show(self, material: Material) -> bool:
        """Be `material`, which has the same images, from now on; return whether other pipelines draw it then."""
        before = self.look
        if material is not self.material:
            self.material, self.look = material, Look.of(material)
            record = self._record(material)
            if record.tobytes() != self._shown.tobytes():
                self._shown = record
                self.page.records.write(self._span, record)
        return self.look != before

    def _record(self, material: Material) -> AnyArray:
        firsts = {id(one.image): one.span.first for one in self._texels}
        record = np.zeros(1, layout.MATERIAL)
        sets = _sets(material)
        record["sets"] = layout.ABSENT
        record["sets"][0, : len(sets)] = sets
        for name in TEXTURES:
            texture = _texture_of(material, name)
            if texture is not None:
                use = record[f"{name}_use"]
                use["first"], use["uv_set"] = firsts[id(texture.image)], sets.index(texture.uv)
                _write_use(texture, use)
        _write_factors(material, record)
        return record


class Surfaces:
    """The pages of materials of a device."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._pages: list[MaterialPage] = []

    def upload(self, material: Material) -> Surface:
        """Return `material` on the device.

        Raises
        ------
        PosedError
            Its textures pass what a binding holds, or read too many sets of coordinates.
        """
        sets = _sets(material)
        if len(sets) > MOST_SETS:
            raise PosedError(
                f'material "{material.name}": its textures read the sets of coordinates {", ".join(map(str, sets))}: '
                f"the live renderer reads {MOST_SETS} a material"
            )
        images = images_of(material)
        _refuse_oversize(material, images)
        self._pages = [page for page in self._pages if not page.records.empty]
        for page in self._pages:
            held = page.upload(images)
            if held is not None:
                break
        else:
            page = MaterialPage(self._gpu)
            self._pages.append(page)
            held = page.upload(images)
            assert held is not None
        return Surface(page, material, *held)


def images_of(material: Material) -> tuple[Image, ...]:
    """Return the images that a material's textures show, each once."""
    textures = [_texture_of(material, name) for name in TEXTURES]
    return tuple(dict.fromkeys(texture.image for texture in textures if texture is not None))


def _is_layered(material: Material) -> bool:
    textures = material.specular_texture, material.specular_color_texture, material.transmission_texture
    return (
        material.clearcoat is not None
        or material.sheen is not None
        or any(one is not None for one in textures)
        or len(set(material.specular_color)) > 1
    )


def _sets(material: Material) -> list[int]:
    """Return the sets of coordinates that a material's textures read, each once."""
    textures = [_texture_of(material, name) for name in TEXTURES]
    return list(dict.fromkeys(texture.uv for texture in textures if texture is not None))


def _refuse_oversize(material: Material, images: Sequence[Image]) -> None:
    size = sum(4 * image.size[0] * image.size[1] for image in images)
    if size > store.LIMIT:
        raise PosedError(
            f'material "{material.name}": its textures take {size} bytes on the device, at most {store.LIMIT} fit a '
            "binding of the live renderer: make them smaller"
        )


def _write_factors(material: Material, record: AnyArray) -> None:
    for name in ("base_color", "metallic", "roughness", "transmission", "unlit", "alpha_mode", "alpha_cutoff"):
        record[name] = getattr(material, name)
    record["double_sided"] = material.double_sided
    record["emission"][:, :3] = material.emission
    # An index of refraction of 0 stands for an infinite one (KHR_materials_ior).
    normal_incidence = ((material.ior - 1.0) / (material.ior + 1.0)) ** 2 if material.ior > 0.0 else 1.0
    record["tint"][:, :3], record["tint"][:, 3] = material.specular_color, material.specular
    record["refraction"] = normal_incidence
    record["dielectric"][:, :3] = np.minimum(normal_incidence * np.array(material.specular_color), 1.0)
    record["dielectric"][:, :3] *= material.specular
    record["dielectric"][:, 3] = material.specular
    if material.clearcoat is not None:
        record["coat"][:, :2] = material.clearcoat.factor, material.clearcoat.roughness
    if material.sheen is not None:
        record["sheen"][:, :3], record["sheen"][:, 3] = material.sheen.color, material.sheen.roughness


def _write_use(texture: Texture, use: AnyArray) -> None:
    use["row_s"][:, :3], use["row_t"][:, :3] = texture.transform
    use["linear"], use["scale"] = texture.linear, texture.scale
    use["wrap_s"], use["wrap_t"] = texture.wrap_s, texture.wrap_t
    use["width"], use["height"] = texture.image.size


def _texture_of(material: Material, name: str) -> Texture | None:
    value: Any = material
    for attribute in TEXTURES[name].split("."):
        value = None if value is None else getattr(value, attribute)
    texture: Texture | None = value
    return texture
