"""A white room around one surface: what comes back is what the material reflects, no more and no less."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.tracer.path.statistics import F32, SIGMAS, pictured
from tests.tracer.scenes import LAMBERT, MATTE, ground, looking, scene, sphere
from tracer import Environment, Material
from tracer.sheen import LEAST_ROUGHNESS, sheen_albedo

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


def microfacets(cosine, alpha, count):
    """Points of a quadrature over GGX's microfacets: cosine of the light, of viewer and half vector, and the weight.

    The weights add up to the integral of D V (n.l) over directions of light. The half vector is integrated instead, in
    slope and azimuth, where the lobe is smooth: l = 2 (v.h) h - v, with d l = 4 (v.h) d h.
    """
    points, weights = np.polynomial.legendre.leggauss(count)
    share, around = 0.5 * (points + 1.0), math.pi * (points + 1.0)
    slope = alpha * share / (1.0 - share)  # of the half vector: [0, inf)
    polar = np.arctan(slope)
    d_polar = 0.5 * weights * alpha / (1.0 - share) ** 2 / (1.0 + slope**2)
    x = np.sin(polar)[:, None] * np.cos(around)
    z = np.broadcast_to(np.cos(polar)[:, None], x.shape)
    cos_view_half = math.sqrt(1.0 - cosine * cosine) * x + cosine * z
    cos_light = 2.0 * cos_view_half * z - cosine
    lit = (cos_view_half > 0.0) & (cos_light > 0.0)
    cos_light = np.where(lit, cos_light, 0.0)
    squared = alpha * alpha
    distribution = squared / (math.pi * (z * z * (squared - 1.0) + 1.0) ** 2)
    visible = cos_light * math.sqrt(cosine**2 * (1.0 - squared) + squared)
    visible = 0.5 / (visible + cosine * np.sqrt(cos_light**2 * (1.0 - squared) + squared))
    measure = 4.0 * cos_view_half * np.sin(polar)[:, None] * d_polar[:, None] * math.pi * weights
    return cos_light, cos_view_half, distribution * visible * cos_light * measure * lit


def hemisphere(cosine, count):
    """Points of a quadrature over directions of light, dense at the rim: as above and the half vector's cosine."""
    points, weights = np.polynomial.legendre.leggauss(count)
    root, around = 0.5 * (points + 1.0), math.pi * (points + 1.0)
    z, x = np.broadcast_to((root**2)[:, None], (count, count)), np.sqrt(1.0 - root**4)[:, None] * np.cos(around)
    # |v + l|^2 = 2 (1 + v.l)
    cos_view_light = math.sqrt(1.0 - cosine * cosine) * x + cosine * z
    length = np.sqrt(2.0 * (1.0 + cos_view_light))
    return z, length / 2.0, (z + cosine) / length, (root * weights)[:, None] * math.pi * weights


def charlie(cos_light, cos_view, cos_half, roughness):
    """The sheen's lobe as Conty and Kulla have it, with the extension's mapping of roughness."""
    a = roughness**2

    def log_shadowing(x):
        p, q, s, t, u = (
            first + (second - first) * (1.0 - a) ** 2
            for first, second in zip(
                (21.5473, 3.82987, 0.19823, -1.97760, -4.32054),
                (25.3245, 3.32435, 0.16801, -1.27393, -4.85967),
                strict=True,
            )
        )
        return p / (1.0 + q * x**s) + t * x + u

    def shadowing(c):
        return np.where(
            c < 0.5,
            np.exp(log_shadowing(np.minimum(c, 0.5))),
            np.exp(2.0 * log_shadowing(0.5) - log_shadowing(1.0 - np.maximum(c, 0.5))),
        )

    distribution = (2.0 + 1.0 / a) * (1.0 - cos_half**2) ** (0.5 / a) / (2.0 * math.pi)
    return distribution / ((1.0 + shadowing(cos_light) + shadowing(np.array(cos_view))) * 4.0 * cos_light * cos_view)


