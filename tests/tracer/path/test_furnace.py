"""A white room around one surface: what comes back is what the material reflects, no more and no less."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.tracer.path.statistics import F32, SIGMAS, pictured
from tests.tracer.scenes import LAMBERT, MATTE, ground, looking, scene, sphere
from tracer import Environment, Material

WHITE = Environment((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))

SMOOTH_METAL = Material(metallic=1.0, roughness=0.0, double_sided=True)
SMOOTH_GLASS = Material(metallic=0.0, roughness=0.0, transmission=1.0, double_sided=True)


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("material", [LAMBERT, SMOOTH_METAL, SMOOTH_GLASS], ids=["lambert", "metal", "glass"])
def test_a_white_surface_in_a_white_room_cannot_be_seen(material, smooth, backend):
    made = scene(sphere(smooth=smooth), materials=(material,), environment=WHITE)
    color, alpha, error = pictured(made, looking((0, 0, 2), yfov=1.2), backend=backend)
    assert (np.abs(color - 1.0) <= SIGMAS * error + F32).all()
    assert alpha.max() == 1.0
    assert alpha[0, 0] == 0.0


def albedo(material, cosine, count=400):
    """Integrate the specification's reflection over all directions of light, float64: appendix B.3 written out.

    The half vector is integrated instead, in slope and azimuth, where the lobe is smooth: l = 2 (v.h) h - v, with
    d l = 4 (v.h) d h.
    """
    alpha, base = material.roughness**2, np.array(material.base_color[:3])
    c_diff = base * (1.0 - material.metallic)
    normal = 0.04 * material.specular
    f0 = normal + (base - normal) * material.metallic
    f90 = material.specular + (1.0 - material.specular) * material.metallic
    view = np.array([math.sqrt(1.0 - cosine * cosine), 0.0, cosine])
    points, weights = np.polynomial.legendre.leggauss(count)
    share, around = 0.5 * (points + 1.0), math.pi * (points + 1.0)
    azimuth_weight = math.pi * weights

    def fresnel(cos):
        return f0 + (f90 - f0) * (1.0 - np.abs(cos))[..., None] ** 5

    # Specular: the half vector's tangent is alpha times share / (1 - share) -> [0, inf).
    slope = alpha * share / (1.0 - share)
    polar = np.arctan(slope)
    d_polar = 0.5 * weights * alpha / (1.0 - share) ** 2 / (1.0 + slope**2)
    x = np.sin(polar)[:, None] * np.cos(around)
    z = np.broadcast_to(np.cos(polar)[:, None], x.shape)
    cos_view_half = view[0] * x + view[2] * z
    cos_light = 2.0 * cos_view_half * z - view[2]
    lit = (cos_view_half > 0.0) & (cos_light > 0.0)
    cos_light = np.where(lit, cos_light, 0.0)
    squared = alpha * alpha
    distribution = squared / (math.pi * (z * z * (squared - 1.0) + 1.0) ** 2)
    visible = cos_light * math.sqrt(cosine**2 * (1.0 - squared) + squared)
    visible = 0.5 / (visible + cosine * np.sqrt(cos_light**2 * (1.0 - squared) + squared))
    measure = (4.0 * cos_view_half * np.sin(polar)[:, None] * d_polar[:, None] * azimuth_weight) * lit
    specular = (fresnel(cos_view_half) * (distribution * visible * cos_light * measure)[..., None]).sum(axis=(0, 1))

    # Diffuse: over the light's cosine.
    light_z = np.broadcast_to(share[:, None], x.shape)
    radius = np.sqrt(1.0 - light_z**2)
    half = np.stack([radius * np.cos(around) + view[0], radius * np.sin(around), light_z + view[2]], axis=-1)
    length = np.sqrt((half * half).sum(axis=-1))
    cos_view_half = (half * view).sum(axis=-1) / length
    measure = 0.5 * weights[:, None] * azimuth_weight
    diffuse = ((1.0 - fresnel(cos_view_half)) * (light_z * measure / math.pi)[..., None]).sum(axis=(0, 1))
    passed = material.transmission * c_diff * (1.0 - fresnel(np.array(cosine)))
    return specular + (1.0 - material.transmission) * c_diff * diffuse + passed


def test_the_quadrature_agrees_with_itself():
    material = Material(base_color=(0.9, 0.5, 0.1, 1.0), metallic=0.3, roughness=0.4)
    for cosine in (1.0, 0.1):
        np.testing.assert_allclose(albedo(material, cosine, 401), albedo(material, cosine, 800), rtol=1e-3)
    # A wholly diffuse surface reflects its base color; a white metal without roughness everything.
    np.testing.assert_allclose(albedo(replace(LAMBERT, base_color=(0.2, 0.5, 1.0, 1.0)), 0.4), [0.2, 0.5, 1.0])
    assert albedo(Material(roughness=0.03), 1.0)[0] == pytest.approx(1.0, abs=1e-3)


MATERIALS = {
    "dielectric": MATTE,
    "plastic": replace(MATTE, roughness=0.4, base_color=(0.8, 0.3, 0.1, 1.0)),
    "varnish": replace(MATTE, roughness=0.15, base_color=(0.02, 0.3, 0.9, 1.0), specular=0.5),
    "rough metal": Material(roughness=1.0, double_sided=True),
    "metal": Material(roughness=0.35, base_color=(1.0, 0.7, 0.3, 1.0), double_sided=True),
    "half metal": Material(metallic=0.5, roughness=0.6, base_color=(0.9, 0.6, 0.3, 1.0), double_sided=True),
    "frosted": replace(MATTE, roughness=0.5, transmission=0.6, base_color=(0.9, 0.8, 0.7, 1.0)),
}


@pytest.mark.parametrize("cosine", [1.0, 0.5, 0.1, 0.03])
@pytest.mark.parametrize("name", MATERIALS)
def test_directional_albedo(name, cosine):
    material = MATERIALS[name]
    made = scene(ground(50.0), materials=(material,), environment=WHITE)
    eye = (0.0, cosine, math.sqrt(1.0 - cosine * cosine))
    camera = looking(eye, up=(0.0, 0.0, -1.0) if cosine == 1.0 else (0.0, 1.0, 0.0), ymag=1e-4)
    color, alpha, error = pictured(made, camera, size=(8, 8), samples=1024)
    assert (alpha == 1.0).all()
    mean, spread = color.mean(axis=(0, 1)), np.sqrt((error**2).mean(axis=(0, 1)) / 64)
    expected = albedo(material, cosine)
    assert (np.abs(mean - expected) <= SIGMAS * spread + 1e-4 * expected).all(), (mean, expected, spread)
    assert (spread < 0.01 * expected).all()


def test_a_dielectric_passes_one_at_grazing_angles_and_rough_metal_loses():
    assert albedo(MATTE, 0.03)[0] > 1.0
    assert albedo(Material(roughness=1.0), 0.5)[0] < 0.9
