"""`posed check`: ranges, suites, commands and policies."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.cli import checking
from posed.cli.interrupting import Terminated
from posed.data import demo_scene
from posed.farm import Checked
from posed.live import Renderer as LiveRenderer
from posed.verify import compare
from posed.verify.report import shown
from posed.verify.suite.result import CheckResult
from tests.posed.cli.conftest import Run

DRAW = """
import json, sys
from pathlib import Path
import numpy as np
scene, out, frames = json.load(open(sys.argv[1])), Path(sys.argv[2]), Path(sys.argv[3])
layers = np.load(frames / f"{scene['tick']}.npz")
for name in ("object", "depth"):
    np.save(out / f"{name}.npy", layers[name])
json.dump({"tick": scene["tick"], "renderer": "mine"}, open(out / "frame.json", "w"))
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command of an engine that has the truth's own layers at the ticks 0 and 5."""
    folder = tmp_path_factory.mktemp("engine")
    scene = posed.load(demo_scene())
    world = posed.World(scene)
    for tick in (0, 5):
        world.advance(tick)
        posed.trace(scene, world.posed(), size=(48, 27), integrator="aov").save(folder / f"{tick}.npz")
    (folder / "draw.py").write_text(DRAW)
    return f"{sys.executable} {folder}/draw.py {{scene_json}} {{out}} {folder}"


def test_a_command_draws_one_frame_or_a_range(run: Run, engine: str) -> None:
    words = ("check", demo_scene(), "--size", "48x27", "--live-command", engine, "--policy", "exact")
    done = run(*words, "--tick", "5", "--json")
    assert done.status == 0
    told = json.loads(done.out)
    assert (told["tick"], told["live"], told["policy"]["name"]) == (5, "mine", "exact")
    several = run(*words, "--ticks", "0:10:5")
    assert several.status == 0
    assert several.out.startswith("2 passed")
    third = run(*words, "--ticks", "0:15:5", "--json")
    assert third.status == 1
    counts = json.loads(third.out)["counts"]
    assert counts == {"passed": 2, "failed": 0, "no frame": 1, "not checked": 0}


def test_live_files_by_tick_and_a_report(run: Run, engine: str, tmp_path: Path) -> None:
    frames = Path(engine.rsplit(maxsplit=1)[-1])
    words = ("check", demo_scene(), "--ticks", "0:10:5", "--live", frames / "%d.npz")
    assert run(*words, "--report", tmp_path / "r.html").status == 0
    assert "walker, live" in (tmp_path / "r.html").read_text()
    wrong = run("check", demo_scene(), "--tick", "0", "--live", frames / "5.npz")
    assert wrong.status == 2
    assert "the live frame is of tick 5 and its reference of tick 0" in wrong.err


def test_a_suite_of_a_command(run: Run, engine: str, tmp_path: Path) -> None:
    words = json.dumps(engine.split())
    scene = demo_scene()
    for name in ("walker.glb", "ground.png", "walker.toml"):
        (tmp_path / name).write_bytes((scene.parent / name).read_bytes())
    suite = tmp_path / "suite.toml"
    suite.write_text(
        f"""format = 1
size = [48, 27]
[renderers.mine]
command = {words}
[[test]]
name = "walker"
scene = "walker.toml"
ticks = "0:10:5"
"""
    )
    done = run("check", "--suite", suite, "--report", tmp_path / "r.html")
    assert done.status == 0, done.err
    assert done.out.startswith("2 passed")
    suite.write_text(suite.read_text().replace('"0:10:5"', "[0, 5, 6]"))
    failed = run("check", "--suite", suite, "--report", tmp_path / "r.html")
    assert failed.status == 1
    assert "NO FRAME" in failed.out
    assert "<li>walker, tick 6, mine: no frame: " in (tmp_path / "r.html").read_text()
    suite.write_text(suite.read_text().replace("format = 1", "format = 2"))
    bad = run("check", "--suite", suite)
    assert (bad.status, bad.err) == (2, f"posed: {suite}:1: format: expected 1, found 2\n")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "posed: interrupted"),
        (Terminated(), 143, "posed: terminated"),
        (posed.PosedError("gone"), 2, "posed: gone"),
    ],
)
def test_what_ends_a_run_early_leaves_a_report_that_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    def broken_off(*asked: object, **options: object) -> Iterator[Checked]:
        for tick in range(2):
            yield Checked(CheckResult("walker", tick, "live", compare(frame, frame)), shown(compare(frame, frame)))
        raise error

    frame = posed.Frame({"depth": np.ones((2, 2), np.float32)}, (2, 2))
    monkeypatch.setattr(checking, "checks", broken_off)
    page, cases = tmp_path / "r.html", tmp_path / "r.xml"
    words = ("check", demo_scene(), "--ticks", "0:5", "--report", page, "--junit", cases, "--json")
    done = run(*words)
    assert (done.status, done.err.splitlines()[-1]) == (status, said)
    told = json.loads(done.out)
    assert (told["passed"], told["counts"]["passed"], told["missing"]) == (False, 2, 3)
    assert "<title>walker.toml: ended early, after 2 of 5 frames</title>" in page.read_text()
    assert [(one["tick"], one["outcome"]) for one in told["results"][2:]] == [(n, "not checked") for n in (2, 3, 4)]
    assert "<li>walker, live: not checked: 3 ticks from 2 to 4</li>" in page.read_text()
    assert "3 of 5 frames not checked: the run ended early" in done.err
    assert 'tests="5" errors="3" failures="0"' in cases.read_text()


