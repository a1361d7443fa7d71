"""Texture lookups in float64, at level 0: wrapping, bilinear or nearest, a clamp rectangle, sRGB decoding before
filtering."""

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, inlined, leaf
from tracer.materials import Wrap
from tracer.tables import (
    BASE,
    BOUNDS,
    COLOR,
    COLOR_SLOT,
    FIRST_TEXEL,
    HEIGHT,
    IS_LINEAR,
    LINEAR,
    MATERIAL,
    WIDTH,
    WRAP_S,
    WRAP_T,
    Looks,
    Mesh,
)

_REPEAT, _MIRROR, _CLAMP = int(Wrap.REPEAT), int(Wrap.MIRROR), int(Wrap.CLAMP)


@leaf
def coordinates(
    mesh: Mesh, materials: NDArray[np.float64], triangle: Index, slot: Index, u: float, v: float
) -> tuple[float, float]:
    """Interpolate and transform the texture coordinates that a slot of a triangle's material reads at a hit.

    Parameters
    ----------
    mesh, materials
        The scene's.
    triangle, u, v
        The hit.
    slot
        First column of the slot in `materials`.
    """
    return _coordinates(mesh, materials[mesh.faces[triangle, MATERIAL]], triangle, slot, u, v)


@inlined
def _coordinates(
    mesh: Mesh, row: NDArray[np.float64], triangle: Index, slot: Index, u: float, v: float
) -> tuple[float, float]:
    """Return what `coordinates` does, for a material's row."""
    chosen = np.intp(row[slot + 1])
    s, t = 0.0, 0.0
    if chosen < len(mesh.coordinates):
        w = 1.0 - u - v
        uvs = mesh.coordinates[chosen]
        a, b, c = mesh.faces[triangle, 0], mesh.faces[triangle, 1], mesh.faces[triangle, 2]
        s = w * uvs[a, 0] + u * uvs[b, 0] + v * uvs[c, 0]
        t = w * uvs[a, 1] + u * uvs[b, 1] + v * uvs[c, 1]
    return (
        float(row[slot + 2] * s + row[slot + 3] * t + row[slot + 4]),
        float(row[slot + 5] * s + row[slot + 6] * t + row[slot + 7]),
    )


@leaf
def texel(looks: Looks, texture: Index, s: float, t: float, encoded: Index) -> tuple[float, float, float, float]:
    """Sample a texture: red, green, blue, alpha, linear, in [0, 1].

    Parameters
    ----------
    looks
        The scene's materials and textures.
    texture
        Index of the texture.
    s, t
        Coordinates, t down from the top.
    encoded
        `ENCODED` where red, green and blue are sRGB-encoded, else `LINEAR`.
    """
    return _texel(looks, looks.textures[texture], s, t, encoded)


@inlined
def _texel(
    looks: Looks, row: NDArray[np.float64], s: float, t: float, encoded: Index
) -> tuple[float, float, float, float]:
    """Return what `texel` does, for a texture's row."""
    first, width, height = np.intp(row[FIRST_TEXEL]), np.intp(row[WIDTH]), np.intp(row[HEIGHT])
    wrap_s, wrap_t = np.intp(row[WRAP_S]), np.intp(row[WRAP_T])
    x = min(max(_folded(s, wrap_s) * row[WIDTH], row[BOUNDS]), row[BOUNDS + 2])
    y = min(max(_folded(t, wrap_t) * row[HEIGHT], row[BOUNDS + 1]), row[BOUNDS + 3])
    if row[IS_LINEAR] == 0.0:
        across, down = _inside(np.intp(np.floor(x)), width, wrap_s), _inside(np.intp(np.floor(y)), height, wrap_t)
        return _decoded(looks, first + down * width + across, encoded)
    left, top = np.floor(x - 0.5), np.floor(y - 0.5)
    right_share, low_share = x - 0.5 - left, y - 0.5 - top
    column, next_column = _inside(np.intp(left), width, wrap_s), _inside(np.intp(left) + 1, width, wrap_s)
    line = first + _inside(np.intp(top), height, wrap_t) * width
    next_line = first + _inside(np.intp(top) + 1, height, wrap_t) * width
    a, b = _decoded(looks, line + column, encoded), _decoded(looks, line + next_column, encoded)
    c, d = _decoded(looks, next_line + column, encoded), _decoded(looks, next_line + next_column, encoded)
    a_share, b_share = (1.0 - low_share) * (1.0 - right_share), (1.0 - low_share) * right_share
    c_share, d_share = low_share * (1.0 - right_share), low_share * right_share
    return (
        a_share * a[0] + b_share * b[0] + c_share * c[0] + d_share * d[0],
        a_share * a[1] + b_share * b[1] + c_share * c[1] + d_share * d[1],
        a_share * a[2] + b_share * b[2] + c_share * c[2] + d_share * d[2],
        a_share * a[3] + b_share * b[3] + c_share * c[3] + d_share * d[3],
    )


