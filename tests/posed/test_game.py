"""Scripted play."""

from pathlib import Path

import pytest

from posed.errors import PoseError
from posed.events import AnimationEvent
from posed.game import Game, PlayedWorld, play
from posed.scene.load import load
from posed.world import World
from tests.posed.test_world import HEAD, OBJECT, slider

MARKS = '[{ name = "begin", clip = "Run", time = 0 }, { name = "step", clip = "Run", time = 0.2 }]'


class Script(Game):
    """Starts `Run` at tick 3, or where the input says so; goes over to `Walk` at the first step."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, AnimationEvent]] = []

    def tick(self, world: World, tick: int, input: object) -> None:
        assert world.ticks == tick
        if tick == 3 or input == "run":
            world.animate("slider", "Run")

    def animated(self, world: World, events: list[AnimationEvent]) -> None:
        self.seen += [(world.ticks, event) for event in events]
        if any(event.event == "step" for event in events):
            world.animate("slider", "Walk")


def run(folder: Path, ticks: int, inputs: object = None) -> tuple[Script, list[float]]:
    slider(folder)
    (folder / "x.toml").write_text(HEAD + OBJECT + f"[object.animation]\nevents = {MARKS}\n")
    script = Script()
    poses = list(play(script, load(folder / "x.toml"), ticks, inputs))  # type: ignore[arg-type]
    assert [pose.tick for pose in poses] == list(range(ticks))
    return script, [float(pose.nodes["slider"][0][0, 3]) for pose in poses]


def test_a_clip_started_in_a_tick_plays_from_it_and_its_mark_at_0_fires_on_it(tmp_path: Path) -> None:
    """`Run` goes 0.2 a tick; at its step, tick 5, `Walk` begins at that very tick and goes 0.1 a tick."""
    script, positions = run(tmp_path, 8)
    assert [(tick, event.event) for tick, event in script.seen] == [(3, "begin"), (5, "step")]
    assert positions == pytest.approx([0, 0, 0, 0, 0.2, 0, 0.1, 0.2], abs=1e-15)


@pytest.mark.parametrize("inputs", [["", "run"], {1: "run"}])
def test_inputs_come_by_place_or_by_tick(tmp_path: Path, inputs: object) -> None:
    _, positions = run(tmp_path, 3, inputs)
    assert positions == pytest.approx([0, 0, 0.2], abs=1e-15)


def test_the_same_script_gives_the_same_snapshots(tmp_path: Path) -> None:
    assert run(tmp_path, 20)[1] == run(tmp_path, 20)[1]


def test_a_world_that_a_game_plays_goes_through_every_tick_once(tmp_path: Path) -> None:
    """What `Run` begins at tick 3 has gone three ticks at 6, whether the world is asked at once or on the way."""
    slider(tmp_path)
    (tmp_path / "x.toml").write_text(HEAD + OBJECT + f"[object.animation]\nevents = {MARKS}\n")
    scene = load(tmp_path / "x.toml")
    at_once, on_the_way = PlayedWorld(scene, Script()), PlayedWorld(scene, Script())
    events = at_once.advance(6)
    for tick in (0, 2, 2, 5, 6):
        on_the_way.advance(tick)
    assert [event.tick for event in events] == [3, 5]
    assert at_once.posed() == on_the_way.posed()
    assert at_once.advance(6) == []
    with pytest.raises(PoseError, match="cannot go back to 4"):
        at_once.advance(4)


def test_ticks_are_counted(tmp_path: Path) -> None:
    assert run(tmp_path, 0)[1] == []
    with pytest.raises(PoseError, match="-1 ticks cannot be played"):
        run(tmp_path, -1)
