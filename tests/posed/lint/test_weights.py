"""Joint weights as the file stores them."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike, DTypeLike

from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, primitive_of, replace_accessor, spoiled


def weigh(file: Literal, weights: ArrayLike, joints: ArrayLike = ((0, 1, 0, 0),) * 3) -> None:
    """Give the three vertices other weights, and joints."""
    attributes = primitive_of(file)["attributes"]
    replace_accessor(file, attributes["WEIGHTS_0"], weights)
    replace_accessor(file, attributes["JOINTS_0"], joints, np.uint8)


def more_sets(file: Literal, count: int, sets: int) -> None:
    """Let `count` joints pull vertex 1 alike, in `sets` sets, each joint another node."""
    for index in range(2, count):
        file.root["nodes"][1].setdefault("children", []).append(file.node(name=f"finger{index}"))
        file.root["skins"][0]["joints"].append(len(file.root["nodes"]) - 1)
    binds = np.tile(np.eye(4), (count, 1, 1))
    binds[1, 1, 3] = -1.0
    replace_accessor(file, file.root["skins"][0]["inverseBindMatrices"], binds)
    joints = np.zeros((3, 4 * sets), np.uint8)
    weights = np.zeros((3, 4 * sets), np.float32)
    joints[1, :count], weights[1, :count] = np.arange(count), 1.0 / count
    weights[[0, 2], 0] = 1.0
    weigh(file, weights[:, :4], joints[:, :4])
    for number in range(1, sets):
        attributes = primitive_of(file)["attributes"]
        attributes[f"JOINTS_{number}"] = file.accessor(joints[:, 4 * number :][:, :4], np.uint8)
        attributes[f"WEIGHTS_{number}"] = file.accessor(weights[:, 4 * number :][:, :4])


def sums_of_two_vertices(file: Literal) -> None:
    weigh(file, [[0.98, 0, 0, 0], [1, 0, 0, 0], [0.75, 0.5, 0, 0]])


def no_weights(file: Literal) -> None:
    weigh(file, [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])


def a_negative_weight(file: Literal) -> None:
    weigh(file, [[1, 0, 0, 0], [1.5, -0.5, 0, 0], [1, 0, 0, 0]])


def a_joint_twice(file: Literal) -> None:
    weigh(file, [[0.5, 0, 0.5, 0], [1, 0, 0, 0], [1, 0, 0, 0]])


def five_influences(file: Literal) -> None:
    more_sets(file, 5, 2)


def nine_influences(file: Literal) -> None:
    more_sets(file, 9, 3)


CASES: list[Case] = [
    (
        sums_of_two_vertices,
        [
            (
                "/meshes/0/primitives/0/attributes: P401 warning: the weights of 2 vertices do not sum "
                "to 1, at worst to 1.25 at vertex 2"
            ),
        ],
    ),
    (
        no_weights,
        [
            ("/meshes/0/primitives/0/attributes: P402 warning: 2 vertices have no weights, the first is vertex 1"),
        ],
    ),
    (
        a_negative_weight,
        [
            ("/meshes/0/primitives/0/attributes: P403 warning: 1 vertex has a negative weight, the first is vertex 1"),
        ],
    ),
    (
        a_joint_twice,
        [
            (
                "/meshes/0/primitives/0/attributes: P404 warning: 1 vertex has one joint more than once, "
                "the first is vertex 0"
            ),
        ],
    ),
    (
        five_influences,
        [
            (
                "/meshes/0/primitives/0/attributes: P405 note: 1 vertex has more than 4 influences, at "
                "most 5 at vertex 1"
            ),
        ],
    ),
    (
        nine_influences,
        [
            (
                "/meshes/0/primitives/0/attributes: P406 warning: 1 vertex has more than 8 influences, "
                "at most 9 at vertex 1"
            ),
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_quantized_weights_that_sum_to_1_are_not_named(dtype: DTypeLike, tmp_path: Path) -> None:
    def quantized(file: Literal) -> None:
        full = int(np.iinfo(dtype).max)
        rows = [[full, 0, 0, 0], [full - 85, 85, 0, 0], [1, full - 1, 0, 0]]
        replace_accessor(file, primitive_of(file)["attributes"]["WEIGHTS_0"], rows, dtype, normalized=True)

    assert spoiled(quantized, tmp_path) == []


def test_a_joint_that_pulls_with_0_may_be_listed_again(tmp_path: Path) -> None:
    """As in the clean file, where joint 0 fills the places that are left."""
    assert spoiled(lambda file: weigh(file, [[1, 0, 0, 0]] * 3, [[0, 0, 0, 0]] * 3), tmp_path) == []
