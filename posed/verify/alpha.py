"""Holes in surfaces: the alpha that decides whether a triangle with a mask or a blend is there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tracer
from anim.kernel import kernel
from posed.verify.edges import Index

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
    first: float,
    second: float,
    third: float,
    ds: float,
    dt: float,
) -> Any:
    """Return a triangle's alpha where its corners have these weights, read `ds` and `dt` texels beside that place."""
    row = alphas.material[triangle]
    a, b, c = corners[triangle, 0], corners[triangle, 1], corners[triangle, 2]
    color = first * alphas.colors[a] + second * alphas.colors[b] + third * alphas.colors[c]
    alpha = alphas.materials[row, FACTOR] * color
    texture = np.intp(alphas.materials[row, TEXTURE])
    if texture < 0:
        return alpha
    u, v = 0.0, 0.0
    uv_set = np.intp(alphas.materials[row, UV_SET])
    if uv_set < len(alphas.uvs):
        u = first * alphas.uvs[uv_set, a, 0] + second * alphas.uvs[uv_set, b, 0] + third * alphas.uvs[uv_set, c, 0]
        v = first * alphas.uvs[uv_set, a, 1] + second * alphas.uvs[uv_set, b, 1] + third * alphas.uvs[uv_set, c, 1]
    x = _texels_along(alphas, row, texture, 0, u, v) + ds
    y = _texels_along(alphas, row, texture, 1, u, v) + dt
    if alphas.textures[texture, LINEAR] == 0.0:
        return alpha * _texel(alphas, texture, np.floor(x), np.floor(y))
    left, top = np.floor(x - 0.5), np.floor(y - 0.5)
    across, down = x - 0.5 - left, y - 0.5 - top
    filtered = 0.0
    for corner in range(4):
        right, low = float(corner % 2), float(corner // 2)
        share = (across if right else 1.0 - across) * (down if low else 1.0 - down)
        filtered += share * _texel(alphas, texture, left + right, top + low)
    return alpha * filtered


@kernel
def _texels_along(alphas: Alphas, row: Index, texture: Index, axis: int, u: float, v: float) -> Any:
    """Return a texture coordinate after its transform, in texels, kept within an atlas's frame."""
    column = TRANSFORM + 3 * axis
    moved = (
        alphas.materials[row, column] * u + alphas.materials[row, column + 1] * v + alphas.materials[row, column + 2]
    )
    least, most = alphas.textures[texture, BOUNDS + axis], alphas.textures[texture, BOUNDS + 2 + axis]
    return min(max(moved * alphas.textures[texture, WIDTH + axis], least), most)


@kernel
def _texel(alphas: Alphas, texture: Index, x: float, y: float) -> Any:
    column = _wrapped(x, alphas.textures[texture, WIDTH], alphas.textures[texture, WRAP_S])
    row = _wrapped(y, alphas.textures[texture, HEIGHT], alphas.textures[texture, WRAP_T])
    place = alphas.textures[texture, FIRST] + row * alphas.textures[texture, WIDTH] + column
    return alphas.texels[np.intp(place)] / 255.0


@kernel
def _wrapped(place: float, size: float, wrap: float) -> Any:
    """Return a whole number of texels brought into the image."""
    if wrap == CLAMP:
        return min(max(place, 0.0), size - 1.0)
    if wrap == REPEAT:
        return place - size * np.floor(place / size)
    inside = place - 2.0 * size * np.floor(place / (2.0 * size))
    return inside if inside < size else 2.0 * size - 1.0 - inside
