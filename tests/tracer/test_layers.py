"""The layers that speak of movement: which joint holds a pixel, and where its surface was before."""

from dataclasses import replace

import numpy as np
import pytest

import tracer
from tests.tracer.scenes import Part, looking, quad, scene


def aov(made, camera, size, **options):
    return tracer.trace(made, camera, size=size, integrator="aov", **options)


def test_the_strongest_joint_by_interpolated_weight(backend):
    # A strip from x = 0 to 4: joint 5 holds the left end, joint 3 the right one; half way both weigh the same, the
    # smaller wins.
    made = scene(quad(0, 4, -1, 1))
    left_end, right_end = [5, 0], [3, 0]
    made = replace(
        made,
        joints=np.array([left_end, right_end, right_end, left_end], np.uint32),
        weights=np.array([[1, 0]] * 4, np.float32),
    )
    camera = looking((2.0, 0, 5), (2.0, 0, 0), ymag=0.5)
    assert aov(made, camera, (4, 1), backend=backend)["joint"].tolist() == [[5, 5, 3, 3]]
    middle = looking((2.0, 0.0, 5), (2.0, 0.0, 0), ymag=0.5)
    assert aov(made, middle, (1, 1), backend=backend)["joint"].tolist() == [[3]]


def test_a_joint_s_weights_add_up_over_corners_and_entries(backend):
    # At the centre of a triangle: joint 1 weighs 0.5 at one corner; joint 2 weighs 0.3 + 0.1 at each: 0.4 against
    # 0.167.
    part = Part([[-3, -3, 0], [3, -3, 0], [0, 3, 0]], [[0, 1, 2]])
    joints = np.array([[1, 2, 2], [2, 2, 9], [2, 2, 9]], np.uint32)
    weights = np.array([[0.5, 0.3, 0.1], [0.3, 0.1, 0.0], [0.3, 0.1, 0.0]], np.float32)
    made = replace(scene(part), joints=joints, weights=weights)
    camera = looking((0, -1, 5), (0, -1, 0), ymag=0.01)
    assert aov(made, camera, (1, 1), backend=backend)["joint"].tolist() == [[2]]


def test_unskinned_surfaces_have_joint_0(backend):
    assert (aov(scene(quad()), looking((0, 0, 1)), (3, 3), backend=backend)["joint"] == 0).all()
    made = replace(scene(quad()), joints=np.zeros((4, 4), np.uint32), weights=np.zeros((4, 4), np.float32))
    assert (aov(made, looking((0, 0, 1)), (3, 3), backend=backend)["joint"] == 0).all()


def test_motion_is_now_minus_before_in_pixels_y_down(backend):
    # 8 pixels over 2 metres at distance 1: 4 pixels a metre. The quad came from 0.25 to the left and 0.5 above.
    made = scene(quad(-9, 9, -9, 9))
    moved = replace(made, previous=made.positions + np.array([-0.25, 0.5, 0.0], np.float32))
    motion = aov(moved, looking((0, 0, 1)), (8, 8), backend=backend)["motion"]
    np.testing.assert_allclose(motion, np.broadcast_to([1.0, 2.0], (8, 8, 2)), atol=1e-5)
    still = aov(made, looking((0, 0, 1)), (8, 8), backend=backend)["motion"]
    assert (still == 0.0).all()


def test_motion_of_the_camera_and_of_depth(backend):
    made = scene(quad(-9, 9, -9, 9))
    camera, before = looking((0, 0, 1)), looking((0.5, 0, 1), (0.5, 0, 0))
    motion = aov(made, camera, (8, 8), previous_camera=before, backend=backend)["motion"]
    np.testing.assert_allclose(motion, np.broadcast_to([2.0, 0.0], (8, 8, 2)), atol=1e-5)
    # Twice as far before: a pixel 3.5 from the middle was at 1.75.
    far = looking((0, 0, 2))
    motion = aov(made, camera, (8, 8), previous_camera=far, backend=backend)["motion"]
    assert motion[0, 0].tolist() == pytest.approx([-1.75, -1.75])
    assert motion[7, 4].tolist() == pytest.approx([0.25, 1.75])
    behind = looking((0, 0, -1), (0, 0, -2))
    assert (aov(made, camera, (2, 2), previous_camera=behind, backend=backend)["motion"] == 0.0).all()
    flat, moved = looking((0, 0, 1), ymag=1.0), looking((0, 0.25, 1), (0, 0.25, 0), ymag=1.0)
    motion = aov(made, flat, (8, 8), previous_camera=moved, backend=backend)["motion"]
    np.testing.assert_allclose(motion, np.broadcast_to([0.0, -1.0], (8, 8, 2)), atol=1e-5)
