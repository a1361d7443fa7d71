"""`--play MODULE:GAME`: a script plays the scene of a command."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import posed
from posed.snapshot import Posed
from tests.posed.cli.conftest import Run
from tests.posed.test_world import HEAD, OBJECT, slider

GAME = """
import posed

class Arena(posed.Game):
    def tick(self, world, tick, input):
        if tick == 3:
            world.animate("slider", "Run")

class Broken(posed.Game):
    def tick(self, world, tick, input):
        if tick == 2:
            raise KeyError("door")

class Wrong(posed.Game):
    def tick(self, world, tick, input):
        world.animate("slider", "Fly")

class Needy(posed.Game):
    def __init__(self, level):
        pass

ready, number = Arena(), 7
"""


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A scene and games beside it; the folder is the working folder, `x.toml` the scene."""
    slider(tmp_path)
    (tmp_path / "x.toml").write_text(HEAD + OBJECT)
    (tmp_path / "arena_of_test.py").write_text(GAME)
    (tmp_path / "needs_nothing.py").write_text("import no_such_module_anywhere")
    (tmp_path / "half_written.py").write_text("def:")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "x.toml"
    for name in ("arena_of_test", "needs_nothing", "half_written"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("game", ["arena_of_test:Arena", "arena_of_test:ready"])
def test_a_game_plays_every_tick_up_to_the_one_asked_for(run: Run, scene: str, game: str) -> None:
    assert run("pose", scene, "--play", game, "--tick", 5, "-o", "x.posed.json").status == 0
    found = Posed.load("x.posed.json")
    assert found.nodes["slider"][0][0, 3] == pytest.approx(0.4), "two ticks of Run, which goes 0.2 a tick"
    assert run("pose", scene, "--tick", 5, "-o", "still.posed.json").status == 0
    assert Posed.load("still.posed.json").nodes["slider"][0][0, 3] == 0.0


def test_a_range_is_rendered_as_it_is_played(run: Run, scene: str) -> None:
    for _ in range(2):  # a game's code may have changed, so that nothing is kept
        words = ("--play", "arena_of_test:Arena", "--ticks", "2:5", "--integrator", "aov", "--size", "8x8")
        done = run("render", scene, *words, "-o", "frames/%d.npz")
        assert done.status == 0
        assert "3 frames, 8 x 8" in done.out
    frames = [posed.Frame.load(f"frames/{tick}.npz") for tick in (2, 3, 4)]
    assert len({frame.provenance.posed for frame in frames}) == 3


def test_a_cause_is_searched_in_what_the_game_plays(run: Run, scene: str) -> None:
    run("pose", scene, "--play", "arena_of_test:Arena", "--tick", 6, "-o", "late.json")
    text = Path("late.json").read_text().replace('"tick": 6', '"tick": 7', 1)
    Path("late.json").write_text(text)
    done = run("diagnose", scene, "--play", "arena_of_test:Arena", "--tick", 7, "--live", "late.json")
    assert done.status == 1
    assert "the live frame is tick 6, not 7" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--play", "arena"), "--play arena: expected MODULE:GAME, the name of a module and of a posed.Game in it"),
        (("--play", "arena_of_test.py:Arena"), "expected MODULE:GAME"),
        (("--play", "no_such_game:Arena"), "there is no module no_such_game here or where Python looks"),
        (("--play", "needs_nothing:Arena"), "needs_nothing needs no_such_module_anywhere, which is not installed"),
        (("--play", "half_written:Arena"), "half_written cannot be imported: SyntaxError"),
        (
            ("--play", "arena_of_test:Gone"),
            'there is no "Gone" in arena_of_test: its games are Arena, Broken, Wrong, Needy',
        ),
        (("--play", "arena_of_test:number"), '"number" is no posed.Game in arena_of_test'),
        (("--play", "arena_of_test:Needy"), "cannot be made: TypeError"),
        (("--play", "arena_of_test:Broken"), "--play arena_of_test:Broken: tick 2: KeyError: 'door'"),
        (("--play", "arena_of_test:Wrong"), "--play arena_of_test:Wrong: tick 0: "),
        (("--play", "arena_of_test:Arena", "--clip", "Run"), "--clip plays and --play does: give one"),
    ],
)
def test_what_does_not_play_is_one_line(run: Run, scene: str, words: tuple[str, ...], message: str) -> None:
    done = run("pose", scene, *words, "--tick", 3, "-o", "x.posed.json")
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not Path("x.posed.json").exists()


def test_a_saved_snapshot_is_not_played(run: Run, scene: str) -> None:
    done = run("pose", scene, "--play", "arena_of_test:Arena", "--posed", "a.json", "-o", "x.posed.json")
    assert done.status == 2
    assert "--play plays and --posed is a saved snapshot: give one" in done.err


def test_a_game_is_one_of_two_runs(run: Run, scene: str, tmp_path: Path) -> None:
    """An engine plays `Run` from tick 3 on as the game does; one that plays nothing parts from it at tick 4."""
    for name, options in (("same", ("--play", "arena_of_test:Arena")), ("still", ())):
        (tmp_path / name).mkdir()
        for tick in range(6):
            assert run("pose", scene, "--tick", tick, "-o", f"{name}/{tick:04d}.posed.json", *options).status == 0
    done = run("diverge", scene, "same", "--play", "arena_of_test:Arena")
    assert (done.status, done.out) == (0, "the runs agree at 6 ticks\n")
    done = run("diverge", scene, "still", "--play", "arena_of_test:Arena")
    assert done.status == 1
    assert done.out.startswith("the runs part at tick 4 (tick 3 agrees)")
    done = run("diverge", "same", "still", "--play", "arena_of_test:Arena")
    assert done.status == 2
    assert "--play plays a scene: give one as a run, or with --scene" in done.err
