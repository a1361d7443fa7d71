"""Where light goes on from a surface: one of the material's lobes is chosen, and a direction is drawn from it.

The value of the lobes is `lighting.write_reflected`, the specifications' formula; here it is only sampled. Light that
passes straight through takes what the normal's reflection, the sheen and the coat leave: `passes c_diff (1 - F(n.v))`.
The sheen is drawn evenly over the hemisphere, of which it needs the rim as much as the middle.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.brdf import schlick_weight
from tracer.compiling import inlined, leaf
from tracer.ggx_sampling import cosine_direction, even_direction, frame_of, ggx_density, ggx_normal
from tracer.lighting import write_reflected
from tracer.surface_row import (
    COAT,
    COAT_NORMAL,
    COAT_ROUGH,
    DIFFUSE,
    GRAZING,
    PASSES,
    REFLECTANCE,
    ROUGH,
    SHADING,
    SHEEN,
    SHEEN_ALBEDO,
    UNDER,
    WITHHELD,
)

SMOOTH: Final = 2.0**-16
"""Alpha (roughness squared) below which a surface is a mirror: its lobe is narrower than float64 can tell."""

NOWHERE: Final = 0.0
"""Density of a direction in which nothing goes on."""
MIRRORED: Final = -1.0
"""In place of the density of a mirror's one direction."""
STRAIGHT: Final = -2.0
"""In place of the density of the direction straight on."""

_LEAST_DIFFUSE: Final = 0.1
"""Share of the diffuse lobe that is sampled even where the normal's reflection leaves none."""


class Chances(NamedTuple):
    """The chances of a surface's lobes; the diffuse lobe has the rest. All are 0 where the surface is black."""

    straight: float
    """of going straight on"""
    specular: float
    """of the base's specular lobe"""
    coat: float
    fibers: float
    """of the sheen"""


@leaf
def fresnel_at(surface: NDArray[np.float64], cosine: float, channel: int) -> float:
    """Return Schlick's reflectance of one channel at a cosine of either sign."""
    normal = surface[REFLECTANCE + channel]
    return float(normal + (surface[GRAZING] - normal) * schlick_weight(cosine))


@leaf
def withheld_at(surface: NDArray[np.float64], cosine: float, channel: int) -> float:
    """Return what the reflection keeps of one channel from the diffuse, at a cosine of either sign."""
    normal = surface[WITHHELD + channel]
    return float(normal + (surface[GRAZING] - normal) * schlick_weight(cosine))


@leaf
def straight_share(surface: NDArray[np.float64], ray: NDArray[np.float64], channel: int) -> float:
    """Return the share of one channel that passes straight through, along a (6,) ray of any length from either side."""
    x, y, z = ray[3], ray[4], ray[5]
    length = math.sqrt(x * x + y * y + z * z)
    cosine = (surface[SHADING] * x + surface[SHADING + 1] * y + surface[SHADING + 2] * z) / length
    return _passed(surface, cosine, channel)


@leaf
def _passed(surface: NDArray[np.float64], cosine: float, channel: int) -> float:
    passes = surface[PASSES] * surface[DIFFUSE + channel] * surface[UNDER]
    return float(passes * (1.0 - withheld_at(surface, cosine, channel)))


@leaf
def is_matte(surface: NDArray[np.float64]) -> bool:
    """Say whether a surface has the diffuse lobe alone."""
    if surface[GRAZING] != 0.0:
        return False
    others = surface[PASSES] + surface[COAT]
    for channel in range(3):
        others += surface[REFLECTANCE + channel] + surface[WITHHELD + channel] + surface[SHEEN + channel]
    return bool(others == 0.0)


