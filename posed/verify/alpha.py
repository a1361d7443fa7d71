"""Holes in surfaces: the alpha that decides whether a triangle with a mask or a blend is there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tracer
from anim.kernel import kernel

Floats = NDArray[np.float64]

REPEAT, MIRROR, CLAMP = int(tracer.Wrap.REPEAT), int(tracer.Wrap.MIRROR), int(tracer.Wrap.CLAMP)

BLEND_CUTOFF = 0.5
"""The alpha from which a blended surface counts as solid in geometry layers."""

# Columns of a row of `Alphas.materials`.
TESTED, CUTOFF, FACTOR, TEXTURE, UV_SET, TRANSFORM = 0, 1, 2, 3, 4, 5
# Columns of a row of `Alphas.textures`.
FIRST, WIDTH, HEIGHT, WRAP_S, WRAP_T, LINEAR, BOUNDS = 0, 1, 2, 3, 4, 5, 6


class Alphas(NamedTuple):
    """What the alpha of F triangles over V vertices depends on."""

    material: NDArray[np.uint32]
    """(F,) row of `materials`"""
    materials: Floats
    """(M, 11): whether alpha is tested, cutoff, factor, texture or -1, set of coordinates, their transform by rows"""
    textures: Floats
    """(T, 10): first texel, width, height, wrap in s and t, whether filtered, bounds in texels"""
    texels: NDArray[np.uint8]
    """(N,): alpha of all textures, one after the other"""
    uvs: NDArray[np.float32]
    """(S, V, 2)"""
    colors: NDArray[np.float32]
    """(V,): alpha of the vertices' colors"""


def alphas_of(staged: tracer.Scene) -> Alphas:
    """Return what decides the alpha of a staged scene's triangles."""
    first = np.cumsum([0, *(texture.texels.shape[0] * texture.texels.shape[1] for texture in staged.textures)])
    textures = [_texture_row(texture, start) for texture, start in zip(staged.textures, first, strict=False)]
    vertices = len(staged.positions)
    return Alphas(
        staged.material,
        np.array([_material_row(material) for material in staged.materials], np.float64).reshape(-1, 11),
        np.array(textures, np.float64).reshape(-1, 10),
        np.concatenate([np.zeros(0, np.uint8), *(texture.texels[..., 3].ravel() for texture in staged.textures)]),
        staged.uvs,
        np.ones(vertices, np.float32) if staged.colors is None else np.ascontiguousarray(staged.colors[:, 3]),
    )


def _material_row(material: tracer.Material) -> list[float]:
    slot = material.color_texture
    mode = material.alpha_mode
    cutoff = material.alpha_cutoff if mode == tracer.AlphaMode.MASK else BLEND_CUTOFF
    transform = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)) if slot is None else slot.transform
    return [
        float(mode != tracer.AlphaMode.OPAQUE),
        cutoff,
        material.base_color[3],
        -1.0 if slot is None else float(slot.texture),
        0.0 if slot is None else float(slot.uv),
        *transform[0],
        *transform[1],
    ]


def _texture_row(texture: tracer.Texture, first: int) -> list[float]:
    height, width = texture.texels.shape[:2]
    bounds = [-np.inf, -np.inf, np.inf, np.inf]
    if texture.clamp is not None:
        u0, v0, u1, v1 = texture.clamp
        inset_u, inset_v = min(0.5, (u1 - u0) * width / 2.0), min(0.5, (v1 - v0) * height / 2.0)
        bounds = [u0 * width + inset_u, v0 * height + inset_v, u1 * width - inset_u, v1 * height - inset_v]
    wraps = float(texture.wrap_s), float(texture.wrap_t)
    return [float(first), float(width), float(height), *wraps, float(texture.linear), *bounds]


@kernel
def alpha_at(
    alphas: Alphas,
    corners: NDArray[np.uint32],
    triangle: int,
    weights: tuple[float, float, float],
    ds: float,
    dt: float,
) -> Any:
    """Return a triangle's alpha where its corners have these weights, read `ds` and `dt` texels beside that place."""
    row = alphas.materials[alphas.material[triangle]]
    a, b, c = corners[triangle, 0], corners[triangle, 1], corners[triangle, 2]
    color = weights[0] * alphas.colors[a] + weights[1] * alphas.colors[b] + weights[2] * alphas.colors[c]
    alpha = row[FACTOR] * color
    if row[TEXTURE] < 0.0:
        return alpha
    u, v = 0.0, 0.0
    uv_set = np.intp(row[UV_SET])
    if uv_set < len(alphas.uvs):
        uvs = alphas.uvs[uv_set]
        u = weights[0] * uvs[a, 0] + weights[1] * uvs[b, 0] + weights[2] * uvs[c, 0]
        v = weights[0] * uvs[a, 1] + weights[1] * uvs[b, 1] + weights[2] * uvs[c, 1]
    texture = alphas.textures[np.intp(row[TEXTURE])]
    s = row[TRANSFORM] * u + row[TRANSFORM + 1] * v + row[TRANSFORM + 2]
    t = row[TRANSFORM + 3] * u + row[TRANSFORM + 4] * v + row[TRANSFORM + 5]
    x = min(max(s * texture[WIDTH], texture[BOUNDS]), texture[BOUNDS + 2]) + ds
    y = min(max(t * texture[HEIGHT], texture[BOUNDS + 1]), texture[BOUNDS + 3]) + dt
    if texture[LINEAR] == 0.0:
        return alpha * _texel(alphas, texture, np.floor(x), np.floor(y))
    left, top = np.floor(x - 0.5), np.floor(y - 0.5)
    across, down = x - 0.5 - left, y - 0.5 - top
    upper = (1.0 - across) * _texel(alphas, texture, left, top) + across * _texel(alphas, texture, left + 1.0, top)
    lower = (1.0 - across) * _texel(alphas, texture, left, top + 1.0) + across * _texel(
        alphas, texture, left + 1.0, top + 1.0
    )
    return alpha * ((1.0 - down) * upper + down * lower)


@kernel
def _texel(alphas: Alphas, texture: Floats, x: float, y: float) -> Any:
    column, row = _wrapped(x, texture[WIDTH], texture[WRAP_S]), _wrapped(y, texture[HEIGHT], texture[WRAP_T])
    return alphas.texels[np.intp(texture[FIRST] + row * texture[WIDTH] + column)] / 255.0


@kernel
def _wrapped(place: float, size: float, wrap: float) -> Any:
    """Return a whole number of texels brought into the image."""
    if wrap == CLAMP:
        return min(max(place, 0.0), size - 1.0)
    if wrap == REPEAT:
        return place - size * np.floor(place / size)
    inside = place - 2.0 * size * np.floor(place / (2.0 * size))
    return inside if inside < size else 2.0 * size - 1.0 - inside
