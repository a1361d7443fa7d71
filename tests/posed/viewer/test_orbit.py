"""The orbit: it begins where the camera is, keeps its distance when turned, and looks at its pivot."""

import math

import numpy as np
import pytest

from posed.camera import Camera
from posed.viewer.orbit import STEEPEST, Orbit


def camera(eye, matrix=None, **lens):
    placed = np.eye(4) if matrix is None else matrix
    placed[:3, 3] = eye
    return Camera(placed, **({"yfov": 1.0} | lens))


def test_it_begins_where_the_camera_is():
    """Looking along -Z from (1, 2, 7), the axis passes (0, 0, 0) nearest at (1, 2, 0)."""
    orbit = Orbit.around(camera((1, 2, 7)), np.zeros(3))
    assert (orbit.pivot, orbit.distance, orbit.yaw, orbit.pitch) == ((1.0, 2.0, 0.0), 7.0, 0.0, 0.0)
    assert np.allclose(orbit.camera().matrix, camera((1, 2, 7)).matrix, atol=1e-12)


def test_a_quarter_turn_stands_on_the_x_axis_and_looks_back():
    orbit = Orbit.around(camera((0, 0, 5)), np.zeros(3)).turned(math.pi / 2, 0.0)
    matrix = orbit.camera().matrix
    assert np.allclose(matrix[:3, 3], (5, 0, 0), atol=1e-12)
    assert np.allclose(matrix[:3, 2], (1, 0, 0), atol=1e-12)
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(1.0)


def test_it_never_reaches_the_pole():
    orbit = Orbit.around(camera((0, 0, 5)), np.zeros(3)).turned(0.0, 9.0)
    assert orbit.pitch == STEEPEST
    assert np.linalg.det(orbit.camera().matrix[:3, :3]) == pytest.approx(1.0)


def test_shifting_by_the_pictures_height_moves_by_the_metres_seen():
    """At 60 degrees and 5 m the picture is 10 tan(30 degrees) high."""
    orbit = Orbit.around(camera((0, 0, 5), yfov=math.radians(60)), np.zeros(3)).shifted(0.0, 1.0)
    assert orbit.pivot == pytest.approx((0.0, 10.0 * math.tan(math.radians(30)), 0.0))


def test_coming_nearer_halves_the_distance_and_an_orthographic_height():
    orbit = Orbit.around(camera((0, 0, 5), yfov=None, ymag=2.0), np.zeros(3)).nearer(2.0)
    assert (orbit.distance, orbit.camera().ymag) == (2.5, 1.0)


def test_a_camera_that_looks_away_turns_about_a_point_before_it():
    orbit = Orbit.around(camera((0, 0, -5)), np.zeros(3))
    assert (orbit.pivot, orbit.distance) == ((0.0, 0.0, -6.0), 1.0)
