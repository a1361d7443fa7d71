"""Snapshots held against each other: what a joint, a node, an object or a state is off by."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import posed
from posed.camera import Camera
from posed.data import demo_scene
from posed.errors import PosedError, PoseError
from posed.verify import Verdict, compare
from posed.verify.displacement import bind_centers, displacements
from posed.verify.policy import Policy, PoseLimit
from tests.posed.live.literals import model, primitive, rectangle, scene, translation
from tests.posed.live.literals import posed as snapshot


def turn(degrees: float) -> Any:
    """About Z."""
    matrix = np.eye(4)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix[:2, :2] = [[c, -s], [s, c]]
    return matrix


def test_a_turn_displaces_the_shell_by_its_chord_and_a_move_all_of_it() -> None:
    centers, reach = np.zeros((3, 3)), np.array([2.0, 2.0, 0.0])
    found = displacements(
        np.tile(np.eye(4), (3, 1, 1)), np.stack([turn(60), translation(0, 3, 4), turn(90)]), centers, reach
    )
    np.testing.assert_allclose(found, [2.0, 5.0, 0.0], atol=1e-12)


def test_a_turn_about_a_center_away_from_the_origin_counts_its_way() -> None:
    # A turn by 180 degrees about the origin takes (1, 0, 0) to (-1, 0, 0) and a shell of 1 around it from (2, 0, 0).
    found = displacements(np.eye(4)[None], turn(180)[None], np.array([[1.0, 0, 0]]), np.ones(1))
    np.testing.assert_allclose(found, [4.0], atol=1e-12)


def test_a_joint_lies_where_its_inverse_bind_matrix_says_and_a_flat_one_amid_the_mesh() -> None:
    around = np.array([[0, 0, 0], [4, 0, 0]], np.float32)
    inverse = np.stack([translation(0, -3, 0), np.diag([0.0, 1, 1, 1])])
    np.testing.assert_array_equal(bind_centers(inverse, around), [[0, 3, 0], [2, 0, 0]])


def bound() -> Any:
    """A square of two metres whose joint 1 binds its right edge and joint 2 the left; both stand at the origin."""
    part = primitive(
        rectangle(-1, -1, 1, 1, 0),
        joints=np.array([[1], [0], [0], [1]], np.uint32),
        weights=np.ones((4, 1), np.float32),
    )
    return scene(model(part, joints=2))


def palettes(*matrices: Any) -> dict[str, dict[int, Any]]:
    return {"a": {0: np.stack(matrices).astype(np.float32)}}


def off(verdict: Verdict) -> list[tuple[str, float]]:
    return [(one.where, round(one.value, 3)) for one in verdict["pose"].deviations]


def test_equal_digests_agree_without_a_measurement() -> None:
    verdict = compare(snapshot(), snapshot(), scene=bound())
    assert verdict.passed
    assert verdict["pose"].note == "the digests are equal"
    assert verdict["vertices"].note == "neither side has it"


def test_a_moved_joint_is_named_with_its_millimetres() -> None:
    drawn = bound()
    reference = snapshot(palettes=palettes(np.eye(4), np.eye(4)))
    verdict = compare(reference, snapshot(palettes=palettes(np.eye(4), translation(0.003, 0, 0.004))), scene=drawn)
    assert not verdict.passed
    assert off(verdict) == [("a/joint2", 5.0)]
    assert verdict.sentence().startswith("pose: 1 joint or state off (limit 0); largest displacement 5 mm")
    turned = compare(reference, snapshot(palettes=palettes(turn(60), np.eye(4))), scene=drawn)
    assert off(turned) == [("a/joint1", round(math.sqrt(2) * 1000, 3))], "its farthest bound vertex is at (1, 1, 0)"


def test_the_limit_is_a_share_of_the_objects_diagonal() -> None:
    drawn, diagonal = bound(), math.sqrt(8)
    reference = snapshot(palettes=palettes(np.eye(4), np.eye(4)))
    policy = Policy("mine", pose=PoseLimit(diagonal=1e-3, steps=0.0))
    for share, passes in ((0.99e-3, True), (1.01e-3, False)):
        moved = snapshot(palettes=palettes(np.eye(4), translation(share * diagonal, 0, 0)))
        verdict = compare(reference, moved, scene=drawn, policy=policy)
        assert verdict.passed == passes
        assert verdict["pose"]["largest displacement"].limit == pytest.approx(diagonal)
    step = snapshot(palettes=palettes(np.eye(4), translation(2.0**-22, 0, 0)))
    assert compare(reference, step, scene=drawn).passed
    assert not compare(reference, step, scene=drawn, policy="exact").passed


def test_an_objects_scale_carries_into_the_world() -> None:
    drawn = bound()
    large = {"a": np.diag([10.0, 10, 10, 1])}
    reference = snapshot(palettes=palettes(np.eye(4), np.eye(4)), models=large)
    moved = snapshot(palettes=palettes(translation(0.001, 0, 0), np.eye(4)), models=large)
    assert off(compare(reference, moved, scene=drawn)) == [("a/joint1", 10.0)]


def test_objects_nodes_and_states_are_compared_too() -> None:
    drawn = scene(model(primitive(rectangle(-1, -1, 1, 1, 0))))
    placed = compare(snapshot(), snapshot(models={"a": translation(0, 0.002, 0)}), scene=drawn)
    assert off(placed) == [("a", 2.0)]
    node = compare(snapshot(), snapshot(nodes={"a": {0: turn(60)}}), scene=drawn)
    assert off(node) == [("a/node", round(math.sqrt(2) * 1000, 3))]
    hidden = compare(snapshot(), snapshot(visible={"a": False}), scene=drawn)
    assert hidden["pose"].deviations[0].sentence() == "visible a: not drawn, expected drawn"
    elsewhere = compare(
        snapshot(camera=Camera(np.eye(4), yfov=1.0)), snapshot(camera=Camera(np.eye(4), yfov=1.1)), scene=drawn
    )
    assert elsewhere["pose"].deviations[0].what == "camera"
    assert not elsewhere.passed


def test_a_sprite_of_another_frame_is_named() -> None:
    one, other = snapshot(sprites={"hero": 8}), snapshot(sprites={"hero": 9})
    verdict = compare(one, other)
    assert [one.sentence() for one in verdict["pose"].deviations] == ["sprite hero: frame 9, expected 8"]


def test_without_the_scene_what_both_state_is_compared() -> None:
    reference = snapshot(palettes=palettes(translation(3, 0, 0), np.eye(4)), models={"a": np.eye(4)})
    moved = snapshot(palettes=palettes(turn(60) @ translation(3, 0, 0), np.eye(4)))
    verdict = compare(reference, moved)
    ((where, value),) = off(verdict)
    assert where == "a, node 0, joint 0"
    assert value == pytest.approx(6000), "a vertex three metres from the origin of a matrix that moves by three more"
    assert "the live snapshot does not state the matrix of a" in verdict["pose"].note


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tick": 4}, "the live snapshot is of tick 4 and its reference of tick 0: pose both alike"),
        ({"rate": Fraction(30)}, "of rate 30 and its reference of rate 60"),
        ({"space": "mesh"}, "the palettes are in mesh space and their reference's in scene space: give the scene"),
        ({"palettes": palettes(np.eye(4))}, 'object "a", node 0 has 1 joints in the live snapshot, expected 2'),
    ],
)
def test_snapshots_that_cannot_be_held_together_are_refused(change: Any, message: str) -> None:
    reference = snapshot(palettes=palettes(np.eye(4), np.eye(4)))
    with pytest.raises(PosedError, match=message):
        compare(reference, replace(reference, **change))


def test_a_snapshot_that_does_not_fit_the_scene_is_refused() -> None:
    with pytest.raises(PoseError, match='no object "b"'):
        compare(snapshot(), snapshot(models={"b": np.eye(4)}), scene=bound())


def test_a_tick_later_every_joint_of_the_walker_is_off_and_its_hand_far() -> None:
    walker = posed.load(demo_scene())
    world = posed.World(walker)
    world.advance(42)
    now = world.posed()
    world.advance(43)
    late = replace(world.posed(), tick=42)
    verdict = posed.compare(now, late, scene=walker)
    names = {one.where for one in verdict["pose"].deviations}
    assert {"walker/hand_L", "walker/foot_R"} <= names
    assert verdict["pose"]["largest displacement"].value > 10.0
    assert {one.object for one in verdict["pose"].deviations} == {"walker"}
