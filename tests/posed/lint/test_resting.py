"""The rest pose: joints that flatten or mirror, vertices far from where they were bound."""

from pathlib import Path

import numpy as np
import pytest

import anim
from posed.gltf import load
from posed.lint.resting import rest_globals
from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, clean, spoiled


def a_joint_of_scale_0(file: Literal) -> None:
    """Vertex 2, at (0, 1, 0), is bound to the joint's place, so only the joint is odd."""
    file.root["nodes"][2]["scale"] = [0, 1, 1]


def a_mirrored_joint(file: Literal) -> None:
    file.root["nodes"][2]["scale"] = [1, 1, -1]


def a_rest_pose_far_away(file: Literal) -> None:
    """Two metres off, over a diagonal of the root of two: 1.41 of it."""
    file.root["nodes"][1]["translation"] = [2, 0, 0]


def a_joint_past_all_numbers(file: Literal) -> None:
    file.root["nodes"][2]["translation"] = [0, 1e300, 0]


def a_node_past_all_numbers(file: Literal) -> None:
    file.root["nodes"].append({"mesh": file.mesh({"attributes": {"POSITION": 0, "NORMAL": 1}}), "scale": [1e39, 1, 1]})
    file.root["scenes"][0]["nodes"].append(3)


CASES: list[Case] = [
    (
        a_joint_past_all_numbers,
        ['/nodes/0: P204 error: node 0 "body": vertex 2 of primitive 0 rests past all float32'],
    ),
    (
        a_node_past_all_numbers,
        ["/nodes/3: P204 error: node 3: vertex 1 of primitive 0 rests past all float32"],
    ),
    (
        a_joint_of_scale_0,
        [
            "/skins/0/joints: P306 warning: skin 0 has a joint that flattens space at rest: node 2",
        ],
    ),
    (
        a_mirrored_joint,
        [
            "/skins/0/joints: P307 note: skin 0 has a joint that mirrors at rest: node 2",
        ],
    ),
    (
        a_rest_pose_far_away,
        [
            (
                '/nodes/0: P309 note: node 0 "body": vertex 0 of primitive 0 rests 1.41 diagonals of the '
                "primitive away from where it was bound"
            ),
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_a_rest_pose_less_than_half_a_diagonal_away_is_not_named(tmp_path: Path) -> None:
    def near(file: Literal) -> None:
        file.root["nodes"][1]["translation"] = [0.7, 0, 0]

    assert spoiled(near, tmp_path) == []


def test_globals_are_those_of_the_rig(tmp_path: Path) -> None:
    """Against the animator's own, which are computed by kernels: a turn, a scale, a matrix, a node below."""
    file = clean()
    file.root["nodes"][1] |= {"rotation": [0.5, 0.5, 0.5, 0.5], "scale": [1, 2, 3], "translation": [1, 2, 3]}
    file.root["nodes"][0] = {"matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]}
    model = load(file.write(tmp_path))
    pose = anim.Pose(model.node_rig().skeleton)
    rig = np.array([pose.globals()[pose.skeleton.bone_of_node(node)] for node in range(3)])
    assert rest_globals(model) == pytest.approx(rig, abs=1e-14)
    assert rest_globals(model)[2, :3, 3] == pytest.approx([1, 2, 5])
