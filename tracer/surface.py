"""The surface at a hit: position, normals, and what the material, its textures and the vertices make of it."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer.apart import apart
from tracer.appearance import write_appearance
from tracer.compiling import Index, inlined, leaf
from tracer.exact import geometric_normal
from tracer.surface_row import COAT_NORMAL, GEOMETRIC, LIFTED, POSITION, SHADING
from tracer.tables import (
    COAT_NORMAL_SCALE,
    COAT_NORMAL_SLOT,
    IS_FLAT,
    IS_LAYERED,
    IS_SWAPPED,
    LINEAR,
    MATERIAL,
    NORMAL,
    NORMAL_SCALE,
    NORMAL_SLOT,
    TANGENT,
    Looks,
    Mesh,
)
from tracer.texture import coordinates, texel

RAY_ERROR: Final = 2.0**-21
"""Share of the coordinates and the triangle's size by which a shadow ray starts off the surface.

Rounding its origin to float32 moves it by up to 2^-24 of a coordinate an axis, and Embree's robust plane test errs by
some 2^-22 of the triangle's size; this covers both twice. At 10 metres it is 5 micrometres.
"""


@leaf
def write_surface(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, ray: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Write everything that shading needs to know about a hit, (43,) float64, columns as in `surface_row`.

    Parameters
    ----------
    mesh, looks
        The scene.
    triangle, u, v
        The hit: barycentric weights of the second and third vertex.
    ray
        (6,) float64, the ray that found it.
    out
        Written.
    """
    turn = write_sides(mesh, looks, triangle, u, v, ray, out)
    if looks.materials[mesh.faces[triangle, MATERIAL], IS_LAYERED] != 0.0:
        _write_coat_normal(mesh, looks, triangle, u, v, turn, out)
    _write_lifted(mesh, triangle, u, v, turn, out)
    write_appearance(mesh, looks, triangle, u, v, ray, out)


@inlined
def write_sides(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, ray: NDArray[np.float64], out: NDArray[np.float64]
) -> float:
    """Write position, geometric and shading normal of a hit; see `write_surface`.

    Returns
    -------
    turn
        1 where the vertices' normals stand on the viewer's side, -1 where on the other one; 0 where there are none.
    """
    vertices, face = mesh.vertices, mesh.faces[triangle]
    a, b, c = face[0], face[1], face[2]
    w = 1.0 - u - v
    for axis in range(3):
        out[POSITION + axis] = w * vertices[a, axis] + u * vertices[b, axis] + v * vertices[c, axis]
    gx, gy, gz = geometric_normal(vertices, mesh.faces, triangle)
    side = -1.0 if gx * ray[3] + gy * ray[4] + gz * ray[5] > 0.0 else 1.0
    gx, gy, gz = gx * side, gy * side, gz * side
    out[GEOMETRIC], out[GEOMETRIC + 1], out[GEOMETRIC + 2] = gx, gy, gz
    nx, ny, nz = 0.0, 0.0, 0.0
    if face[IS_FLAT] == np.uint32(0):
        nx, ny, nz = _smooth_normal(vertices, face, u, v)
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        out[SHADING], out[SHADING + 1], out[SHADING + 2] = gx, gy, gz
        return 0.0
    # Given normals stand on the front: they turn where the viewer is behind it, whichever way the triangle winds.
    turn = -side if face[IS_SWAPPED] != np.uint32(0) else side
    strength = looks.materials[face[MATERIAL], NORMAL_SCALE]
    x, y, z = nx, ny, nz
    if looks.materials[face[MATERIAL], NORMAL_SLOT] >= 0.0:
        x, y, z = bent(mesh, looks, triangle, u, v, nx, ny, nz, NORMAL_SLOT, strength)
    out[SHADING], out[SHADING + 1], out[SHADING + 2] = x * turn, y * turn, z * turn
    return turn


@apart
def _write_coat_normal(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, turn: float, out: NDArray[np.float64]
) -> None:
    """Write the normal of a coat, which has a normal map of its own. `turn` is that of `write_sides`."""
    face = mesh.faces[triangle]
    row = looks.materials[face[MATERIAL]]
    if turn == 0.0:
        for axis in range(3):
            out[COAT_NORMAL + axis] = out[GEOMETRIC + axis]
        return
    nx, ny, nz = _smooth_normal(mesh.vertices, face, u, v)
    nx, ny, nz = bent(mesh, looks, triangle, u, v, nx, ny, nz, COAT_NORMAL_SLOT, row[COAT_NORMAL_SCALE])
    out[COAT_NORMAL], out[COAT_NORMAL + 1], out[COAT_NORMAL + 2] = nx * turn, ny * turn, nz * turn


