"""The range of colors that shadow maps and texture units leave, on a wall in the shadow of a blade.

The wall is 4 by 2 metres at z = 0, 16 pixels a metre; light falls along -Z past a blade that the camera does not see.
The centre of pixel x lies (x + 0.5) / 16 metres right of the wall's left edge.
"""

import math

import numpy as np
import pytest

from tests.tracer.scenes import DARK, LAMBERT, Part, looking, quad, scene, texture
from tracer import AlphaMode, Light, Material, ShadowSlack, TextureSlot, Wrap, color_range, trace

SIZE = (64, 32)
ROW = np.stack([np.arange(64), np.full(64, 16)], axis=1)
SUN = Light("sun", direction=(0, 0, -1), intensity=math.pi)
CAMERA = looking((0, 0, 3), ymag=1.0, znear=2.95)
"""Orthographic; what lies more than five centimetres before the wall is cut."""


def blade(edge: float, *, light: Light = SUN, z: float = 6.0, veil: Material | None = None):
    """The wall, object 1, and what covers it left of `edge`, object 2; a veil before the wall is object 3."""
    parts = [quad(-2, 2, -1, 1, 0.0), quad(-3, edge, -2, 2, z)]
    if veil is not None:
        parts.append(quad(-2, 2, -1, 1, 0.03125, material=1))
    materials = (LAMBERT,) if veil is None else (LAMBERT, veil)
    return scene(*parts, materials=materials, lights=(light,), environment=DARK)


def doubtful(drawn, shadows, **options) -> list[int]:
    """Columns of the middle row where the range of red is wider than rounding."""
    low, high = color_range(drawn, CAMERA, size=SIZE, pixels=ROW, shadows=shadows, **options)
    return np.flatnonzero(high[:, 0] - low[:, 0] > 1e-3).tolist()


def test_without_slack_it_is_the_color_that_direct_shows() -> None:
    drawn = blade(0.26)
    low, high = color_range(drawn, CAMERA, size=SIZE, pixels=ROW, shadows=())
    shown = trace(drawn, CAMERA, size=SIZE, samples="center", layers=("color",))["color"][16, :, :3]
    np.testing.assert_allclose(low, shown, atol=1e-6)
    np.testing.assert_array_equal(low, high)
    assert low[:, 0].round(6).tolist() == [0.0] * 36 + [1.0] * 28, "lit from 2.26 metres on: centre 36 is at 2.281"


@pytest.mark.parametrize("texel", [0.02, 0.05, 0.1])
def test_within_a_texel_and_a_half_of_its_edge_a_shadow_may_be_there_or_not(texel: float) -> None:
    expected = [x for x in range(64) if abs((x + 0.5) / 16 - 2.25) < 1.5 * texel]
    assert doubtful(blade(0.25), [ShadowSlack(0, None, texel, 0.0)]) == expected


def test_each_slack_is_of_its_objects_and_its_light() -> None:
    for objects, counts in (((2,), True), ((1,), False), (None, True)):
        assert (36 in doubtful(blade(0.25), [ShadowSlack(0, objects, 0.1, 0.0)])) == counts
    assert doubtful(blade(0.25), [ShadowSlack(1, None, 0.1, 0.0)]) == []


def test_what_lies_within_the_bias_may_be_overlooked() -> None:
    near = blade(0.25, z=0.125)
    assert doubtful(near, [ShadowSlack(0, None, 1e-6, 0.1)]) == []
    assert doubtful(near, [ShadowSlack(0, None, 1e-6, 0.15)]) == list(range(36))


def test_a_lamp_s_texels_grow_with_distance() -> None:
    lamp = Light("point", position=(0.25, 0, 9), intensity=81.0)
    # Nine metres off, a texel of 0.01 is nine centimetres: one and a half of them are 2.16 pixels.
    assert doubtful(blade(0.25, light=lamp), [ShadowSlack(0, None, 0.01, 0.02)]) == [34, 35, 36, 37]


@pytest.mark.parametrize(
    ("light", "slack", "expected"),
    [
        (SUN, ShadowSlack(0, None, 0.05, 0.1), [35, 36]),  # 1.5 x 0.05 metres are 1.2 pixels
        (SUN, ShadowSlack(0, None, 0.05, 5.9), [35, 36]),  # the sheet reaches six metres far
        (SUN, ShadowSlack(0, None, 0.05, 6.1), []),
        (SUN, ShadowSlack(0, (1,), 0.05, 0.1), []),
        (Light("point", position=(0.25, 0, 9), intensity=81.0), ShadowSlack(0, None, 0.01, 0.02), [34, 35, 36, 37]),
    ],
)
def test_a_sheet_seen_edge_on_may_cast(light: Light, slack: ShadowSlack, expected: list[int]) -> None:
    """It stands at x = 0.25 and no ray meets it, but texels of a map may."""
    sheet = Part([[0.25, -2, 3], [0.25, 2, 3], [0.25, 2, 6], [0.25, -2, 6]], [[0, 1, 2], [0, 2, 3]])
    drawn = scene(quad(-2, 2, -1, 1), sheet, materials=(LAMBERT,), lights=(light,), environment=DARK)
    assert doubtful(drawn, [slack]) == expected


