"""Bounds of accessors."""

from pathlib import Path

import pytest

from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, bounded, primitive_of, spoiled


def a_least_that_is_not(file: Literal) -> None:
    file.root["accessors"][0]["min"] = [0, -1, 0]


def a_greatest_that_is_not(file: Literal) -> None:
    file.root["accessors"][0]["max"] = [1, 1, 0.5]


def bounds_of_another_length(file: Literal) -> None:
    file.root["accessors"][0]["max"] = [1, 1]


def positions_without_bounds(file: Literal) -> None:
    del file.root["accessors"][0]["max"]


def key_times_without_bounds(file: Literal) -> None:
    del file.root["accessors"][file.root["animations"][0]["samplers"][0]["input"]]["min"]


CASES: list[Case] = [
    (
        a_least_that_is_not,
        [
            "/accessors/0/min: P101 warning: min says -1 of component 1 where it is 0",
        ],
    ),
    (
        a_greatest_that_is_not,
        [
            "/accessors/0/max: P101 warning: max says 0.5 of component 2 where it is 0",
        ],
    ),
    (
        bounds_of_another_length,
        [
            "/accessors/0/max: P101 warning: max has 2 numbers for elements of 3",
        ],
    ),
    (
        positions_without_bounds,
        [
            "/accessors/0: P102 warning: accessor 0 holds positions and has no max",
        ],
    ),
    (
        key_times_without_bounds,
        [
            "/accessors/5: P102 warning: accessor 5 holds key times and has no min",
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_bounds_written_with_six_digits_do_not_lie(tmp_path: Path) -> None:
    def rounded(file: Literal) -> None:
        third = 1.0 / 3.0
        position = bounded(file, [[0, 0, 0], [third, 0, 0], [0, third, 0]])
        file.root["accessors"][position]["max"] = [0.333333, 0.333333, 0]
        primitive_of(file)["attributes"]["POSITION"] = position

    assert [line for line in spoiled(rounded, tmp_path) if "P101" in line] == []
