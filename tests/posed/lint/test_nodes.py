"""Rotations of nodes, roots of scenes."""

from pathlib import Path

import pytest

from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, spoiled


def a_long_rotation(file: Literal) -> None:
    file.root["nodes"][1]["rotation"] = [0, 0, 0, 1.01]


def a_rotation_of_no_length(file: Literal) -> None:
    file.root["nodes"][1]["rotation"] = [0, 0, 0, 0]


def a_root_with_a_parent(file: Literal) -> None:
    file.root["scenes"][0]["nodes"] = [0, 1, 2]


CASES: list[Case] = [
    (
        a_long_rotation,
        [
            '/nodes/1/rotation: P201 warning: node 1 "hip" has a rotation of length 1.01',
        ],
    ),
    (
        a_rotation_of_no_length,
        [
            '/nodes/1/rotation: P202 warning: node 1 "hip" has a rotation of length 0',
        ],
    ),
    (
        a_root_with_a_parent,
        [
            ('/scenes/0/nodes: P203 warning: node 2 "knee" is a root of the scene and a child of node 1'),
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_a_rotation_as_exporters_round_it_is_not_named(tmp_path: Path) -> None:
    def rounded(file: Literal) -> None:
        file.root["nodes"][1]["rotation"] = [0, 0, 0, 1.0005]

    assert spoiled(rounded, tmp_path) == []
