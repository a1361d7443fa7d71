"""Light arriving at a surface: from one punctual light without its shadow, from all around, and what is reflected of
it.

Source: `KHR_lights_punctual` for falloff, range and cone; glTF 2.0, appendix B, `KHR_materials_clearcoat` and
`KHR_materials_sheen` for the reflection.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tracer.brdf import LEAST_COSINE, lobes, reflected
from tracer.compiling import leaf
from tracer.sheen import sheen_albedo, sheen_lobe
from tracer.sky import irradiance_over_pi
from tracer.surface_row import (
    ALBEDO,
    COAT,
    COAT_NORMAL,
    COAT_ROUGH,
    DIFFUSE,
    EMITTED,
    GRAZING,
    IS_UNLIT,
    LIFTED,
    PASSES,
    POSITION,
    REFLECTANCE,
    ROUGH,
    SHADING,
    SHEEN,
    SHEEN_ALBEDO,
    SHEEN_ROUGH,
    UNDER,
    WITHHELD,
)
from tracer.tables import (
    LIGHT_COLOR,
    LIGHT_DIRECTION,
    LIGHT_KIND,
    LIGHT_POSITION,
    LIGHT_RANGE,
    POINT,
    SPOT_OFFSET,
    SPOT_SCALE,
    SUN,
    Shine,
)

_SHORT_OF_LIGHT = 1.0 - 2.0**-20
"""Where a shadow ray toward a light ends: a lamp standing in its own position's plane does not shade itself by
rounding."""


@leaf
def write_unshadowed(
    surface: NDArray[np.float64],
    light: NDArray[np.float64],
    direction: NDArray[np.float64],
    shadow_ray: NDArray[np.float64],
    out: NDArray[np.float64],
) -> float:
    """Write the radiance a surface reflects of one light, and the ray that finds out whether the light is seen.

    Parameters
    ----------
    surface
        A row of `write_surface`.
    light
        A row of `Shine.lights`.
    direction
        (3,) float64, the viewing ray's direction, any length.
    shadow_ray
        (6,) float64, written where the answer is above 0.
    out
        (3,) float64, written where the answer is above 0.

    Returns
    -------
    far
        How far to follow `shadow_ray`, in lengths of its direction; 0 where nothing arrives.
    """
    far, arriving = np.inf, 1.0
    lx, ly, lz = -light[LIGHT_DIRECTION], -light[LIGHT_DIRECTION + 1], -light[LIGHT_DIRECTION + 2]
    if light[LIGHT_KIND] != SUN:
        lx = light[LIGHT_POSITION] - surface[POSITION]
        ly = light[LIGHT_POSITION + 1] - surface[POSITION + 1]
        lz = light[LIGHT_POSITION + 2] - surface[POSITION + 2]
        squared = lx * lx + ly * ly + lz * lz
        if squared == 0.0:
            return 0.0
        length = 1.0 / math.sqrt(squared)
        lx, ly, lz = lx * length, ly * length, lz * length
        arriving = _falloff(light, lx, ly, lz, squared)
        far = _SHORT_OF_LIGHT
    if not (arriving > 0.0 and faces(surface, lx, ly, lz)):
        return 0.0
    length = -1.0 / math.sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2])
    write_reflected(surface, direction[0] * length, direction[1] * length, direction[2] * length, lx, ly, lz, out)
    for channel in range(3):
        out[channel] *= arriving * light[LIGHT_COLOR + channel]
    for axis in range(3):
        shadow_ray[axis] = surface[LIFTED + axis]
        if light[LIGHT_KIND] == SUN:
            shadow_ray[3 + axis] = -light[LIGHT_DIRECTION + axis]
        else:
            shadow_ray[3 + axis] = light[LIGHT_POSITION + axis] - surface[LIFTED + axis]
    return far


@leaf
def faces(surface: NDArray[np.float64], lx: float, ly: float, lz: float) -> bool:
    """Say whether light from a direction of any length can be reflected: by the base, or by a coat, whose normal is its
    own."""
    if surface[SHADING] * lx + surface[SHADING + 1] * ly + surface[SHADING + 2] * lz > 0.0:
        return True
    if surface[COAT] == 0.0:
        return False
    return bool(surface[COAT_NORMAL] * lx + surface[COAT_NORMAL + 1] * ly + surface[COAT_NORMAL + 2] * lz > 0.0)


@leaf
def write_reflected(
    surface: NDArray[np.float64],
    vx: float,
    vy: float,
    vz: float,
    lx: float,
    ly: float,
    lz: float,
    out: NDArray[np.float64],
) -> None:
    """Write what a surface makes of light from one direction, times the light's cosine: (3,) float64 in 1/sr.

    Parameters
    ----------
    surface
        A row of `write_surface`.
    vx, vy, vz, lx, ly, lz
        Unit directions toward the viewer and toward the light.
    """
    hx, hy, hz = vx + lx, vy + ly, vz + lz
    half = hx * hx + hy * hy + hz * hz
    half = 1.0 / math.sqrt(half) if half > 0.0 else 0.0
    cos_view_half = (vx * hx + vy * hy + vz * hz) * half
    cos_light = surface[SHADING] * lx + surface[SHADING + 1] * ly + surface[SHADING + 2] * lz
    if cos_light > 0.0:
        cos_view = surface[SHADING] * vx + surface[SHADING + 1] * vy + surface[SHADING + 2] * vz
        cos_half = (surface[SHADING] * hx + surface[SHADING + 1] * hy + surface[SHADING + 2] * hz) * half
        lobe, schlick = lobes(cos_light, max(cos_view, LEAST_COSINE), cos_half, cos_view_half, surface[ROUGH])
        scatters, fibers, under = 1.0 - surface[PASSES], 0.0, surface[UNDER]
        strongest = max(surface[SHEEN], surface[SHEEN + 1], surface[SHEEN + 2])
        if strongest > 0.0:
            fibers = (1.0 - surface[COAT]) * sheen_lobe(cos_light, cos_view, cos_half, surface[SHEEN_ROUGH])
            left = 1.0 - strongest * sheen_albedo(cos_light, surface[SHEEN_ROUGH])
            under = min(under, (1.0 - surface[COAT]) * max(left, 0.0))
        for channel in range(3):
            base = reflected(
                surface[DIFFUSE + channel] * scatters,
                surface[REFLECTANCE + channel],
                surface[WITHHELD + channel],
                surface[GRAZING],
                lobe,
                schlick,
            )
            out[channel] = (base * under + surface[SHEEN + channel] * fibers) * cos_light
    else:
        out[0], out[1], out[2] = 0.0, 0.0, 0.0
    if surface[COAT] > 0.0:
        coat = surface[COAT] * _coat_lobe(surface, vx, vy, vz, lx, ly, lz, hx * half, hy * half, hz * half)
        for channel in range(3):
            out[channel] += coat


@leaf
def _coat_lobe(
    surface: NDArray[np.float64],
    vx: float,
    vy: float,
    vz: float,
    lx: float,
    ly: float,
    lz: float,
    hx: float,
    hy: float,
    hz: float,
) -> float:
    """Return the coat's lobe without its Fresnel term, times the light's cosine with the coat's normal."""
    nx, ny, nz = surface[COAT_NORMAL], surface[COAT_NORMAL + 1], surface[COAT_NORMAL + 2]
    cos_light, cos_view = nx * lx + ny * ly + nz * lz, nx * vx + ny * vy + nz * vz
    if cos_light <= 0.0:
        return 0.0
    lobe, _ = lobes(cos_light, max(cos_view, LEAST_COSINE), nx * hx + ny * hy + nz * hz, 1.0, surface[COAT_ROUGH])
    return float(lobe * cos_light)


