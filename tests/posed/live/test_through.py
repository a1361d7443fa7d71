"""Blended and transmissive surfaces: composition by hand, order by pixel, and lists that outgrow their buffers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import posed as toolkit
from posed.errors import PosedError
from posed.gltf.material import AlphaMode, Material
from posed.live import Renderer, device, through
from posed.live import renderer as renderer_module
from posed.scene.description import Scene
from posed.scene.lights import Environment, Light
from tests.posed.live.literals import camera, model, picture, posed, primitive, rectangle, scene, translation

UVS = (np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32),)


def tinted(red: float, green: float, blue: float, alpha: float, **values: Any) -> Material:
    return Material(base_color=(red, green, blue, alpha), alpha_mode=AlphaMode.BLEND, unlit=True, **values)


def card(z: float, material: Material, **values: Any) -> Any:
    return model(primitive(rectangle(-99, -99, 99, 99, z), **values), material=material)


def color(renderer: Renderer, one: Scene, size: tuple[int, int] = (2, 2), **values: Any) -> Any:
    return renderer.render(one, posed(), size=size, layers=["color"], **values)["color"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_blended_surfaces_mix_front_to_back_whatever_their_order_is(renderer: Renderer, order: Any) -> None:
    cards = [card(-1, tinted(1, 0, 0, 0.5)), card(-2, tinted(0, 1, 0, 0.25)), card(-3, tinted(0, 0, 1, 0.75))]
    one = replace(scene(*(cards[i] for i in order)), environment=Environment((0.8,) * 3, (0.8,) * 3))
    # Half red, a quarter of the other half green, three quarters of what is left blue, then the sky.
    left = 0.5 * 0.75 * 0.25
    expected = [0.5 + left * 0.8, 0.125 + left * 0.8, 0.375 * 0.75 + left * 0.8, 1.0 - left]
    np.testing.assert_allclose(color(renderer, one), np.broadcast_to(expected, (2, 2, 4)), rtol=1e-5)
    clear = color(renderer, one, background="transparent")
    np.testing.assert_allclose(clear, np.broadcast_to([0.5, 0.125, 0.28125, 1.0 - left], (2, 2, 4)), rtol=1e-5)


def test_an_opaque_surface_hides_what_is_behind_it_and_shows_through_what_is_before(renderer: Renderer) -> None:
    opaque = Material(base_color=(0.5, 0.5, 0.5, 1), unlit=True)
    one = scene(card(-1, tinted(1, 0, 0, 0.5)), card(-3, tinted(0, 0, 1, 0.5)), card(-2, opaque))
    np.testing.assert_allclose(color(renderer, one), np.broadcast_to([0.75, 0.25, 0.25, 1], (2, 2, 4)), rtol=1e-5)


def test_surfaces_of_one_part_that_cross_are_in_order_on_both_sides(renderer: Renderer) -> None:
    # Two sheets of one primitive that cross in the middle of the picture: left one is nearer there, right the other.
    colors = np.array([(1, 0, 0, 0.5)] * 4 + [(0, 1, 0, 0.5)] * 4, np.float32)
    rising = [(-9.0, -9.0, -4.0), (9.0, -9.0, -8.0), (9.0, 9.0, -8.0), (-9.0, 9.0, -4.0)]
    falling = [(x, y, -12.0 - z) for x, y, z in rising]
    triangles = ((0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7))
    both = primitive(rising + falling, triangles, colors=colors)
    one = scene(model(both, material=tinted(1, 1, 1, 1)), looking=camera(yfov=None, ymag=2.0))
    shown = color(renderer, one, size=(4, 2))
    np.testing.assert_allclose(shown[:, :2, :2], np.broadcast_to([0.5, 0.25], (2, 2, 2)), rtol=1e-5)
    np.testing.assert_allclose(shown[:, 2:, :2], np.broadcast_to([0.25, 0.5], (2, 2, 2)), rtol=1e-5)


def test_surfaces_in_one_place_go_by_their_ids(renderer: Renderer) -> None:
    def shown(*materials: Material) -> Any:
        leaning = [(-9.0, -9.0, -3.0), (9.0, -9.0, -5.5), (9.0, 9.0, -9.0), (-9.0, 9.0, -6.5)]
        sheets = (model(primitive(leaning), material=one) for one in materials)
        return color(renderer, scene(*sheets), size=(16, 16))

    red, green = tinted(1, 0, 0, 0.5), tinted(0, 1, 0, 0.5)
    np.testing.assert_allclose(shown(red, green)[5:11, 5:11, :2], np.broadcast_to([0.5, 0.25], (6, 6, 2)), rtol=1e-5)
    np.testing.assert_allclose(shown(green, red)[5:11, 5:11, :2], np.broadcast_to([0.25, 0.5], (6, 6, 2)), rtol=1e-5)


def test_thin_transmission_tints_what_is_behind_and_takes_its_share_of_the_diffuse(renderer: Renderer) -> None:
    pane = Material(base_color=(1.0, 0.5, 0.0, 1), metallic=0.0, transmission=0.75)
    behind = Material(base_color=(0.8, 0.8, 0.8, 1), unlit=True)
    sky = Environment((0.5,) * 3, (0.5,) * 3)
    one = replace(scene(card(-1, pane), card(-2, behind)), environment=sky)
    # A quarter of the base is left to be lit, with 0.04 of reflection, by a half; three quarters tint what is behind.
    expected = [0.5 * (0.25 * base + 0.04) + 0.75 * base * 0.8 for base in (1.0, 0.5, 0.0)]
    np.testing.assert_allclose(color(renderer, one)[..., :3], np.broadcast_to(expected, (2, 2, 3)), rtol=1e-5)
    assert (color(renderer, one)[..., 3] == 1).all()
    metal = replace(one, objects=scene(card(-1, replace(pane, metallic=1.0)), card(-2, behind)).objects)
    np.testing.assert_allclose(color(renderer, metal)[..., 0], 0.5, rtol=1e-5)


def test_what_is_wholly_clear_is_not_there(renderer: Renderer) -> None:
    one = scene(card(-1, tinted(9, 9, 9, 0.0)), card(-2, tinted(1, 0, 0, 1.0)), card(-3, tinted(0, 1, 0, 1.0)))
    assert color(renderer, one)[0, 0].tolist() == [1, 0, 0, 1]


def tangle(**values: Any) -> Scene:
    """Sixty triangles through each other: blended, transmissive, textured, some flat and some smooth, and a wall."""
    rng = np.random.default_rng(4)
    texels = rng.integers(0, 256, (4, 4, 4))
    materials = [
        Material(base_color=(0.9, 0.4, 0.3, 0.6), alpha_mode=AlphaMode.BLEND, double_sided=True, metallic=0.2),
        Material(base_color=(0.3, 0.8, 0.9, 1.0), transmission=0.6, roughness=0.4, metallic=0.0),
        Material(alpha_mode=AlphaMode.BLEND, double_sided=True, color_texture=picture(texels)),
    ]
    models = []
    for i, material in enumerate(materials):
        points = rng.uniform((-1.5, -1.5, -5.5), (1.5, 1.5, -2.5), (60, 3))
        smooth = rng.normal(size=(60, 3)).astype(np.float32)
        normals = {"normals": smooth / np.sqrt((smooth * smooth).sum(axis=1))[:, None]} if i == 1 else {}
        uvs = (rng.uniform(0, 1, (60, 2)).astype(np.float32),)
        triangles = np.arange(60).reshape(-1, 3).tolist()
        models.append(model(primitive(points.tolist(), triangles, uvs=uvs, **normals), material=material))
    models.append(card(-7, Material(metallic=0.0)))
    sky = Environment((0.2, 0.3, 0.4), (0.6, 0.5, 0.4))
    lamp = Light("point", intensity=4.0, position=(0.5, 1.0, 0.5))
    return replace(scene(*models, **values), environment=sky, lights=(lamp,))


def differing(found: Any, expected: Any) -> float:
    """The share of pixels that differ by more than 2 / 255: those at edges of triangles and of their shadows."""
    return float((np.abs(found - expected).max(axis=2) > 2 / 255).mean())


@pytest.mark.parametrize("lens", [{"yfov": 1.0}, {"yfov": None, "ymag": 1.5}])
def test_a_tangle_looks_as_in_the_trace(renderer: Renderer, lens: dict[str, Any]) -> None:
    one = tangle(looking=camera(**lens))
    expected = toolkit.trace(one, posed(), size=(160, 120), samples="center", layers=["color"])["color"]
    assert differing(color(renderer, one, size=(160, 120)), expected) < 0.02


def test_lists_that_outgrow_their_buffers_are_drawn_again_and_then_in_bands(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    del renderer  # skips where there is no adapter
    one = tangle()
    expected = color(Renderer(), one, size=(40, 30))
    monkeypatch.setattr(through, "FEWEST", 4)
    np.testing.assert_array_equal(color(Renderer(), one, size=(40, 30)), expected)
    monkeypatch.setattr(through, "LIMIT", 48 * 400)
    np.testing.assert_array_equal(color(Renderer(), one, size=(40, 30)), expected)
    monkeypatch.setattr(through, "LIMIT", 48 * 20)
    with pytest.raises(PosedError, match=r"\d+ surfaces are seen through in row \d+ .* keeps 20 a row"):
        color(Renderer(), one, size=(40, 30))


def test_without_primitive_index_the_lists_are_the_same(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = device.open_gpu(renderer.adapter.name)
    poorer = device.Gpu(replace(gpu.adapter, primitive_index=False), gpu.device)
    monkeypatch.setattr(renderer_module, "open_gpu", lambda name: poorer)
    one = tangle()
    np.testing.assert_allclose(color(Renderer(), one, size=(80, 60)), color(renderer, one, size=(80, 60)), atol=1e-5)


def test_a_frame_is_the_same_every_time(renderer: Renderer) -> None:
    one = tangle(matrices=[translation(0.1 * i, 0, 0) for i in range(4)])
    first = color(renderer, one, size=(80, 60))
    for _ in range(3):
        np.testing.assert_array_equal(color(renderer, one, size=(80, 60)), first)
