"""Directions drawn for a surface's lobes: GGX by its visible normals, the cosine around a normal, and evenly around it.

Everything here lies in the frame of the shading normal, which is (0, 0, 1); `frame_of` gives its other axes.

Sources: Dupuy and Benyoub, *Sampling Visible GGX Normals with Spherical Caps*, Computer Graphics Forum 42(8), 2023;
Heitz, *Sampling the GGX Distribution of Visible Normals*, JCGT 7(4), 2018; Duff et al., *Building an Orthonormal Basis,
Revisited*, JCGT 6(1), 2017; Shirley and Chiu, *A Low Distortion Map Between Disk and Square*, 1997.
"""

import math

from tracer.brdf import LEAST_COSINE
from tracer.compiling import leaf


@leaf
def frame_of(nx: float, ny: float, nz: float) -> tuple[float, float, float, float, float, float]:
    """Return two unit vectors that make a right-handed frame with a unit normal."""
    sign = 1.0 if nz >= 0.0 else -1.0
    a = -1.0 / (sign + nz)
    b = nx * ny * a
    return 1.0 + sign * nx * nx * a, sign * b, -sign * nx, b, sign + ny * ny * a, -ny


@leaf
def _sine(angle: float) -> float:
    """Return the sine of an angle in [-pi/4, pi/4], to 3e-14: its series, in parts that need not wait."""
    z = angle * angle
    low = 1.0 - z * (1.0 / 6.0) + z * z * (1.0 / 120.0 - z * (1.0 / 5040.0))
    high = 1.0 / 362880.0 - z * (1.0 / 39916800.0) + z * z * (1.0 / 6227020800.0)
    return angle * (low + z * z * (z * z) * high)


@leaf
def circle_point(turn: float) -> tuple[float, float]:
    """Return the cosine and sine of a share of a full turn, in [0, 1)."""
    quarters = 4.0 * turn
    quarter = math.floor(quarters + 0.5)
    sine = _sine(math.pi / 2.0 * (quarters - quarter))
    cosine = math.sqrt(1.0 - sine * sine)
    x, y = (sine, cosine) if abs(quarter - 2.0) == 1.0 else (cosine, sine)
    return -x if abs(quarter - 1.5) < 1.0 else x, -y if abs(quarter - 2.5) < 1.0 else y


@leaf
def cosine_direction(first: float, second: float) -> tuple[float, float, float]:
    """Return a direction with density `cos / pi`, from two numbers in [0, 1)."""
    x, y = 2.0 * first - 1.0, 2.0 * second - 1.0
    if x == 0.0 and y == 0.0:
        return 0.0, 0.0, 1.0
    is_wide = abs(x) > abs(y)
    radius, ratio = (x, y / x) if is_wide else (y, x / y)
    sine = _sine(math.pi / 4.0 * ratio)
    along, across = radius * math.sqrt(1.0 - sine * sine), radius * sine
    z = math.sqrt(max(1.0 - radius * radius, 0.0))
    return (along, across, z) if is_wide else (across, along, z)


@leaf
def even_direction(first: float, second: float) -> tuple[float, float, float]:
    """Return a direction evenly spread over the hemisphere, density `1 / (2 pi)`, from two numbers in [0, 1)."""
    radius, (x, y) = math.sqrt(first * (2.0 - first)), circle_point(second)
    return radius * x, radius * y, 1.0 - first


@leaf
def ggx_normal(
    vx: float, vy: float, vz: float, alpha: float, first: float, second: float
) -> tuple[float, float, float]:
    """Return a microfacet normal.

    It is one that the viewer sees, with the share it has in what the viewer sees; where the viewer stands below
    `LEAST_COSINE`, at a silhouette whose smooth normal leans away, one with density `D(h) cos(h)`.

    Parameters
    ----------
    vx, vy, vz
        Unit direction toward the viewer.
    alpha
        Roughness squared, above 0.
    first, second
        Numbers in [0, 1).
    """
    x, y = circle_point(first)
    if vz < LEAST_COSINE:
        # The slope's cumulative distribution is s^2 / (s^2 + alpha^2).
        slope = alpha * math.sqrt(second / (1.0 - second))
        hz = 1.0 / math.sqrt(1.0 + slope * slope)
        return slope * hz * x, slope * hz * y, hz
    length = 1.0 / math.sqrt(alpha * alpha * (vx * vx + vy * vy) + vz * vz)
    wx, wy, wz = alpha * vx * length, alpha * vy * length, vz * length
    z = (1.0 - second) * (1.0 + wz) - wz
    radius = math.sqrt(max(1.0 - z * z, 0.0))
    hx, hy, hz = alpha * (radius * x + wx), alpha * (radius * y + wy), z + wz
    length = 1.0 / math.sqrt(hx * hx + hy * hy + hz * hz)
    return hx * length, hy * length, hz * length


@leaf
def ggx_density(cos_view: float, cos_half: float, cos_view_half: float, alpha: float) -> float:
    """Return the density, per steradian of the reflected direction, that `ggx_normal` gives.

    Parameters
    ----------
    cos_view, cos_half, cos_view_half
        Cosines between normal and viewer, normal and half vector, viewer and half vector.
    alpha
        Roughness squared, above 0.
    """
    squared = alpha * alpha
    spread = cos_half * cos_half * (squared - 1.0) + 1.0
    distribution = squared / (math.pi * spread * spread)
    if cos_view < LEAST_COSINE:
        away = 4.0 * abs(cos_view_half)
        return distribution * abs(cos_half) / away if away > 0.0 else 0.0
    if cos_half <= 0.0:
        return 0.0
    return distribution / (2.0 * (cos_view + math.sqrt(cos_view * cos_view * (1.0 - squared) + squared)))