def test_light_that_leans_slides_along_the_surface() -> None:
    # 60 degrees from the normal: a step across the light is twice as long on the wall. The edge is at 0.25 + 6 tan 60.
    leaning = Light("sun", direction=(-math.sqrt(0.75), 0, -0.5), intensity=math.pi)
    edge = 0.25 + 6 * math.sqrt(3)
    expected = [x for x in range(64) if abs((x + 0.5) / 16 - 2.25) < 2 * 1.5 * 0.05]
    assert doubtful(blade(edge, light=leaning), [ShadowSlack(0, None, 0.05, 0.1)]) == expected


def test_a_plane_that_all_but_holds_the_light_is_followed_for_eight_biases() -> None:
    # 89 degrees from the normal, a step of 0.015 across the light slides by 0.86 along it, eight biases are 0.16.
    grazing = Light("sun", direction=(-math.sin(math.radians(89)), 0, -math.cos(math.radians(89))), intensity=1e4)
    alone = scene(quad(-2, 2, -1, 1, 0.0), materials=(LAMBERT,), lights=(grazing,), environment=DARK)
    assert doubtful(alone, [ShadowSlack(0, None, 0.01, 0.02)]) != []
    assert doubtful(alone, [ShadowSlack(0, None, 0.01, 0.2)]) == []


def test_where_nothing_is_stated_every_edge_may_be_a_pixel_off() -> None:
    assert doubtful(blade(0.25), None) == [35, 36]
    looking_on = looking((0, 0, 3), yfov=2 * math.atan(1 / 3), znear=2.95)
    low, high = color_range(blade(0.25), looking_on, size=SIZE, pixels=ROW, shadows=None)
    assert np.flatnonzero(high[:, 0] - low[:, 0] > 0.5).tolist() == [35, 36]


def test_a_texture_may_be_read_a_little_beside() -> None:
    texels = np.zeros((1, 4, 4), np.uint8)
    texels[..., 3], texels[0, 2:, :3] = 255, 255
    shown = Material(unlit=True, color_texture=TextureSlot(0), double_sided=True)
    middle = np.array([[127, 16]])  # of 255 columns: its centre lies between the second and the third texel
    for linear, width in ((True, 2 / 256), (False, 1.0)):
        picture = texture(texels, wrap_s=Wrap.CLAMP, wrap_t=Wrap.CLAMP, linear=linear)
        wall = quad(-2, 2, -1, 1)
        drawn = scene(wall, materials=(shown,), textures=(picture,), environment=DARK)
        size = (255, 127)
        low, high = color_range(drawn, CAMERA, size=size, pixels=middle, shadows=(), texel=1 / 256)
        assert float(high[0, 0] - low[0, 0]) == pytest.approx(width)
        low, high = color_range(drawn, CAMERA, size=size, pixels=middle, shadows=())
        np.testing.assert_array_equal(low, high)


def test_a_surface_may_be_drawn_a_little_beside() -> None:
    """254 pixels show four texels: a quarter of a pixel is 1/254 of a texel, over which red goes from 0 to 1."""
    texels = np.zeros((1, 4, 4), np.uint8)
    texels[..., 3], texels[0, 2:, :3] = 255, 255
    shown = Material(unlit=True, color_texture=TextureSlot(0), double_sided=True)
    picture = texture(texels, wrap_s=Wrap.CLAMP, wrap_t=Wrap.CLAMP, linear=True)
    drawn = scene(quad(-2, 2, -1, 1), materials=(shown,), textures=(picture,), environment=DARK)
    for options, width in (({"pixel": 0.25}, 2 / 254), ({"pixel": 0.25, "texel": 1 / 256}, 2 / 254 + 2 / 256)):
        low, high = color_range(drawn, CAMERA, size=(255, 127), pixels=np.array([[127, 16]]), shadows=(), **options)
        assert float(high[0, 0] - low[0, 0]) == pytest.approx(width)


def test_a_shadow_behind_a_veil_counts_by_what_passes() -> None:
    veil = Material(alpha_mode=AlphaMode.BLEND, base_color=(1.0, 1.0, 1.0, 0.25), unlit=True, double_sided=True)
    slack = [ShadowSlack(0, (2,), 0.1, 0.0)]
    drawn = blade(0.25, veil=veil)
    low, high = color_range(drawn, CAMERA, size=SIZE, pixels=ROW[36:37], shadows=slack)
    np.testing.assert_allclose([low[0, 0], high[0, 0]], [0.25, 0.25 + 0.75], atol=1e-9)


def test_the_background_shows_past_the_wall() -> None:
    drawn = blade(0.25)
    wide = looking((0, 0, 3), ymag=4.0)
    corner = np.array([[0, 0]])
    for background, expected in ((None, 0.0), ((0.25, 0.5, 1.0), 0.25), ("transparent", 0.0)):
        low, high = color_range(drawn, wide, size=SIZE, pixels=corner, shadows=(), background=background)
        assert low[0, 0] == high[0, 0] == expected
