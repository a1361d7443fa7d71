"""Root motion of both animators: over wraps, backwards, in blends, with and without yaw."""

import math

import numpy as np
import pytest

from anim import Animator, AnimError, BlendTree, Channel, Clip, Interpolation, Path, Rig, RootMotion, StateAnimator
from tests.rigs import two_bone

LINEAR = Interpolation.LINEAR
EXACT = 1e-12


def rig() -> Rig:
    """Walk goes 2 m along x in a second, run 6 m; turn goes 1 m ahead (+Z) and a quarter turn left."""

    def go(name: str, metres: float, duration: float) -> Clip:
        keys = [[0.5, 1.0, 0.0], [0.5 + metres, 1.5, 0.0]]
        return Clip(name, [Channel(0, Path.TRANSLATION, LINEAR, [0, duration], keys)])

    half = math.sqrt(0.5)
    turn = Clip(
        "turn",
        [
            Channel(0, Path.TRANSLATION, LINEAR, [0, 1], [[0, 0, 0], [0, 0, 1]]),
            Channel(0, Path.ROTATION, LINEAR, [0, 1], [[0, 0, 0, 1], [0, half, 0, half]]),
        ],
    )
    return Rig(two_bone(), [go("walk", 2.0, 1.0), go("run", 6.0, 1.0), turn, Clip("still", [])])


def walking(clip: str = "walk", *, yaw: bool = False, **options: object) -> Animator:
    animator = Animator(rig(), rate=10)
    animator.play(clip, 0, **options)
    animator.enable_root_motion(0, 0, yaw=yaw)
    return animator


def step(animator: Animator, tick: int) -> float:
    animator.advance(tick)
    return animator.take_root_motion().x


def test_a_step_across_the_wrap_and_backwards() -> None:
    animator = walking()
    assert step(animator, 9) == pytest.approx(1.8, abs=EXACT)
    assert step(animator, 11) == pytest.approx(0.4, abs=EXACT)
    assert animator.take_root_motion() == RootMotion()
    backwards = walking(speed=-1)
    step(backwards, 1)
    assert step(backwards, 3) == pytest.approx(-0.4, abs=EXACT)
    assert step(backwards, 33) == pytest.approx(-6.0, abs=EXACT)


def test_ping_pong_walks_back_and_once_stands() -> None:
    assert step(walking(playback="ping_pong"), 15) == pytest.approx(1.0, abs=EXACT)
    assert step(walking(playback="once"), 99) == pytest.approx(2.0, abs=EXACT)


def test_the_root_stays_over_its_rest_place_and_keeps_its_height() -> None:
    assert walking().pose(5).translations[0].tolist() == [0.0, 1.25, 0.0]


def test_shares_layers_and_fades_weigh_the_steps() -> None:
    animator = Animator(rig(), rate=10)
    animator.enable_root_motion(0, 0)
    animator.play_blend([("walk", 3), ("run", 1)], 0)
    assert step(animator, 5) == pytest.approx(0.5 * (0.75 * 2 + 0.25 * 6), abs=EXACT)
    animator.play("walk", 5)
    animator.blend("run", 0.5, 5)
    assert step(animator, 6) == pytest.approx(0.4, abs=EXACT)
    animator.play("walk", 6)
    animator.crossfade("still", 0.4, 6)
    assert step(animator, 8) == pytest.approx(0.2 * 0.75 + 0.2 * 0.5, abs=EXACT)


def test_one_step_and_many_give_the_same_bits() -> None:
    once, many = walking(speed=0.7), walking(speed=0.7)
    total = step(once, 77)
    for tick in range(78):
        many.advance(tick)
    assert many.take_root_motion().x == total


def test_yaw_turns_the_steps_that_follow() -> None:
    animator = walking("turn", yaw=True)
    animator.advance(10)
    motion = animator.take_root_motion()
    assert motion.yaw == pytest.approx(math.pi / 2, abs=EXACT)
    assert (motion.x, motion.z) == pytest.approx((0.0, 1.0), abs=EXACT)
    animator.advance(20)  # the same again: seen from the new heading it is the same step
    again = animator.take_root_motion()
    assert tuple(again) == pytest.approx(tuple(motion), abs=EXACT)
    assert tuple(motion.then(again)) == pytest.approx((1.0, 1.0, math.pi), abs=EXACT)
    np.testing.assert_allclose(animator.pose(25).rotations[0], [0, 0, 0, 1], atol=EXACT)


def test_it_can_be_ended() -> None:
    animator = walking()
    animator.enable_root_motion(None, 5)
    assert animator.pose(5).translations[0, 0] == 1.5
    animator.advance(9)
    assert animator.take_root_motion().x == pytest.approx(1.0, abs=EXACT)  # the way up to its end
    with pytest.raises(AnimError, match="bone is 9; the skeleton has 2"):
        animator.enable_root_motion(9, 9)


def test_states_weigh_their_leaves_each_across_its_own_wraps() -> None:
    made = rig()
    states = StateAnimator(made, rate=10)
    tree = BlendTree(made)
    tree.add_parameter("speed", 0.25)
    leaves = tree.add_clip("walk"), tree.add_clip("run")
    blend = tree.add_blend_1d("speed")
    for threshold, leaf in enumerate(leaves):
        tree.add_child(blend, leaf, threshold)
    states.add_state("go", tree)
    states.add_clip_state("still", "still")
    states.enable_root_motion(0)
    states.play("go")
    states.update(9)
    states.take_root_motion()
    states.update(2)
    assert states.take_root_motion().x == pytest.approx(0.2 * (0.75 * 2 + 0.25 * 6), abs=EXACT)
    assert states.pose().translations[0, 0] == 0.0
    states.speed = -1.0
    states.update(2)
    assert states.take_root_motion().x == pytest.approx(-0.6, abs=EXACT)
    states.play("still", fade_seconds=0.2)
    states.update(1)
    assert states.take_root_motion().x == pytest.approx(-0.15, abs=EXACT)
    with pytest.raises(AnimError, match="bone is -1"):
        states.enable_root_motion(-1)
