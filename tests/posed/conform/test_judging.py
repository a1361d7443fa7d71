"""Engines against the pack: a right one, mistakes made on purpose, and engines that fail."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.conform import Answered, Command, chosen, conform
from posed.conform.engine import Answer
from posed.conform.pack import SIZE, Moment
from posed.conform.result import ConformResult
from posed.errors import MissingError, PosedError
from posed.snapshot import Posed
from posed.verify.object_vertices import expected_vertices
from posed.verify.verdict import Side
from posed.verify.vertices import PartVertices, Place, Vertices

ENGINE = """
import json, sys
import numpy as np
import posed
from posed.verify.object_vertices import expected_vertices

told = json.load(open(sys.argv[1]))
for one in told["requests"]:
    scene = json.load(open(one["scene_json"]))
    (shown,) = scene["objects"]
    mine = posed.load(shown["file"])
    world = posed.World(mine)
    for clip in shown["clips"]:
        world.animate(shown["name"], clip["index"]).playback(clip["playback"])
    world.advance(scene["tick"])
    pose = world.posed()
    pose.save(one["out"] + "/posed.json")
    expected_vertices(mine, pose).save(one["out"] + "/vertices.npz")
    if one["rig"] in sys.argv[2:]:
        frame = posed.trace(mine, pose, size=tuple(scene["size"]), integrator="aov", samples="center")
        np.save(one["out"] + "/object.npy", frame["object"])
"""

Change = Callable[[Moment], Side]


class Planted:
    """An engine that makes one mistake."""

    name = "planted"

    def __init__(self, change: Change) -> None:
        self._change = change

    def answers(self, moments: Sequence[Moment]) -> Iterator[Answer]:
        for one in moments:
            yield Answer(one, self._change(one))


def of(moment: Moment, pose: Posed) -> Side:
    """What an engine answers that poses so: a snapshot, and vertices that follow it."""
    return Side("planted", pose=pose, vertices=expected_vertices(moment.scene, pose))


def right(moment: Moment) -> Side:
    return of(moment, moment.pose)


def played(moment: Moment, tick: int, playback: str) -> Posed:
    world = posed.World(moment.scene)
    world.animate(moment.rig.name, 0).playback(playback).done()
    world.advance(tick)
    return replace(world.posed(), tick=moment.tick)


def always_loops(moment: Moment) -> Side:
    return of(moment, moment.pose if moment.rig.playback is None else played(moment, moment.tick, "loop"))


def a_tick_late(moment: Moment) -> Side:
    playback = moment.rig.playback
    return of(moment, moment.pose if playback is None else played(moment, moment.tick - 1, playback))


def with_palette(moment: Moment, change: Callable[[np.ndarray], np.ndarray]) -> Side:
    palettes = {node: change(palette) for node, palette in moment.pose.palettes[moment.rig.name].items()}
    return of(moment, replace(moment.pose, palettes={moment.rig.name: palettes}))


def parents_first(moment: Moment) -> Side:
    return with_palette(moment, lambda palette: np.ascontiguousarray(palette[::-1]))


def four_alone(moment: Moment) -> Side:
    """Skins by the first four influences, their weights brought to one again."""
    (one,) = moment.scene.objects
    primitive = one.model.meshes[0].primitives[0]
    palette = moment.pose.palettes[one.name][0]
    weights = primitive.weights[:, :4] / primitive.weights[:, :4].sum(axis=1, keepdims=True)
    blended = (weights[:, :, None, None] * palette[primitive.joints[:, :4]]).sum(axis=1)
    points = np.concatenate([primitive.positions, np.ones((len(weights), 1))], axis=1)
    positions = (blended @ points[:, :, None])[:, :3, 0].astype(np.float32)
    return Side("planted", pose=moment.pose, vertices=Vertices({Place(one.name, 0, 0): PartVertices(positions)}))


def plain_normals(moment: Moment) -> Side:
    """Turns normals by the matrix itself."""
    (one,) = moment.scene.objects
    primitive = one.model.meshes[0].primitives[0]
    found = expected_vertices(moment.scene, moment.pose).parts[Place(one.name, 0, 0)]
    blended = (primitive.weights[:, :, None, None] * moment.pose.palettes[one.name][0][primitive.joints]).sum(axis=1)
    turned = (blended[:, :3, :3] @ primitive.normals[:, :, None])[:, :, 0]
    turned /= np.sqrt((turned * turned).sum(axis=1, keepdims=True))
    parts = {Place(one.name, 0, 0): PartVertices(found.positions, turned.astype(np.float32))}
    return Side("planted", vertices=Vertices(parts))


def mesh_placed_too(moment: Moment) -> Side:
    """Multiplies the palette by the skinned node's global, as for a mesh that is placed."""
    place = np.eye(4)
    place[:3, :3] *= 2.0
    place[:3, 3] = (1.0, 0.5, -1.0)
    return with_palette(moment, lambda palette: (place @ palette).astype(np.float32))


