"""Materials: metallic-roughness surfaces and the textures that modulate them (glTF 2.0, section 3.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from posed.digest import NO_DIGEST
from posed.gltf.document import Record
from posed.gltf.image import Image
from posed.gltf.images import Images

Affine = tuple[tuple[float, float, float], tuple[float, float, float]]


class AlphaMode(IntEnum):
    """What the base color's alpha does."""

    OPAQUE = 0
    MASK = 1
    BLEND = 2


class Wrap(IntEnum):
    """What a texture coordinate outside 0..1 does."""

    REPEAT = 0
    MIRROR = 1
    CLAMP = 2


@dataclass(frozen=True, eq=False)
class Texture:
    """An image as a material reads it.

    `uv` is the set of texture coordinates, `transform` the affine map applied to them: two rows of three. `linear` is
    False for nearest filtering. `scale` multiplies a normal map's x and y.
    """

    image: Image
    uv: int = 0
    wrap_s: Wrap = Wrap.REPEAT
    wrap_t: Wrap = Wrap.REPEAT
    linear: bool = True
    transform: Affine = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Clearcoat:
    """A coat of varnish (KHR_materials_clearcoat): how much of it, and how rough, 0 to 1 each."""

    factor: float
    roughness: float = 0.0
    factor_texture: Texture | None = None
    roughness_texture: Texture | None = None
    normal_texture: Texture | None = None


@dataclass(frozen=True, eq=False)
class Sheen:
    """A layer of fibers (KHR_materials_sheen): its linear color, and its roughness, 0 to 1."""

    color: tuple[float, float, float]
    roughness: float = 0.0
    color_texture: Texture | None = None
    roughness_texture: Texture | None = None


@dataclass(frozen=True, eq=False)
class Material:
    """One material; colors are linear, `emission` already includes its strength.

    `clearcoat` and `sheen` are None where the file has none. docs/materials.md says what each
    number means and which channel of a texture multiplies it.
    """

    name: str = "default"
    base_color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallic: float = 1.0
    roughness: float = 1.0
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    alpha_mode: AlphaMode = AlphaMode.OPAQUE
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    unlit: bool = False
    transmission: float = 0.0
    ior: float = 1.5
    specular: float = 1.0
    color_texture: Texture | None = None
    metallic_roughness_texture: Texture | None = None
    normal_texture: Texture | None = None
    emission_texture: Texture | None = None
    content: bool = False
    # Only files have what follows: it is in their own digest.
    specular_color: tuple[float, float, float] = field(default=(1.0, 1.0, 1.0), metadata=NO_DIGEST)
    specular_texture: Texture | None = field(default=None, metadata=NO_DIGEST)
    specular_color_texture: Texture | None = field(default=None, metadata=NO_DIGEST)
    transmission_texture: Texture | None = field(default=None, metadata=NO_DIGEST)
    clearcoat: Clearcoat | None = field(default=None, metadata=NO_DIGEST)
    sheen: Sheen | None = field(default=None, metadata=NO_DIGEST)

    def showing(self, texture: Texture) -> Material:
        """Return this material with `texture` as its color texture (a sprite's atlas or an object's picture)."""
        return replace(self, color_texture=texture)

    def texture(self, field: str) -> Texture | None:
        """Return the texture in a field, also of a layer: `color_texture`, `sheen.color_texture`."""
        owner, _, name = field.rpartition(".")
        found: Texture | None = getattr(getattr(self, owner) if owner else self, name, None)
        return found

    @property
    def bumps(self) -> Texture | None:
        """The normal map that needs tangents, which both of a material's normal maps share: its own, or its coat's."""
        if self.unlit:
            return None
        return self.normal_texture or (None if self.clearcoat is None else self.clearcoat.normal_texture)


DEFAULT_MATERIAL = Material()
"""What a primitive without a material gets (glTF 2.0, section 3.7.2.1)."""


_WRAPS = {10497: Wrap.REPEAT, 33648: Wrap.MIRROR, 33071: Wrap.CLAMP}
_NEAREST = 9728


def read_materials(document: Record, images: Images, notes: list[str]) -> tuple[Material, ...]:
    """Return the file's materials; an `AssetError` names a value out of range or a texture that is not there.

    A texture without an image of a kind that is read is left out, with a note.
    """
    textures = _Textures(document, images, notes)
    return tuple(_read_material(record, textures) for record in document.records("materials"))


