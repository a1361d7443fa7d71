"""The live camera's matrices, by hand."""

import math

import numpy as np
import pytest

from posed.camera import Camera
from posed.live.camera import NEAREST, projection_matrix, rays_of, view_matrix
from tests.posed.live.literals import camera, translation


def projected(lens: Camera, point: tuple[float, float, float], aspect: float = 2.0) -> list[float]:
    clip = (projection_matrix(lens, aspect, 50.0) * np.array([*point, 1.0])).sum(axis=1)
    return [float(value) for value in clip[:3] / clip[3]]


def test_depth_is_one_at_the_near_plane_and_zero_at_the_far_one() -> None:
    for lens in (camera(znear=1.0, zfar=9.0), camera(yfov=None, ymag=3.0, znear=1.0, zfar=9.0)):
        assert projected(lens, (0, 0, -1)) == pytest.approx([0, 0, 1])
        assert projected(lens, (0, 0, -9)) == pytest.approx([0, 0, 0], abs=1e-15)


def test_an_infinite_far_plane_is_never_reached() -> None:
    assert projected(camera(znear=1.0), (0, 0, -4))[2] == pytest.approx(0.25)
    assert projected(camera(znear=1.0), (0, 0, -1e9))[2] > 0.0
    parallel = camera(yfov=None, ymag=3.0, znear=1.0)
    assert 0.0 < projected(parallel, (0, 0, -50))[2] < 1.0


def test_corners_of_the_picture() -> None:
    # 90 degrees upright, twice as wide: at depth 3 the corner is at (6, 3).
    assert projected(camera(), (6, 3, -3))[:2] == pytest.approx([1, 1])
    assert projected(camera(yfov=None, ymag=3.0), (6, -3, -7))[:2] == pytest.approx([1, -1])


def test_a_near_plane_at_the_eye_lies_a_millionth_of_the_depth_before_it() -> None:
    lens = camera(znear=0.0)
    assert projected(lens, (0, 0, -50 * NEAREST))[2] == pytest.approx(1.0)


def test_the_view_is_the_camera_s_inverse_from_the_origin() -> None:
    turned = translation(5, 6, 7)
    turned[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]  # looks along -X
    view = view_matrix(camera(matrix=turned), np.array([5.0, 6.0, 8.0]))
    # The point (2, 6, 7), relative to that origin, lies 3 before the camera.
    seen = (view * np.array([-3.0, 0.0, -1.0, 1.0])).sum(axis=1)
    assert seen.tolist() == [0, 0, -3, 1]
    assert math.isclose(view[3, 3], 1.0)


def test_rays_of_a_perspective_camera_leave_its_eye() -> None:
    # Half as high as wide, 45 degrees to either side of the middle upward: pixel (4, 2) of 8 by 4 is the middle.
    rays = rays_of(camera(matrix=translation(1, 2, 3)), (8, 4), np.array([1.0, 0.0, 0.0]))
    assert rays.eye.tolist() == [0, 2, 3, 1]
    assert rays.ray == pytest.approx([-2, 1, -1])
    assert rays.ray + 4 * rays.across + 2 * rays.down == pytest.approx([0, 0, -1])
    assert rays.ray + 8 * rays.across + 4 * rays.down == pytest.approx([2, -1, -1])


def test_rays_of_an_orthographic_camera_are_parallel() -> None:
    rays = rays_of(camera(yfov=None, ymag=3.0, matrix=translation(1, 2, 3)), (2, 2), np.zeros(3))
    assert rays.eye.tolist() == [0, 0, 1, 0]
    assert rays.ray == pytest.approx([-2, 5, 3])
    assert rays.ray + rays.across + rays.down == pytest.approx([1, 2, 3])
