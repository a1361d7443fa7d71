"""Two runs: where they part, at which joint, and why."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.errors import PosedError, PoseError
from posed.snapshot import Posed
from tests.posed.verify.diagnosing.literals import ANIMATED, arm, at

TICKS = 12


def run(scene: posed.Scene, ticks: int = TICKS) -> list[Posed]:
    world = posed.World(scene)
    found = []
    for tick in range(ticks):
        world.advance(tick)
        found.append(world.posed())
    return found


def dumped(one: Posed, palette: Any = None) -> Posed:
    """What an engine dumps: palettes, no more."""
    own = one.palettes["arm"][0] if palette is None else np.asarray(palette, np.float32)
    return Posed(one.tick, one.rate, palettes={"arm": {0: own}})


def transposed(one: Posed) -> Any:
    palette = np.zeros((3, 4, 4))
    palette[:, :3, :3] = np.transpose(one.palettes["arm"][0][:, :3, :3], (0, 2, 1))
    palette[:, 3, 3] = 1.0
    return palette


def test_runs_that_agree(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    right = run(scene)
    found = posed.diverge(right, [dumped(one) for one in right], scene=scene)
    assert (found.tick, found.object, found.joint, found.cause) == (None, None, None, None)
    assert found.sentence() == "the runs agree at 12 ticks"


@pytest.mark.parametrize("bisect", [False, True])
def test_the_first_tick_the_first_joint_and_the_cause(tmp_path: Path, bisect: bool) -> None:
    """From tick 7 on the palette is transposed: the shoulder, first in the hierarchy, is last in the file."""
    scene = arm(tmp_path)
    right = run(scene)
    wrong = [dumped(one, transposed(one) if one.tick >= 7 else None) for one in right]
    found = posed.diverge(right, wrong, scene=scene, bisect=bisect)
    assert (found.tick, found.last_agreeing, found.object, found.what, found.joint) == (
        7,
        6,
        "arm",
        "joint",
        "shoulder",
    )
    assert found.cause == 'object "arm": the matrices of the palette are transposed'
    assert found.compared == (5 if bisect else 8)
    assert found.sentence().startswith('the runs part at tick 7 (tick 6 agrees) at object "arm", joint shoulder, by ')


def test_a_joint_further_down_and_how_far_it_is_off(tmp_path: Path) -> None:
    """The wrist alone is moved by 30 mm; the object stands doubled in the scene, so that 60 mm are seen."""
    scene = arm(tmp_path, text="scale = 2.0\n" + ANIMATED)
    right = run(scene)
    moved = right[5].palettes["arm"][0].copy()
    moved[1, 2, 3] += 0.03
    wrong = [dumped(one, moved if one.tick == 5 else None) for one in right]
    found = posed.diverge(scene, wrong)
    assert (found.tick, found.joint) == (5, "wrist")
    assert found.millimetres == pytest.approx(60.0, abs=1e-2)
    assert found.cause is None
    assert "no hypothesis explains this: 1 joint differs" in found.sentence()


def test_runs_that_part_and_come_together_again(tmp_path: Path) -> None:
    """Only ticks 3 and 10 differ: a walk finds the first; halving looks at the last, which agrees."""
    scene = arm(tmp_path)
    right = run(scene)
    wrong = [dumped(one, transposed(one) if one.tick in (3, 10) else None) for one in right]
    assert posed.diverge(right, wrong, scene=scene).tick == 3
    assert posed.diverge(right, wrong, scene=scene, bisect=True).tick is None


def test_an_engine_that_is_a_tick_late(tmp_path: Path) -> None:
    """At tick 0 there is nothing to be late with."""
    scene = arm(tmp_path)
    right = run(scene)
    late = [replace(right[max(one.tick - 1, 0)], tick=one.tick, sources={}, previous=None) for one in right]
    found = posed.diverge(scene, late)
    assert (found.tick, found.last_agreeing) == (1, 0)
    assert found.cause == "the live frame is tick 0, not 1"


def test_folders_of_dumps(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    folders = [tmp_path / "ours", tmp_path / "theirs"]
    for number, folder in enumerate(folders):
        folder.mkdir()
        for one in run(scene):
            palette = transposed(one) if number and one.tick >= 4 else None
            if one.tick % 2:
                dumped(one, palette).save(folder / f"{one.tick:04d}.posed.json")
            else:
                (folder / f"tick_{one.tick}").mkdir()
                dumped(one, palette).save(folder / f"tick_{one.tick}" / "posed.npz")
    (folders[1] / "tick_0" / "posed.npz").unlink()
    (folders[1] / "tick_0").rmdir()
    (folders[1] / ".hidden").write_text("")
    found = posed.diverge(folders[0], str(folders[1]), scene=scene)
    assert (found.tick, found.joint, found.compared) == (4, "shoulder", 4)
    assert found.notes[0] == "ticks of the first run that the other has not: 1"


def test_without_the_scene_numbers_stand_for_names(tmp_path: Path) -> None:
    right = run(arm(tmp_path))
    wrong = [dumped(one, transposed(one) if one.tick >= 2 else None) for one in right]
    found = posed.diverge(right, wrong)
    assert (found.tick, found.object, found.joint, found.cause) == (2, "arm", "0 of node 0", None)
    assert found.notes == ("without the scene no cause is searched for: give it",)
    assert found.sentence() == 'the runs part at tick 2 (tick 1 agrees) at object "arm", joint 0 of node 0'


def test_places_morphs_and_sprites_can_part_too(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    right = at(scene, 3)
    moved = right.models["arm"].copy()
    moved[0, 3] += 0.5
    found = posed.diverge([right], [replace(right, models={"arm": moved}, sources={})], scene=scene)
    assert (found.what, found.joint, found.millimetres) == ("its place", None, pytest.approx(500.0))
    assert 'at object "arm", its place, by 500 mm' in found.sentence()
    assert found.last_agreeing is None
    assert "(from the first tick on)" in found.sentence()


def test_it_is_data(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    right = run(scene, 3)
    data = json.loads(
        json.dumps(posed.diverge(right, [dumped(one, transposed(one)) for one in right], scene=scene).to_json())
    )
    assert (data["format"], data["tick"], data["joint"]) == ("posed divergence", 1, "shoulder")
    assert data["cause"] == data["diagnosis"]["best"]["claim"]


def test_what_is_refused(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    right = run(scene, 3)
    with pytest.raises(PosedError, match="the runs have no tick in common: one has 0 to 2, the other 7 to 7"):
        posed.diverge(right, [replace(right[0], tick=7)])
    with pytest.raises(PosedError, match="both runs are scenes, which play without end: give the snapshots of one"):
        posed.diverge(scene, scene)
    with pytest.raises(PosedError, match="the run has two snapshots of tick 1: leave one"):
        posed.diverge(right, [right[1], right[1]])
    with pytest.raises(PosedError, match=r"the run has a snapshot of tick 1 \+ 0.5: give whole ticks"):
        posed.diverge(right, [at(scene, 1, 0.5)])
    with pytest.raises(PosedError, match="nowhere: is no folder: give one with a snapshot for each tick"):
        posed.diverge(right, tmp_path / "nowhere")
    with pytest.raises(PoseError, match='palettes: object "arm", node 0 has 2 entries'):
        posed.diverge(right, [dumped(right[0], right[0].palettes["arm"][0][:2])], scene=scene)
    folder = tmp_path / "dumps"
    folder.mkdir()
    with pytest.raises(PosedError, match="dumps: holds no snapshots: expected files such as 0042.posed.json"):
        posed.diverge(right, folder)
    right[1].save(folder / "one.json")
    with pytest.raises(
        PosedError, match="one.json: its name does not say its tick: call it 0042.one.json, or move it away"
    ):
        posed.diverge(right, folder)
    (folder / "one.json").rename(folder / "1.json")
    right[1].save(folder / "01.npz")
    with pytest.raises(PosedError, match="dumps: 01.npz and 1.json are both of tick 1"):
        posed.diverge(right, folder)


def test_names_go_before_the_ticks_that_snapshots_state(tmp_path: Path) -> None:
    """An engine a tick late, which knows it: its snapshot for tick 1 states tick 0, and is that of tick 0."""
    scene = arm(tmp_path)
    right, folder = run(scene, 4), tmp_path / "dumps"
    folder.mkdir()
    right[0].save(folder / "0000.json")
    right[0].save(folder / "0001.json")
    found = posed.diverge(scene, folder)
    assert found.tick == 1
    assert found.last_agreeing == 0
    assert found.cause == "the live frame is tick 0, not 1"
    path = folder / "0001.json"
    assert found.notes == (f"a snapshot states another tick than its name, which counts: {path} is of tick 0",)
    right[2].save(folder / "0001.json")
    right[1].save(folder / "0000.json")
    one = f"2 snapshots state other ticks than their names, which count: {folder / '0000.json'} is of tick 1"
    assert posed.diverge(folder, folder, scene=scene).notes == (one, one)
