"""Suites run with engines that are small programs."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.data import demo_scene
from posed.errors import MissingError, PosedError
from posed.live import Renderer as LiveRenderer
from posed.verify.suite import SuiteResult, load_suite
from posed.verify.suite.command import job, run_command, split_command
from posed.verify.suite.run import played, run_suite

SIZE = (64, 36)

COPY = "import shutil, sys; shutil.copytree(sys.argv[1], sys.argv[2], dirs_exist_ok=True)"


def suite(folder: Path, renderer: str, *, tolerate: str = "[]", ticks: str = "[3, 12]") -> SuiteResult:
    words = f"[{sys.executable!r}, '-c', {COPY!r}, 'frames/{{tick}}', '{{out}}']"
    scene = demo_scene()
    for name in ("walker.glb", "ground.png", "walker.toml"):
        (folder / name).write_bytes((scene.parent / name).read_bytes())
    (folder / "suite.toml").write_text(
        f"""format = 1
size = [{SIZE[0]}, {SIZE[1]}]
[renderers.copy]
command = {words}
{renderer}
[[test]]
name = "walker"
scene = "walker.toml"
ticks = {ticks}
policy = "exact"
tolerate = {tolerate}
"""
    )
    return run_suite(load_suite(folder / "suite.toml"))


def leave(folder: Path, tick: int, **changes: Any) -> None:
    """Let the engine have the truth's own layers for a tick, some of them changed."""
    scene = posed.load(demo_scene())
    (pose,) = played(scene, (tick,))
    frame = posed.trace(scene, pose, size=SIZE, integrator="aov")
    place = folder / "frames" / str(tick)
    place.mkdir(parents=True)
    for name in ("object", "part", "triangle", "depth", "normal"):
        layer = frame[name].copy()
        if name in changes:
            changes[name](layer)
        np.save(place / f"{name}.npy", layer)


def test_a_faithful_engine_passes_and_its_layers_are_compared(tmp_path: Path) -> None:
    for tick in (3, 12):
        leave(tmp_path, tick)
    result = suite(tmp_path, "")
    assert result.passed
    assert result.counts == {"passed": 2, "failed": 0, "no frame": 0, "not checked": 0}
    verdict = result.results[1].verdict
    assert verdict is not None
    assert {one.layer for one in verdict.compared} == {"silhouette", "object", "part", "triangle", "depth", "normal"}
    assert verdict.live.origin == "copy"
    assert verdict.tick == 12
    assert verdict.live.frame is None, "pictures are not kept"


def test_a_wrong_layer_fails_unless_it_is_tolerated_or_not_compared(tmp_path: Path) -> None:
    def swap(layer: Any) -> None:
        layer[layer == 4] = 2

    leave(tmp_path, 3, object=swap)
    failed = suite(tmp_path, "", ticks="[3]")
    assert [one.outcome for one in failed.results] == ["failed"]
    assert failed.results[0].sentence().startswith("walker, tick 3, copy: failed: object: ")
    known = '[{ renderer = "copy", layer = "object", reason = "two in one" }]'
    tolerated = suite(tmp_path, "", tolerate=known, ticks="[3]")
    assert tolerated.passed
    verdict = tolerated.results[0].verdict
    assert verdict is not None
    assert verdict["object"].tolerated == "two in one"
    assert verdict["object"].status == "failed", "tolerated, not passed"
    assert suite(tmp_path, 'layers = ["depth", "normal"]', ticks="[3]").passed, "what is not compared cannot fail"
    spare = (
        '[{ renderer = "copy", layer = "depth", reason = "z" }, { renderer = "copy", layer = "object", reason = "o" }]'
    )
    notes = suite(tmp_path, "", tolerate=spare, ticks="[3]").results[0].verdict
    assert notes is not None
    assert notes.notes == ("depth passed: the tolerance for it is no longer needed",)


def test_a_frame_that_does_not_come_is_a_result_of_its_own(tmp_path: Path) -> None:
    leave(tmp_path, 3)
    result = suite(tmp_path, "")
    assert [one.outcome for one in result.results] == ["passed", "no frame"]
    assert "ended with status 1; its output ends: " in result.results[1].error
    assert "FileNotFoundError: " in result.results[1].error
    assert not result.passed
    lacking = suite(tmp_path, 'layers = ["color", "depth"]', ticks="[3]")
    assert lacking.results[0].error == "copy left no color: it left depth, normal, object, part, triangle"


def test_a_suite_drawn_by_the_built_in_renderer(tmp_path: Path, renderer: LiveRenderer) -> None:
    del renderer
    leave(tmp_path, 3)
    path = tmp_path / "suite.toml"
    suite(tmp_path, "", ticks="[3]")
    text = path.read_text().replace("[renderers.copy]", "[renderers.live]\n[renderers.copy]")
    path.write_text(text.replace('policy = "exact"', ""))
    result = run_suite(load_suite(path))
    assert [(one.renderer, one.outcome) for one in result.results] == [("live", "passed"), ("copy", "passed")]


def test_ticks_that_go_back_are_played_anew() -> None:
    scene = posed.load(demo_scene())
    poses = list(played(scene, (7, 2)))
    world = posed.World(scene)
    world.advance(2)
    assert [pose.tick for pose in poses] == [7, 2]
    assert poses[1] == world.posed()


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["none-such-program", "{out}"], MissingError, "none-such-program: there is no such program: install it"),
        ([sys.executable, "-c", "print('no'); exit(3)"], PosedError, "ended with status 3; its output ends: no"),
        ([sys.executable, "-c", ""], PosedError, "left nothing in its folder for output; it said nothing"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], PosedError, "took more than 0.2 seconds and was ended"),
        ([sys.executable, "-c", "open(r'{out}/depth.txt', 'w')"], PosedError, "holds no frame"),
    ],
)
def test_what_goes_wrong_with_a_command(tmp_path: Path, words: list[str], error: type, message: str) -> None:
    scene = posed.load(demo_scene())
    timeout = 0.2 if "time" in words[-1] else 60.0
    with job(scene, posed.World(scene).posed(), SIZE) as frame, pytest.raises(error, match=message):
        run_command(words, frame, folder=tmp_path, timeout=timeout)


def test_a_command_is_given_what_it_asks_for(tmp_path: Path) -> None:
    scene = posed.load(demo_scene())
    code = "import sys, pathlib; pathlib.Path(sys.argv[-1], 'posed.json').write_bytes(open(sys.argv[1], 'rb').read())"
    words = [sys.executable, "-c", code, "{posed}", "{scene}", "{scene_json}", "{width}x{height}", "{tick}", "{out}"]
    with job(scene, posed.World(scene).posed(), SIZE) as frame:
        assert frame.words["width"] == "64"
        assert Path(frame.words["scene_json"]).is_file()
        side = run_command(words, frame, folder=tmp_path, timeout=60.0)
    assert side.pose == posed.World(scene).posed()
    assert not frame.out.exists(), "nothing is left behind"


def test_command_lines_are_split_as_a_shell_does() -> None:
    assert split_command("node 'my file.mjs' {out}") == ("node", "my file.mjs", "{out}")
    for text, message in (
        ("", "is empty"),
        ("node '", "No closing quotation"),
        ("node {output}", "there is no {output}: a command is given {scene}, {scene_json}"),
    ):
        with pytest.raises(PosedError, match=message):
            split_command(text)
