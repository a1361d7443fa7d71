"""Skins: joints in the file's order, and inverse bind matrices or the identity."""

import numpy as np

from posed.gltf import load
from tests.gltf_literals import Literal, refusal, two_joint_skin


def test_inverse_bind_matrices_act_on_column_vectors(tmp_path):
    skin = load(two_joint_skin().write(tmp_path)).skins[0]
    assert skin.joints == (1, 2)
    assert skin.inverse_bind[1, :3, 3].tolist() == [0, -1, 0]
    assert skin.inverse_bind.dtype == np.float64
    assert not skin.inverse_bind.flags.writeable


def test_no_inverse_bind_matrices_mean_the_identity(tmp_path):
    model = load(Literal(nodes=[{}, {}], skins=[{"joints": [1, 0], "skeleton": 0}]).write(tmp_path))
    assert model.skins[0].inverse_bind.tolist() == [np.eye(4).tolist()] * 2
    assert model.skins[0].skeleton == 0


def test_more_matrices_than_joints_are_dropped_and_fewer_refused(tmp_path):
    literal = two_joint_skin()
    literal.root["skins"][0]["joints"] = [1, 2, 0]
    assert refusal(literal.write(tmp_path)) == (
        "/skins/0/inverseBindMatrices: expected 3 matrices, one a joint, found 2: export the file again"
    )
    literal = Literal(nodes=[{}])
    literal.root["skins"] = [{"joints": [0], "inverseBindMatrices": literal.accessor([np.eye(4)] * 3)}]
    assert load(literal.write(tmp_path)).skins[0].inverse_bind.shape == (1, 4, 4)


def test_matrices_that_are_not_finite_or_not_affine(tmp_path):
    for row, value in ((0, np.nan), (3, 0.5)):
        bad = np.eye(4)
        bad[row, 0] = value
        literal = Literal(nodes=[{}, {}])
        literal.root["skins"] = [{"joints": [0, 1], "inverseBindMatrices": literal.accessor([np.eye(4), bad])}]
        assert refusal(literal.write(tmp_path)) == (
            "/skins/0/inverseBindMatrices: expected finite affine matrices, found joint 1 with another: "
            "bind the mesh again"
        )


def test_a_skin_without_joints(tmp_path):
    assert refusal(Literal(skins=[{"joints": []}]).write(tmp_path)) == (
        "/skins/0/joints: expected an array of one joint or more, found an array of 0: "
        "correct it or export the file again"
    )


def test_a_joint_that_is_no_node(tmp_path):
    assert refusal(Literal(nodes=[{}], skins=[{"joints": [0, 4]}]).write(tmp_path)) == (
        "/skins/0/joints/1: expected an index of nodes below 1, found 4: correct it or export the file again"
    )
