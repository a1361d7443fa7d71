"""How far off motion may be, on a triangle that came from near the eye, by hand."""

import math

import numpy as np
import pytest

import tracer
from posed.frame import Frame
from posed.verify.geometry import ALLOWANCE, geometry_of
from posed.verify.past import motion_slack

SIZE = (8, 4)
CORNERS = [(-16.0, -16.0, -2.0), (16.0, -16.0, -2.0), (0.0, 16.0, -2.0)]


def slack(depth: float, *, camera: tracer.Camera, ids: bool = True) -> float:
    """Of the pixel right of the middle, which now shows a point 2 m ahead that was `depth` ahead, 3 m up from there."""
    before = [(x, y + 3.0, -depth) for x, y, _ in CORNERS]
    staged = tracer.Scene(
        positions=np.array(CORNERS, np.float32),
        normals=np.zeros((3, 3), np.float32),
        triangles=np.array([[0, 1, 2]], np.uint32),
        flat=np.ones(1, np.bool_),
        facing=np.ones(1, np.int8),
        object=np.ones(1, np.uint32),
        part=np.ones(1, np.uint32),
        triangle=np.ones(1, np.uint32),
        material=np.zeros(1, np.uint32),
        uvs=np.zeros((0, 3, 2), np.float32),
        materials=(tracer.Material(),),
        previous=np.array(before, np.float32),
    )
    ones = np.ones((4, 8), np.uint32)
    layers = {"part": ones, "triangle": ones, "motion": np.full((4, 8, 2), (1.0, 30.0), np.float32)}
    layers["barycentric"] = np.full((4, 8, 2), (0.25, 0.5), np.float32)
    if not ids:
        del layers["triangle"]
    where = np.zeros((4, 8), np.bool_)
    where[2, 4] = True
    geometry = geometry_of(staged, camera, SIZE)
    (found,) = motion_slack(geometry, Frame(layers, SIZE, staged=(staged, camera)), where)
    return float(found)


def test_motion_is_the_less_known_the_nearer_to_the_eye_s_plane_a_point_was() -> None:
    # 90 degrees: two pixels show as much as the depth. From the middle, the point was seen half a pixel left and 29.5
    # up, at (-0.25, 14.75) of the plane at depth 1; the largest coordinate is 16.
    camera = tracer.Camera(np.eye(4), yfov=math.pi / 2, znear=0.001, zfar=100.0)
    for depth in (2.0, 0.5, 0.001):
        expected = 2.0 * 2.0 * ALLOWANCE * 16.0 / depth * math.sqrt(1.0 + 0.25**2 + 14.75**2)
        assert slack(depth, camera=camera) == pytest.approx(expected, rel=1e-4)
    assert slack(0.0, camera=camera) == math.inf
    assert slack(2.0, camera=camera, ids=False) == 0.0, "which point is seen is not known"


def test_an_orthographic_camera_has_no_eye() -> None:
    camera = tracer.Camera(np.eye(4), ymag=4.0, znear=0.0, zfar=100.0)
    for depth in (2.0, 0.0):
        assert slack(depth, camera=camera) == pytest.approx(0.5 * 2.0 * ALLOWANCE * 16.0, rel=1e-6)
