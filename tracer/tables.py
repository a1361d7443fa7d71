"""A scene as kernels read it: plain arrays.

The tuples below are what kernels take; numba knows their fields by name. All their arrays are read-only, so that each
kernel has one signature. Columns of the float64 tables have names here.
"""

from __future__ import annotations

import functools
import math
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tracer.lights import Environment, Light
from tracer.materials import AlphaMode, Material, Texture, TextureSlot, Wrap
from tracer.scene import Scene
from tracer.texels import Texels

Values = TypeVar("Values", bound=np.generic)


class Mesh(NamedTuple):
    """Geometry: V vertices, F triangles, S sets of texture coordinates."""

    vertices: NDArray[np.float32]
    """(V, 14): position, normal, tangent (zeros: none), color (ones: none)"""
    coordinates: NDArray[np.float32]
    """(S, V, 2)"""
    faces: NDArray[np.uint32]
    """(F, 12): the three vertices, then columns as named below"""


class Movement(NamedTuple):
    """What moves the vertices, and where they were: K influences of each."""

    joints: NDArray[np.uint32]
    """(V, K); K is 0 where nothing is skinned"""
    weights: NDArray[np.float32]
    """(V, K)"""
    previous: NDArray[np.float32]
    """(V, 3)"""


class Looks(NamedTuple):
    """Materials and textures: M materials, T textures, N texels of all textures together."""

    materials: NDArray[np.float64]
    """(M, 125), columns as named below"""
    textures: NDArray[np.float64]
    """(T, 10), columns as named below"""
    texels: NDArray[np.uint8]
    """(N, 4)"""
    decode: NDArray[np.float64]
    """(2, 256): linear value of a byte, linear and sRGB-encoded"""


class Shine(NamedTuple):
    """Lights and environment: L lights."""

    lights: NDArray[np.float64]
    """(L, 13), columns as named below"""
    environment: NDArray[np.float64]
    """(6,): bottom, top"""
    irradiance: NDArray[np.float64]
    """(9, 3): `Environment.irradiance` over pi"""
    texels: NDArray[np.float32]
    """(H, W, 3): the environment's image; H is 0 where there is none"""


NORMAL: Final = 3
TANGENT: Final = 6
COLOR: Final = 10
VERTEX_COLUMNS: Final = 14

PLACE: Final = 3
"""where each of the three vertices lies: seams split vertices, not places"""
MATERIAL: Final = 6
IS_FLAT: Final = 7
IS_SWAPPED: Final = 8
"""1 where the clockwise side is the front"""
RANK: Final = 9
"""place in the order of (object, part, triangle): decides between hits at the same distance"""
PART: Final = 10
IS_PLAIN: Final = 11
"""1 where every ray stops, from either side"""
FACE_COLUMNS: Final = 12

BASE: Final = 0
METALLIC: Final = 4
ROUGHNESS: Final = 5
EMISSION: Final = 6
NORMAL_SCALE: Final = 9
ALPHA_MODE: Final = 10
ALPHA_CUTOFF: Final = 11
DOUBLE_SIDED: Final = 12
UNLIT: Final = 13
TRANSMISSION: Final = 14
F0: Final = 15
"""the dielectric's reflectance at normal incidence, tinted, before it is held below 1 and times `SPECULAR`"""
SPECULAR: Final = 18
IS_LAYERED: Final = 19
"""1 where what follows says more than that there is none"""
COAT: Final = 20
COAT_ROUGHNESS: Final = 21
COAT_NORMAL_SCALE: Final = 22
SHEEN: Final = 23
SHEEN_ROUGHNESS: Final = 26
SLOTS: Final = 27
"""twelve times: texture (-1: none), set of coordinates, transform row by row"""
SLOT_COLUMNS: Final = 8
MATERIAL_COLUMNS: Final = SLOTS + 12 * SLOT_COLUMNS

