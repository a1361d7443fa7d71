"""Camera rays and projection are each other's inverse, and tell what paper tells."""

import math

import numpy as np
import pytest

from tests.tracer.scenes import looking
from tracer.view import project, view_of, write_camera_ray


def ray_through(camera, x, y, size):
    ray = np.zeros(6)
    write_camera_ray(view_of(camera, size), x, y, *size, ray)
    return ray[:3].tolist(), ray[3:].tolist()


def test_corners_of_a_perspective_picture():
    camera = looking((1, 2, 3), (1, 2, 0))  # 90 degrees: half the height is the distance
    for (x, y), (right, up) in (((4, 2), (0, 0)), ((0, 0), (-2, 1)), ((8, 4), (2, -1))):
        origin, direction = ray_through(camera, x, y, (8, 4))
        assert origin == [1, 2, 3]
        assert direction == pytest.approx([right, up, -1], abs=1e-15)


def test_corners_of_an_orthographic_picture():
    origin, direction = ray_through(looking((0, 0, 3), ymag=2.0), 0, 0, (8, 4))
    assert origin == pytest.approx([-4, 2, 3])
    assert direction == [0, 0, -1]


@pytest.mark.parametrize("ymag", [None, 1.5])
def test_projecting_a_point_of_a_ray_gives_its_pixel(ymag):
    options = {"ymag": ymag} if ymag else {"yfov": math.radians(50)}
    camera, size = looking((3, 1, -2), (0.5, 0, 1), **options), (640, 360)
    view = view_of(camera, size)
    for x, y, depth in ((0.5, 0.5, 1.0), (320.25, 17.75, 0.01), (639.0, 359.0, 1e4)):
        origin, direction = (np.array(part) for part in ray_through(camera, x, y, size))
        *pixel, is_before = project(view, *(origin + direction * depth), *size)
        assert pixel == pytest.approx([x, y], abs=1e-9)
        assert is_before
    if ymag is None:
        origin, direction = (np.array(part) for part in ray_through(camera, 1.0, 1.0, size))
        assert not project(view, *(origin - direction), *size)[2]