def test_one_that_ends_before_its_first_frame_says_so_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("posed.cli.progress.Compiling.wait", interrupt)
    page, cases = tmp_path / "r.html", tmp_path / "r.xml"
    done = run("check", demo_scene(), "--ticks", "0:5", "--report", page, "--junit", cases, "--github")
    assert done.status == 130
    assert "<title>walker.toml: ended early, after 0 of 5 frames</title>" in page.read_text()
    assert "<li>5 of 5 frames not checked: the run ended early: an interrupt</li>" in page.read_text()
    assert 'tests="5" errors="5" failures="0"' in cases.read_text()
    assert done.out.count("::error ") == 1
    assert "the run%2C ended early%3A not checked::5 of 5 frames: the run ended early: an interrupt" in done.out


def test_a_suite_whose_scene_cannot_be_loaded_says_what_was_not_checked(run: Run, tmp_path: Path) -> None:
    suite, cases = tmp_path / "suite.toml", tmp_path / "r.xml"
    suite.write_text('format = 1\nsize = [48, 27]\n[[test]]\nname = "a"\nscene = "a.toml"\nticks = [0, 1]\n')
    (tmp_path / "a.toml").write_text("format = 2\n")
    done = run("check", "--suite", suite, "--junit", cases)
    assert done.status == 2
    assert f"posed: {tmp_path}/a.toml:1: format: expected 1, found 2" in done.err
    assert 'tests="2" errors="2" failures="0"' in cases.read_text()


def test_a_policy_from_a_file(run: Run, tmp_path: Path) -> None:
    scene = posed.load(demo_scene())
    pose = posed.World(scene).posed()
    frame = posed.trace(scene, pose, size=(48, 27), integrator="aov")
    depth = frame["depth"] * np.float32(1.0005)
    posed.Frame({"object": frame["object"], "depth": depth}, frame.size).save(tmp_path / "live.npz")
    words = ("check", demo_scene(), "--tick", "0", "--live", tmp_path / "live.npz")
    assert run(*words).status == 1
    (tmp_path / "loose.toml").write_text("format = 1\ndepth = { relative = 0.001 }\n")
    done = run(*words, "--policy", tmp_path / "loose.toml")
    assert done.status == 0
    assert done.out.startswith("passed (loose)")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "there is nothing to check: give SCENE or --suite SUITE.toml"),
        (
            ("SCENE", "--suite", "x.toml"),
            "--suite brings its own scenes, ticks, renderers and policies: leave out SCENE",
        ),
        (
            ("SCENE", "--live", "a.npz", "--live-command", "x"),
            "--live is drawn already and --live-command draws: give one",
        ),
        (("SCENE", "--ticks", "0:3", "--tick", "1"), "--ticks chooses the moments: leave out --tick"),
        (("SCENE", "--workers", "2"), "--workers and --cluster share several checks: give --ticks A:B or --suite"),
        (("SCENE", "--live-command", "x {y}"), "--live-command: there is no {y}: a command is given {scene}"),
        (
            ("SCENE", "--memory", "300MB"),
            "a check of 960x540 takes 316.4 MiB, more than the 286.1 MiB that a worker may take",
        ),
        (("SCENE", "--policy", "loose"), 'there is no policy "loose": the presets are exact, gpu, foreign'),
        (("SCENE", "--policy", "loose.toml"), "loose.toml: there is no such file"),
    ],
)
def test_choices_that_contradict_each_other_are_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run("check", *(demo_scene() if word == "SCENE" else word for word in words))
    assert done.status == 2
    assert message in done.err


def test_a_program_that_is_not_there_is_what_the_machine_lacks(run: Run) -> None:
    failing = f"{sys.executable} -c 'import sys; print(1); print(2); sys.exit(7)' {{out}}"
    done = run("check", demo_scene(), "--size", "8x8", "--live-command", failing)
    assert (done.status, done.err) == (1, f"posed: {sys.executable} ended with status 7; its output ends: 1 | 2\n")
    done = run("check", demo_scene(), "--size", "8x8", "--live-command", "none-such-program {out}")
    assert done.status == 3
    assert "none-such-program: there is no such program" in done.err


def test_the_built_in_renderer_over_a_range(run: Run, renderer: LiveRenderer) -> None:
    del renderer
    done = run("check", demo_scene(), "--ticks", "0:2", "--size", "48x27")
    assert done.status == 0
    assert done.out.startswith("2 passed")
