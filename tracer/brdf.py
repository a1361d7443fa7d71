"""How a surface reflects the light of one direction: glTF 2.0's metallic-roughness model, and a coat over it.

Source: glTF 2.0, appendix B.3 (GGX, height-correlated Smith, Schlick's Fresnel, Lambert), `KHR_materials_specular` for
f90 and what a tinted reflection keeps from the diffuse, `KHR_materials_clearcoat`.
"""

import math

from tracer.compiling import leaf

LEAST_COSINE = 1.0e-4
"""The cosine toward the viewer is taken as at least this: a smooth normal may lean away from the viewer at a
silhouette."""


@leaf
def lobes(
    cos_light: float, cos_view: float, cos_half: float, cos_view_half: float, alpha: float
) -> tuple[float, float]:
    """Return the specular lobe without its Fresnel factor, `D V` in 1/sr, and Schlick's weight `(1 - |v.h|)^5`.

    Parameters
    ----------
    cos_light, cos_view, cos_half
        Cosines between the shading normal and the light, the viewer (at least `LEAST_COSINE`) and the half vector.
    cos_view_half
        Cosine between the viewer and the half vector.
    alpha
        Roughness squared, in [0, 1]. At 0 the lobe is a mirror that no punctual light can be seen in: 0.
    """
    squared = alpha * alpha
    spread = cos_half * cos_half * (squared - 1.0) + 1.0
    denominator = math.pi * spread * spread
    visible = cos_light * math.sqrt(cos_view * cos_view * (1.0 - squared) + squared)
    visible += cos_view * math.sqrt(cos_light * cos_light * (1.0 - squared) + squared)
    lobe = 0.0
    if denominator > 0.0 and visible > 0.0:
        lobe = squared / denominator * 0.5 / visible
    return lobe, schlick_weight(cos_view_half)


@leaf
def schlick_weight(cosine: float) -> float:
    """Return `(1 - |c|)^5`."""
    away = 1.0 - min(abs(cosine), 1.0)
    fifth = away * away
    return fifth * fifth * away


@leaf
def reflected(
    diffuse: float, normal_incidence: float, withheld: float, grazing: float, lobe: float, schlick: float
) -> float:
    """Return the value of the model for one color channel, in 1/sr, from `lobes`.

    `withheld` takes the place of `normal_incidence` in what the reflection leaves for the diffuse.
    """
    kept = withheld + (grazing - withheld) * schlick
    fresnel = normal_incidence + (grazing - normal_incidence) * schlick
    return (1.0 - kept) * diffuse / math.pi + fresnel * lobe


@leaf
def coat_fresnel(cosine: float) -> float:
    """Return the reflectance of a coat of index 1.5 at a cosine of either sign."""
    return 0.04 + 0.96 * schlick_weight(cosine)
