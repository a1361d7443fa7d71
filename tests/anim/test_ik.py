"""Inverse kinematics: targets in and out of reach, poles, limits, and lengths that stay."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import (
    Animator,
    AnimError,
    Channel,
    Clip,
    Interpolation,
    Path,
    Pose,
    Rig,
    Skeleton,
    StateAnimator,
    Transform,
    aim,
    reach,
)
from tests.rigs import QUARTER_TURN_Z, chain

EXACT = 1e-12
NUMBERS = st.floats(-3, 3)
POINTS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
TURNS = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS).filter(lambda q: sum(abs(x) for x in q) > 0.1)


def limb(turn: tuple = (0, 0, 0, 1), scale: tuple = (1, 1, 1), bend: tuple = (0.3, 0, 0, 1)) -> Pose:
    """An upper arm of 2 m and a lower one of 1 m below a root that may turn and scale."""
    skeleton = Skeleton(
        ["root", "upper", "lower", "tip"],
        [-1, 0, 1, 2],
        [
            Transform((0.5, 0.0, 0.0), turn, scale),
            Transform((0.0, 1.0, 0.0)),
            Transform((0.0, 2.0, 0.0), bend),
            Transform((0.0, 1.0, 0.0)),
        ],
    )
    return Pose(skeleton)


def points(pose: Pose) -> np.ndarray:
    return pose.globals()[:, :3, 3]


def lengths(pose: Pose) -> list[float]:
    return [float(np.linalg.norm(d)) for d in np.diff(points(pose), axis=0)]


def test_a_right_angle_by_hand() -> None:
    pose = limb()
    # From the shoulder at (0.5, 1, 0): 2 m up and 1 m along x, with the elbow kept on the far side from the pole.
    reach(pose, 1, 2, 3, (1.5, 3.0, 0.0), pole=(-9.0, 9.0, 0.0))
    np.testing.assert_allclose(points(pose)[2:], [[0.5, 3.0, 0.0], [1.5, 3.0, 0.0]], atol=EXACT)


@given(target=POINTS, turn=TURNS, pole=POINTS, size=st.floats(0.2, 3.0), mirrored=st.booleans())
def test_the_tip_reaches_or_lies_straight_toward_the_target(
    target: tuple, turn: tuple, pole: tuple, size: float, mirrored: bool
) -> None:
    pose = limb(turn, (-size if mirrored else size, size, size))
    before = lengths(pose)
    shoulder = points(pose)[1]
    reach(pose, 1, 2, 3, target, pole=pole)
    assert lengths(pose) == pytest.approx(before, abs=EXACT)
    distance = float(np.linalg.norm(np.array(target) - shoulder))
    if before[1] - before[2] + 1e-3 <= distance <= before[1] + before[2] - 1e-3:
        np.testing.assert_allclose(points(pose)[3], target, atol=1e-9)
    elif distance > 1e-3:
        away = 1.0 if distance > before[2] else -1.0
        straight = (points(pose)[3] - shoulder) @ (np.array(target) - shoulder)
        assert abs(straight) == pytest.approx(distance * np.linalg.norm(points(pose)[3] - shoulder), abs=1e-5), away


def test_out_of_reach_it_lies_straight() -> None:
    pose = limb()
    reach(pose, 1, 2, 3, (100.5, 1.0, 0.0))
    np.testing.assert_allclose(points(pose)[2:], [[2.5, 1.0, 0.0], [3.5, 1.0, 0.0]], atol=EXACT)


def test_too_near_it_is_folded() -> None:
    pose = limb()
    reach(pose, 1, 2, 3, (0.6, 1.0, 0.0))
    np.testing.assert_allclose(points(pose)[3], [1.5, 1.0, 0.0], atol=1e-7)


def test_the_elbow_turns_toward_the_pole() -> None:
    for pole in ((0.5, 2.0, 5.0), (0.5, 2.0, -5.0), (9.0, 1.0, 0.0)):
        pose = limb()
        reach(pose, 1, 2, 3, (0.5, 3.5, 0.0), pole=pole)
        elbow = points(pose)[2] - [0.5, 1.0, 0.0]
        toward = np.array(pole) - [0.5, 1.0, 0.0]
        across = np.array([1.0, 0.0, 1.0])  # the target lies up the y axis
        cosine = (elbow * across) @ (toward * across)
        assert cosine == pytest.approx(np.linalg.norm(elbow * across) * np.linalg.norm(toward * across), abs=EXACT)


def test_a_straight_limb_without_a_pole_bends_somehow() -> None:
    pose = limb(bend=(0, 0, 0, 1))
    reach(pose, 1, 2, 3, (0.5, 2.5, 0.0))
    np.testing.assert_allclose(points(pose)[3], [0.5, 2.5, 0.0], atol=1e-9)


def test_weights_go_a_share_of_the_way() -> None:
    pose, still = limb(), limb()
    reach(pose, 1, 2, 3, (1.5, 2.0, 0.0), weight=0.0)
    np.testing.assert_allclose(pose.rotations, still.rotations, atol=EXACT)


def test_a_bone_between_the_two_is_carried_along() -> None:
    pose = Pose(chain(5))
    pose.rotations[2] = (0.2, 0.0, 0.0, math.sqrt(0.96))
    reach(pose, 0, 2, 4, (1.0, 2.0, 1.0))
    np.testing.assert_allclose(points(pose)[4], [1.0, 2.0, 1.0], atol=1e-9)


def pointing(pose: Pose, bone: int, axis: tuple = (0, 0, 1)) -> np.ndarray:
    direction = pose.globals()[bone, :3, :3] @ np.array(axis, float)
    return direction / np.linalg.norm(direction)


@given(target=POINTS, turn=TURNS)
def test_aim_points_at_its_target(target: tuple, turn: tuple) -> None:
    pose = limb(turn)
    way = np.array(target) - points(pose)[2]
    before = lengths(pose)
    aim(pose, 2, target, axis=(1.0, 2.0, 0.0))
    if np.linalg.norm(way) > 1e-3:
        np.testing.assert_allclose(pointing(pose, 2, (1, 2, 0)), way / np.linalg.norm(way), atol=1e-6)
    assert lengths(pose) == pytest.approx(before, abs=EXACT)


def test_aim_stops_at_its_limit_and_goes_a_share_of_the_way() -> None:
    for options, expected in (({"limit": math.radians(30)}, 30.0), ({"weight": 0.5}, 45.0), ({}, 90.0)):
        pose = Pose(chain(1))
        aim(pose, 0, (5.0, 0.0, 0.0), **options)
        x, _, z = pointing(pose, 0)
        assert math.degrees(math.atan2(x, z)) == pytest.approx(expected, abs=1e-9)


def test_aim_at_itself_turns_nothing() -> None:
    pose = Pose(chain(2))
    pose.rotations[1] = QUARTER_TURN_Z
    aim(pose, 1, points(pose)[1].tolist())
    assert pose.rotations[1].tolist() == list(QUARTER_TURN_Z)


def test_what_cannot_be_is_refused() -> None:
    pose = limb()
    with pytest.raises(AnimError, match=r"bone 1 \('upper'\) does not hang from bone 2 \('lower'\)"):
        reach(pose, 2, 1, 3, (0, 0, 0))
    with pytest.raises(AnimError, match="bone is 7; the skeleton has 4"):
        aim(pose, 7, (0, 0, 0))
    with pytest.raises(AnimError, match=r"a point is \[0, 0, nan\]"):
        reach(pose, 1, 2, 3, (0, 0, math.nan))
    with pytest.raises(AnimError, match="weight is 2"):
        aim(pose, 1, (0, 0, 0), weight=2)
    with pytest.raises(AnimError, match="limit is 4"):
        aim(pose, 1, (0, 0, 0), limit=4)
    with pytest.raises(AnimError, match="axis has length 0"):
        aim(pose, 1, (1, 0, 0), axis=(0, 0, 0))
    flat = Pose(chain(3, length=0.0))
    with pytest.raises(AnimError, match="has a part without length"):
        reach(flat, 0, 1, 2, (1, 0, 0))


def test_it_is_a_stage_after_either_animator() -> None:
    """The clip holds the root a metre to the side; the limb reaches from there, and the palette follows."""
    aside = Channel(0, Path.TRANSLATION, Interpolation.LINEAR, [0.0, 1.0], [[1.0, 0.0, 0.0]] * 2)
    rig = Rig(chain(3), [Clip("aside", [aside])])
    ticks = Animator(rig, rate=10)
    ticks.play("aside", 0)
    states = StateAnimator(rig, rate=10)
    states.add_clip_state("aside", "aside")
    states.play("aside")
    for pose in (ticks.pose(4), states.pose()):
        reach(pose, 0, 1, 2, (2.0, 1.0, 0.0), pole=(2.0, -9.0, 0.0))
        np.testing.assert_allclose(points(pose), [[1, 0, 0], [2, 0, 0], [2, 1, 0]], atol=EXACT)
        np.testing.assert_allclose(pose.palette()[2] @ [0, 2, 0, 1], [2, 1, 0, 1], atol=1e-6)


def test_a_pole_that_all_but_lies_on_the_way_bends_no_worse() -> None:
    """From the shoulder at (0.5, 1, 0) to the origin, with a pole 7e-11 m off that line."""
    pose = limb()
    reach(pose, 1, 2, 3, (0.0, 0.0, 0.0), pole=(0.0, 1.58969099521155e-10, 0.0))
    np.testing.assert_allclose(points(pose)[3], [0.0, 0.0, 0.0], atol=EXACT)
