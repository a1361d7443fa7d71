"""Poses: globals, palettes, resetting, copying and blending."""

import numpy as np
import pytest

from anim import AnimError, Pose, Skeleton, Transform, joint_palette
from tests.rigs import HALF, QUARTER_TURN_Z, chain, two_bone

EXACT = 1e-15
SHEAR = np.array([[1.0, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


def test_a_new_pose_is_at_rest_and_reset_brings_it_back() -> None:
    skeleton = Skeleton(["a"], [-1], [Transform((1.0, 2.0, 3.0))], morphs={0: [0.5]})
    pose = Pose(skeleton)
    pose.translations[:], pose.rotations[:], pose.scales[:], pose.weights[:] = 9.0, QUARTER_TURN_Z, 9.0, 9.0
    pose.reset()
    assert pose.translations.tolist() == [[1.0, 2.0, 3.0]]
    assert pose.rotations.tolist() == [[0.0, 0.0, 0.0, 1.0]]
    assert pose.scales.tolist() == [[1.0, 1.0, 1.0]]
    assert pose.morph_weights(0).tolist() == [0.5]


def test_globals_of_a_bent_arm() -> None:
    pose = Pose(two_bone())
    pose.rotations[0] = QUARTER_TURN_Z
    # The upper arm along -x, the elbow one metre along it.
    np.testing.assert_allclose(pose.globals()[1][:3, 3], [-1.0, 0.0, 0.0], atol=EXACT)
    out = np.empty((2, 4, 4))
    assert pose.globals(out=out) is out


def test_a_palette_is_rounded_once() -> None:
    pose = Pose(chain(3, length=0.1))
    pose.rotations[1] = QUARTER_TURN_Z
    expected = (pose.globals() @ pose.skeleton.inverse_bind).astype(np.float32)
    assert pose.palette().dtype == np.float32
    assert np.array_equal(pose.palette(), expected)
    assert np.array_equal(
        joint_palette(pose.globals(), pose.skeleton.joints, pose.skeleton.inverse_bind), pose.palette()
    )


def test_joint_palette_checks_its_arguments() -> None:
    with pytest.raises(AnimError, match="inverse_bind has 1 matrices for 2 joints"):
        joint_palette(np.zeros((2, 4, 4)), np.array([0, 1]), np.zeros((1, 4, 4)))
    with pytest.raises(AnimError, match="out of range; the 2 transforms"):
        joint_palette(np.zeros((2, 4, 4)), np.array([2]), np.zeros((1, 4, 4)))
    assert joint_palette(np.zeros((0, 4, 4)), np.array([], int), np.zeros((0, 4, 4))).shape == (0, 4, 4)


def test_a_fixed_matrix_holds_until_something_moves_the_bone() -> None:
    pose = Pose(Skeleton(["a"], [-1], [Transform()], matrices={0: SHEAR}))
    assert np.array_equal(pose.globals()[0], SHEAR)
    pose.translations[0, 0] = 1.0
    moved = pose.globals()[0]
    assert moved[0, 3] == 1.0
    assert moved[0, 1] == pytest.approx(0.0, abs=EXACT)  # the transform it stands by now knows no shear
    pose.reset()
    assert np.array_equal(pose.globals()[0], SHEAR)


def test_copies_are_apart() -> None:
    pose = Pose(two_bone())
    copy = pose.copy()
    pose.translations[0, 0] = 5.0
    assert copy.translations[0, 0] == 0.0
    copy.copy_from(pose)
    assert copy.translations[0, 0] == 5.0


def test_a_blend_half_way() -> None:
    skeleton = Skeleton(["a"], [-1], [Transform()], morphs={0: [0.0]})
    pose, other = Pose(skeleton), Pose(skeleton)
    other.translations[0], other.scales[0], other.weights[0] = (2.0, 4.0, 6.0), (3.0, 1.0, 1.0), 1.0
    other.rotations[0] = [-x for x in QUARTER_TURN_Z]  # the same turn in the other hemisphere
    pose.blend_with(other, 0.5)
    assert pose.translations.tolist() == [[1.0, 2.0, 3.0]]
    assert pose.scales.tolist() == [[2.0, 1.0, 1.0]]
    assert pose.weights.tolist() == [0.5]
    np.testing.assert_allclose(pose.rotations, [[0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]], atol=EXACT)


def test_blends_by_nothing_and_by_all_keep_the_bits() -> None:
    skeleton = two_bone()
    pose, other = Pose(skeleton), Pose(skeleton)
    other.rotations[0] = (0.1, HALF, 0.3, 0.4)
    pose.blend_with(other, 0.0)
    assert np.array_equal(pose.rotations, skeleton.rest_rotations)
    pose.blend_with(other, 1.0)
    assert np.array_equal(pose.rotations, other.rotations)


def test_unlike_poses_and_weights_out_of_range_are_refused() -> None:
    with pytest.raises(AnimError, match="the other pose has 3 bones and 0 morph weights; expected 2 and 0"):
        Pose(two_bone()).copy_from(Pose(chain(3)))
    with pytest.raises(AnimError, match=r"weight is 1\.5; expected 0 to 1"):
        Pose(two_bone()).blend_with(Pose(two_bone()), 1.5)