def albedo(material, cosine, count=400):
    """Integrate the specifications' reflection over all directions of light, float64: docs/materials.md, anew."""
    base, view = np.array(material.base_color[:3]), np.array(cosine)
    c_diff = base * (1.0 - material.metallic)
    dielectric = np.minimum(0.04 * np.array(material.specular_color), 1.0) * material.specular
    f0 = dielectric + (base - dielectric) * material.metallic
    g0 = dielectric.max() + (base - dielectric.max()) * material.metallic
    f90 = material.specular + (1.0 - material.specular) * material.metallic
    sheen, roughness = np.array(material.sheen_color), max(material.sheen_roughness, LEAST_ROUGHNESS)

    def fresnel(normal, cos):
        return normal + (f90 - normal) * (1.0 - np.abs(cos))[..., None] ** 5

    def kept(cos):
        if not sheen.any():
            return np.ones(np.shape(cos))
        taken = np.vectorize(lambda c: sheen_albedo(c, roughness))(np.maximum(cos, 1e-4))
        return np.maximum(1.0 - sheen.max() * taken, 0.0)

    def scaled(cos_light):
        return np.minimum(kept(cos_light), kept(view))[..., None]

    cos_light, cos_view_half, weight = microfacets(cosine, material.roughness**2, count)
    specular = (fresnel(f0, cos_view_half) * scaled(cos_light) * weight[..., None]).sum(axis=(0, 1))
    cos_light, cos_view_half, cos_half, weight = hemisphere(cosine, count)
    reflected = (1.0 - fresnel(g0, cos_view_half)) * scaled(cos_light) * (cos_light * weight / math.pi)[..., None]
    under = specular + (1.0 - material.transmission) * c_diff * reflected.sum(axis=(0, 1))
    under += material.transmission * c_diff * (1.0 - fresnel(g0, view)) * kept(view)
    if sheen.any():
        under += sheen * (charlie(cos_light, cosine, cos_half, roughness) * cos_light * weight).sum()
    coat = material.clearcoat * (0.04 + 0.96 * (1.0 - cosine) ** 5)
    smooth = material.clearcoat_roughness == 0.0
    mirrored = 1.0 if smooth else microfacets(cosine, material.clearcoat_roughness**2, count)[2].sum()
    return under * (1.0 - coat) + coat * mirrored


def test_the_quadrature_agrees_with_itself():
    material = Material(base_color=(0.9, 0.5, 0.1, 1.0), metallic=0.3, roughness=0.4)
    for cosine in (1.0, 0.1):
        np.testing.assert_allclose(albedo(material, cosine, 201), albedo(material, cosine, 400), rtol=1e-3)
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
    "tinted": replace(MATTE, roughness=0.3, base_color=(0.7, 0.8, 0.9, 1.0), specular=0.8, specular_color=(9, 1, 0)),
    "lacquer": replace(MATTE, roughness=0.7, base_color=(0.5, 0.1, 0.1, 1.0), clearcoat=1.0),
    "worn coat": Material(roughness=0.5, base_color=(0.9, 0.6, 0.3, 1), clearcoat=0.7, clearcoat_roughness=0.4),
    "velvet": replace(MATTE, base_color=(0.3, 0.1, 0.2, 1.0), sheen_color=(0.9, 0.6, 0.3), sheen_roughness=0.5),
    "fuzz": replace(MATTE, roughness=0.6, sheen_color=(0.3, 0.5, 0.7), sheen_roughness=0.15),
    "coated cloth": replace(
        MATTE,
        transmission=0.3,
        sheen_color=(0.5, 0.5, 0.5),
        sheen_roughness=0.3,
        clearcoat=0.5,
        clearcoat_roughness=0.3,
    ),
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


def test_the_sheen_s_albedo_is_its_integral():
    # At points between those it was fitted at.
    for roughness in (0.07, 0.083, 0.12, 0.23, 0.45, 0.77, 1.0):
        for cosine in (1e-4, 2e-3, 0.015, 0.06, 0.13, 0.35, 0.62, 0.9, 1.0):
            cos_light, _, cos_half, weight = hemisphere(cosine, 200)
            exact = (charlie(cos_light, cosine, cos_half, roughness) * cos_light * weight).sum()
            assert sheen_albedo(cosine, roughness) == pytest.approx(exact, abs=0.017), (roughness, cosine)


def test_a_dielectric_passes_one_at_grazing_angles_and_rough_metal_loses():
    assert albedo(MATTE, 0.03)[0] > 1.0
    assert albedo(Material(roughness=1.0), 0.5)[0] < 0.9
