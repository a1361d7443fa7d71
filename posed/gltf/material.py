"""Materials: metallic-roughness surfaces and the textures that modulate them (glTF 2.0, section 3.9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from posed.gltf.image import Image


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
    transform: tuple[tuple[float, float, float], tuple[float, float, float]] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Material:
    """One material; colors are linear, `emission` already includes its strength."""

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

    def showing(self, texture: Texture) -> Material:
        """Return this material with `texture` as its color texture (a sprite's atlas or an object's picture)."""
        return replace(self, color_texture=texture)


DEFAULT_MATERIAL = Material()
"""What a primitive without a material gets (glTF 2.0, section 3.7.2.1)."""
