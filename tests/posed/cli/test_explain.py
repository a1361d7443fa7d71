"""`posed explain`."""

import json
from pathlib import Path

import pytest

from tests.posed.cli.conftest import Run
from tests.posed.verify.explaining.test_pixel import limb


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    return limb(tmp_path).path


def test_a_pixel_s_story_is_printed(run: Run, scene: Path) -> None:
    outcome = run("explain", scene, "--tick", 30, "--pixel", 50, 50, "--size", "101x101")
    assert outcome.status == 0
    assert outcome.out.startswith("pixel 50, 50 of 101x101, tick 30\n")
    assert "knee 2 joint 1 pulls 52.6%, at (0.0000, 1.5000, 0.0000)" in outcome.out


def test_a_pixel_s_story_is_data(run: Run, scene: Path) -> None:
    outcome = run("explain", scene, "--clip", "lift", "--time", "0.5", "--pixel", 50, 50, "--size", "101x101", "--json")
    assert outcome.status == 0
    assert json.loads(outcome.out)["bones"][1]["moves"][0]["time"] == 0.5


def test_bad_pixels_are_refused_in_a_line(run: Run, scene: Path) -> None:
    outcome = run("explain", scene, "--pixel", 101, 3, "--size", "101x101")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        "posed: pixel 101, 3 lies outside the picture of 101x101: give a column from 0 to 100 and a row from 0 to 100\n"
    )
    assert run("explain", scene, "--pixel", -1, 3).status == 2
    missing = run("explain", scene)
    assert missing.status == 2
    assert missing.err.startswith("posed explain: --pixel is missing: give --pixel X Y")
