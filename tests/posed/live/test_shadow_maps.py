"""Where shadow maps lie, by hand."""

import math

import numpy as np
import pytest

from posed.live.shadow_maps import BIAS, MARGIN, ShadowMap, fit_maps, group_casters
from posed.scene.lights import Light

TEXELS = 18
"""Of which 16 lie within the margins."""

LOW, HIGH = np.array([[-1.0, -2.0, -3.0]]), np.array([[1.0, 2.0, 3.0]])


def place(one: ShadowMap, *point: float) -> list[float]:
    """Texels across and down, and reversed depth."""
    x, y, z, w = (one.rows * np.array([*point, 1.0])).sum(axis=1)
    assert w > 0.0
    return [x / w, y / w, z / w]


def test_a_sun_from_above_sees_its_casters_from_border_to_border() -> None:
    (one,) = fit_maps(Light("sun", direction=(0.0, -2.0, 0.0)), LOW, HIGH, TEXELS)
    # It looks down with -Z above: two metres across by six down, an eighth and three eighths of a metre a texel.
    assert one.texel == pytest.approx(6.0 / 16.0)
    left, top, near = place(one, -1.0, 2.0, -3.0)
    right, bottom, far = place(one, 1.0, -2.0, 3.0)
    assert sorted((left, right)) == pytest.approx([MARGIN, TEXELS - MARGIN])
    assert sorted((top, bottom)) == pytest.approx([MARGIN, TEXELS - MARGIN])
    # Two texels of depth are spare at either end of four metres.
    assert near == pytest.approx(1.0 - 0.75 / 5.5)
    assert far == pytest.approx(0.75 / 5.5)
    assert (one.bias, one.bias_share) == (pytest.approx(BIAS * 0.375 / 5.5), 0.0)


def test_casters_without_extent_have_a_map_too() -> None:
    (one,) = fit_maps(Light("sun", direction=(1.0, 0.0, 0.0)), LOW[:, :], np.array([[-1.0, 2.0, -3.0]]), TEXELS)
    assert np.isfinite(one.rows).all()
    (point,) = fit_maps(Light("sun", direction=(1.0, 0.0, 0.0)), LOW, LOW, TEXELS)
    assert np.isfinite(point.rows).all()
    assert point.texel > 0.0


def test_a_lamp_outside_its_casters_has_the_sides_that_they_lie_in() -> None:
    (one,) = fit_maps(Light("point", position=(0.0, 0.0, 10.0)), LOW, HIGH, TEXELS)
    # The nearest face, 7 metres ahead, is 1 / 7 to each side and 2 / 7 up and down.
    assert one.texel == pytest.approx(4.0 / 7.0 / 16.0)
    assert place(one, 0.0, 0.0, 3.0)[:2] == pytest.approx([9.0, 9.0])
    assert place(one, 1.0, 2.0, 3.0)[:2] == pytest.approx([17.0, 1.0])
    assert place(one, -1.0, -2.0, 3.0)[:2] == pytest.approx([1.0, 17.0])
    assert place(one, 0.0, 0.0, 3.0)[2] == pytest.approx(place(one, 0.0, 0.0, -4.0)[2] * 2.0)
    assert (one.bias, one.bias_share) == (0.0, pytest.approx(BIAS * one.texel))


@pytest.mark.parametrize("direction", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
@pytest.mark.parametrize(
    "light", [Light("point"), Light("spot", direction=(3.0, 4.0, 0.0), outer=math.pi / 2)], ids=["point", "spot"]
)
def test_a_lamp_among_its_casters_sees_every_way_in_one_map(light: Light, direction: tuple[int, int, int]) -> None:
    maps = fit_maps(light, LOW, HIGH, TEXELS)
    assert len(maps) == 6
    point = np.array([*direction, 1.0]) + np.array([0.02, 0.03, 0.01, 0.0])
    seen = 0
    for one in maps:
        x, y, _, w = (one.rows * point).sum(axis=1)
        seen += bool(w > 0.0 and 0.0 <= x / w < TEXELS and 0.0 <= y / w < TEXELS)
    assert seen == 1


def test_a_narrow_spot_has_one_map_of_its_cone() -> None:
    light = Light("spot", position=(0.0, 0.0, 1.0), direction=(0.0, 0.0, -1.0), outer=math.atan(0.5))
    (one,) = fit_maps(light, LOW, HIGH, TEXELS)
    assert one.texel == pytest.approx(1.0 / 16.0)
    assert place(one, 0.5, 0.5, 0.0)[:2] == pytest.approx([17.0, 1.0])
    assert fit_maps(light, LOW + np.array([0, 0, 9]), HIGH + np.array([0, 0, 9]), TEXELS) == []


def test_objects_share_maps_where_there_are_too_many() -> None:
    assert group_casters([4, 2, 4, 7], 3).tolist() == [1, 0, 1, 2]
    assert group_casters([4, 2, 4, 7], 2).tolist() == [0, 0, 0, 1]
    assert group_casters([4, 2, 4, 7], 1).tolist() == [0, 0, 0, 0]