@leaf
def lobe_chances(surface: NDArray[np.float64], cos_view: float) -> Chances:
    """Return with what chances the lobes of a surface are drawn that is seen at a cosine."""
    straight, specular, diffuse, fibers = 0.0, 0.0, 0.0, 0.0
    for channel in range(3):
        left = 1.0 - withheld_at(surface, cos_view, channel)
        specular += fresnel_at(surface, cos_view, channel)
        straight += surface[PASSES] * surface[DIFFUSE + channel] * left
        diffuse += (1.0 - surface[PASSES]) * surface[DIFFUSE + channel] * max(left, _LEAST_DIFFUSE)
        fibers += surface[SHEEN + channel]
    under, coat = surface[UNDER], 3.0 * surface[COAT]
    straight, specular, diffuse = straight * under, specular * under, diffuse * under
    if fibers > 0.0:
        fibers *= (1.0 - surface[COAT]) * surface[SHEEN_ALBEDO]
    total = straight + specular + diffuse + coat + fibers
    if not total > 0.0:
        return Chances(0.0, 0.0, 0.0, 0.0)
    scale = 1.0 / total
    return Chances(straight * scale, specular * scale, coat * scale, fibers * scale)


@leaf
def scattering_density(
    surface: NDArray[np.float64],
    chances: Chances,
    vx: float,
    vy: float,
    vz: float,
    lx: float,
    ly: float,
    lz: float,
) -> float:
    """Return the density per steradian with which `write_scattered` draws a direction, mirrors left out.

    Parameters
    ----------
    surface
        A row of `write_surface`.
    chances
        From `lobe_chances`.
    vx, vy, vz, lx, ly, lz
        Unit directions toward the viewer and toward the light.
    """
    nx, ny, nz = surface[SHADING], surface[SHADING + 1], surface[SHADING + 2]
    cos_light = nx * lx + ny * ly + nz * lz
    density = 0.0
    if cos_light > 0.0:
        diffuse = 1.0 - chances.straight - chances.specular - chances.coat - chances.fibers
        density = diffuse * cos_light / np.pi + chances.fibers / (2.0 * np.pi)
        if chances.specular > 0.0:
            density += chances.specular * _mirrored_density(nx, ny, nz, surface[ROUGH], vx, vy, vz, lx, ly, lz)
    if chances.coat > 0.0:
        nx, ny, nz = surface[COAT_NORMAL], surface[COAT_NORMAL + 1], surface[COAT_NORMAL + 2]
        if nx * lx + ny * ly + nz * lz > 0.0:
            density += chances.coat * _mirrored_density(nx, ny, nz, surface[COAT_ROUGH], vx, vy, vz, lx, ly, lz)
    return float(max(density, 0.0))


@leaf
def _mirrored_density(
    nx: float,
    ny: float,
    nz: float,
    alpha: float,
    vx: float,
    vy: float,
    vz: float,
    lx: float,
    ly: float,
    lz: float,
) -> float:
    """Return the density with which a microfacet of a rough surface mirrors the viewer's direction; 0 for a mirror."""
    hx, hy, hz = vx + lx, vy + ly, vz + lz
    squared = hx * hx + hy * hy + hz * hz
    if alpha < SMOOTH or squared == 0.0:
        return 0.0
    length = 1.0 / math.sqrt(squared)
    cos_half, cos_view_half = (nx * hx + ny * hy + nz * hz) * length, (vx * hx + vy * hy + vz * hz) * length
    return ggx_density(nx * vx + ny * vy + nz * vz, cos_half, cos_view_half, alpha)