PLANTED: list[tuple[str, Change, str, str]] = [
    ("hold", always_loops, "palettes", 'clip "Move" loops where it should hold its end'),
    ("linear_keys", a_tick_late, "palettes", "the live frame is tick 14, not 15"),
    ("child_first", parents_first, "palettes", "parents first"),
    ("eight_influences", four_alone, "vertices", "four influences"),
    ("stretched_joint", plain_normals, "vertices", "normals"),
    ("skinned_node", mesh_placed_too, "palettes", "transform"),
]


@pytest.mark.parametrize(("rig", "change", "kind", "words"), PLANTED)
def test_a_planted_mistake_has_its_row_and_is_named(rig: str, change: Change, kind: str, words: str) -> None:
    found = conform(chosen([rig]), Planted(change))
    (row,) = found.rigs
    assert not found.passed
    assert (row.word, row.kind(kind)) == ("wrong", "wrong")
    assert words in row.sentence()
    assert "explains 100 %" in row.sentence()
    assert row.worst.cure


def test_a_mistake_leaves_the_other_rows_right() -> None:
    found = conform(chosen(["hold", "loop", "late_start", "one_key", "skinned_node"]), Planted(always_loops))
    assert {one.rig.name: one.word for one in found.rigs} == {
        "late_start": "right",
        "hold": "wrong",
        "loop": "right",
        "one_key": "right",
        "skinned_node": "right",
    }
    assert found.counts == {"right": 4, "wrong": 1, "no answer": 0}
    told = json.loads(json.dumps(found.to_json()))
    assert [one["outcome"] for one in told["rigs"]] == [one.word for one in found.rigs]
    assert (told["passed"], told["pack"], told["counts"]["wrong"]) == (False, 1, 1)


def test_what_no_known_mistake_explains_is_told_by_its_measure() -> None:
    def shaken(moment: Moment) -> Side:
        return with_palette(moment, lambda palette: palette + np.float32(0.03) * (np.arange(16).reshape(4, 4) % 3 == 1))

    (row,) = conform(chosen(["shear"]), Planted(shaken)).rigs
    assert row.word == "wrong"
    assert re.fullmatch(r"joint shear/(hip|shin): [0-9.]+ mm", row.sentence())


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engine") / "engine.py"
    path.write_text(ENGINE)
    return path


def run(engine: Path, words: str, *rigs: str, timeout: float = 120.0) -> ConformResult:
    return conform(chosen(rigs), Command(f"{sys.executable} {engine} {words}", timeout=timeout))


def test_a_right_engine_gets_all_rows_right_in_one_run(engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(posed.__file__).parents[1]))
    found = run(engine, "{requests} shear mirrored_joint")
    assert found.passed, [one.sentence() for one in found.rigs]
    assert {one.kind(kind) for one in found.rigs for kind in ("palettes", "vertices")} == {"right"}
    framed = {one.rig.name for one in found.rigs if one.kind("frame") == "right"}
    assert framed == {"shear", "mirrored_joint"}