# As NumPy's numbers: for each Python constant numba would compile a callee anew.
COLOR_SLOT: Final = np.int64(SLOTS)
METALLIC_ROUGHNESS_SLOT: Final = np.int64(SLOTS + SLOT_COLUMNS)
NORMAL_SLOT: Final = np.int64(SLOTS + 2 * SLOT_COLUMNS)
EMISSION_SLOT: Final = np.int64(SLOTS + 3 * SLOT_COLUMNS)
SPECULAR_SLOT: Final = np.int64(SLOTS + 4 * SLOT_COLUMNS)
SPECULAR_COLOR_SLOT: Final = np.int64(SLOTS + 5 * SLOT_COLUMNS)
TRANSMISSION_SLOT: Final = np.int64(SLOTS + 6 * SLOT_COLUMNS)
COAT_SLOT: Final = np.int64(SLOTS + 7 * SLOT_COLUMNS)
COAT_ROUGHNESS_SLOT: Final = np.int64(SLOTS + 8 * SLOT_COLUMNS)
COAT_NORMAL_SLOT: Final = np.int64(SLOTS + 9 * SLOT_COLUMNS)
SHEEN_COLOR_SLOT: Final = np.int64(SLOTS + 10 * SLOT_COLUMNS)
SHEEN_ROUGHNESS_SLOT: Final = np.int64(SLOTS + 11 * SLOT_COLUMNS)
LINEAR: Final = np.int64(0)
ENCODED: Final = np.int64(1)
"""rows of `Looks.decode`"""

FIRST_TEXEL: Final = 0
WIDTH: Final = 1
HEIGHT: Final = 2
WRAP_S: Final = 3
WRAP_T: Final = 4
IS_LINEAR: Final = 5
BOUNDS: Final = 6
"""u0, v0, u1, v1 in texels; infinite where nothing is clamped"""
TEXTURE_COLUMNS: Final = 10

LIGHT_KIND: Final = 0
LIGHT_COLOR: Final = 1
LIGHT_POSITION: Final = 4
LIGHT_DIRECTION: Final = 7
LIGHT_RANGE: Final = 10
SPOT_SCALE: Final = 11
SPOT_OFFSET: Final = 12
LIGHT_COLUMNS: Final = 13

SUN, POINT, SPOT = 0, 1, 2
_KINDS: Final = {"sun": SUN, "point": POINT, "spot": SPOT}


def movement_of(scene: Scene) -> Movement:
    """Give the influences of a scene's vertices, and where these were in the snapshot before."""
    count = len(scene.positions)
    return Movement(
        frozen(np.zeros((count, 0), np.uint32)) if scene.joints is None else scene.joints,
        frozen(np.zeros((count, 0), np.float32)) if scene.weights is None else scene.weights,
        scene.positions if scene.previous is None else scene.previous,
    )


def looks_of(scene: Scene, texels: Texels | None = None) -> Looks:
    """Give the materials and textures of a scene; `texels`, kept from scene to scene, takes their images."""
    texels = texels or Texels()
    texels.take(scene.textures)
    rows = []
    for texture in scene.textures:
        height, width = texture.texels.shape[:2]
        # A coordinate of 1 is the right end of a frame, not the left end of the next copy of the image.
        wraps = (texture.wrap_s, texture.wrap_t) if texture.clamp is None else (Wrap.CLAMP, Wrap.CLAMP)
        rows.append([texels.first(texture), width, height, *wraps, texture.linear, *_bounds(texture)])
    return Looks(
        frozen(np.array([_material_row(m) for m in scene.materials], np.float64).reshape(-1, MATERIAL_COLUMNS)),
        frozen(np.array(rows, np.float64).reshape(-1, TEXTURE_COLUMNS)),
        texels.rows,
        frozen(np.stack([np.arange(256) / 255.0, srgb_decoding()])),
    )


