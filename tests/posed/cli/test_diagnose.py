"""`posed diagnose`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import posed
from tests.posed.cli.conftest import Run
from tests.posed.verify.diagnosing.literals import arm, at, drawn


@pytest.fixture
def scene(tmp_path: Path) -> posed.Scene:
    return arm(tmp_path)


def dumped(folder: Path, pose: posed.Posed, tick: int) -> Path:
    path = folder / "dump.json"
    replace(pose, tick=tick, sources={}, previous=None).save(path)
    return path


def test_a_dump_that_is_late_is_told_with_where_to_look(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    outcome = run("diagnose", scene.path, "--tick", 30, "--live", dumped(tmp_path, at(scene, 28), 30), "--window", 5)
    assert outcome.status == 1
    lines = outcome.out.splitlines()
    assert lines[0] == "the live frame is tick 28, not 30: explains 100 % of 3 differing joints"
    assert lines[1].split() == ["explains", "breaks", "hypothesis"]
    assert lines[-1].startswith("look at: when the engine advances its animation")


def test_the_tick_that_the_file_states_is_the_one_it_should_show(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    outcome = run("diagnose", scene.path, "--live", dumped(tmp_path, at(scene, 7), 7))
    assert (outcome.status, outcome.out) == (0, "nothing differs\n")


def test_a_frame_is_data_too(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    drawn(scene, at(scene, 29)).save(tmp_path / "live.exr")
    words = ("diagnose", scene.path, "--tick", 30, "--live", tmp_path / "live.exr", "--window", 5, "--json")
    outcome = run(*words)
    assert outcome.status == 1
    data = json.loads(outcome.out)
    assert (data["format"], data["counted"], data["best"]["family"]) == ("posed diagnosis", "pixels", "another tick")


def test_what_plays_is_chosen_by_clip(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    world = posed.World(scene)
    world.animate("arm", "wave")
    world.advance(12)
    live = dumped(tmp_path, world.posed(), 10)
    outcome = run("diagnose", scene.path, "--clip", "wave", "--tick", 10, "--live", live, "--window", 4)
    assert outcome.out.startswith("the live frame is tick 12, not 10: ")
    assert "note" not in outcome.out


def test_bad_words_are_refused_in_a_line(run: Run, scene: posed.Scene, tmp_path: Path) -> None:
    live = dumped(tmp_path, at(scene, 3), 3)
    for words, text in (
        (("--live", tmp_path / "no.json"), f"posed: {tmp_path / 'no.json'}: there is no such file"),
        ((), "posed diagnose: --live is missing: give --live FILE"),
        (("--live", live, "--policy", "odd"), 'posed: there is no policy "odd": '),
    ):
        outcome = run("diagnose", scene.path, *words)
        assert (outcome.status, outcome.out) == (2, ""), words
        assert outcome.err.startswith(text), outcome.err
        assert outcome.err.count("\n") == 1