@leaf
def write_scattered(
    surface: NDArray[np.float64],
    chances: Chances,
    vx: float,
    vy: float,
    vz: float,
    first: float,
    second: float,
    direction: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> float:
    """Choose where light comes from that leaves toward the viewer.

    Parameters
    ----------
    surface
        A row of `write_surface`.
    chances
        From `lobe_chances`.
    vx, vy, vz
        Unit direction toward the viewer.
    first, second
        Numbers in [0, 1).
    direction
        (3,) float64; written, of unit length, unless the answer is `NOWHERE` or `STRAIGHT`.
    weight
        (3,) float64: reflection times cosine over density; written unless the answer is `NOWHERE`.

    Returns
    -------
    density
        Per steradian, or `NOWHERE`, `MIRRORED` or `STRAIGHT`.
    """
    nx, ny, nz = surface[SHADING], surface[SHADING + 1], surface[SHADING + 2]
    straight, specular, coat, fibers = chances
    if first < straight:
        cos_view = nx * vx + ny * vy + nz * vz
        for channel in range(3):
            weight[channel] = _passed(surface, cos_view, channel) / straight
        return STRAIGHT
    first -= straight
    if first < specular + coat:
        chance, rough, share = specular, surface[ROUGH], 0.0
        if first >= specular:
            first -= specular
            chance, rough, share = coat, surface[COAT_ROUGH], surface[COAT]
            nx, ny, nz = surface[COAT_NORMAL], surface[COAT_NORMAL + 1], surface[COAT_NORMAL + 2]
        if rough < SMOOTH:
            cos_view = nx * vx + ny * vy + nz * vz
            for channel in range(3):
                shown = share if share > 0.0 else fresnel_at(surface, cos_view, channel) * surface[UNDER]
                weight[channel] = shown / chance
            _write_mirrored(nx, ny, nz, vx, vy, vz, direction)
            return MIRRORED
        _write_microfacet(nx, ny, nz, vx, vy, vz, rough, min(first / chance, 1.0), second, direction)
    else:
        first -= specular + coat
        diffuse = 1.0 - straight - specular - coat - fibers
        if first < fibers:
            x, y, z = even_direction(first / fibers, second)
        elif diffuse > 0.0:
            x, y, z = cosine_direction(min((first - fibers) / diffuse, 1.0), second)
        else:
            return NOWHERE
        _write_turned(nx, ny, nz, x, y, z, direction)
    lx, ly, lz = direction[0], direction[1], direction[2]
    density = scattering_density(surface, chances, vx, vy, vz, lx, ly, lz)
    if not density > 0.0:
        return NOWHERE
    write_reflected(surface, vx, vy, vz, lx, ly, lz, weight)
    scale = 1.0 / density
    for channel in range(3):
        weight[channel] *= scale
    return density


@inlined
def write_matte_scattered(
    surface: NDArray[np.float64],
    first: float,
    second: float,
    direction: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> float:
    """Do as `write_scattered` does, for a surface that `is_matte`: its weight is its color."""
    x, y, z = cosine_direction(first, second)
    if not z > 0.0:
        return NOWHERE
    _write_turned(surface[SHADING], surface[SHADING + 1], surface[SHADING + 2], x, y, z, direction)
    for channel in range(3):
        weight[channel] = surface[DIFFUSE + channel]
    return z / math.pi


@leaf
def _write_mirrored(
    nx: float, ny: float, nz: float, vx: float, vy: float, vz: float, direction: NDArray[np.float64]
) -> None:
    twice = 2.0 * (nx * vx + ny * vy + nz * vz)
    direction[0], direction[1], direction[2] = twice * nx - vx, twice * ny - vy, twice * nz - vz


@leaf
def _write_microfacet(
    nx: float,
    ny: float,
    nz: float,
    vx: float,
    vy: float,
    vz: float,
    alpha: float,
    first: float,
    second: float,
    direction: NDArray[np.float64],
) -> None:
    """Write the direction that a microfacet drawn around a normal mirrors the viewer's in; it may point inward."""
    tx, ty, tz, bx, by, bz = frame_of(nx, ny, nz)
    x, y, z = tx * vx + ty * vy + tz * vz, bx * vx + by * vy + bz * vz, nx * vx + ny * vy + nz * vz
    hx, hy, hz = ggx_normal(x, y, z, alpha, first, second)
    twice = 2.0 * (x * hx + y * hy + z * hz)
    _write_turned(nx, ny, nz, twice * hx - x, twice * hy - y, twice * hz - z, direction)


@leaf
def _write_turned(
    nx: float, ny: float, nz: float, x: float, y: float, z: float, direction: NDArray[np.float64]
) -> None:
    """Write a direction given in the frame of a normal."""
    tx, ty, tz, bx, by, bz = frame_of(nx, ny, nz)
    direction[0], direction[1] = tx * x + bx * y + nx * z, ty * x + by * y + ny * z
    direction[2] = tz * x + bz * y + nz * z
