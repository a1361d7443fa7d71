"""Skeletons: lookups, rest matrices and palettes, what a faulty one is told."""

import pickle

import numpy as np
import pytest

from anim import AnimError, Skeleton, Transform
from tests.rigs import QUARTER_TURN_Z, chain, two_bone

SHEAR = np.array([[1.0, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


def test_counts_and_lookups() -> None:
    skeleton = Skeleton(
        ["root", "arm", "arm"],
        [-1, 0, 1],
        [Transform()] * 3,
        node_to_bone=[-1, 2, 0, 1],
        joints=[2, 1],
        morphs={1: [0.25, 0.5], 2: [1.0]},
    )
    assert (skeleton.bone_count, skeleton.joint_count, skeleton.morph_count) == (3, 2, 3)
    assert skeleton.find_bone("arm") == 1
    assert skeleton.find_bone("leg") == -1
    assert [skeleton.bone_of_node(node) for node in (-1, 0, 1, 2, 3, 4)] == [-1, -1, 2, 0, 1, -1]
    assert skeleton.morph_offsets.tolist() == [0, 0, 2, 3]
    assert skeleton.rest_weights[skeleton.morph_slice(1)].tolist() == [0.25, 0.5]


def test_a_rest_palette_of_bones_bound_as_they_stand_is_the_identity() -> None:
    assert np.array_equal(chain(100).palette(), np.tile(np.eye(4, dtype=np.float32), (100, 1, 1)))


def test_joints_keep_the_order_of_the_skin_whatever_the_order_of_the_bones() -> None:
    down = np.eye(4)
    down[1, 3] = -1.0
    child_first = Skeleton(
        ["upper", "lower"],
        [-1, 0],
        [Transform(rotation=QUARTER_TURN_Z), Transform((0.0, 1.0, 0.0))],
        joints=[1, 0],
        inverse_bind=[down, np.eye(4)],
    )
    palette = child_first.palette()
    np.testing.assert_allclose(palette[0], palette[1], atol=1e-7)
    np.testing.assert_allclose(palette[0][:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-7)


def test_a_plain_bone_between_joints_carries_on() -> None:
    binds = chain(3).inverse_bind[[0, 2]]
    skeleton = Skeleton(["a", "plain", "b"], [-1, 0, 1], chain(3).rest, joints=[0, 2], inverse_bind=binds)
    assert np.array_equal(skeleton.palette(), np.tile(np.eye(4, dtype=np.float32), (2, 1, 1)))


def test_inverse_bind_is_the_identity_unless_given() -> None:
    assert np.array_equal(Skeleton(["a"], [-1], [Transform()], joints=[0]).inverse_bind, [np.eye(4)])


def test_a_fixed_matrix_keeps_its_shear_down_the_hierarchy() -> None:
    skeleton = Skeleton(["a", "b"], [-1, 0], [Transform(), Transform((0.0, 1.0, 0.0))], matrices={0: SHEAR})
    expected = SHEAR.copy()
    expected[:, 3] = [0.5, 3.0, 0.0, 1.0]
    assert np.array_equal(skeleton.world_transforms(), [SHEAR, expected])


def test_a_palette_in_mesh_space_undoes_the_mesh_node() -> None:
    skeleton = Skeleton(
        ["mesh", "joint"],
        [-1, -1],
        [Transform((5.0, 0.0, 0.0), scale=(2.0, 2.0, 2.0)), Transform((7.0, 0.0, 0.0))],
        joints=[1],
        mesh_node=0,
    )
    assert skeleton.palette()[0, :3, 3].tolist() == [7.0, 0.0, 0.0]
    assert skeleton.palette(space="mesh")[0].tolist() == [[0.5, 0, 0, 1], [0, 0.5, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 1]]


def test_a_mesh_node_that_is_no_bone_uses_the_given_inverse() -> None:
    inverse = np.diag([0.5, 0.5, 0.5, 1.0])
    skeleton = Skeleton(["joint"], [-1], [Transform()], joints=[0], mesh_node=7, mesh_node_inverse=inverse)
    assert np.array_equal(skeleton.palette(space="mesh")[0], inverse)


def test_a_skinned_node_of_scale_zero_matters_only_in_mesh_space() -> None:
    skeleton = Skeleton(
        ["mesh", "joint"], [-1, -1], [Transform(scale=(0.0, 0.0, 0.0)), Transform()], joints=[1], mesh_node=0
    )
    assert np.array_equal(skeleton.palette()[0], np.eye(4))
    with pytest.raises(AnimError, match=r"skinned node 0 \('mesh'\) has a singular matrix"):
        skeleton.palette(space="mesh")
    with pytest.raises(AnimError, match="space is 'world'"):
        skeleton.palette(space="world")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parents": [0, -1]}, r"bone 0 \('a'\) has parent 0; expected -1 or an earlier bone"),
        ({"parents": [-1, -2]}, r"bone 1 \('b'\) has parent -2"),
        ({"parents": [-1]}, r"parents has shape \(1,\); expected \(2\)"),
        ({"rest": [Transform()]}, "rest has 1 transforms for 2 bones"),
        ({"joints": [2]}, "joints 2 is out of range; expected 0 to 1"),
        ({"node_to_bone": [-2]}, "node_to_bone -2 is out of range; expected -1 to 1"),
        ({"joints": [0], "inverse_bind": np.zeros((0, 4, 4))}, "inverse_bind has 0 matrices for 1 joints"),
        ({"joints": [0], "inverse_bind": [np.ones((4, 4))]}, "inverse_bind has a last row"),
        ({"matrices": {2: np.eye(4)}}, "matrices: bone 2 is out of range"),
        ({"matrices": {0: np.full((4, 4), np.inf)}}, r"matrices\[0\]\[0, 0\] is inf; expected a finite number"),
        ({"morphs": {5: [1.0]}}, "morphs: bone 5 is out of range"),
        ({"morphs": {0: [np.nan]}}, r"morphs\[0\] is nan"),
        ({"mesh_node": -2}, "mesh_node is -2"),
    ],
)
def test_what_does_not_hold_together_is_refused(change: dict, message: str) -> None:
    arguments = {"names": ["a", "b"], "parents": [-1, 0], "rest": [Transform()] * 2} | change
    with pytest.raises(AnimError, match=message):
        Skeleton(**arguments)


def test_arrays_are_copied_and_read_only_also_after_a_pickle() -> None:
    parents = np.array([-1, 0], np.int32)
    skeleton = Skeleton(["a", "b"], parents, [Transform()] * 2, matrices={0: SHEAR})
    parents[1] = -1
    assert skeleton.parents.tolist() == [-1, 0]
    for copy in (skeleton, pickle.loads(pickle.dumps(skeleton))):
        assert np.array_equal(copy.world_transforms(), skeleton.world_transforms())
        for array in (copy.parents, copy.inverse_bind, copy.rest_rotations, copy.matrices[0]):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_validate_holds_for_what_was_made() -> None:
    two_bone().validate()
