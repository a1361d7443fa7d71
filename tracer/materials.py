"""What a surface looks like: materials in glTF's metallic-roughness terms, and the textures they point to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.errors import SceneError


class AlphaMode(IntEnum):
    """How a surface's alpha is read (glTF 2.0, section 3.9.4)."""

    OPAQUE = 0
    MASK = 1
    BLEND = 2


class Wrap(IntEnum):
    """What a texture shows outside [0, 1]."""

    REPEAT = 0
    MIRROR = 1
    CLAMP = 2


@dataclass(frozen=True, slots=True)
class TextureSlot:
    """A texture as one material reads it.

    Attributes
    ----------
    texture
        Index into the scene's textures.
    uv
        Which set of texture coordinates.
    transform
        Two rows of three: ``(u', v') = transform @ (u, v, 1)`` (`KHR_texture_transform`).
    """

    texture: int
    uv: int = 0
    transform: tuple[tuple[float, float, float], tuple[float, float, float]] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@dataclass(frozen=True, eq=False, slots=True)
class Texture:
    """An image as it is sampled: at level 0, never through smaller copies of itself.

    Whether the texels are sRGB-encoded is decided by the slot that reads them: color and emission are, the others are
    linear; alpha always is linear.

    Attributes
    ----------
    texels
        (H, W, 4) uint8, row 0 on top, straight alpha.
    wrap_s, wrap_t
        What lies outside [0, 1] in u and in v.
    linear
        Bilinear filtering between the four nearest texels; the nearest texel where False.
    clamp
        ``u0, v0, u1, v1`` in [0, 1]: the frame of an atlas that sampling never leaves. Coordinates are clamped half a
        texel inside of it, so that a linear filter takes nothing from the next frame, and do not wrap. None: the whole
        image.
    """

    texels: NDArray[np.uint8]
    wrap_s: Wrap = Wrap.REPEAT
    wrap_t: Wrap = Wrap.REPEAT
    linear: bool = True
    clamp: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        texels: Any = self.texels
        if not isinstance(texels, np.ndarray) or texels.dtype != np.uint8 or texels.ndim != 3 or texels.shape[2] != 4:
            raise SceneError(f"texture texels must be (H, W, 4) uint8, found {_described(texels)}")
        if texels.size == 0:
            raise SceneError(f"a texture needs at least one texel, found shape {texels.shape}")
        if self.clamp is not None:
            u0, v0, u1, v1 = self.clamp
            if not (0.0 <= u0 < u1 <= 1.0 and 0.0 <= v0 < v1 <= 1.0):
                raise SceneError(f"texture clamp must be u0 < u1 and v0 < v1 within [0, 1], found {self.clamp}")
        object.__setattr__(self, "wrap_s", Wrap(self.wrap_s))
        object.__setattr__(self, "wrap_t", Wrap(self.wrap_t))


@dataclass(frozen=True, slots=True)
class Material:
    """A metallic-roughness material (glTF 2.0, appendix B, with the extensions named below); colors are linear.

    Attributes
    ----------
    base_color
        Red, green, blue, alpha; times the color texture and the vertex color.
    metallic, roughness
        In [0, 1]; times the blue and the green channel of the metallic-roughness texture.
    emission
        Radiance, already times `KHR_materials_emissive_strength`; times the emission texture.
    normal_scale
        Times the x and y of the normal texture.
    alpha_mode, alpha_cutoff
        `MASK` is solid where alpha >= cutoff.
    double_sided
        A single-sided surface is invisible to camera rays from behind; it casts its shadow all the same.
    unlit
        Shows its base color as radiance (`KHR_materials_unlit`).
    transmission
        Share of the diffuse light that passes straight through (`KHR_materials_transmission`, thin), in [0, 1].
    ior
        Index of refraction (`KHR_materials_ior`): sets the reflectance at normal incidence, 0.04 at 1.5. 0 means
        infinite.
    specular, specular_color
        Strength and tint of the dielectric reflection (`KHR_materials_specular`).
    clearcoat, clearcoat_roughness, clearcoat_normal_scale
        A coat of varnish (`KHR_materials_clearcoat`): how much, how rough, in [0, 1]; its own normal texture's scale.
    sheen_color, sheen_roughness
        A layer of fibers (`KHR_materials_sheen`); roughness in [0, 1].
    color_texture, metallic_roughness_texture, normal_texture, emission_texture
        The textures, or None.
    specular_texture, specular_color_texture, transmission_texture
        Times alpha, (sRGB) color and red.
    clearcoat_texture, clearcoat_roughness_texture, clearcoat_normal_texture
        Times red and green; the coat's normal map, in the tangents of `normal_texture`.
    sheen_color_texture, sheen_roughness_texture
        Times (sRGB) color and alpha.
    """

    base_color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallic: float = 1.0
    roughness: float = 1.0
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    normal_scale: float = 1.0
    alpha_mode: AlphaMode = AlphaMode.OPAQUE
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    unlit: bool = False
    transmission: float = 0.0
    ior: float = 1.5
    specular: float = 1.0
    specular_color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    clearcoat: float = 0.0
    clearcoat_roughness: float = 0.0
    clearcoat_normal_scale: float = 1.0
    sheen_color: tuple[float, float, float] = (0.0, 0.0, 0.0)
    sheen_roughness: float = 0.0
    color_texture: TextureSlot | None = None
    metallic_roughness_texture: TextureSlot | None = None
    normal_texture: TextureSlot | None = None
    emission_texture: TextureSlot | None = None
    specular_texture: TextureSlot | None = None
    specular_color_texture: TextureSlot | None = None
    transmission_texture: TextureSlot | None = None
    clearcoat_texture: TextureSlot | None = None
    clearcoat_roughness_texture: TextureSlot | None = None
    clearcoat_normal_texture: TextureSlot | None = None
    sheen_color_texture: TextureSlot | None = None
    sheen_roughness_texture: TextureSlot | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha_mode", AlphaMode(self.alpha_mode))
        for name, count in (("base_color", 4), ("emission", 3), ("specular_color", 3), ("sheen_color", 3)):
            if len(getattr(self, name)) != count:
                raise SceneError(f"material {name} needs {count} numbers, found {getattr(self, name)!r}")
        shares = "metallic", "roughness", "transmission", "specular"
        for name in (*shares, "clearcoat", "clearcoat_roughness", "sheen_roughness"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise SceneError(f"material {name} must lie in [0, 1], found {getattr(self, name)!r}")

    def slots(self) -> tuple[TextureSlot | None, ...]:
        """Give the slots in the order of their fields."""
        return (
            self.color_texture,
            self.metallic_roughness_texture,
            self.normal_texture,
            self.emission_texture,
            self.specular_texture,
            self.specular_color_texture,
            self.transmission_texture,
            self.clearcoat_texture,
            self.clearcoat_roughness_texture,
            self.clearcoat_normal_texture,
            self.sheen_color_texture,
            self.sheen_roughness_texture,
        )

    def is_layered(self) -> bool:
        """Say whether there is more to it than metal and roughness: a coat, a sheen, or a texture of an extension."""
        return self.clearcoat > 0.0 or max(self.sheen_color) > 0.0 or any(slot is not None for slot in self.slots()[4:])


def _described(value: Any) -> str:
    return f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
