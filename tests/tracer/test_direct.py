"""Radiance worked out by hand, and by a plain float64 formula."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tracer
from posed.color import encode_srgb
from tests.tracer.scenes import GLOW, LAMBERT, MATTE, Part, ground, looking, quad, scene, sphere, texture
from tracer import AlphaMode, Environment, Light, Material, TextureSlot, Wrap

EXACT = 1.0e-6
"""Relative: float64 arithmetic rounded once to float32."""

DOWN = looking((0, 3, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.01)
HEAD_ON = looking((0, 0, 5), (0, 0, 0), yfov=0.01)


def pixel(made, camera=HEAD_ON, **options):
    """Trace one pixel through its centre."""
    options.setdefault("samples", "center")
    return tracer.trace(made, camera, size=(1, 1), **options)["color"][0, 0].astype(np.float64)


def test_lambert_plane_under_a_sun(backend):
    # albedo / pi * E cos(60 degrees) = 0.8 / pi * 3 * 0.5
    made = scene(
        ground(5),
        materials=(replace(LAMBERT, base_color=(0.8, 0.4, 0.2, 1.0)),),
        lights=(Light("sun", color=(1.0, 1.0, 0.5), intensity=3.0, direction=(math.sqrt(3), -1.0, 0.0)),),
    )
    expected = np.array([0.8, 0.4, 0.2 * 0.5, math.pi / 1.5]) * 1.5 / math.pi
    np.testing.assert_allclose(pixel(made, DOWN, backend=backend), expected, rtol=EXACT)
    np.testing.assert_allclose(pixel(made, DOWN, samples=4, backend=backend), expected, rtol=EXACT)


def test_point_light_falls_with_the_square_of_the_distance(backend):
    for height in (0.5, 1.0, 4.0):
        made = scene(ground(5), materials=(LAMBERT,), lights=(Light("point", intensity=7.0, position=(0, height, 0)),))
        camera = looking((0, 9, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.001)
        assert pixel(made, camera, backend=backend)[0] == pytest.approx(7.0 / height**2 / math.pi, rel=EXACT)


def test_point_light_at_an_angle_and_its_range(backend):
    # At (3, 4, 0): distance 5, cosine 0.8; the range's window is 1 - (5/10)^4 = 0.9375.
    light = Light("point", intensity=50.0, position=(3, 4, 0), range=10.0)
    made = scene(ground(5), materials=(LAMBERT,), lights=(light,))
    assert pixel(made, DOWN, backend=backend)[0] == pytest.approx(50 / 25 * 0.8 * 0.9375 / math.pi, rel=EXACT)
    outside = replace(made, lights=(replace(light, range=5.0),))
    assert pixel(outside, DOWN, backend=backend)[0] == 0.0


def test_spot_light_inside_between_and_outside_its_cones(backend):
    def seen(cosine):
        light = Light(
            "spot",
            intensity=4.0,
            position=(0, 2, 0),
            direction=(math.sqrt(1 - cosine**2), -cosine, 0.0),
            inner=0.9,
            outer=0.5,
        )
        camera = looking((0, 9, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.001)
        return pixel(scene(ground(5), materials=(LAMBERT,), lights=(light,)), camera, backend=backend)[0]

    full = 4.0 / 4.0 / math.pi
    assert seen(0.95) == pytest.approx(full, rel=EXACT)
    assert seen(0.7) == pytest.approx(full * 0.5**2, rel=EXACT)  # half way, squared
    assert seen(0.4) == 0.0


def test_a_shadow_s_edge_lies_where_the_sun_casts_it(backend):
    # A roof over x > 0 at height 1; a sun that comes down 3 to the left a 4 moves its edge to x = -0.75.
    roof = quad(0, 5, -5, 5, 0)
    roof.positions = [[x, 1.0, y] for x, y, _ in roof.positions]
    sun = Light("sun", intensity=math.pi, direction=(-3, -4, 0))
    made = scene(ground(5), roof, materials=(LAMBERT,), lights=(sun,))
    for samples in ("center", 4):
        for x, light in ((-0.7501, 0.8), (-0.7499, 0.0), (0.5, 0.0)):
            camera = looking((x, 0.5, 0), (x, 0, 0), up=(0, 0, -1), ymag=1e-6)
            assert pixel(made, camera, samples=samples, backend=backend)[0] == pytest.approx(light, rel=EXACT)


def test_a_sphere_in_a_room_of_one_color_has_its_own(backend):
    made = scene(sphere(smooth=True), materials=(LAMBERT,), environment=Environment((1, 2, 4), (1, 2, 4)))
    color = tracer.trace(made, looking((0, 0, 4), ymag=0.9), size=(9, 9), samples="center", backend=backend)["color"]
    inside = color[..., 3] == 1.0
    assert inside.sum() > 40
    np.testing.assert_allclose(color[inside], np.tile([1.0, 2.0, 4.0, 1.0], (int(inside.sum()), 1)), rtol=EXACT)


def test_lights_add_up_and_shine_from_the_front_only(backend):
    lights = tuple(Light("sun", intensity=i, direction=(0, -1, 0)) for i in (1.0, 2.0))
    below = Light("sun", intensity=9.0, direction=(0, 1, 0))
    made = scene(ground(5), materials=(LAMBERT,), lights=(*lights, below))
    assert pixel(made, DOWN, backend=backend)[0] == pytest.approx(3.0 / math.pi, rel=EXACT)


def test_ambient_term_of_the_gradient(backend):
    # The gradient's irradiance over pi by a midpoint sum over the hemisphere, against the closed form in the kernel.
    environment = Environment(bottom=(0.1, 0.2, 0.3), top=(1.0, 0.6, 0.2))
    material = replace(MATTE, base_color=(0.5, 0.25, 1.0, 1.0))
    for tilt in (0.0, 0.7, 1.5, 3.0):
        normal = np.array([math.sin(tilt), math.cos(tilt), 0.0])
        across = np.array([math.cos(tilt), -math.sin(tilt), 0.0])
        corners = [across * a + np.array([0, 0, b]) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        made = scene(Part(corners, [[0, 1, 2], [0, 2, 3]]), materials=(material,), environment=environment)
        camera = looking(normal * 2, (0, 0, 0), up=(0, 0, -1), yfov=0.01)
        polar, around = np.meshgrid(
            (np.arange(400) + 0.5) / 400 * math.pi / 2, (np.arange(80) + 0.5) / 80 * 2 * math.pi
        )
        y = np.cos(polar) * normal[1] + np.sin(polar) * np.cos(around) * across[1]
        weight = np.cos(polar) * np.sin(polar) * (math.pi / 2 / 400) * (2 * math.pi / 80) / math.pi
        low, high = np.array(environment.bottom), np.array(environment.top)
        over_pi = low * (weight * (1 - y) / 2).sum() + high * (weight * (1 + y) / 2).sum()
        expected = (np.array(material.base_color[:3]) + 0.04) * over_pi
        found = pixel(made, camera, backend=backend)[:3]
        np.testing.assert_allclose(found, expected, rtol=1e-5)  # the sum's own error


def test_metals_have_no_diffuse_and_their_color_as_f0(backend):
    color = (0.9, 0.6, 0.3)
    made = scene(
        ground(5),
        materials=(Material(base_color=(*color, 1.0), metallic=1.0),),
        environment=Environment((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
    )
    np.testing.assert_allclose(pixel(made, DOWN, backend=backend)[:3], np.array(color) * 0.5, rtol=EXACT)


def formula(base, metallic, roughness, normal, view, light, *, f0=0.04, f90=1.0):
    """glTF 2.0, appendix B.3.5, times the cosine toward the light; directions are unit vectors, colors one channel."""
    half = (view + light) / math.sqrt(float(((view + light) ** 2).sum()))
    nl, nv, nh, vh = (float((a * b).sum()) for a, b in ((normal, light), (normal, view), (normal, half), (view, half)))
    squared = roughness**4
    diffuse, zero = base * (1 - metallic), f0 + (base - f0) * metallic
    ninety = f90 + (1 - f90) * metallic
    fresnel = zero + (ninety - zero) * (1 - abs(vh)) ** 5
    distribution = squared / (math.pi * (nh**2 * (squared - 1) + 1) ** 2)
    shadowing_l = 2 * nl / (nl + math.sqrt(squared + (1 - squared) * nl**2))
    shadowing_v = 1 / (
        nl * math.sqrt(squared + (1 - squared) * nv**2) + nv * math.sqrt(squared + (1 - squared) * nl**2)
    )
    del shadowing_l
    return ((1 - fresnel) * diffuse / math.pi + fresnel * distribution * shadowing_v / 2) * nl


@pytest.mark.parametrize("metallic", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("roughness", [0.1, 0.5, 1.0])
@pytest.mark.parametrize(("ior", "specular"), [(1.5, 1.0), (1.33, 0.5)])
def test_reflection_is_the_specification_s_formula(metallic, roughness, ior, specular, backend):
    eye, light = np.array([1.0, 1.5, 0.2]), np.array([-1.0, 1.0, 0.3])
    material = Material(
        base_color=(0.7, 0.5, 0.1, 1), metallic=metallic, roughness=roughness, ior=ior, specular=specular
    )
    made = scene(ground(5), materials=(material,), lights=(Light("sun", intensity=2.0, direction=tuple(-light)),))
    view, toward = eye / math.sqrt((eye**2).sum()), light / math.sqrt((light**2).sum())
    up = np.array([0.0, 1.0, 0.0])
    f0 = ((ior - 1) / (ior + 1)) ** 2 * specular
    expected = [2.0 * formula(c, metallic, roughness, up, view, toward, f0=f0, f90=specular) for c in (0.7, 0.5, 0.1)]
    found = pixel(made, looking(tuple(eye), (0, 0, 0), yfov=0.01), backend=backend)
    np.testing.assert_allclose(found[:3], expected, rtol=1e-5)  # the pixel's centre is the target to 1e-7 only


def test_emission_and_unlit(backend):
    glowing = replace(MATTE, base_color=(0, 0, 0, 1), specular=0.0, emission=(3.0, 2.0, 1.0))
    assert pixel(scene(quad(), materials=(glowing,)), backend=backend).tolist() == [3.0, 2.0, 1.0, 1.0]
    sun = (Light("sun", direction=(0, 0, -1)),)
    assert pixel(scene(quad(), materials=(GLOW,), lights=sun), backend=backend).tolist() == [0.25, 0.5, 1.0, 1.0]


def test_texel_128_unlit_is_128_in_the_file_and_half_is_188(backend):
    gray = texture([[[128, 128, 128, 255]]])
    made = scene(quad(), materials=(replace(MATTE, unlit=True, color_texture=TextureSlot(0)),), textures=(gray,))
    assert encode_srgb(pixel(made, backend=backend)[:3]).tolist() == [128, 128, 128]
    half = scene(quad(), materials=(replace(MATTE, unlit=True, base_color=(0.5, 0.5, 0.5, 1)),))
    assert encode_srgb(pixel(half, backend=backend)[:3]).tolist() == [188, 188, 188]


LEAF = texture(
    [[[0, 255, 0, 255], [255, 0, 0, 0]], [[255, 0, 0, 0], [0, 255, 0, 255]]], linear=False, wrap_s=Wrap.CLAMP
)


def test_mask_leaves_holes_in_every_layer_and_in_the_shadow(backend):
    leaf = replace(LAMBERT, alpha_mode=AlphaMode.MASK, color_texture=TextureSlot(0))
    made = scene(
        Part(quad(-2, 2, -2, 2, z=1).positions, [[0, 1, 2], [0, 2, 3]], uvs=quad().uvs, material=1),
        quad(-8, 8, -8, 8, z=0),
        materials=(LAMBERT, leaf),
        textures=(LEAF,),
        lights=(Light("sun", direction=(0, 0, -1)),),
    )
    solid = np.zeros((8, 8), bool)
    solid[2:4, 2:4] = solid[4:6, 4:6] = True  # top left and bottom right quarters of the card
    card = np.zeros((8, 8), bool)
    card[2:6, 2:6] = True
    camera = looking((0, 0, 9), (0, 0, 0), ymag=4.0)
    layers = tracer.trace(made, camera, size=(8, 8), samples="center", backend=backend)
    for name, there, elsewhere in (("object", 1, 2), ("part", 1, 2), ("material", 2, 1), ("depth", 8.0, 9.0)):
        assert (layers[name] == np.where(solid, there, elsewhere)).all(), name
    assert (layers["albedo"][..., 0] == np.where(solid, 0.0, 1.0)).all()
    # From behind the card only its shadow is seen.
    behind = looking((0, 0, 0.5), (0, 0, 0), ymag=4.0)
    for samples in ("center", 2):
        color = tracer.trace(made, behind, size=(8, 8), samples=samples, layers=("color",), backend=backend)["color"]
        np.testing.assert_allclose(color[..., 0], np.where(solid, 0.0, 1.0 / math.pi), rtol=EXACT)


def sheet(alpha, z, color, **options):
    return quad(z=z, **options), replace(GLOW, base_color=(*color, alpha), alpha_mode=AlphaMode.BLEND)


@pytest.mark.parametrize("samples", ["center", 4])
def test_blend_composes_front_to_back_over_the_background(samples, backend):
    parts, materials = zip(sheet(0.5, 1.0, (1, 0, 0), material=0), sheet(0.25, 0.0, (0, 1, 0), material=1), strict=True)
    # The nearer sheet comes last among the triangles; the order of drawing must not matter.
    for order in (parts, parts[::-1]):
        made = scene(*order, materials=materials)
        found = pixel(made, samples=samples, background=(0, 0, 1), backend=backend)
        np.testing.assert_allclose(found, [0.5, 0.5 * 0.25, 0.5 * 0.75, 1 - 0.5 * 0.75], rtol=EXACT)
        clear = pixel(made, samples=samples, background="transparent", backend=backend)
        np.testing.assert_allclose(clear, [0.5, 0.125, 0.0, 0.625], rtol=EXACT)


def test_coincident_blended_sheets_all_count_once(backend):
    # Twenty sheets in one place: more than a batch of candidates.
    parts, materials = zip(*(sheet(0.5, 0.0, (1, 1, 1), material=k) for k in range(20)), strict=True)
    for samples in ("center", 2):
        found = pixel(scene(*parts, materials=materials), samples=samples, background=(0, 0, 0), backend=backend)
        assert found[0] == pytest.approx(1 - 0.5**20, rel=EXACT)


def test_blend_is_solid_for_layers_and_shadows_from_half_an_alpha(backend):
    for alpha, solid in ((0.49, False), (0.5, True)):
        blend = replace(LAMBERT, base_color=(1, 1, 1, alpha), alpha_mode=AlphaMode.BLEND)
        made = scene(
            quad(-2, 2, -2, 2, z=1, material=1),
            quad(-8, 8, -8, 8),
            materials=(LAMBERT, blend),
            lights=(Light("sun", direction=(0, 0, -1)),),
        )
        layers = tracer.trace(made, HEAD_ON, size=(1, 1), samples="center", backend=backend)
        assert layers["object"][0, 0] == (1 if solid else 2)
        behind = looking((0, 0, 0.5), (0, 0, 0), yfov=0.01)
        assert (pixel(made, behind, backend=backend)[0] == 0.0) == solid


def test_thin_transmission_tints_what_is_behind_in_place_of_diffuse_light(backend):
    glass = replace(LAMBERT, base_color=(0.8, 0.6, 0.4, 1.0), transmission=0.75)
    made = scene(
        quad(z=1, material=0),
        quad(z=0, material=1),
        materials=(glass, GLOW),
        lights=(Light("sun", direction=(0, 0, -1)),),
    )
    base = np.array(glass.base_color[:3])
    expected = base * 0.25 / math.pi + 0.75 * base * np.array([0.25, 0.5, 1.0])
    np.testing.assert_allclose(pixel(made, backend=backend)[:3], expected, rtol=EXACT)
    assert tracer.trace(made, HEAD_ON, size=(1, 1), integrator="aov", backend=backend)["object"][0, 0] == 1


def test_background_is_the_environment_unless_given(backend):
    environment = Environment(bottom=(0.0, 0.2, 0.4), top=(1.0, 0.6, 0.4))
    made = scene(environment=environment)
    level = looking((0, 0, 0), (0, 0, -1), yfov=0.01)
    np.testing.assert_allclose(pixel(made, level, backend=backend), [0.5, 0.4, 0.4, 0.0], rtol=EXACT)
    high = looking((0, 0, 0), (0, 1, 0), up=(0, 0, 1), yfov=0.01)
    np.testing.assert_allclose(pixel(made, high, backend=backend), [1.0, 0.6, 0.4, 0.0], rtol=EXACT)
    assert pixel(made, high, background=(3, 2, 1), backend=backend).tolist() == [3.0, 2.0, 1.0, 0.0]
    assert pixel(made, high, background="transparent", backend=backend).tolist() == [0.0] * 4


def test_antialiasing_covers_a_pixel_by_its_area(backend):
    # The quad's edge cuts the pixel at 0.3 of its width; 64 stratified samples are off by less than one column of 64.
    made = scene(quad(-1, -0.4, -9, 9), materials=(GLOW,))
    camera = looking((0, 0, 1), (0, 0, 0), ymag=1.0)
    color = tracer.trace(made, camera, size=(1, 1), samples=64, background=(0, 0, 0), backend=backend)["color"][0, 0]
    assert color[3] == pytest.approx(0.3, abs=1 / 64)
    assert color[2] == color[3]


def test_an_edge_is_softer_through_the_window(backend):
    made = scene(quad(-9, 0, -5, 5), materials=(replace(GLOW, base_color=(1, 1, 1, 1)),))
    options = {"size": (6, 1), "samples": 256, "layers": ("color",), "background": (0, 0, 0), "backend": backend}
    box = tracer.trace(made, looking((0, 0, 5), ymag=1.0), **options)["color"]
    np.testing.assert_array_equal(box[0, :, 0], [1, 1, 1, 0, 0, 0])
    soft = tracer.trace(made, looking((0, 0, 5), ymag=1.0), filter="blackman-harris", **options)["color"]
    assert 0.01 < soft[0, 3, 0] < 0.2
    assert soft[0, 2, 0] + soft[0, 3, 0] == pytest.approx(1.0, abs=0.01)
    assert soft[0, 5, 0] == 0.0
    assert (soft[..., 3] == soft[..., 0]).all()


def test_another_seed_is_another_picture_of_the_same_thing(backend):
    made = scene(quad(-1, 0.33, -9, 9), materials=(GLOW,))
    pictures = [
        tracer.trace(made, looking(), size=(16, 16), samples=4, seed=seed, layers=("color",), backend=backend)["color"]
        for seed in (0, 0, 1)
    ]
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[0] != pictures[2]).any()


def test_smooth_spheres_have_no_speckles_and_a_soft_terminator(backend):
    # A coarse sphere under a grazing sun: its brightness falls steadily along a meridian, without a black facet
    # before the terminator.
    made = scene(
        sphere(rows=12, columns=16),
        materials=(replace(LAMBERT, double_sided=False),),
        lights=(Light("sun", direction=(-1, 0, 0)),),
    )
    camera = looking((0, 0, 8), (0, 0, 0), ymag=1.1)
    layers = tracer.trace(made, camera, size=(110, 110), samples="center", background=(0, 0, 0), backend=backend)
    color, normal = layers["color"][..., 0].astype(np.float64), layers["normal"].astype(np.float64)
    assert np.isfinite(layers["color"]).all()
    on = layers["object"] == 1
    expected = np.maximum(normal[..., 0], 0.0) / math.pi
    np.testing.assert_allclose(color[on], expected[on], atol=1e-6)


def test_normals_that_lean_away_from_the_viewer_stay_finite(backend):
    # A triangle seen at a grazing angle, whose normals point behind it.
    leaning = Part([[-1, 0, 1], [1, 0, 1], [0, 0, -1]], [[0, 1, 2]], normals=[[0, 0.1, -0.995]] * 3)
    for roughness in (0.0, 0.05, 1.0):
        made = scene(
            leaning,
            materials=(replace(MATTE, roughness=roughness),),
            lights=(Light("sun", direction=(0, -0.2, 1.0)), Light("sun", direction=(0, -1, 0))),
        )
        found = tracer.trace(made, looking((0, 0.4, 4)), size=(40, 40), samples=2, backend=backend)["color"]
        assert np.isfinite(found).all()
        assert (found >= 0.0).all()