def shine_of(lights: tuple[Light, ...], environment: Environment) -> Shine:
    """Give the lights and the environment of a scene."""
    rows = np.array([_light_row(light) for light in lights], np.float64).reshape(-1, LIGHT_COLUMNS)
    gradient = np.array([*environment.bottom, *environment.top], np.float64)
    irradiance = np.zeros((9, 3))
    if environment.irradiance is not None:
        irradiance[:] = environment.irradiance / math.pi
    elif environment.image is None:  # E(n) / pi = (bottom + top) / 2 + n.y (top - bottom) / 3
        irradiance[0], irradiance[2] = 0.5 * (gradient[:3] + gradient[3:]), (gradient[3:] - gradient[:3]) / 3.0
    texels = np.zeros((0, 0, 3), np.float32) if environment.image is None else environment.image
    return Shine(frozen(rows), frozen(gradient), frozen(irradiance), frozen(texels))


@functools.cache
def srgb_decoding() -> NDArray[np.float64]:
    """Give the linear value of each sRGB byte, (256,) float64 (IEC 61966-2-1), with the same bits on every machine.

    x^2.4 is x^2 times the fifth root of x^2, which Newton's iteration finds without a library's `pow`.
    """
    encoded = np.arange(256) / 255.0
    scaled = (encoded + 0.055) / 1.055
    square = scaled * scaled
    root = np.ones(256)
    for _ in range(40):
        fourth = root * root * root * root
        root = root - (root * fourth - square) / (5.0 * fourth)
    return frozen(np.where(encoded <= 0.04045, encoded / 12.92, square * root))


def needs_alpha(scene: Scene) -> NDArray[np.bool_]:
    """Say which triangles (F,) have an alpha that decides whether they stop a ray."""
    modes = np.array([m.alpha_mode != AlphaMode.OPAQUE for m in scene.materials], np.bool_)
    return modes[scene.material] if len(modes) else np.zeros(len(scene.material), np.bool_)


def frozen(values: NDArray[Values]) -> NDArray[Values]:
    """Return a contiguous view for reading."""
    contiguous = np.ascontiguousarray(values).view()
    contiguous.setflags(write=False)
    return contiguous


def _material_row(material: Material) -> list[float]:
    share = (material.ior - 1.0) / (material.ior + 1.0) if material.ior > 0.0 else 1.0
    return [
        *material.base_color,
        material.metallic,
        material.roughness,
        *material.emission,
        material.normal_scale,
        float(material.alpha_mode),
        material.alpha_cutoff,
        float(material.double_sided),
        float(material.unlit),
        material.transmission,
        *(share * share * tint for tint in material.specular_color),
        material.specular,
        float(material.is_layered()),
        material.clearcoat,
        material.clearcoat_roughness,
        material.clearcoat_normal_scale,
        *material.sheen_color,
        material.sheen_roughness,
        *(number for slot in material.slots() for number in _slot_row(slot)),
    ]


def _slot_row(slot: TextureSlot | None) -> list[float]:
    if slot is None:
        return [-1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    return [float(slot.texture), float(slot.uv), *slot.transform[0], *slot.transform[1]]


def _bounds(texture: Texture) -> tuple[float, float, float, float]:
    """Clamp half a texel inside a frame; a frame thinner than a texel is read at its middle."""
    if texture.clamp is None:
        return -np.inf, -np.inf, np.inf, np.inf
    (u0, v0, u1, v1), (height, width) = texture.clamp, texture.texels.shape[:2]
    half_u, half_v = min(0.5, (u1 - u0) * width / 2), min(0.5, (v1 - v0) * height / 2)
    return u0 * width + half_u, v0 * height + half_v, u1 * width - half_u, v1 * height - half_v


def _light_row(light: Light) -> list[float]:
    x, y, z = light.direction
    length = np.sqrt(x * x + y * y + z * z)
    direction = [x / length, y / length, z / length] if length > 0.0 else [0.0, 0.0, 0.0]
    scale = 1.0 / max(0.001, light.inner - light.outer)
    return [
        float(_KINDS[light.kind]),
        *(light.intensity * c for c in light.color),
        *light.position,
        *direction,
        light.range,
        scale,
        -light.outer * scale,
    ]
