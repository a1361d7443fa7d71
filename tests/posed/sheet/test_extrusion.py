"""Color under alpha 0, from the nearest covered texel."""

import numpy as np
import pytest

from posed.arrays import UInt8
from posed.sheet.extrusion import extruded

RED, GREEN = (200, 10, 20), (30, 250, 40)


def empty(height: int, width: int) -> UInt8:
    return np.zeros((height, width, 4), np.uint8)


def test_each_texel_takes_the_color_of_the_nearest_covered_one() -> None:
    texels = empty(1, 7)
    texels[0, 1], texels[0, 5] = (*RED, 255), (*GREEN, 1)
    out = extruded(texels)
    assert [tuple(one) for one in out[0, :, :3].tolist()] == [RED, RED, RED, RED, GREEN, GREEN, GREEN]
    assert out[0, :, 3].tolist() == [0, 255, 0, 0, 0, 1, 0]


def test_of_two_equally_near_the_left_then_the_upper_wins() -> None:
    """Texel 3 above lies between both; so does the middle of a column."""
    column = empty(3, 1)
    column[0, 0], column[2, 0] = (*RED, 255), (*GREEN, 255)
    assert extruded(column)[1, 0].tolist() == [*RED, 0]
    assert extruded(column[::-1])[1, 0].tolist() == [*GREEN, 0]


def test_distance_is_measured_across_the_square() -> None:
    """From the corner: red is 3 away along the row, green the root of 8 across."""
    texels = empty(4, 4)
    texels[0, 3], texels[2, 2] = (*RED, 255), (*GREEN, 255)
    assert extruded(texels)[0, 0].tolist() == [*GREEN, 0]


def test_what_is_covered_and_what_is_empty_stays_as_it_is() -> None:
    assert not extruded(empty(3, 5)).any()
    full = np.arange(4 * 6 * 4, dtype=np.uint8).reshape(4, 6, 4) | 1
    assert (extruded(full) == full).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_is_the_nearest_of_all(seed: int) -> None:
    """Against every distance: the color is that of one of the texels at the least."""
    chance = np.random.default_rng(seed)
    texels = chance.integers(0, 256, (13, 17, 4), np.uint8)
    texels[chance.random((13, 17)) < 0.93] = 0
    texels[..., 3] |= (texels[..., :3].any(axis=2)).astype(np.uint8)
    out = extruded(texels)
    covered = np.argwhere(texels[..., 3] > 0)
    assert (out[..., 3] == texels[..., 3]).all()
    for y, x in np.argwhere(texels[..., 3] == 0):
        away = ((covered - (y, x)) ** 2).sum(axis=1)
        nearest = covered[away == away.min()]
        assert out[y, x, :3].tolist() in [texels[row, column, :3].tolist() for row, column in nearest]


def test_a_linear_filter_meets_no_black_at_the_edge() -> None:
    """Halfway over the outline the mix is the outline's color at half its alpha."""
    texels = empty(2, 4)
    texels[:, :2] = (*RED, 255)
    out = extruded(texels).astype(float)
    assert ((out[0, 1] + out[0, 2]) / 2).tolist() == [*RED, 127.5]
