"""The numbers that a material, its textures and the vertices' colors come to, by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import LAMBERT, MATTE, looking, quad, scene, texture
from tracer import Environment, Light, Material, TextureSlot
from tracer import surface_row as row
from tracer.mesh_table import mesh_of
from tracer.sheen import LEAST_ROUGHNESS, sheen_albedo, sheen_lobe
from tracer.surface import write_surface
from tracer.tables import looks_of

OBLIQUE = (0.6, 0.0, 0.8)
"""Toward a viewer at a cosine of 0.8."""

SHLICK = 0.2**5
"""What is left of 1 - 0.8, five times over."""


def surface(material, *texels, view=OBLIQUE, **options):
    """The row of a square that faces +Z, seen from a direction; texel k is that of texture k."""
    textures = tuple(texture([[texel]]) for texel in texels)
    made = scene(quad(**options), materials=(material,), textures=textures)
    out = np.zeros(row.SURFACE_COLUMNS)
    ray = np.array([0.0, 0.0, 5.0, *(-part for part in view)])
    write_surface(mesh_of(made), looks_of(made), 0, 0.25, 0.5, ray, out)
    return out


def three(out, column):
    return pytest.approx(out[column : column + 3].tolist(), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("ior", "specular", "color", "expected"),
    [
        (1.5, 1.0, (1.0, 1.0, 1.0), (0.04, 0.04, 0.04)),
        (1.5, 0.5, (1.0, 0.5, 0.0), (0.02, 0.01, 0.0)),
        (0.0, 1.0, (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
        (3.0, 0.5, (9.0, 1.0, 1.0), (0.5, 0.125, 0.125)),  # a tint may not reflect more than arrives
    ],
)
def test_a_dielectric_s_reflectance_and_what_it_keeps_from_the_diffuse(ior, specular, color, expected):
    out = surface(replace(MATTE, ior=ior, specular=specular, specular_color=color))
    assert expected == three(out, row.REFLECTANCE)
    assert (max(expected),) * 3 == three(out, row.WITHHELD)
    assert out[row.GRAZING] == specular


def test_metal_mixes_with_the_dielectric():
    out = surface(Material(base_color=(0.8, 0.4, 0.2, 1), metallic=0.25, specular=0.5, specular_color=(1, 0, 0)))
    assert three(out, row.DIFFUSE) == (0.6, 0.3, 0.15)
    assert three(out, row.REFLECTANCE) == (0.75 * 0.02 + 0.25 * 0.8, 0.25 * 0.4, 0.25 * 0.2)
    assert three(out, row.WITHHELD) == (0.75 * 0.02 + 0.25 * 0.8, 0.75 * 0.02 + 0.25 * 0.4, 0.75 * 0.02 + 0.25 * 0.2)
    assert out[row.GRAZING] == 0.5 + 0.5 * 0.25


def test_plain_materials_have_neither_coat_nor_sheen():
    out = surface(MATTE)
    assert (out[row.COAT], out[row.UNDER], out[row.SHEEN : row.SHEEN + 3].any()) == (0.0, 1.0, False)


def test_textures_of_specular_and_transmission():
    slots = [TextureSlot(n) for n in range(3)]
    material = replace(
        MATTE,
        specular=0.5,
        specular_texture=slots[0],
        specular_color_texture=slots[1],
        transmission=0.5,
        transmission_texture=slots[2],
    )
    out = surface(material, (9, 9, 9, 51), (255, 0, 128, 9), (102, 9, 9, 9))
    decoded = ((128 / 255 + 0.055) / 1.055) ** 2.4
    assert (0.1 * 0.04, 0.0, 0.1 * 0.04 * decoded) == three(out, row.REFLECTANCE)
    assert out[row.GRAZING] == pytest.approx(0.1)
    assert out[row.PASSES] == pytest.approx(0.2)


def test_a_coat_s_share_goes_by_the_viewer_and_its_textures():
    material = replace(MATTE, clearcoat=0.5, clearcoat_roughness=0.5)
    out = surface(material)
    fresnel = 0.04 + 0.96 * SHLICK
    assert out[row.COAT] == pytest.approx(0.5 * fresnel)
    assert out[row.UNDER] == pytest.approx(1.0 - 0.5 * fresnel)
    assert out[row.COAT_ROUGH] == pytest.approx(0.25)
    assert three(out, row.COAT_NORMAL) == (0.0, 0.0, 1.0)
    textured = replace(material, clearcoat_texture=TextureSlot(0), clearcoat_roughness_texture=TextureSlot(1))
    out = surface(textured, (51, 9, 9, 9), (9, 102, 9, 9))
    assert out[row.COAT] == pytest.approx(0.1 * fresnel)
    assert out[row.COAT_ROUGH] == pytest.approx(0.2**2)


def test_a_coat_has_a_normal_of_its_own():
    # Texel (1, 0.5, 0.5) of a normal map: along the tangent, here +Y, but for half a step of 8 bits.
    half = 128 / 255 * 2 - 1
    bumpy, flat = (255, 128, 128, 255), (128, 128, 255, 255)
    frame = {"normals": [[0, 0, 1]] * 4, "tangents": [[0, 1, 0, 1]] * 4}
    bent = np.array([-half, 1.0, half]) / math.sqrt(1 + 2 * half * half)
    base = replace(MATTE, clearcoat=1.0, normal_texture=TextureSlot(0))
    out = surface(base, bumpy, **frame)
    assert bent.tolist() == three(out, row.SHADING)
    assert three(out, row.COAT_NORMAL) == (0.0, 0.0, 1.0)
    own = replace(base, clearcoat_normal_texture=TextureSlot(1), clearcoat_normal_scale=0.5)
    out = surface(own, flat, bumpy, **frame)
    halved = np.array([-half / 2, 0.5, half]) / math.sqrt(0.25 + 1.25 * half * half)
    assert halved.tolist() == three(out, row.COAT_NORMAL)
    assert out[row.SHADING + 2] > 0.999
    behind = surface(own, flat, bumpy, view=(0.6, 0.0, -0.8), **frame)
    assert (-halved).tolist() == three(behind, row.COAT_NORMAL)
    # Its Fresnel term goes by it.
    cosine = 0.6 * halved[0] + 0.8 * halved[2]
    assert out[row.COAT] == pytest.approx(0.04 + 0.96 * (1 - abs(cosine)) ** 5)


def test_a_sheen_takes_from_what_is_under_it():
    material = replace(MATTE, sheen_color=(0.2, 0.4, 0.1), sheen_roughness=0.5)
    out = surface(material)
    assert three(out, row.SHEEN) == (0.2, 0.4, 0.1)
    assert (out[row.SHEEN_ROUGH], out[row.SHEEN_ALBEDO]) == (0.5, sheen_albedo(0.8, 0.5))
    assert out[row.UNDER] == pytest.approx(1.0 - 0.4 * sheen_albedo(0.8, 0.5))
    textured = replace(material, sheen_color_texture=TextureSlot(0), sheen_roughness_texture=TextureSlot(1))
    out = surface(textured, (255, 128, 0, 9), (9, 9, 9, 102))
    assert three(out, row.SHEEN) == (0.2, 0.4 * ((128 / 255 + 0.055) / 1.055) ** 2.4, 0.0)
    assert out[row.SHEEN_ROUGH] == pytest.approx(0.2)
    assert surface(replace(material, sheen_roughness=0.0))[row.SHEEN_ROUGH] == LEAST_ROUGHNESS


def test_a_sheen_that_gives_more_than_it_gets_leaves_nothing():
    out = surface(replace(MATTE, sheen_color=(1, 1, 1)), view=(0.9999, 0.0, math.sqrt(1 - 0.9999**2)))
    assert out[row.SHEEN_ALBEDO] > 1.0
    assert out[row.UNDER] == 0.0


def test_the_sheen_s_lobe_by_hand():
    # Roughness 1: alpha 1, so that no constant is mixed; distribution (2 + 1) sin(h) / (2 pi).
    def log_shadowing(x):
        return 21.5473 / (1 + 3.82987 * x**0.19823) - 1.97760 * x - 4.32054

    low, high = math.exp(log_shadowing(0.3)), math.exp(2 * log_shadowing(0.5) - log_shadowing(0.2))
    expected = 3 * math.sqrt(1 - 0.6**2) / (2 * math.pi) / ((1 + low + high) * 4 * 0.3 * 0.8)
    assert sheen_lobe(0.3, 0.8, 0.6, 1.0) == pytest.approx(expected, rel=1e-13)
    assert sheen_lobe(0.3, 0.8, 1.0, 0.2) == 0.0
    # Roughness 0.5: alpha 1/4, sin(h)^4, constants 9/16 of the way.
    mixed = [a + (b - a) * 9 / 16 for a, b in ((21.5473, 25.3245), (3.82987, 3.32435), (0.19823, 0.16801))]
    slope, offset = -1.97760 + 9 / 16 * 0.70367, -4.32054 - 9 / 16 * 0.53913
    shadowing = math.exp(mixed[0] / (1 + mixed[1] * 0.3 ** mixed[2]) + slope * 0.3 + offset)
    expected = 6 * 0.64**2 / (2 * math.pi) / ((1 + 2 * shadowing) * 4 * 0.3 * 0.3)
    assert sheen_lobe(0.3, 0.3, 0.6, 0.5) == pytest.approx(expected, rel=1e-12)


CAMERA = looking((3.0, 0.0, 4.0), (0.0, 0.0, 0.0), yfov=1e-4)
"""Sees the middle of a square that faces +Z at the cosine 0.8."""


def pixel(made, **options):
    options.setdefault("samples", "center")
    return tracer.trace(made, CAMERA, size=(1, 1), **options)["color"][0, 0].astype(np.float64)


def test_direct_shows_emission_and_ambient_light_under_coat_and_sheen(backend):
    white = Environment((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    material = replace(
        LAMBERT,
        base_color=(0.5, 0.5, 0.5, 1.0),
        emission=(2.0, 0.0, 0.0),
        sheen_color=(0.4, 0.2, 0.0),
        sheen_roughness=0.5,
        clearcoat=0.5,
    )
    coat, albedo = 0.5 * (0.04 + 0.96 * SHLICK), sheen_albedo(0.8, 0.5)
    under = (1 - coat) * (1 - 0.4 * albedo)
    expected = [
        2.0 * (1 - coat) * (color == 0.4) + under * 0.5 + (1 - coat) * color * albedo + coat
        for color in (0.4, 0.2, 0.0)
    ]
    found = pixel(scene(quad(), materials=(material,), environment=white), backend=backend)
    np.testing.assert_allclose(found[:3], expected, rtol=1e-6)


@pytest.mark.parametrize("samples", ["center", 4])
def test_direct_reflects_a_light_by_coat_sheen_and_base(samples, backend):
    material = replace(
        LAMBERT,
        base_color=(0.5, 0.25, 0.0, 1.0),
        sheen_color=(0.2, 0.4, 0.1),
        sheen_roughness=0.5,
        clearcoat=0.8,
        clearcoat_roughness=0.5,
    )
    light = np.array([0.0, 0.8, 0.6])
    view, up = np.array([0.6, 0.0, 0.8]), np.array([0.0, 0.0, 1.0])
    half = (view + light) / math.sqrt(float(((view + light) ** 2).sum()))
    coat = 0.8 * (0.04 + 0.96 * SHLICK)
    kept = 1 - 0.4 * max(sheen_albedo(0.8, 0.5), sheen_albedo(0.6, 0.5))
    squared, cos_half = 0.25**2, float((half * up).sum())
    distribution = squared / (math.pi * (cos_half**2 * (squared - 1) + 1) ** 2)
    visible = 0.5 / (
        0.6 * math.sqrt(0.8**2 * (1 - squared) + squared) + 0.8 * math.sqrt(0.6**2 * (1 - squared) + squared)
    )
    expected = [
        2.0 * 0.6 * ((1 - coat) * (base / math.pi * kept + sheen * lobe) + coat * distribution * visible)
        for base, sheen, lobe in (
            (base, sheen, sheen_lobe(0.6, 0.8, cos_half, 0.5))
            for base, sheen in zip((0.5, 0.25, 0.0), (0.2, 0.4, 0.1), strict=True)
        )
    ]
    sun = Light("sun", intensity=2.0, direction=tuple(-light))
    made = scene(quad(), materials=(material,), lights=(sun,))
    np.testing.assert_allclose(pixel(made, samples=samples, backend=backend)[:3], expected, rtol=1e-5)


def test_direct_shows_what_is_behind_through_coat_and_sheen(backend):
    glass = replace(LAMBERT, transmission=1.0, sheen_color=(0.5, 0.5, 0.5), sheen_roughness=0.5, clearcoat=1.0)
    made = scene(quad(), materials=(glass,))
    under = (1 - 0.04 - 0.96 * SHLICK) * (1 - 0.5 * sheen_albedo(0.8, 0.5))
    found = pixel(made, background=(1.0, 2.0, 4.0), backend=backend)
    np.testing.assert_allclose(found[:3], [under, 2 * under, 4 * under], rtol=1e-6)


def test_a_coat_that_faces_the_light_shines_where_the_base_is_turned_away(backend):
    # The normal map bends the base toward +X; the light comes from -X, 0.28 above the coat's horizon.
    frame = {"normals": [[0, 0, 1]] * 4, "tangents": [[1, 0, 0, 1]] * 4}
    material = replace(LAMBERT, clearcoat=1.0, clearcoat_roughness=1.0, normal_texture=TextureSlot(0))
    sun = Light("sun", direction=(0.96, 0.0, -0.28))
    bent = texture([[[230, 128, 180, 255]]])
    made = scene(quad(**frame), materials=(material,), textures=(bent,), lights=(sun,))
    bare = replace(made, materials=(replace(material, clearcoat=0.0),))
    assert pixel(bare, backend=backend)[0] == 0.0
    # At roughness 1, D is 1 / pi and V 1 / (2 (n.l + n.v)).
    expected = (0.04 + 0.96 * SHLICK) / math.pi * 0.5 / (0.28 + 0.8) * 0.28
    for options in ({"samples": "center"}, {"integrator": "path", "samples": 4, "bounces": 1}):
        np.testing.assert_allclose(pixel(made, backend=backend, **options)[:3], [expected] * 3, rtol=1e-5)
