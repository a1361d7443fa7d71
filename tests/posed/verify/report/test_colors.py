"""Colors of ids and differences."""

import math

import numpy as np

from posed.color import hex_color, oklch
from posed.verify.report.colors import (
    SCRAMBLE,
    UNSCRAMBLE,
    difference_colors,
    difference_steps,
    id_colors,
    triangle_codes,
)


def test_known_colors_of_oklab() -> None:
    assert oklch(1.0, 0.0, 0.0) == (255, 255, 255)
    assert oklch(0.0, 0.0, 0.0) == (0, 0, 0)
    # sRGB red is L 0.62796, C 0.25768, h 29.234 degrees (Ottosson).
    assert oklch(0.62796, 0.25768, math.radians(29.234)) == (255, 0, 0)


def test_no_two_ids_share_a_color_and_the_background_is_transparent() -> None:
    colors = id_colors(3000)
    assert colors.shape == (3001, 4)
    assert colors[0].tolist() == [0, 0, 0, 0]
    assert (colors[1:, 3] == 255).all()
    assert len({tuple(color) for color in colors.tolist()}) == 3001


def test_ids_that_follow_each_other_look_apart() -> None:
    colors = id_colors(50)[1:, :3].astype(np.int64)
    assert np.abs(np.diff(colors, axis=0)).sum(axis=1).min() > 60


def test_an_id_keeps_its_color_however_many_there_are() -> None:
    assert (id_colors(7) == id_colors(300)[:8]).all()


def test_a_triangle_is_its_color_unscrambled() -> None:
    ids = np.array([0, 1, 2, 15_000, (1 << 24) - 1], np.uint32)
    codes = triangle_codes(ids)
    assert codes[:, 3].tolist() == [0, 255, 255, 255, 255]
    numbers = (codes[:, 0].astype(np.int64) << 16) | (codes[:, 1].astype(np.int64) << 8) | codes[:, 2]
    assert ((numbers * UNSCRAMBLE) % (1 << 24)).tolist() == ids.tolist()
    assert (SCRAMBLE * UNSCRAMBLE) % (1 << 24) == 1


def test_differences_step_by_an_eighth_of_ten_times_from_a_hundredth_of_the_limit() -> None:
    colors = difference_colors()
    assert len({tuple(color) for color in colors.tolist()}) == len(colors) == 33
    ratios = np.array([0.0, 0.0099, 0.0101, 0.99, 1.01, 99.0, 1e9, math.inf, math.nan])
    assert difference_steps(ratios).tolist() == [0, 0, 1, 16, 17, 32, 32, 32, 32]
    blue, amber = colors[16].astype(int), colors[17].astype(int)
    assert blue[2] > blue[0], "below the limit is blue"
    assert amber[0] > amber[2], "above it is not"


def test_a_color_as_css_writes_it() -> None:
    assert hex_color((224, 33, 5)) == "#e02105"