@inlined
def _smooth_normal(
    vertices: NDArray[np.float32], face: NDArray[np.uint32], u: float, v: float
) -> tuple[float, float, float]:
    """Interpolate the vertices' normals: on the front side, of unit length, or zero where they cancel."""
    a, b, c = face[0], face[1], face[2]
    w = 1.0 - u - v
    return unit(
        w * vertices[a, NORMAL] + u * vertices[b, NORMAL] + v * vertices[c, NORMAL],
        w * vertices[a, NORMAL + 1] + u * vertices[b, NORMAL + 1] + v * vertices[c, NORMAL + 1],
        w * vertices[a, NORMAL + 2] + u * vertices[b, NORMAL + 2] + v * vertices[c, NORMAL + 2],
    )


@leaf
def bent(
    mesh: Mesh,
    looks: Looks,
    triangle: Index,
    u: float,
    v: float,
    nx: float,
    ny: float,
    nz: float,
    slot: Index,
    strength: float,
) -> tuple[float, float, float]:
    """Bend a normal by the normal map in a slot, its x and y times `strength`; as it is where there is no map."""
    vertices, face = mesh.vertices, mesh.faces[triangle]
    a, b, c = face[0], face[1], face[2]
    w = 1.0 - u - v
    texture = np.intp(looks.materials[face[MATERIAL], slot])
    sign = vertices[a, TANGENT + 3]
    if texture < 0 or sign == np.float32(0.0):
        return nx, ny, nz
    tx, ty, tz = unit(
        w * vertices[a, TANGENT] + u * vertices[b, TANGENT] + v * vertices[c, TANGENT],
        w * vertices[a, TANGENT + 1] + u * vertices[b, TANGENT + 1] + v * vertices[c, TANGENT + 1],
        w * vertices[a, TANGENT + 2] + u * vertices[b, TANGENT + 2] + v * vertices[c, TANGENT + 2],
    )
    bx, by, bz = (ny * tz - nz * ty) * sign, (nz * tx - nx * tz) * sign, (nx * ty - ny * tx) * sign
    s, t = coordinates(mesh, looks.materials, triangle, slot, u, v)
    red, green, blue, _ = texel(looks, texture, s, t, LINEAR)
    x, y, z = (2.0 * red - 1.0) * strength, (2.0 * green - 1.0) * strength, 2.0 * blue - 1.0
    return unit(tx * x + bx * y + nx * z, ty * x + by * y + ny * z, tz * x + bz * y + nz * z)


@inlined
def _write_lifted(mesh: Mesh, triangle: Index, u: float, v: float, turn: float, out: NDArray[np.float64]) -> None:
    """Write where shadow rays start: off the surface by its error bound, and out to where smooth normals bulge.

    A smooth-shaded triangle stands for a curved surface, and a ray from the flat one would meet its neighbours: the
    hard, jagged shadow terminator. Each vertex's tangent plane lifts the point (Hanika, *Hacking the Shadow
    Terminator*, Ray Tracing Gems II, chapter 4); planes that lie below the point move nothing. `turn` is the side of
    the normals, 0 for a flat triangle.
    """
    vertices, face = mesh.vertices, mesh.faces[triangle]
    px, py, pz = out[POSITION], out[POSITION + 1], out[POSITION + 2]
    lx, ly, lz = px, py, pz
    farthest = 0.0
    for corner in range(3):
        vertex = face[corner]
        weight = 1.0 - u - v if corner == 0 else (u if corner == 1 else v)
        sx, sy, sz = px - vertices[vertex, 0], py - vertices[vertex, 1], pz - vertices[vertex, 2]
        farthest = max(farthest, abs(sx), abs(sy), abs(sz))
        if turn != 0.0:
            nx, ny, nz = vertices[vertex, NORMAL], vertices[vertex, NORMAL + 1], vertices[vertex, NORMAL + 2]
            above = sx * nx + sy * ny + sz * nz
            if above * turn < 0.0:
                lx -= weight * above * nx
                ly -= weight * above * ny
                lz -= weight * above * nz
    offset = RAY_ERROR * (max(abs(px), abs(py), abs(pz)) + farthest)
    out[LIFTED] = lx + offset * out[GEOMETRIC]
    out[LIFTED + 1] = ly + offset * out[GEOMETRIC + 1]
    out[LIFTED + 2] = lz + offset * out[GEOMETRIC + 2]


@inlined
def unit(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a vector of length 1 that goes the same way; zeros for zeros."""
    squared = x * x + y * y + z * z
    if squared == 0.0:
        return 0.0, 0.0, 0.0
    scale = 1.0 / math.sqrt(squared)
    return x * scale, y * scale, z * scale