def _read_material(record: Record, textures: _Textures) -> Material:
    surface = record.record("pbrMetallicRoughness") or Record(record.path, {}, record.pointer, "pbrMetallicRoughness")
    red, green, blue, alpha = surface.numbers("baseColorFactor", 4, (1.0, 1.0, 1.0, 1.0), least=0.0)
    glow = record.numbers("emissiveFactor", 3, (0.0, 0.0, 0.0), least=0.0)
    strength = _extension(record, "KHR_materials_emissive_strength").number("emissiveStrength", 1.0, least=0.0)
    mode = record.text("alphaMode", "OPAQUE")
    if mode not in AlphaMode.__members__:
        record.refuse(f"one of {', '.join(AlphaMode.__members__)}", "alphaMode")
    specular = _extension(record, "KHR_materials_specular")
    tint = specular.numbers("specularColorFactor", 3, (1.0, 1.0, 1.0), least=0.0)
    transmission = _extension(record, "KHR_materials_transmission")
    return Material(
        name=record.text("name", ""),
        base_color=(red, green, blue, alpha),
        metallic=surface.number("metallicFactor", 1.0, least=0.0, most=1.0),
        roughness=surface.number("roughnessFactor", 1.0, least=0.0, most=1.0),
        emission=(glow[0] * strength, glow[1] * strength, glow[2] * strength),
        alpha_mode=AlphaMode[mode],
        alpha_cutoff=record.number("alphaCutoff", 0.5, least=0.0),
        double_sided=record.boolean("doubleSided", False),
        unlit=record.extension("KHR_materials_unlit") is not None,
        transmission=transmission.number("transmissionFactor", 0.0, least=0.0, most=1.0),
        ior=_extension(record, "KHR_materials_ior").number("ior", 1.5, least=0.0),
        specular=specular.number("specularFactor", 1.0, least=0.0, most=1.0),
        color_texture=textures.texture(surface, "baseColorTexture"),
        metallic_roughness_texture=textures.texture(surface, "metallicRoughnessTexture"),
        normal_texture=textures.texture(record, "normalTexture"),
        emission_texture=textures.texture(record, "emissiveTexture"),
        specular_color=(tint[0], tint[1], tint[2]),
        specular_texture=textures.texture(specular, "specularTexture"),
        specular_color_texture=textures.texture(specular, "specularColorTexture"),
        transmission_texture=textures.texture(transmission, "transmissionTexture"),
        clearcoat=_read_clearcoat(record, textures),
        sheen=_read_sheen(record, textures),
    )


def _read_clearcoat(record: Record, textures: _Textures) -> Clearcoat | None:
    coat = record.extension("KHR_materials_clearcoat")
    if coat is None:
        return None
    return Clearcoat(
        coat.number("clearcoatFactor", 0.0, least=0.0, most=1.0),
        coat.number("clearcoatRoughnessFactor", 0.0, least=0.0, most=1.0),
        textures.texture(coat, "clearcoatTexture"),
        textures.texture(coat, "clearcoatRoughnessTexture"),
        textures.texture(coat, "clearcoatNormalTexture"),
    )


def _read_sheen(record: Record, textures: _Textures) -> Sheen | None:
    sheen = record.extension("KHR_materials_sheen")
    if sheen is None:
        return None
    red, green, blue = sheen.numbers("sheenColorFactor", 3, (0.0, 0.0, 0.0), least=0.0)
    return Sheen(
        (red, green, blue),
        sheen.number("sheenRoughnessFactor", 0.0, least=0.0, most=1.0),
        textures.texture(sheen, "sheenColorTexture"),
        textures.texture(sheen, "sheenRoughnessTexture"),
    )


def _extension(record: Record, name: str) -> Record:
    """Return an extension of a material, one without keys where the material has none."""
    return record.extension(name) or Record(record.path, {}, record.place("extensions", name))


class _Textures:
    """Reads what materials say of textures: the image, the sampler and the transform of its coordinates."""

    def __init__(self, document: Record, images: Images, notes: list[str]) -> None:
        self._records, self._samplers = document.records("textures"), document.records("samplers")
        self._images, self._notes = images, notes

    def texture(self, user: Record, key: str) -> Texture | None:
        """Return the texture under `key`, or None where there is none or it has no image that is read here."""
        record = user.record(key)
        if record is None:
            return None
        texture = self._records[record.required_index("index", len(self._records), "textures")]
        webp = texture.extension("EXT_texture_webp")
        source = (webp or texture).index("source", len(self._images), "images")
        if source is None:
            self._notes.append(f"{texture.pointer}: no image of a kind that is read, {record.pointer} goes without")
            return None
        sampler = texture.index("sampler", len(self._samplers), "samplers")
        settings = Record(texture.path, {}) if sampler is None else self._samplers[sampler]
        moved = record.extension("KHR_texture_transform")
        uv = record.integer("texCoord", 0)
        return Texture(
            image=self._images.image(source),
            uv=uv if moved is None else moved.integer("texCoord", uv),
            wrap_s=_wrap(settings, "wrapS"),
            wrap_t=_wrap(settings, "wrapT"),
            linear=settings.integer("magFilter", 9729) != _NEAREST,
            transform=_IDENTITY if moved is None else _transform(moved),
            scale=record.number("scale", 1.0) if key.lower().endswith("normaltexture") else 1.0,
        )


_IDENTITY: Affine = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def _wrap(sampler: Record, key: str) -> Wrap:
    number = sampler.integer(key, 10497)
    if number not in _WRAPS:
        sampler.refuse(f"one of {', '.join(map(str, _WRAPS))}", key)
    return _WRAPS[number]


def texture_transform(offset: Sequence[float], scale: Sequence[float], rotation: float) -> Affine:
    """Return scale, then a turn by radians, counter-clockwise as one sees it, with v down, then offset."""
    cosine, sine = _turn(rotation)
    return (cosine * scale[0], sine * scale[1], offset[0]), (-sine * scale[0], cosine * scale[1], offset[1])


def _transform(record: Record) -> Affine:
    offset, scale = record.numbers("offset", 2, (0.0, 0.0)), record.numbers("scale", 2, (1.0, 1.0))
    return texture_transform(offset, scale, record.number("rotation", 0.0))


def _turn(angle: float) -> tuple[float, float]:
    """Return cosine and sine, the same bits on every machine: masks cut by this map are geometry."""
    if angle == 0.0:
        return 1.0, 0.0
    from anim.scalar import cos, sin

    return float(cos(angle)), float(sin(angle))