def test_an_engine_may_be_run_for_each_moment(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text("import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2] + '/posed.json')")
    assert run(script, "{posed} {out}", "step_keys").passed


def test_an_engine_that_fails_has_rows_without_an_answer(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text("import sys\nprint('no such joint', file=sys.stderr)\nsys.exit(3)\n")
    once, each = run(script, "{requests}", "hold", "shear"), run(script, "{out}", "shear")
    assert once.counts == {"right": 0, "wrong": 0, "no answer": 2}
    for one in (*once.rigs, *each.rigs):
        assert one.sentence() == f"{sys.executable} ended with status 3; its output ends: no such joint"
    assert not once.passed


def test_what_an_engine_answered_before_it_failed_counts(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(
        "import json, shutil, sys\n"
        "first, second, third, fourth = json.load(open(sys.argv[1]))['requests']\n"
        "shutil.copy(first['posed'], first['out'] + '/posed.json')\n"
        "open(second['out'] + '/error.txt', 'w').write('plays no loops')\n"
        "open(third['out'] + '/posed.json', 'w').write('{')\n"
        "sys.exit(1)\n"
    )
    found = run(script, "{requests}", "hold", "loop", "shear")
    assert [one.word for one in found.rigs] == ["right", "no answer", "no answer"]
    loop = found.rigs[1]
    assert loop.moments[0].said == "plays no loops"
    assert "is not a snapshot" in loop.moments[1].said
    assert found.rigs[2].sentence() == f"{sys.executable} ended with status 1; it said nothing"


def test_what_a_snapshot_leaves_out_is_no_answer() -> None:
    def empty(moment: Moment) -> Side:
        return Side("planted", pose=replace(moment.pose, palettes={moment.rig.name: {}}))

    def unmorphed(moment: Moment) -> Side:
        return Side("planted", pose=replace(moment.pose, morphs={}))

    for rig, change, noun in (("step_keys", empty, "palettes"), ("morph_step", unmorphed, "morphs")):
        (row,) = conform(chosen([rig]), Planted(change)).rigs
        assert row.word == "no answer"
        assert row.sentence() == f'tick 29: its snapshot has no {noun} of node 0 of "{rig}"'


def test_a_snapshot_alone_does_not_tell_how_vertices_follow() -> None:
    def snapshot(moment: Moment) -> Side:
        return Side("planted", pose=moment.pose)

    found = conform(chosen(["eight_influences", "mirrored_joint", "hold"]), Planted(snapshot))
    assert {one.rig.name: (one.word, one.kind("palettes")) for one in found.rigs} == {
        "eight_influences": ("no answer", "right"),
        "mirrored_joint": ("no answer", "right"),
        "hold": ("right", "right"),
    }
    assert found.rigs[1].sentence() == "a snapshot alone does not tell: answer with vertices or a frame as well"


def test_a_frame_of_another_size_is_no_answer() -> None:
    def small(moment: Moment) -> Side:
        frame = posed.trace(moment.scene, moment.pose, size=(4, 3), integrator="aov", samples="center")
        return Side("planted", frame)

    (row,) = conform(chosen(["shear"]), Planted(small)).rigs
    assert (row.word, row.sentence()) == ("no answer", f"its frame is 4x3: {SIZE[0]}x{SIZE[1]} was asked for")


def test_answers_from_elsewhere_are_read_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "hold/90").mkdir(parents=True)
    for moment in _moments("hold", tmp_path / "rigs"):
        moment.pose.save(tmp_path / "hold/90/posed.json")
    found = conform(chosen(["hold", "shear"]), Answered(tmp_path))
    assert [one.word for one in found.rigs] == ["right", "no answer"]
    assert found.rigs[1].sentence() == "the folder has no answer to it"
    with pytest.raises(PosedError, match="there is no such folder: expected answers in <rig>/<tick>/"):
        Answered(tmp_path / "none")


def _moments(name: str, folder: Path) -> Iterator[Moment]:
    from posed.conform.pack import moments

    return moments(chosen([name]), folder)


def test_commands_that_cannot_be_run_are_refused() -> None:
    with pytest.raises(MissingError, match="no-such-engine: there is no such program"):
        conform(chosen(["hold"]), Command("no-such-engine {requests}"))
    with pytest.raises(PosedError, match="is for a command that is run once: leave out {out}"):
        Command("engine {requests} {out}")
    with pytest.raises(PosedError, match=r"there is no \{clip\}: a command is given .*\{out\}, \{requests\}"):
        Command("engine {clip}")
    with pytest.raises(PosedError, match='the pack has no rig "walk": it has linear_keys, '):
        chosen(["walk"])