@leaf
def write_texels(
    mesh: Mesh,
    looks: Looks,
    triangle: Index,
    slot: Index,
    encoded: Index,
    us: NDArray[np.float64],
    vs: NDArray[np.float64],
    first: Index,
    count: Index,
    out: NDArray[np.float64],
) -> None:
    """Write what the texture in a slot shows at hits of one triangle, (count, 3) linear red, green and blue.

    Parameters
    ----------
    mesh, looks
        The scene.
    triangle
        What is hit.
    slot, encoded
        The slot, which is not empty, and as for `texel`.
    us, vs, first, count
        The hits' weights, from place `first` on.
    out
        Written.
    """
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    texture = looks.textures[np.intp(row[slot])]
    for number in range(count):
        u, v = float(us[first + number]), float(vs[first + number])
        s, t = _coordinates(mesh, row, triangle, slot, u, v)
        out[number, 0], out[number, 1], out[number, 2], _ = _texel(looks, texture, s, t, encoded)


@leaf
def alpha_at(mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float) -> float:
    """Return the alpha of a surface at a hit: material times texture times vertex color."""
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    alpha: float = row[BASE + 3]
    texture = np.intp(row[COLOR_SLOT])
    if texture >= 0:
        s, t = coordinates(mesh, looks.materials, triangle, COLOR_SLOT, u, v)
        alpha *= texel(looks, texture, s, t, LINEAR)[3]
    a, b, c = mesh.faces[triangle, 0], mesh.faces[triangle, 1], mesh.faces[triangle, 2]
    column = COLOR + 3
    w = 1.0 - u - v
    alpha *= w * mesh.vertices[a, column] + u * mesh.vertices[b, column] + v * mesh.vertices[c, column]
    return alpha


@inlined
def _decoded(looks: Looks, place: Index, encoded: Index) -> tuple[float, float, float, float]:
    return (
        looks.decode[encoded, looks.texels[place, 0]],
        looks.decode[encoded, looks.texels[place, 1]],
        looks.decode[encoded, looks.texels[place, 2]],
        looks.decode[0, looks.texels[place, 3]],
    )


@inlined
def _folded(coordinate: float, wrap: Index) -> float:
    """Bring a coordinate into [0, 1] before it is scaled, so that no whole number overflows."""
    if wrap == _CLAMP:
        return min(max(coordinate, 0.0), 1.0)
    if wrap == _MIRROR:
        folded = coordinate - 2.0 * np.floor(coordinate * 0.5)
        return float(2.0 - folded if folded > 1.0 else folded)
    return float(coordinate - np.floor(coordinate))


@inlined
def _inside(index: Index, size: Index, wrap: Index) -> Index:
    """Bring the index of a texel next to the image back into it."""
    if 0 <= index < size:
        return index
    if wrap != _REPEAT:
        return min(max(index, 0), size - 1)
    return index % size
