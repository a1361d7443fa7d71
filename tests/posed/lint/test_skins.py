"""Skinned nodes, joints and inverse bind matrices."""

from pathlib import Path

import numpy as np
import pytest

from posed.arrays import Float64
from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, primitive_of, replace_accessor, spoiled


def a_skinned_node_with_a_transform(file: Literal) -> None:
    file.root["nodes"][0] |= {"translation": [0, 0, 5], "scale": [2, 2, 2]}


def a_skinned_node_with_a_matrix(file: Literal) -> None:
    file.root["nodes"][0]["matrix"] = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]


def a_skinned_node_with_a_parent(file: Literal) -> None:
    file.root["nodes"][1]["children"] = [2, 0]
    file.root["scenes"][0]["nodes"] = [1]


def two_skinned_nodes_with_a_parent(file: Literal) -> None:
    file.root["nodes"][1]["children"] = [2, 0, file.node(name="twin", mesh=0, skin=0)]
    file.root["scenes"][0]["nodes"] = [1]


def no_inverse_binds(file: Literal) -> None:
    """The accessor of the matrices is loose then, and joint 1 takes vertex 2 a metre up."""
    del file.root["skins"][0]["inverseBindMatrices"]


def a_flattening_inverse_bind(file: Literal) -> None:
    rebind(file, np.diag([1.0, 0.0, 1.0, 1.0]))


def a_mirroring_inverse_bind(file: Literal) -> None:
    rebind(file, np.diag([1.0, 1.0, -1.0, 1.0]))


def an_inverse_bind_too_many(file: Literal) -> None:
    rebind(file, np.eye(4), np.eye(4))


def rebind(file: Literal, *more: Float64) -> None:
    """Bind joint 1 by the first of `more` with its place taken off, and add the others."""
    first = more[0].copy()
    first[1, 3] = -first[1, 1]
    replace_accessor(file, file.root["skins"][0]["inverseBindMatrices"], np.stack([np.eye(4), first, *more[1:]]))


def joints_outside_the_scene(file: Literal) -> None:
    file.root["scenes"][0]["nodes"] = [0]


def a_joint_twice_in_the_skin(file: Literal) -> None:
    file.root["skins"][0]["joints"] = [1, 1]


def a_skin_without_a_mesh(file: Literal) -> None:
    file.node(name="lost", skin=0)
    file.root["scenes"][0]["nodes"] = [0, 1, 3]


def a_skin_on_a_mesh_without_joints(file: Literal) -> None:
    for name in ("JOINTS_0", "WEIGHTS_0"):
        del primitive_of(file)["attributes"][name]


def a_mesh_with_joints_and_no_skin(file: Literal) -> None:
    del file.root["nodes"][0]["skin"]


CASES: list[Case] = [
    (
        a_skinned_node_with_a_transform,
        [
            '/nodes/0: P301 warning: node 0 "body" is skinned: its own translation and scale are ignored',
        ],
    ),
    (
        a_skinned_node_with_a_matrix,
        [
            '/nodes/0: P301 warning: node 0 "body" is skinned: its own matrix is ignored',
        ],
    ),
    (
        a_skinned_node_with_a_parent,
        [
            '/nodes/0: P302 note: node 0 "body" is skinned and stands below node 1',
        ],
    ),
    (
        two_skinned_nodes_with_a_parent,
        [
            (
                '/nodes/0: P302 note: node 0 "body" is skinned and stands below node 1; 1 other skinned node '
                "stands below one too"
            ),
        ],
    ),
    (
        no_inverse_binds,
        [
            "/skins/0: P303 note: skin 0 has no inverse bind matrices for its 2 joints",
            (
                '/nodes/0: P309 note: node 0 "body": vertex 2 of primitive 0 rests 0.707 diagonals of the '
                "primitive away from where it was bound"
            ),
            "/accessors: P803 note: 1 of 7 accessors is used by nothing: 4",
        ],
    ),
    (
        a_flattening_inverse_bind,
        [
            ("/skins/0/inverseBindMatrices: P304 warning: skin 0 has a singular inverse bind matrix, at joint 1"),
        ],
    ),
    (
        a_mirroring_inverse_bind,
        [
            ("/skins/0/inverseBindMatrices: P304 warning: skin 0 has a mirroring inverse bind matrix, at joint 1"),
        ],
    ),
    (
        an_inverse_bind_too_many,
        [
            ("/skins/0/inverseBindMatrices: P304 warning: skin 0 has 3 inverse bind matrices for 2 joints"),
        ],
    ),
    (
        joints_outside_the_scene,
        [
            "/skins/0/joints: P305 warning: skin 0 has joints that are not in the scene: nodes 1, 2",
        ],
    ),
    (
        a_joint_twice_in_the_skin,
        [
            "/skins/0/joints: P308 warning: skin 0 lists node 1 more than once",
            (
                '/nodes/0: P309 note: node 0 "body": vertex 2 of primitive 0 rests 0.707 diagonals of the '
                "primitive away from where it was bound"
            ),
        ],
    ),
    (
        a_skin_without_a_mesh,
        [
            '/nodes/3/skin: P310 warning: node 3 "lost" has a skin and no mesh',
        ],
    ),
    (
        a_skin_on_a_mesh_without_joints,
        [
            '/nodes/0/skin: P310 warning: node 0 "body" has a skin, but its mesh 0 has no joints',
            "/accessors: P803 note: 2 of 7 accessors are used by nothing: 2, 3",
        ],
    ),
    (
        a_mesh_with_joints_and_no_skin,
        [
            '/nodes/0: P310 warning: node 0 "body" has no skin, but its mesh 0 has joints',
            "/skins: P803 note: 1 of 1 skins is used by nothing: 0",
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected
