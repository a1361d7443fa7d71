"""`posed diverge`."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posed
from tests.posed.cli.conftest import Run
from tests.posed.verify.diagnosing.literals import arm, at


@pytest.fixture
def scene(tmp_path: Path) -> posed.Scene:
    return arm(tmp_path)


def dump(scene: posed.Scene, folder: Path, *, late_from: int = 99, clip: str | None = None) -> Path:
    """Six ticks as an engine dumps them, a tick late from some tick on."""
    folder.mkdir(parents=True)
    world = posed.World(scene)
    if clip is not None:
        world.animate("arm", clip)
    before = None
    for tick in range(6):
        world.advance(tick)
        own = replace(world.posed(), sources={}, previous=None)
        shown = own if before is None or tick < late_from else replace(before, tick=tick)
        shown.save(folder / f"{tick:04d}.json")
        before = own
    return folder


def test_a_scene_against_dumps(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    outcome = run("diverge", scene.path, dump(scene, tmp_path / "theirs", late_from=4))
    assert outcome.status == 1
    lines = outcome.out.splitlines()
    assert lines[0].startswith('the runs part at tick 4 (tick 3 agrees) at object "arm", joint shoulder, by ')
    assert lines[0].endswith("; the live frame is tick 3, not 4: explains 100 % of 3 differing joints")
    assert lines[-1].startswith("look at: ")


def test_two_folders_and_a_scene_beside_them_as_data(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    ours, theirs = dump(scene, tmp_path / "ours"), dump(scene, tmp_path / "theirs", late_from=2)
    outcome = run("diverge", ours, theirs, "--scene", scene.path, "--json", "--bisect")
    data = json.loads(outcome.out)
    assert (outcome.status, data["tick"], data["joint"]) == (1, 2, "shoulder")
    assert data["cause"] == "the live frame is tick 1, not 2"


def test_runs_that_agree(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    outcome = run("diverge", scene.path, dump(scene, tmp_path / "theirs", clip="wave"), "--clip", "wave")
    assert (outcome.status, outcome.out) == (0, "the runs agree at 6 ticks\n")


def test_a_suite_against_a_folder_for_each_test(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    tests = [f'[[test]]\nname = "{name}"\nscene = "arm.toml"\nticks = [0, 3]\n' for name in ("good", "late")]
    suite.write_text("format = 1\nsize = [32, 32]\n" + "".join(tests))
    dump(scene, tmp_path / "dumps" / "good")
    dump(scene, tmp_path / "dumps" / "late", late_from=5)
    outcome = run("diverge", suite, tmp_path / "dumps")
    assert outcome.status == 1
    lines = outcome.out.splitlines()
    assert lines[0] == "good: the runs agree at 6 ticks"
    assert lines[1].startswith("late: the runs part at tick 5 (tick 4 agrees)")
    data = json.loads(run("diverge", suite, tmp_path / "dumps", "--json").out)
    assert [(name, one["tick"]) for name, one in data.items()] == [("good", None), ("late", 5)]


def test_bad_words_are_refused_in_a_line(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    ours = dump(scene, tmp_path / "ours")
    for words, text in (
        ((ours, tmp_path / "no"), f"posed: {tmp_path / 'no'}: is no folder: give one with a snapshot for each tick"),
        ((scene.path, scene.path), "posed: both runs are scenes, which play without end: give the snapshots of one"),
        ((ours, ours, "--clip", "wave"), "posed: --clip plays a scene: give one as a run, or with --scene"),
        ((ours,), "posed diverge: B is missing: expected posed diverge [OPTIONS] A B"),
    ):
        outcome = run("diverge", *words)
        assert (outcome.status, outcome.out) == (2, ""), words
        assert outcome.err.startswith(text), outcome.err


def test_an_unposed_engine_is_named(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    """It dumps identities: right at tick 0, when the bend has not begun, and never after."""
    folder = tmp_path / "still"
    folder.mkdir()
    for tick in range(3):
        straight = np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))
        posed.Posed(tick, at(scene, 0).rate, palettes={"arm": {0: straight}}).save(folder / f"{tick}.json")
    outcome = run("diverge", scene.path, folder)
    assert outcome.out.startswith("the runs part at tick 1 (tick 0 agrees)")
    assert "at object" in outcome.out
