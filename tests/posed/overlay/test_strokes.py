"""Strokes as pixels, worked out by hand on a camera of 16 pixels a metre."""

import numpy as np
import pytest

from posed.overlay.strokes import Strokes, rasterized
from tests.posed.overlay.conftest import Stand

WHITE = np.array([1.0, 1.0, 1.0, 1.0])


def point(column: float, row: float, z: float = 0.0) -> list[float]:
    """Return the place in the world that pixel coordinates (column, row) see at a height z above the limb's plane."""
    return [(column - 32.0) / 16.0, 3.0 - row / 16.0, z]


def picture(marks, size: int = 64) -> np.ndarray:
    """Return the largest alpha at each pixel."""
    found = np.zeros(size * size)
    np.maximum.at(found, marks.pixel, marks.alpha)
    return found.reshape(size, size)


def test_a_line_through_pixel_centres_covers_those_alone(bare: Stand) -> None:
    line = Strokes.of([point(10.5, 20.5)], [point(20.5, 20.5)], width=0.5, color=WHITE)
    found = picture(rasterized(line, bare.view(0)))
    assert found[20, 10:21] == pytest.approx(1.0)
    assert found.sum() == pytest.approx(11.0)


def test_a_line_between_two_rows_is_half_in_each_and_a_thin_one_covers_less(bare: Stand) -> None:
    line = Strokes.of([point(10.5, 20.0)], [point(20.5, 20.0)], width=0.5, color=WHITE)
    found = picture(rasterized(line, bare.view(0)))
    assert found[19:21, 12:19] == pytest.approx(0.5)
    thin = Strokes.of([point(10.5, 20.5)], [point(20.5, 20.5)], width=0.1, color=WHITE)
    assert picture(rasterized(thin, bare.view(0)))[20, 12:19] == pytest.approx(0.2)


@pytest.mark.parametrize("turn", range(8))
def test_a_line_is_as_thick_in_every_direction(bare: Stand, turn: int) -> None:
    """Twenty pixels long and four wide, half a pixel more at each end: about 20 x 4 + a disc of radius 2."""
    angle = turn * np.pi / 8 + 0.05
    x, y = 10.0 * np.cos(angle), 10.0 * np.sin(angle)
    line = Strokes.of([point(32 - x, 32 - y)], [point(32 + x, 32 + y)], width=2.0, color=WHITE)
    assert picture(rasterized(line, bare.view(0))).sum() == pytest.approx(20 * 4 + np.pi * 4, rel=0.02)


def test_a_stroke_of_no_length_is_a_disc_and_a_tapered_one_a_wedge(bare: Stand) -> None:
    disc = Strokes.of([point(30.2, 30.7)], [point(30.2, 30.7)], width=5.0, color=WHITE)
    assert picture(rasterized(disc, bare.view(0))).sum() == pytest.approx(np.pi * 25, rel=0.02)
    wedge = Strokes(
        *(np.array([point(*at)]) for at in ((12, 32), (52, 32))), np.array([[0.0, 6.0]]), WHITE + np.zeros((1, 2, 4))
    )
    found = picture(rasterized(wedge, bare.view(0)))
    assert found[:, 22].sum() == pytest.approx(3.15, abs=0.3)
    assert found[:, 42].sum() == pytest.approx(9.15, abs=0.3)


def test_color_alpha_and_depth_run_along(bare: Stand) -> None:
    colors = np.array([[[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.5]]])
    line = Strokes(np.array([point(10.5, 20.5, 1.0)]), np.array([point(20.5, 20.5, 3.0)]), np.full((1, 2), 0.5), colors)
    marks = rasterized(line, bare.view(0))
    middle = marks.pixel == 20 * 64 + 15
    assert marks.color[middle][0] == pytest.approx([0.5, 0.5, 0.0])
    assert marks.alpha[middle][0] == pytest.approx(0.75)
    assert marks.depth[middle][0] == pytest.approx(3.0)  # the camera is 5 m before the limb, the line 1 to 3 m


def test_what_leaves_the_picture_is_cut_and_what_is_behind_the_camera_is_not_drawn(bare: Stand) -> None:
    view = bare.view(0)
    across = Strokes.of([point(-500.0, 20.5)], [point(500.0, 20.5)], width=0.5, color=WHITE)
    assert picture(rasterized(across, view))[20] == pytest.approx(1.0)
    through = Strokes.of([point(32.5, 20.5, 0.0)], [point(32.5, 20.5, 9.0)], width=0.5, color=WHITE)
    assert rasterized(through, view).depth.min() >= view.near
    behind = Strokes.of([point(32.5, 20.5, 6.0)], [point(32.5, 40.5, 9.0)], width=0.5, color=WHITE)
    assert len(rasterized(behind, view).pixel) == 0
