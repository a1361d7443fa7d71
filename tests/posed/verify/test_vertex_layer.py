"""Vertices held against those posed here."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.baked_files import write_baked
from posed.data import demo_scene
from posed.errors import PosedError, PoseError
from posed.live import Renderer
from posed.verify import Vertices, check, compare
from posed.verify.object_vertices import expected_vertices
from posed.verify.vertices import PartVertices, Place
from tests.posed.live.literals import model, primitive, rectangle, scene
from tests.posed.live.literals import posed as snapshot

BODY = Place("a", 0, 0)


def square() -> Any:
    part = primitive(
        rectangle(-1, -1, 1, 1, 0),
        normals=np.tile(np.array([0, 0, 1], np.float32), (4, 1)),
        joints=np.array([[0, 1]] * 4, np.uint32),
        weights=np.array([[0.75, 0.25]] * 3 + [[0.25, 0.75]], np.float32),
    )
    return scene(model(part, joints=2))


def dump(**changes: Any) -> Vertices:
    part = expected_vertices(square(), snapshot()).parts[BODY]
    return Vertices({BODY: replace(part, skinned=None, **changes)}, origin="engine")


def moved(vertex: int, by: float) -> Any:
    positions = expected_vertices(square(), snapshot()).parts[BODY].positions.copy()
    positions[vertex, 0] += np.float32(by)
    return positions


def test_the_truths_own_vertices_agree_to_the_bit() -> None:
    verdict = check(square(), snapshot(), dump(), policy="exact")
    assert verdict.passed
    assert verdict["vertices"]["largest displacement"].value == 0.0
    assert verdict["vertices"]["normal angle"].value == 0.0
    assert verdict["pose"].note == "the live side has no snapshot"
    assert [one.layer for one in verdict.layers] == ["pose", "vertices"], "no frame, no pixel"


def test_four_float32_steps_are_allowed_and_five_are_not() -> None:
    step = 2.0**-23  # of coordinates from 1 to 2
    assert check(square(), snapshot(), dump(positions=moved(1, 4 * step))).passed
    verdict = check(square(), snapshot(), dump(positions=moved(3, 6 * step / 2)))
    assert verdict.passed, "below 1 a step is half as long"
    failed = check(square(), snapshot(), dump(positions=moved(1, 5 * step)))
    assert failed["vertices"]["largest displacement"].value == 5.0
    assert failed["vertices"]["largest displacement"].where.startswith(
        "part a/0/0/0, vertex 1, joint a/joint1, 0.00059"
    )


def test_the_palettes_translations_count_for_the_step() -> None:
    far = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    far[0, 0, 3], far[1, 0, 3] = 300.0, -900.0  # three quarters and one: the square stays where it is
    pose = snapshot(palettes={"a": {0: far}})
    found = expected_vertices(square(), pose).parts[BODY]
    shifted = found.positions.copy()
    shifted[0, 1] += np.float32(4 * 2.0**-14)
    assert check(square(), pose, Vertices({BODY: PartVertices(shifted)})).passed
    shifted[0, 1] += np.float32(2.0**-14)
    assert not check(square(), pose, Vertices({BODY: PartVertices(shifted)})).passed


def test_a_moved_vertex_is_named_with_its_joint_in_millimetres() -> None:
    verdict = check(square(), snapshot(), dump(positions=moved(3, 0.01)))
    (one,) = verdict["vertices"].deviations
    assert one.sentence() == "part a/0/0/0: 1 of 4 vertices are off, by up to 10 mm, most at joint a/joint2"
    assert one.object == "a"


def test_turned_normals_fail_and_directions_that_a_matrix_flattens_do_not() -> None:
    tilted = np.tile(np.array([0, np.sin(0.01), np.cos(0.01)], np.float32), (4, 1))
    verdict = check(square(), snapshot(), dump(normals=tilted))
    assert verdict["vertices"]["normal angle"].value == pytest.approx(np.degrees(0.01), rel=1e-4)
    assert "4 of 4 normals are off, by up to 0.573 degrees" in verdict["vertices"].deviations[0].sentence()
    flat = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    flat[:, 0, 0] = 0.0
    pose = snapshot(palettes={"a": {0: flat}})
    part = expected_vertices(square(), pose).parts[BODY]
    assert check(square(), pose, Vertices({BODY: replace(part, normals=tilted, skinned=None)})).passed


def test_the_lone_models_bake_is_a_dump(tmp_path: Path, models: Path) -> None:
    model = posed.load_gltf(models / "RiggedFigure.glb")
    write_baked(posed.bake(model), tmp_path / "rest.npz")
    lone = posed.load(models / "RiggedFigure.glb")
    found = Vertices.load(tmp_path / "rest.npz")
    assert check(lone, posed.World(lone).posed(), found, policy="exact").passed


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    whole = replace(dump(), tick=7)
    whole.save(tmp_path / "a.npz")
    again = Vertices.load(tmp_path / "a.npz")
    assert again.tick == 7
    assert set(again.parts) == {BODY}
    np.testing.assert_array_equal(again.parts[BODY].positions, whole.parts[BODY].positions)
    assert compare(whole, again, policy="exact").passed
    with pytest.raises(PosedError, match="of tick 8 and their reference of tick 7"):
        compare(whole, replace(again, tick=8))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"depth": np.zeros((2, 2))}, 'it holds depth: expected keys such as "walker/3/0/positions"'),
        ({"a/0/0/normals": np.zeros((2, 3))}, "has no positions"),
        ({"a/0/0/positions": np.zeros((2, 2))}, r'"a/0/0/positions" is float64 \(2, 2\): expected float32 \(V, 3\)'),
        ({"0/0/positions": np.full((2, 3), np.nan)}, "has a number that is not finite"),
        ({"0/0/positions": np.zeros((2, 3)), "0/0/normals": np.zeros((1, 3))}, "has 2 positions and 1 normals"),
        ({"0/0/positions": np.zeros((2, 3)), "tick": np.zeros(2)}, '"tick" is no integer'),
    ],
)
def test_npz_of_other_things_are_refused(tmp_path: Path, arrays: Any, message: str) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(PoseError, match=message):
        Vertices.load(tmp_path / "a.npz")


def test_parts_that_do_not_fit_are_refused_and_parts_left_out_are_told() -> None:
    with pytest.raises(PoseError, match=r"no part a/3/0/0 \(there are a/0/0/0\)"):
        check(square(), snapshot(), Vertices({Place("", 3, 0): dump().parts[BODY]}))
    with pytest.raises(PoseError, match="has 3 vertices, expected 4: dump all of them in the file's order"):
        check(square(), snapshot(), Vertices({BODY: PartVertices(np.zeros((3, 3), np.float32))}))
    walker = posed.load(demo_scene())
    pose = posed.World(walker).posed()
    whole = expected_vertices(walker, pose)
    some = dict(list(whole.parts.items())[:1])
    assert f"{len(whole.parts) - 1} of {len(whole.parts)} parts are not stated" in (
        check(walker, pose, Vertices(some))["vertices"].note
    )


def test_what_the_device_poses_is_part_of_a_check(renderer: Renderer) -> None:
    walker = posed.load(demo_scene())
    world = posed.World(walker)
    world.advance(42)
    verdict = check(walker, world.posed(), size=(48, 27))
    assert verdict["vertices"].passed
    assert verdict["vertices"]["largest displacement"].value <= 4.0
    assert verdict["vertices"]["normal angle"].value <= 0.05
