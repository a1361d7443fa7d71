"""Sheen: the back-scattering of fibers, and the share of light that it takes from what is under them.

Sources: `KHR_materials_sheen`; Conty and Kulla, *Production Friendly Microfacet Sheen BRDF*, SIGGRAPH 2017, for the
distribution ("Charlie"), the fit of its shadowing and the scaling by albedo. docs/materials.md has the formulas.
"""

import math
from typing import Final

from anim.scalar import exp, log
from tracer.apart import apart
from tracer.brdf import LEAST_COSINE
from tracer.compiling import leaf

LEAST_ROUGHNESS: Final = 0.07
"""Sheen roughness below which a lobe is too narrow for its shadowing's fit to mean anything."""


@apart
def sheen_lobe(cos_light: float, cos_view: float, cos_half: float, roughness: float) -> float:
    """Return the value of a sheen of color 1 in 1/sr.

    Parameters
    ----------
    cos_light, cos_view, cos_half
        Cosines between the shading normal and the light, the viewer and the half vector; the first two are taken as at
        least `LEAST_COSINE`.
    roughness
        In [`LEAST_ROUGHNESS`, 1]; its square is the distribution's width.
    """
    alpha = roughness * roughness
    squared_sine = 1.0 - cos_half * cos_half
    if squared_sine <= 0.0:
        return 0.0
    nl, nv = max(cos_light, LEAST_COSINE), max(cos_view, LEAST_COSINE)
    distribution = (2.0 + 1.0 / alpha) * exp(log(squared_sine) * 0.5 / alpha) / (2.0 * math.pi)
    return distribution / ((1.0 + _shadowing(nv, alpha) + _shadowing(nl, alpha)) * 4.0 * nv * nl)


@leaf
def _shadowing(cosine: float, alpha: float) -> float:
    if cosine < 0.5:
        return exp(_log_shadowing(cosine, alpha))
    return exp(2.0 * _log_shadowing(0.5, alpha) - _log_shadowing(1.0 - cosine, alpha))


@leaf
def _log_shadowing(x: float, alpha: float) -> float:
    share = (1.0 - alpha) * (1.0 - alpha)
    p, q = _mix(21.5473, 25.3245, share), _mix(3.82987, 3.32435, share)
    s, t, u = _mix(0.19823, 0.16801, share), _mix(-1.97760, -1.27393, share), _mix(-4.32054, -4.85967, share)
    power = exp(log(x) * s) if x > 0.0 else 0.0
    return p / (1.0 + q * power) + t * x + u


@leaf
def _mix(first: float, second: float, share: float) -> float:
    return first + (second - first) * share


@apart
def sheen_albedo(cosine: float, roughness: float) -> float:
    """Return what share of light from everywhere a sheen of color 1 sends to a viewer at a cosine of either sign.

    It is a fit to the integral of `sheen_lobe` times the light's cosine, off by at most 0.017 in [`LEAST_COSINE`, 1]
    and [`LEAST_ROUGHNESS`, 1]; it passes 1 at grazing angles where the roughness is small.
    """
    x = math.sqrt(math.sqrt(min(max(abs(cosine), LEAST_COSINE), 1.0)))
    y = math.sqrt(roughness)
    power = _row(29.172, -237.928, 864.175, -1102.827, 451.98, y) + x * _row(
        -55.149, 270.327, -648.47, 688.393, -256.993, y
    )
    power = _row(-46.178, 306.993, -912.813, 1061.035, -416.253, y) + x * power
    power = _row(14.262, -88.604, 258.167, -294.506, 113.973, y) + x * power
    return exp(_row(2.153, -2.938, -17.631, 33.432, -15.524, y) + x * power)


@leaf
def _row(a: float, b: float, c: float, d: float, e: float, y: float) -> float:
    return a + y * (b + y * (c + y * (d + y * e)))
