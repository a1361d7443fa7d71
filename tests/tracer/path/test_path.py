"""Whole pictures whose answers are known on paper."""

import math
from dataclasses import replace

import numba
import numpy as np
import pytest

import tracer
from tests.tracer.path.statistics import F32, SIGMAS, assert_matches, mean_color, pictured
from tests.tracer.scenes import DARK, GLOW, LAMBERT, MATTE, ground, looking, quad, scene, sphere, texture
from tracer import AlphaMode, Environment, Light, Material, SceneError, TextureSlot
from tracer.path import paths_of_a_place
from tracer.pixel_filter import WIDTH, filter_table, filtered

WHITE = Environment((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
DOWN = looking((0, 3, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.001)
LAMP = replace(LAMBERT, base_color=(0, 0, 0, 1), emission=(2.0, 4.0, 6.0))
HALF = replace(LAMBERT, base_color=(0.5, 0.5, 0.5, 1.0))


def assert_within(mean, error, expected, slack=F32):
    """Hold a mean to what it should be, within the noise."""
    expected = np.array(expected, np.float64)
    assert (np.abs(mean - expected) <= SIGMAS * error + slack * np.abs(expected) + 1e-12).all(), (mean, expected, error)


@pytest.mark.parametrize("angle", [0.0, 0.0093, 0.5])
def test_lambert_plane_under_a_sun_of_any_size(angle, backend):
    light = Light("sun", intensity=3.0, direction=(math.sqrt(3), -1.0, 0.0), angle=angle)
    made = scene(ground(5), materials=(HALF,), lights=(light,))
    mean, error = mean_color(made, DOWN, backend=backend)
    assert_within(mean, error, [0.5 * 3.0 * 0.5 / math.pi] * 3)
    assert (error < 1e-9).all() == (angle == 0.0)


def test_a_point_light_falls_with_the_square_of_the_distance(backend):
    for height in (0.5, 2.0):
        made = scene(ground(5), materials=(LAMBERT,), lights=(Light("point", intensity=7.0, position=(0, height, 0)),))
        camera = looking((0, 9, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.0001)
        mean, error = mean_color(made, camera, size=(2, 2), backend=backend)
        assert_within(mean, error, [7.0 / height**2 / math.pi] * 3, slack=1e-5)


def test_one_of_many_lights_is_drawn_and_stands_for_all():
    lights = tuple(Light("sun", intensity=float(n), direction=(0.1 * n, -1, 0)) for n in range(1, 5))
    made = scene(ground(5), materials=(LAMBERT,), lights=lights)
    mean, error = mean_color(made, DOWN, samples=256)
    assert_within(mean, error, [sum(n / math.sqrt(1 + 0.01 * n * n) for n in range(1, 5)) / math.pi] * 3)


def test_a_sphere_in_a_room_of_one_color_has_its_own():
    made = scene(sphere(smooth=False), materials=(HALF,), environment=Environment((1, 2, 4), (1, 2, 4)))
    color, alpha, _ = pictured(made, looking((0, 0, 2), yfov=1.2))
    inside = alpha == 1.0
    np.testing.assert_allclose(color[inside], np.tile([0.5, 1.0, 2.0], (int(inside.sum()), 1)), rtol=F32)
    np.testing.assert_allclose(color[alpha == 0.0][0], [1, 2, 4], rtol=F32)


def test_a_mirror_shows_what_stands_before_it(backend):
    # The camera looks down at 45 degrees on a mirror; what it meets behind the mirror is the card's image.
    mirror = Material(base_color=(1, 1, 1, 1), metallic=1.0, roughness=0.0)
    made = scene(ground(5, material=1), quad(-1, 1, 0.5, 1.5, -2), materials=(GLOW, mirror))
    image = scene(quad(-1, 1, -1.5, -0.5, -2), materials=(GLOW,))
    camera = looking((0, 1, 1), (0, 0, 0))
    seen = pictured(made, camera, samples=4, backend=backend)[0]
    mirrored = pictured(image, camera, samples=4, backend=backend)[0]
    straight = pictured(scene(quad(-1, 1, 0.5, 1.5, -2), materials=(GLOW,)), camera, samples=4)[0]
    assert mirrored.any()
    np.testing.assert_allclose(seen, mirrored + straight, atol=1e-6)


def test_half_of_a_sun_is_seen_at_the_edge_of_its_shadow():
    # A wall's edge halves the disk right below it: dark on one side, light on the other, half in the middle.
    light = Light("sun", intensity=math.pi, direction=(0, -1, 0), angle=0.2)
    roof = quad(0, 5, -5, 5, 0)
    roof.positions = [[x, 1.0, y] for x, y, _ in roof.positions]
    made = scene(ground(5), roof, materials=(LAMBERT,), lights=(light,))

    def seen(x):
        camera = looking((x, 0.5, 0), (x, 0, 0), up=(0, 0, -1), ymag=1e-4)
        return mean_color(made, camera, bounces=1, samples=256)

    assert_within(*seen(0.3), [0.0] * 3)
    assert_within(*seen(-0.3), [1.0] * 3)
    assert_within(*seen(0.0), [0.5] * 3, slack=1e-3)
    # A chord at half the radius (0.05 of 0.1) cuts off 1/3 - sqrt(3) / (4 pi) of a disk.
    assert_within(*seen(-math.tan(0.05)), [1.0 - (1 / 3 - math.sqrt(3) / (4 * math.pi))] * 3, slack=5e-3)


def form_factor(half, height):
    """From a small area to a parallel square above its middle: four squares seen from their corners."""
    a = half / height
    root = math.sqrt(1.0 + a * a)
    return 4.0 / (2.0 * math.pi) * 2.0 * (a / root) * math.atan(a / root)


@pytest.mark.parametrize(("half", "height"), [(1.0, 1.0), (0.2, 2.0), (3.0, 0.5)])
def test_an_emissive_square_gives_its_form_factor(half, height, backend):
    lamp = quad(-half, half, -half, half, 0, material=1)
    lamp.positions = [[x, height, y] for x, y, _ in lamp.positions]
    made = scene(ground(5), lamp, materials=(LAMBERT, LAMP))
    camera = looking((0, 0.9 * height, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.0001)
    mean, error = mean_color(made, camera, samples=256, backend=backend)
    assert_within(mean, error, np.array([2.0, 4.0, 6.0]) * form_factor(half, height), slack=1e-4)
    assert (error < 0.01 * mean).all()


def test_an_emissive_square_is_found_by_a_mirror_and_by_rough_metal():
    lamp = quad(-1, 1, 0, 2, -2, material=1)
    camera = looking((0, 1, 2), (0, 0, 0), yfov=0.001)
    for roughness in (0.0, 0.05):
        metal = Material(metallic=1.0, roughness=roughness)
        made = scene(ground(5), lamp, materials=(metal, LAMP))
        mean, error = mean_color(made, camera, samples=64)
        assert_within(mean, error, [2.0, 4.0, 6.0], slack=2e-3)  # all of the narrow lobe ends on the lamp


def test_an_unlit_surface_lights_others_like_a_lamp_of_its_color():
    square = quad(-1, 1, -1, 1, 0, material=1)
    square.positions = [[x, 1.0, y] for x, y, _ in square.positions]
    camera = looking((0, 0.9, 0), (0, 0, 0), up=(0, 0, -1), yfov=0.0001)
    mean, error = mean_color(scene(ground(5), square, materials=(LAMBERT, GLOW)), camera, samples=256)
    assert_within(mean, error, np.array([0.25, 0.5, 1.0]) * form_factor(1.0, 1.0), slack=1e-4)


def test_one_bounce_is_direct_without_its_ambient_term(backend):
    checker = texture([[[255, 0, 0, 255], [0, 255, 0, 255]], [[9, 99, 255, 255], [255, 255, 255, 255]]])
    materials = (
        Material(metallic=0.2, roughness=0.5, double_sided=True),
        Material(metallic=0.0, roughness=0.3, color_texture=TextureSlot(0), double_sided=True),
        replace(MATTE, clearcoat=1.0, clearcoat_roughness=0.3, specular_color=(3, 1, 0)),
        replace(MATTE, sheen_color=(0.9, 0.5, 0.2), sheen_roughness=0.4, clearcoat=0.3, clearcoat_roughness=0.6),
    )
    balls = sphere(center=(0, 1, 0)), sphere(0.6, (1.5, 0.6, 0.8), material=2), sphere(0.6, (-1.4, 0.6, 1), material=3)
    parts = ground(4), *balls, quad(-2, 2, 0, 2, -1.5, material=1)
    lights = (
        Light("sun", direction=(-1, -2, -1), intensity=2.0),
        Light("point", position=(1, 2, 1.5), intensity=5.0, range=9.0),
        Light("spot", position=(-1, 3, 1), direction=(0.3, -1, -0.4), intensity=20.0, inner=0.95, outer=0.8),
    )
    for light in lights:
        made = scene(*parts, materials=materials, textures=(checker,), lights=(light,), environment=DARK)
        options = {"size": (48, 32), "samples": 4, "layers": ("color",), "backend": backend}
        direct = tracer.trace(made, looking((1, 2, 4)), **options)["color"]
        path = tracer.trace(made, looking((1, 2, 4)), integrator="path", bounces=1, **options)["color"]
        assert direct[..., :3].max() > 0.1
        differs = np.abs(direct - path).max(axis=2) > 1e-5
        assert differs.sum() <= 2, "rays may round to either side of an edge; nothing else may differ"


def test_no_bounce_shows_emission_alone():
    made = scene(quad(material=1), materials=(MATTE, LAMP), environment=WHITE)
    mean, _ = mean_color(made, looking((0, 0, 5), yfov=0.01), bounces=0)
    np.testing.assert_allclose(mean, [2.0, 4.0, 6.0], rtol=F32)


def sheet(material_options, light):
    """A white floor under a sheet, lit from above; the camera stands between them."""
    above = ground(4, y=1.0, material=1)
    materials = LAMBERT, replace(MATTE, **material_options)
    made = scene(ground(4), above, materials=materials, lights=(light,))
    return mean_color(made, looking((0, 0.5, 0), (0, 0, 0), up=(0, 0, -1), ymag=1e-3), bounces=1, samples=256)


SUN = Light("sun", intensity=math.pi, direction=(0, -1, 0))
LAMP_ABOVE = Light("point", intensity=4.0 * math.pi, position=(0, 2, 0))


@pytest.mark.parametrize("light", [SUN, LAMP_ABOVE, replace(SUN, angle=0.01)], ids=["sun", "point", "disk"])
def test_light_goes_straight_through_a_thin_sheet(light):
    # Its normal reflects 4 %; the rest is tinted once.
    options = {"transmission": 1.0, "base_color": (1.0, 0.5, 0.25, 1.0), "roughness": 0.0}
    assert_within(*sheet(options, light), [0.96, 0.48, 0.24], slack=1e-4)


def test_light_passes_what_a_blended_sheet_leaves():
    options = {"alpha_mode": AlphaMode.BLEND, "base_color": (1, 1, 1, 0.25)}
    assert_within(*sheet(options, SUN), [0.75] * 3)


def test_light_passes_the_holes_of_a_mask():
    for cutoff, expected in ((0.4, 0.0), (0.6, 1.0)):
        options = {"alpha_mode": AlphaMode.MASK, "base_color": (1, 1, 1, 0.5), "alpha_cutoff": cutoff}
        assert_within(*sheet(options, SUN), [expected] * 3)


def test_single_sided_surfaces_throw_shadows_either_way_and_hide_from_the_camera_alone():
    for facing in (1, -1):
        above = ground(4, y=1.0, material=1, facing=facing)
        made = scene(ground(4), above, materials=(LAMBERT, replace(LAMBERT, double_sided=False)), lights=(SUN,))
        assert_within(*mean_color(made, looking((0, 0.5, 0), (0, 0, 0), up=(0, 0, -1), ymag=1e-3)), [0.0] * 3)
    # From above, where its back is: the floor, in its shadow.
    mean, error = mean_color(made, looking((0, 3, 0), (0, 0, 0), up=(0, 0, -1), ymag=1e-3))
    assert_within(mean, error, [0.0] * 3)


def test_a_blended_surface_is_seen_by_its_share():
    made = scene(
        quad(),
        materials=(replace(GLOW, alpha_mode=AlphaMode.BLEND, base_color=(1.0, 0.5, 0.0, 0.25)),),
        environment=Environment((0, 0, 1), (0, 0, 1)),
    )
    color, alpha, error = pictured(made, looking((0, 0, 5), yfov=0.01), size=(4, 4), samples=256)
    spread = math.sqrt(0.25 * 0.75 / 4096)
    assert alpha.mean() == pytest.approx(0.25, abs=SIGMAS * spread)
    assert_within(color.mean(axis=(0, 1)), np.sqrt((error**2).mean(axis=(0, 1)) / 16), [0.25, 0.125, 0.75])


@pytest.mark.parametrize("background", ["transparent", (0.5, 0.25, 2.0)])
def test_the_background_is_seen_and_does_not_shine(background):
    made = scene(quad(), materials=(LAMBERT,), environment=Environment((1, 1, 1), (1, 1, 1)))
    color, alpha, _ = pictured(made, looking((0, 0, 1.2)), background=background)
    assert alpha.min() == 0.0
    np.testing.assert_array_equal(color[alpha == 0.0][0], [0.0] * 3 if background == "transparent" else background)
    np.testing.assert_allclose(color[8, 8], 1.0, rtol=F32)


def crowded():
    """Every kind of surface and light, shaded smooth and flat."""
    materials = (
        MATTE,
        Material(roughness=0.1, double_sided=True),
        replace(MATTE, transmission=0.8, roughness=0.2),
        replace(MATTE, alpha_mode=AlphaMode.BLEND, base_color=(0.9, 0.2, 0.1, 0.5)),
        LAMP,
        Material(roughness=0.0, double_sided=True),
    )
    parts = [ground(4)]
    parts += [
        sphere(0.5, (n - 2, 0.5, 0.2 * n), rows=8, columns=12, smooth=n % 2 == 0, material=n + 1) for n in range(5)
    ]
    lights = Light("sun", direction=(-1, -2, -1), angle=0.05), Light("point", position=(1, 2, 1), intensity=3.0)
    return scene(*parts, materials=materials, lights=lights, environment=Environment((0.1, 0.1, 0.1), (0.3, 0.4, 0.9)))


def test_one_thread_and_two_give_the_same_bits(backend):
    before, pictures = numba.get_num_threads(), []
    try:
        for threads in (1, 2):
            numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
            options = {"size": (70, 50), "samples": 3, "layers": ("color", "variance"), "backend": backend}
            pictures.append(tracer.trace(crowded(), looking((1, 2, 4)), integrator="path", **options))
    finally:
        numba.set_num_threads(before)
    for name in ("color", "variance"):
        assert pictures[0][name].tobytes() == pictures[1][name].tobytes(), name
        assert np.isfinite(pictures[0][name]).all()
        assert pictures[0][name].min() >= 0.0


def test_both_backends_find_the_same_light():
    options = {"size": (24, 16), "samples": 64}
    embree, _, error = pictured(crowded(), looking((1, 2, 4)), backend="embree", **options)
    tree, _, other = pictured(crowded(), looking((1, 2, 4)), backend="bvh", seed=1, **options)
    spread = np.sqrt((error**2).sum(axis=(0, 1)) + (other**2).sum(axis=(0, 1))) / (24 * 16)
    assert (np.abs(embree.mean(axis=(0, 1)) - tree.mean(axis=(0, 1))) <= SIGMAS * spread).all()


def test_paths_share_camera_rays_once_there_are_enough():
    shared = {samples: int(paths_of_a_place(samples)) for samples in (1, 16, 31, 32, 33, 34, 63, 64, 66, 256)}
    assert shared == {1: 1, 16: 1, 31: 1, 32: 2, 33: 1, 34: 2, 63: 1, 64: 4, 66: 2, 256: 4}


def test_paths_that_share_camera_rays_find_the_same_light():
    shared, alpha, error = pictured(crowded(), looking((1, 2, 4)), size=(24, 16), samples=256)
    alone, other_alpha, other = pictured(crowded(), looking((1, 2, 4)), size=(24, 16), samples=255, seed=1)
    spread = np.sqrt((error**2).sum(axis=(0, 1)) + (other**2).sum(axis=(0, 1))) / (24 * 16)
    assert (np.abs(shared.mean(axis=(0, 1)) - alone.mean(axis=(0, 1))) <= SIGMAS * spread).all()
    assert abs(alpha.mean() - other_alpha.mean()) < 0.01


@pytest.mark.parametrize("samples", [16, 64])
def test_variance_foretells_how_far_means_stray(samples):
    made = crowded()
    pictures = [pictured(made, looking((1, 2, 4)), size=(24, 16), samples=samples, seed=seed) for seed in range(12)]
    measured = np.var([color for color, _, _ in pictures], axis=0, ddof=1).mean()
    foretold = np.mean([error**2 for _, _, error in pictures])
    # Stratified samples stray less than independent ones, which is what the estimate takes them for.
    assert 0.2 * foretold < measured < 1.2 * foretold


def test_the_window_places_samples_around_a_pixel():
    table, count = filter_table("blackman-harris"), 40_000
    drawn = np.array([filtered(table, number) for number in np.random.default_rng(8).random(count)])
    x = (np.arange(30 * 64) + 0.5) / (30 * 64)
    window = sum(c * np.cos(2 * math.pi * n * x) for n, c in enumerate((0.35875, -0.48829, 0.14128, -0.01168)))
    expected = window.reshape(30, 64).sum(axis=1) / window.sum()
    counts, _ = np.histogram(drawn, 30, range=(0.5 - WIDTH / 2, 0.5 + WIDTH / 2))
    assert_matches(counts, count * expected)
    box = filter_table("box")
    assert [filtered(box, number) for number in (0.0, 0.25, 0.875)] == [0.0, 0.25, 0.875]


def test_an_edge_is_softer_through_the_window():
    made = scene(quad(-9, 0, -5, 5), materials=(replace(GLOW, base_color=(1, 1, 1, 1)),))
    camera = looking((0, 0, 5), ymag=1.0)
    box, _, _ = pictured(made, camera, size=(6, 1), samples=256)
    np.testing.assert_array_equal(box[0, :, 0], [1, 1, 1, 0, 0, 0])
    soft, _, _ = pictured(made, camera, size=(6, 1), samples=256, filter="blackman-harris")
    assert 0.01 < soft[0, 3, 0] < 0.2
    assert soft[0, 2, 0] + soft[0, 3, 0] == pytest.approx(1.0, abs=0.01)
    assert soft[0, 5, 0] == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": "center"}, "takes a number of samples"),
        ({"bounces": -1}, "bounces must be None or a whole number"),
        ({"bounces": 2.0}, "bounces must be None or a whole number"),
        ({"integrator": "direct", "bounces": 2}, "integrator direct follows no light .*: bounces are of path"),
        ({"filter": "tent"}, "filter must be box or blackman-harris, found 'tent'"),
        ({"filter": "blackman-harris", "integrator": "aov"}, "integrator aov takes no samples: leave it out"),
        ({"filter": "blackman-harris", "integrator": "direct", "samples": "center"}, '"center" are one a pixel: leave'),
        ({"samples": 1, "layers": ("variance",)}, "has no layer 'variance'"),
        ({"integrator": "photons"}, "integrator must be direct, path, aov"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(SceneError, match=message):
        tracer.trace(scene(quad()), looking(), **({"integrator": "path", "size": (2, 2)} | options))