@leaf
def _falloff(light: NDArray[np.float64], lx: float, ly: float, lz: float, squared: float) -> float:
    """Return what is left of a point or spot light's intensity at a squared distance, in the unit direction toward
    the light."""
    window = 1.0
    if light[LIGHT_RANGE] < np.inf:
        ratio = squared / (light[LIGHT_RANGE] * light[LIGHT_RANGE])
        window = min(max(1.0 - ratio * ratio, 0.0), 1.0)
    if light[LIGHT_KIND] == POINT:
        return float(window / squared)
    cosine = -(light[LIGHT_DIRECTION] * lx + light[LIGHT_DIRECTION + 1] * ly + light[LIGHT_DIRECTION + 2] * lz)
    cone = min(max(cosine * light[SPOT_SCALE] + light[SPOT_OFFSET], 0.0), 1.0)
    return float(window * cone * cone / squared)


@leaf
def ambient(surface: NDArray[np.float64], shine: Shine, channel: int) -> float:
    """Return the ambient term of one channel: what base, sheen and coat make of the irradiance on their normals."""
    around = irradiance_over_pi(shine, surface[SHADING], surface[SHADING + 1], surface[SHADING + 2], channel)
    scatters = 1.0 - surface[PASSES]
    shown = (surface[DIFFUSE + channel] * scatters + surface[REFLECTANCE + channel]) * surface[UNDER]
    if surface[SHEEN + channel] > 0.0:
        shown += (1.0 - surface[COAT]) * surface[SHEEN + channel] * surface[SHEEN_ALBEDO]
    total = shown * around
    if surface[COAT] > 0.0:
        x, y, z = surface[COAT_NORMAL], surface[COAT_NORMAL + 1], surface[COAT_NORMAL + 2]
        total += surface[COAT] * irradiance_over_pi(shine, x, y, z, channel)
    return float(total)


@leaf
def shown(surface: NDArray[np.float64], channel: int) -> float:
    """Return the radiance a surface has of its own: its emission under a coat, or its color where it is unlit."""
    if surface[IS_UNLIT] != 0.0:
        return float(surface[ALBEDO + channel])
    return float(surface[EMITTED + channel] * (1.0 - surface[COAT]))
