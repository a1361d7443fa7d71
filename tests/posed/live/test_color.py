"""The color layer against values worked out by hand, and against the trace."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import posed as toolkit
import tracer
from posed.errors import PosedError
from posed.gltf.material import AlphaMode, Material, Wrap
from posed.live import Renderer
from posed.scene.description import Scene
from posed.scene.lights import Environment, Light
from posed.scene.panorama import Panorama
from posed.verify.policy import POLICIES
from tests.posed.live.literals import camera, model, picture, posed, primitive, rectangle, scene, translation

WHITE = Material(metallic=0.0)
"""Rough and white. Seen and lit along its normal, it reflects 0.96 / pi by Lambert and 0.04 D V = 0.01 / pi by GGX."""

FACING = 0.97
"""What it then shows of a light of pi."""

HALF = 0.5 / 255.0
NORMALS = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
UVS = (np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32),)


def wall(material: Material = WHITE, z: float = -2.0, **values: Any) -> Any:
    card = primitive(rectangle(-9, -9, 9, 9, z), normals=NORMALS, uvs=UVS, **values)
    return model(card, material=material)


def lit(one: Scene, *lights: Light, environment: Environment | None = None) -> Scene:
    return replace(one, lights=lights, environment=environment or Environment())


def color(renderer: Renderer, one: Scene, size: tuple[int, int] = (2, 2), **values: Any) -> Any:
    return renderer.render(one, posed(), size=size, layers=["color"], **values)["color"]


def sphere() -> Any:
    """A ball of 24 by 12 around (0, 0, -4), with the normals of a smooth one."""
    polar, around = np.meshgrid(np.linspace(0, math.pi, 13), np.linspace(0, 2 * math.pi, 25), indexing="ij")
    normals = np.stack([np.sin(polar) * np.sin(around), np.cos(polar), np.sin(polar) * np.cos(around)], axis=2)
    corners = [(25 * i + j, 25 * i + 25 + j, 25 * i + 26 + j, 25 * i + 1 + j) for i in range(12) for j in range(24)]
    triangles = [t for a, b, c, d in corners for t in ((a, b, c), (a, c, d))]
    flat = normals.reshape(-1, 3)
    positions = (flat + np.array([0.0, 0.0, -4.0])).tolist()
    return model(primitive(positions, triangles, normals=flat.astype(np.float32)), material=WHITE)


def test_a_white_wall_under_the_sun(renderer: Renderer) -> None:
    ahead = Light("sun", intensity=math.pi, direction=(0, 0, -1), color=(1.0, 0.5, 0.25))
    shown = color(renderer, lit(scene(wall(), looking=camera(yfov=None, ymag=1.0)), ahead))
    np.testing.assert_allclose(shown, np.broadcast_to([FACING, FACING / 2, FACING / 4, 1.0], (2, 2, 4)), rtol=1e-5)
    behind = replace(ahead, direction=(0, 0, 1))
    assert (color(renderer, lit(scene(wall()), behind))[..., :3] == 0).all()


@pytest.mark.parametrize(
    ("lamp", "arrives"),
    [
        (Light("point"), 1 / 4),
        (Light("point", position=(0, 0, -1)), 1.0),
        (Light("point", range=4.0), (1 - 1 / 16) / 4),
        (Light("point", range=2.0), 0.0),
        (Light("spot", direction=(0, 0, -1), inner=0.5, outer=0.75), 1 / 4),
        (Light("spot", direction=(0, 0, 1), inner=0.5, outer=0.75), 0.0),
        (Light("spot", direction=(1, 0, -1), inner=0.0, outer=math.pi / 2), 1 / 8),
    ],
)
def test_lamps_fade_with_distance_range_and_cone(renderer: Renderer, lamp: Light, arrives: float) -> None:
    x, y, z = lamp.direction
    length = math.sqrt(x * x + y * y + z * z)
    lamp = replace(lamp, intensity=math.pi, direction=(x / length, y / length, z / length))
    # The middle pixel of three looks along the normal, two metres from the wall; the half cone of 90 degrees lets the
    # cosine of 45 degrees, squared, through.
    shown = color(renderer, lit(scene(wall(), looking=camera(yfov=0.01)), lamp), size=(3, 3))
    np.testing.assert_allclose(shown[1, 1, :3], FACING * arrives, rtol=1e-4, atol=1e-6)


def test_the_environment_lights_by_its_irradiance_and_stands_behind(renderer: Renderer) -> None:
    up = np.tile(np.array([0, 1, 0], np.float32), (4, 1))
    sky = Environment(bottom=(0.2, 0.2, 0.2), top=(1.0, 0.5, 0.2), intensity=2.0)
    leaning = model(primitive(rectangle(-9, -9, 0, 9, -2), normals=up), material=WHITE)
    shown = color(renderer, lit(scene(leaning, looking=camera(yfov=None, ymag=1.0)), environment=sky))
    # c_diff + f0 is 1.04; E / pi on a surface that looks up is the mean of both ends and a third of their difference.
    np.testing.assert_allclose(
        shown[:, 0, :3],
        np.broadcast_to(1.04 * np.array([2 * (0.6 + 0.8 / 3), 2 * (0.35 + 0.1), 0.4]), (2, 3)),
        rtol=1e-5,
    )
    np.testing.assert_allclose(shown[:, 1], np.broadcast_to([1.2, 0.7, 0.4, 0.0], (2, 4)), rtol=1e-5)
    assert (shown[:, 0, 3] == 1).all()


def test_the_sky_is_seen_in_each_pixel_s_own_direction(renderer: Renderer) -> None:
    nothing = lit(scene(wall(z=9.0)), environment=Environment(top=(1.0, 1.0, 1.0)))
    shown = color(renderer, nothing, size=(1, 2))
    # Half a metre up, one ahead: the direction's y is 1 / sqrt(5).
    np.testing.assert_allclose(shown[:, 0, 0], [0.5 + 0.5 / math.sqrt(5), 0.5 - 0.5 / math.sqrt(5)], rtol=1e-5)
    assert (shown[..., 3] == 0).all()


def test_a_transparent_background_is_nothing_at_all(renderer: Renderer) -> None:
    half = lit(
        scene(model(primitive(rectangle(-9, -9, 0, 9, -2)), material=WHITE)), environment=Environment(top=(1, 1, 1))
    )
    frame = renderer.render(half, posed(), size=(2, 1), layers=["color"], background="transparent")
    assert frame["color"][0, 1].tolist() == [0, 0, 0, 0]
    assert frame["color"][0, 0, 3] == 1
    assert frame.provenance.background == "transparent"
    with pytest.raises(PosedError, match='background is "blue": expected "environment" or "transparent"'):
        renderer.render(half, posed(), background="blue")


@pytest.mark.parametrize(
    ("material", "expected"),
    [
        (Material(base_color=(0.5, 0.25, 1.0, 1.0), unlit=True), (0.5, 0.25, 1.0)),
        (Material(base_color=(0.0, 0.0, 0.0, 1.0), metallic=1.0, emission=(3.0, 0.5, 0.0)), (3.0, 0.5, 0.0)),
        # An infinite index of refraction reflects all; specular scales the reflection, at every angle.
        (Material(metallic=0.0, ior=0.0), (0.25, 0.25, 0.25)),
        (Material(metallic=0.0, ior=0.0, specular=0.5), (0.5 + 0.125, 0.5 + 0.125, 0.5 + 0.125)),
        # A rough metal's D V is 1 / (4 pi), times its color.
        (Material(base_color=(0.8, 0.4, 0.0, 1.0)), (0.2, 0.1, 0.0)),
        # At roughness sqrt(1/2), A is 1/2 and D V = 1 / (pi A^2) / 4.
        (Material(roughness=math.sqrt(0.5)), (1.0, 1.0, 1.0)),
        (Material(roughness=0.0), (0.0, 0.0, 0.0)),
    ],
)
def test_materials(renderer: Renderer, material: Material, expected: tuple[float, float, float]) -> None:
    ahead = Light("sun", intensity=math.pi, direction=(0, 0, -1))
    shown = color(renderer, lit(scene(wall(material), looking=camera(yfov=None, ymag=1.0)), ahead))
    np.testing.assert_allclose(shown[..., :3], np.broadcast_to(expected, (2, 2, 3)), rtol=1e-5, atol=1e-6)


def test_texels_are_decoded_before_they_are_filtered(renderer: Renderer) -> None:
    unlit = Material(unlit=True, color_texture=picture([[[0, 128, 255, 255], [255, 128, 0, 255]]], wrap_s=Wrap.CLAMP))
    shown = color(renderer, scene(wall(unlit, z=-9.0)), size=(4, 4))
    # The pixels' middles lie a quarter of the way about the middles of the two texels: 128 is 0.2159.
    np.testing.assert_allclose(shown[1, :, 0], [0, 0.25, 0.75, 1], atol=1e-5)
    np.testing.assert_allclose(shown[1, :, 1], 0.21586, atol=1e-5)


def test_a_texture_reads_its_own_set_of_coordinates_moved_and_wrapped(renderer: Renderer) -> None:
    texels = [[[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]]
    twice = picture(texels, uv=1, linear=False, transform=((0.5, 0.0, 0.75), (0.0, 1.0, 0.0)), wrap_s=Wrap.MIRROR)
    card = primitive(rectangle(-9, -9, 9, 9, -9), uvs=(UVS[0] * 0, UVS[0]))
    shown = color(renderer, scene(model(card, material=Material(unlit=True, color_texture=twice))), size=(4, 4))
    # From 3/4 to 5/4, mirrored at 1: the last texel forth, then back, a quarter of the picture each way.
    assert shown[0, :, :3].round(4).tolist() == [[1, 1, 1]] * 4
    again = replace(twice, wrap_s=Wrap.REPEAT)
    shown = color(renderer, scene(model(card, material=Material(unlit=True, color_texture=again))), size=(4, 4))
    assert shown[0, :, :3].round(4).tolist() == [[1, 1, 1]] * 2 + [[1, 0, 0]] * 2


def test_vertex_colors_multiply(renderer: Renderer) -> None:
    colors = np.array([(0, 0.5, 1, 1), (1, 0.5, 1, 1), (1, 0.5, 1, 1), (0, 0.5, 1, 1)], np.float32)
    card = primitive(rectangle(-4, -4, 4, 4, -4), colors=colors)
    shown = color(renderer, scene(model(card, material=Material(unlit=True, base_color=(0.5, 1, 1, 1)))), size=(4, 4))
    np.testing.assert_allclose(shown[1, :, 0], np.array([1, 3, 5, 7]) / 16, rtol=1e-5)
    np.testing.assert_allclose(shown[..., 1:3], np.broadcast_to([0.5, 1], (4, 4, 2)), rtol=1e-5)


def test_the_back_of_a_single_sided_surface_is_not_seen_and_of_a_double_sided_one_turns(renderer: Renderer) -> None:
    from_the_front = Light("sun", intensity=math.pi, direction=(0, 0, 1))
    turned = np.diag([1.0, 1.0, -1.0, 1.0])
    turned[2, 3] = -4.0
    looking = camera(yfov=None, ymag=1.0)
    away = primitive(rectangle(-9, -9, 9, 9, -2), ((0, 2, 1), (0, 3, 2)), normals=-NORMALS)
    one_sided = lit(scene(model(away, material=WHITE), looking=looking), from_the_front)
    assert (color(renderer, one_sided) == 0).all()
    two_sided = lit(scene(model(away, material=replace(WHITE, double_sided=True)), looking=looking), from_the_front)
    assert (color(renderer, two_sided)[..., :3] == 0).all()
    two_sided = replace(two_sided, lights=(replace(from_the_front, direction=(0, 0, -1)),))
    np.testing.assert_allclose(color(renderer, two_sided)[..., :3], FACING, rtol=1e-5)


BLOCKER = rectangle(-1, -1, 1, 1, 0)
"""Two metres wide."""


@pytest.mark.parametrize(
    ("material", "darkened"),
    [
        (WHITE, True),
        (Material(alpha_mode=AlphaMode.MASK, base_color=(1, 1, 1, 0.4), alpha_cutoff=0.5), False),
        (Material(alpha_mode=AlphaMode.MASK, base_color=(1, 1, 1, 0.6), alpha_cutoff=0.5), True),
        (Material(alpha_mode=AlphaMode.BLEND, base_color=(1, 1, 1, 0.4)), False),
        (Material(alpha_mode=AlphaMode.BLEND, base_color=(1, 1, 1, 0.6)), True),
        (Material(transmission=1.0), True),
    ],
)
@pytest.mark.parametrize("triangles", [((0, 1, 2), (0, 2, 3)), ((0, 2, 1), (0, 3, 2))])
def test_both_sides_of_whatever_counts_as_solid_cast(
    renderer: Renderer, material: Material, darkened: bool, triangles: Any
) -> None:
    # The light leans by 45 degrees, so that the shadow falls beside its blocker, from 1 to 3 metres right.
    slanted = Light("sun", intensity=1.0, direction=(math.sqrt(0.5), 0.0, -math.sqrt(0.5)))
    blocker = model(primitive(BLOCKER, triangles), material=material)
    looking = camera(yfov=None, ymag=4.0, matrix=translation(0, 0, 4))
    shown = color(renderer, lit(scene(wall(z=-2.0), blocker, looking=looking), slanted), size=(32, 32))
    row = shown[16, :, 0] == 0
    assert row[20:28].all() == darkened
    assert row[20:28].any() == darkened
    assert not row[28:].any()
    assert not row[:12].any()


def test_a_mask_s_holes_are_in_its_shadow(renderer: Renderer) -> None:
    texels = [[[255, 255, 255, 255], [255, 255, 255, 0]]]
    holed = Material(alpha_mode=AlphaMode.MASK, color_texture=picture(texels, linear=False), metallic=0.0)
    slanted = Light("sun", intensity=1.0, direction=(math.sqrt(0.5), 0.0, -math.sqrt(0.5)))
    blocker = model(primitive(BLOCKER, uvs=UVS), material=holed)
    looking = camera(yfov=None, ymag=4.0, matrix=translation(0, 0, 4))
    shown = color(renderer, lit(scene(wall(z=-2.0), blocker, looking=looking), slanted), size=(32, 32))
    assert np.flatnonzero(shown[16, :, 0] == 0).tolist() == [20, 21, 22, 23]


@pytest.mark.parametrize("kind", ["point", "spot"])
def test_a_lamp_s_shadow_widens_with_distance(renderer: Renderer, kind: Any) -> None:
    lamp = Light(kind, intensity=9.0, position=(0, 0, 2), direction=(0, 0, -1), outer=1.5)
    looking = camera(yfov=None, ymag=4.0, matrix=translation(0, 0, 1.5), zfar=9.0)
    # The blocker stands before the lamp; seen from behind, it hides itself but not the rim of its shadow.
    blocker = model(primitive(BLOCKER, material=0), material=WHITE)
    shown = color(renderer, lit(scene(wall(z=-2.0), blocker, looking=looking), lamp), size=(32, 32))
    # One metre at a distance of two is two metres at a distance of four: eight pixels to each side.
    row = shown[16, :, 0]
    assert np.flatnonzero(row == 0).tolist() == [*range(8, 12), *range(20, 24)]
    assert (row[12:20] > 0).all()


def test_a_frame_says_how_far_its_shadows_may_be_off(renderer: Renderer) -> None:
    sun, lamp = Light("sun", direction=(0, 0, -1)), Light("point", intensity=0.0)
    two = lit(scene(wall(), model(primitive(BLOCKER)), matrices=[np.eye(4), translation(0, 0, -1)]), lamp, sun)
    frame = renderer.render(two, posed(), size=(8, 8), layers=["color"])
    assert frame.provenance.integrator == "direct"
    bands = frame.provenance.shadows
    assert bands is not None
    assert [(one.light, one.objects) for one in bands] == [(1, (1,)), (1, (2,))]
    assert [one.texel for one in bands] == pytest.approx([18 / 510, 2 / 510])
    assert renderer.render(two, posed(), size=(8, 8), layers=["depth"]).provenance.shadows is None


def test_a_shadow_follows_what_casts_it_and_stays_where_nothing_moves(renderer: Renderer) -> None:
    slanted = Light("sun", intensity=1.0, direction=(math.sqrt(0.5), 0.0, -math.sqrt(0.5)))
    looking = camera(yfov=None, ymag=4.0, matrix=translation(0, 0, 4))
    two = lit(scene(wall(z=-2.0), model(primitive(BLOCKER), material=WHITE), looking=looking), slanted)
    for shift, dark in (
        (0.0, [*range(20, 28)]),
        (0.0, [*range(20, 28)]),
        (-2.0, [*range(12, 20)]),
        (0.5, [*range(22, 30)]),
    ):
        pose = posed(models={"b": translation(shift, 0, 0)})
        row = renderer.render(two, pose, size=(32, 32), layers=["color"])["color"][16, :, 0]
        hidden = range(12 + int(4 * shift), 20 + int(4 * shift))
        assert [x for x in np.flatnonzero(row == 0).tolist() if x not in hidden] == dark


def test_more_lights_than_a_frame_takes_are_refused(renderer: Renderer) -> None:
    many = lit(scene(wall()), *[Light("sun")] * 257)
    with pytest.raises(PosedError, match="257 lights shine at once: the live renderer draws 256"):
        color(renderer, many)
    lamps = lit(scene(wall(), wall(z=-1.0)), *[Light("point", position=(0, 0, -1.5))] * 60)
    with pytest.raises(PosedError, match="60 lights need 360 shadow maps, the live renderer has 256"):
        color(renderer, lamps)


@pytest.mark.parametrize("lens", [{"yfov": 1.0}, {"yfov": None, "ymag": 1.5}])
def test_smooth_metal_and_varnish_look_as_in_the_trace(renderer: Renderer, lens: dict[str, Any]) -> None:
    angles = np.linspace(-1.5, 1.5, 9)
    positions = [(math.sin(a), y, -3 + math.cos(a)) for y in (-2, 2) for a in angles]
    normals = np.array([(math.sin(a), 0, math.cos(a)) for _ in (-2, 2) for a in angles], np.float32)
    triangles = [t for i in range(8) for t in ((i, i + 1, i + 10), (i, i + 10, i + 9))]
    lights = (
        Light("sun", intensity=2.0, direction=(0.6, 0.0, -0.8)),
        Light("point", intensity=3.0, position=(-1.0, 0.5, 0.0)),
        Light("spot", intensity=9.0, position=(1.0, 1.0, 1.0), direction=(-0.48, -0.36, -0.8), outer=0.4),
    )
    sky = Environment(bottom=(0.1, 0.2, 0.3), top=(0.5, 0.4, 0.3))
    for metallic, roughness in ((0.0, 0.2), (1.0, 0.3), (0.5, 0.1)):
        material = Material(
            base_color=(0.9, 0.5, 0.2, 1.0), metallic=metallic, roughness=roughness, ior=1.8, specular=0.7
        )
        half_pipe = model(primitive(positions, triangles, normals=normals), material=material)
        one = lit(scene(half_pipe, looking=camera(**lens)), *lights, environment=sky)
        shown = color(renderer, one, size=(96, 64))
        expected = toolkit.trace(one, posed(), size=(96, 64), samples="center", layers=["color"])
        beside = outside(shown[..., :3], *grid_range(expected))
        assert beside.max() < HALF
        assert (shown[..., 3] == expected["color"][..., 3]).mean() > 0.99


def grid_range(reference: toolkit.Frame) -> tuple[Any, Any]:
    """Return the least and the greatest color, (H, W, 3) each, that a rasterizer may show which snaps vertices to its
    grid.

    Seen edge on, a highlight of roughness 0.1 is as narrow as a pixel, and hundreds high: what a step of 1/256 pixel
    changes is what the trace shows there, not any constant.
    """
    staged, looking = reference.staged
    width, height = reference.size
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=2)
    step = POLICIES["gpu"].grid
    low, high = tracer.color_range(
        staged, looking, size=(width, height), pixels=pixels.reshape(-1, 2), shadows=(), pixel=step
    )
    return low.reshape(height, width, 3), high.reshape(height, width, 3)


def outside(shown: Any, low: Any, high: Any) -> Any:
    """Return how far colors lie outside of what they may be, (H, W)."""
    return np.maximum(np.maximum(low - shown, shown - high), 0.0).max(axis=2)


def test_an_environment_s_image_is_seen_around_and_lights_by_its_coefficients(renderer: Renderer) -> None:
    rng = np.random.default_rng(2)
    texels = rng.integers(0, 256, (6, 10, 3))
    image = Panorama("sky.png", picture(np.dstack([texels, texels[..., :1] * 0 + 255])).image.data, "sky.png")
    around = Environment(intensity=2.0, image=image)
    ball = sphere()
    for turn in range(4):
        cosine, sine = math.cos(turn * 1.3), math.sin(turn * 1.3)
        matrix = np.array([(cosine, 0, sine, 0), (0, 1, 0, 0), (-sine, 0, cosine, 0), (0, 0, 0, 1)], np.float64)
        one = lit(scene(ball, looking=camera(matrix=matrix, yfov=2.5)), environment=around)
        expected = toolkit.trace(one, posed(), size=(48, 32), samples="center", layers=["color"])["color"]
        np.testing.assert_allclose(color(renderer, one, size=(48, 32)), expected, atol=1e-3)
        assert (expected[..., 3] == 0).any()
