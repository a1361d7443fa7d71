"""Light arriving at a surface: from one punctual light without its shadow, from all around, and what is reflected of
it.

Source: `KHR_lights_punctual` for falloff, range and cone; glTF 2.0, appendix B, for the reflection.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tracer.brdf import LEAST_COSINE, lobes, reflected
from tracer.compiling import leaf
from tracer.sky import irradiance_over_pi
from tracer.surface import (
    DIFFUSE,
    GRAZING,
    LIFTED,
    PASSES,
    POSITION,
    REFLECTANCE,
    ROUGH,
    SHADING,
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
    cos_light = surface[SHADING] * lx + surface[SHADING + 1] * ly + surface[SHADING + 2] * lz
    if not (cos_light > 0.0 and arriving > 0.0):
        return 0.0
    length = -1.0 / math.sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2])
    write_reflected(surface, direction[0] * length, direction[1] * length, direction[2] * length, lx, ly, lz, out)
    for channel in range(3):
        out[channel] = out[channel] * arriving * cos_light * light[LIGHT_COLOR + channel]
    for axis in range(3):
        shadow_ray[axis] = surface[LIFTED + axis]
        if light[LIGHT_KIND] == SUN:
            shadow_ray[3 + axis] = -light[LIGHT_DIRECTION + axis]
        else:
            shadow_ray[3 + axis] = light[LIGHT_POSITION + axis] - surface[LIFTED + axis]
    return far


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
    """Write what a surface makes of light from one direction, (3,) float64 in 1/sr, without the light's cosine.

    Parameters
    ----------
    surface
        A row of `write_surface`.
    vx, vy, vz, lx, ly, lz
        Unit directions toward the viewer and toward the light; the light stands above the shading normal's plane.
    """
    hx, hy, hz = vx + lx, vy + ly, vz + lz
    half = hx * hx + hy * hy + hz * hz
    half = 1.0 / math.sqrt(half) if half > 0.0 else 0.0
    cos_light = surface[SHADING] * lx + surface[SHADING + 1] * ly + surface[SHADING + 2] * lz
    cos_view = surface[SHADING] * vx + surface[SHADING + 1] * vy + surface[SHADING + 2] * vz
    cos_half = (surface[SHADING] * hx + surface[SHADING + 1] * hy + surface[SHADING + 2] * hz) * half
    cos_view_half = (vx * hx + vy * hy + vz * hz) * half
    lobe, schlick = lobes(cos_light, max(cos_view, LEAST_COSINE), cos_half, cos_view_half, surface[ROUGH])
    scatters = 1.0 - surface[PASSES]
    for channel in range(3):
        out[channel] = reflected(
            surface[DIFFUSE + channel] * scatters, surface[REFLECTANCE + channel], surface[GRAZING], lobe, schlick
        )


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
    """Return the ambient term of one channel: `(c_diff + f0) E(n) / pi`."""
    around = irradiance_over_pi(shine, surface[SHADING], surface[SHADING + 1], surface[SHADING + 2], channel)
    scatters = 1.0 - surface[PASSES]
    return float((surface[DIFFUSE + channel] * scatters + surface[REFLECTANCE + channel]) * around)
