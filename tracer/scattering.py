"""Where light goes on from a surface: one of the material's lobes is chosen, and a direction is drawn from it.

The value of the lobes is `lighting.write_reflected`, the specification's formula; here it is only sampled. Light that
passes straight through takes what the normal's reflection leaves: `passes c_diff (1 - F(n.v))`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import leaf
from tracer.ggx_sampling import cosine_direction, frame_of, ggx_density, ggx_normal
from tracer.lighting import write_reflected
from tracer.surface import DIFFUSE, GRAZING, PASSES, REFLECTANCE, ROUGH, SHADING

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


@leaf
def fresnel_at(surface: NDArray[np.float64], cosine: float, channel: int) -> float:
    """Return Schlick's reflectance of one channel at a cosine of either sign."""
    away = 1.0 - min(abs(cosine), 1.0)
    squared = away * away
    normal = surface[REFLECTANCE + channel]
    return float(normal + (surface[GRAZING] - normal) * squared * squared * away)


@leaf
def straight_share(surface: NDArray[np.float64], ray: NDArray[np.float64], channel: int) -> float:
    """Return the share of one channel that passes straight through, along a (6,) ray of any length from either side."""
    x, y, z = ray[3], ray[4], ray[5]
    cosine = (surface[SHADING] * x + surface[SHADING + 1] * y + surface[SHADING + 2] * z) / np.sqrt(
        x * x + y * y + z * z
    )
    return float(surface[PASSES] * surface[DIFFUSE + channel] * (1.0 - fresnel_at(surface, cosine, channel)))


@leaf
def lobe_chances(surface: NDArray[np.float64], cos_view: float) -> tuple[float, float]:
    """Return the chances of going straight on and of the specular lobe; the diffuse lobe has the rest.

    Both are 0 where the surface is black.
    """
    straight, specular, diffuse = 0.0, 0.0, 0.0
    for channel in range(3):
        reflectance = fresnel_at(surface, cos_view, channel)
        specular += reflectance
        straight += surface[PASSES] * surface[DIFFUSE + channel] * (1.0 - reflectance)
        diffuse += (1.0 - surface[PASSES]) * surface[DIFFUSE + channel] * max(1.0 - reflectance, _LEAST_DIFFUSE)
    total = straight + specular + diffuse
    if not total > 0.0:
        return 0.0, 0.0
    return straight / total, specular / total


@leaf
def scattering_density(
    surface: NDArray[np.float64], vx: float, vy: float, vz: float, lx: float, ly: float, lz: float
) -> float:
    """Return the density per steradian with which `write_scattered` draws a direction, mirrors left out.

    Parameters
    ----------
    surface
        A row of `write_surface`.
    vx, vy, vz, lx, ly, lz
        Unit directions toward the viewer and toward the light.
    """
    nx, ny, nz = surface[SHADING], surface[SHADING + 1], surface[SHADING + 2]
    cos_light = nx * lx + ny * ly + nz * lz
    if cos_light <= 0.0:
        return 0.0
    cos_view = nx * vx + ny * vy + nz * vz
    straight, specular = lobe_chances(surface, cos_view)
    density = (1.0 - straight - specular) * cos_light / np.pi
    alpha = surface[ROUGH]
    if alpha >= SMOOTH and specular > 0.0:
        hx, hy, hz = vx + lx, vy + ly, vz + lz
        squared = hx * hx + hy * hy + hz * hz
        if squared > 0.0:
            length = 1.0 / np.sqrt(squared)
            cos_half = (nx * hx + ny * hy + nz * hz) * length
            cos_view_half = (vx * hx + vy * hy + vz * hz) * length
            density += specular * ggx_density(cos_view, cos_half, cos_view_half, alpha)
    return float(max(density, 0.0))


@leaf
def write_scattered(
    surface: NDArray[np.float64],
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
    cos_view = nx * vx + ny * vy + nz * vz
    straight, specular = lobe_chances(surface, cos_view)
    if first < straight:
        for channel in range(3):
            passed = surface[PASSES] * surface[DIFFUSE + channel] * (1.0 - fresnel_at(surface, cos_view, channel))
            weight[channel] = passed / straight
        return STRAIGHT
    first -= straight
    tx, ty, tz, bx, by, bz = frame_of(nx, ny, nz)
    if first < specular:
        if surface[ROUGH] < SMOOTH:
            for channel in range(3):
                weight[channel] = fresnel_at(surface, cos_view, channel) / specular
            direction[0] = 2.0 * cos_view * nx - vx
            direction[1] = 2.0 * cos_view * ny - vy
            direction[2] = 2.0 * cos_view * nz - vz
            return MIRRORED
        x, y = tx * vx + ty * vy + tz * vz, bx * vx + by * vy + bz * vz
        hx, hy, hz = ggx_normal(x, y, cos_view, surface[ROUGH], first / specular, second)
        twice = 2.0 * (x * hx + y * hy + cos_view * hz)
        x, y, z = twice * hx - x, twice * hy - y, twice * hz - cos_view
    else:
        diffuse = 1.0 - straight - specular
        if not diffuse > 0.0:
            return NOWHERE
        x, y, z = cosine_direction(min((first - specular) / diffuse, 1.0), second)
    if z <= 0.0:
        return NOWHERE
    lx, ly, lz = tx * x + bx * y + nx * z, ty * x + by * y + ny * z, tz * x + bz * y + nz * z
    density = scattering_density(surface, vx, vy, vz, lx, ly, lz)
    if not density > 0.0:
        return NOWHERE
    write_reflected(surface, vx, vy, vz, lx, ly, lz, weight)
    cos_light = nx * lx + ny * ly + nz * lz
    for channel in range(3):
        weight[channel] *= cos_light / density
    direction[0], direction[1], direction[2] = lx, ly, lz
    return density
