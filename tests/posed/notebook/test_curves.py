"""Curves: how far a channel goes, by hand."""

import math

import numpy as np
import pytest

import anim
from posed.notebook.curves import curve, turns
from posed.notebook.rigs import stick_figure

HALF = math.sqrt(0.5)


def channel(path: anim.Path, values: list[list[float]], times: tuple[float, ...] = (0.0, 1.0)) -> anim.Channel:
    return anim.Channel(0, path, anim.Interpolation.LINEAR, times, values)


def test_turns_are_angle_times_axis_the_shorter_way() -> None:
    start = np.array([0.0, 0.0, 0.0, 1.0])
    found = turns(np.array([[HALF, 0, 0, HALF], [0, -HALF, 0, HALF], [0, 0, -1, 0], [0, 0, 0, -1]]), start)
    assert found == pytest.approx(np.array([[math.pi / 2, 0, 0], [0, -math.pi / 2, 0], [0, 0, -math.pi], [0, 0, 0]]))
    # From a quarter about x on to a half: a quarter more about x.
    assert turns(np.array([[1.0, 0, 0, 0]]), np.array([HALF, 0, 0, HALF])) == pytest.approx(
        np.array([[math.pi / 2, 0, 0]])
    )


@pytest.mark.parametrize(
    ("made", "goes"),
    [
        (channel(anim.Path.ROTATION, [[0, 0, 0, 1], [HALF, 0, 0, HALF]]), "90\u00b0"),
        (channel(anim.Path.TRANSLATION, [[1, 2, 3], [4, 6, 3]]), "5 m"),
        (channel(anim.Path.SCALE, [[1, 1, 1], [1, 1, 3]]), "2"),
        (channel(anim.Path.WEIGHTS, [[0.25], [1.0]]), "0.75"),
        (channel(anim.Path.TRANSLATION, [[1, 2, 3]], (0.0,)), "0 m"),
    ],
)
def test_a_channel_goes_as_far_as_its_farthest_value(made: anim.Channel, goes: str) -> None:
    reach, svg = curve(made, 1.0)
    assert reach == goes
    assert svg.count("<polyline") == (3 if made.path is not anim.Path.WEIGHTS else 1)
    assert svg.count("<circle") == len(made.times) * svg.count("<polyline")


def test_a_level_line_needs_two_points() -> None:
    _, svg = curve(channel(anim.Path.WEIGHTS, [[0.5], [0.5]]), 1.0)
    assert svg.count(",") == 2


def test_a_stick_figure_has_a_line_a_bone_and_fits_its_place() -> None:
    svg = stick_figure(np.array([[0.0, 0, 0], [0, 5, 0], [3, 5, 0]]), [-1, 0, 1], (0, 1))
    assert svg.count("<line") == 2
    numbers = [float(word) for word in svg.replace('"', " ").split() if word.replace(".", "", 1).isdigit()]
    assert all(0 <= number <= 220 for number in numbers)
