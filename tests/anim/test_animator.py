"""The tick animator: times at the ends, fades, changes while playing, and what it refuses."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import MAX_MIXES, Animator, AnimError, Channel, Clip, ClipEvent, Interpolation, Path
from tests.anim.animators import EXACT, at, blended, playing, rig, slide, x

# Times


def test_a_loop_starts_again_at_its_end() -> None:
    assert x(playing(slide(1.0)), 0, 5, 9, 10, 13) == [0.0, 0.5, 0.9, 0.0, 0.3]


def test_once_holds_the_last_key() -> None:
    assert x(playing(slide(1.0), playback="once"), 9, 10, 11, 10**12) == [0.9, 1.0, 1.0, 1.0]


def test_ping_pong_goes_back_after_its_end() -> None:
    assert x(playing(slide(1.0), playback="ping_pong"), 9, 10, 12, 20, 23) == [0.9, 1.0, 0.8, 0.0, 0.3]


def test_negative_speed_plays_backwards() -> None:
    assert x(playing(slide(1.0), speed=-1), 0, 1, 10, 11) == [0.0, 0.9, 0.0, 0.9]
    assert x(playing(slide(1.0), speed=-2, start=1, playback="once"), 0, 1, 5, 6) == [1.0, 0.8, 0.0, 0.0]
    assert x(playing(slide(1.0), speed=-1, playback="ping_pong"), 1, 11) == [0.1, 0.9]


def test_start_is_an_offset_into_the_clip() -> None:
    assert x(playing(slide(1.0), start=0.5), 0, 1, 5) == [0.5, 0.6, 0.0]


def test_before_its_start_a_layer_shows_its_first_moment() -> None:
    animator = Animator(rig(Clip("a", [slide(1.0)])), rate=10)
    animator.play("a", 20, start=0.3)
    assert x(animator, 0, 20, 21) == [0.3, 0.3, 0.4]


def test_a_clip_without_length_is_a_constant() -> None:
    assert x(playing(at(3.0)), 0, 1, 10**9) == [3.0, 3.0, 3.0]


def test_float32_durations_of_whole_ticks_loop_on_the_tick() -> None:
    for k in range(1, 121):
        duration = float(np.float32(k / 60))
        animator = playing(slide(1.0, duration), rate=60)
        assert x(animator, k, 7 * k) == [0.0, 0.0], k
        once = playing(slide(1.0, duration), rate=60, playback="once")
        assert x(once, k) == [1.0], k


@pytest.mark.parametrize("playback", ["loop", "ping_pong"])
def test_many_ticks_do_not_drift(playback: str) -> None:
    animator = playing(slide(1.0, 0.7), playback=playback, rate=60, speed=1.1)
    for tick in (5097, 10**9, 10**15):
        turn = Fraction(7, 10) * (1 if playback == "loop" else 2)
        # 0.7 s is no float32 of a file but a float64 within a step of 42 ticks, so it counts as those.
        time = Fraction(11, 600) * tick % turn
        time = min(time, turn - time) if playback == "ping_pong" else time
        assert x(animator, tick)[0] == pytest.approx(float(time) / 0.7, abs=1e-15)


def test_between_ticks_the_same_formulas_hold() -> None:
    assert x(playing(slide(1.0)), 2.5, Fraction(5, 2), 9.75) == pytest.approx([0.25, 0.25, 0.975], abs=1e-15)


@given(
    speed=st.fractions(-4, 4, max_denominator=10**12),
    start=st.fractions(-3, 3, max_denominator=10**12),
    duration=st.floats(0.01, 5.0),
    tick=st.integers(0, 2**45),
    playback=st.sampled_from(["loop", "once", "ping_pong"]),
)
def test_times_agree_with_rationals_however_wide(
    speed: Fraction, start: Fraction, duration: float, tick: int, playback: str
) -> None:
    animator = playing(slide(duration, duration), speed=speed, start=start, playback=playback, rate=30)
    period = animator._stack.newest[0].period  # the duration, or the whole tick it counts as
    time = start + tick * speed / 30
    if playback == "loop":
        time %= period
    elif playback == "once":
        time = min(max(time, Fraction(0)), period)
    else:
        time = min(time % (2 * period), 2 * period - time % (2 * period))
    assert x(animator, tick)[0] == pytest.approx(min(float(time), duration), abs=1e-14)


def test_a_key_within_a_float32_step_of_a_tick_is_sampled_at_its_own_time() -> None:
    # float32(10 / 60) lies above 10 / 60: at tick 10 its key has not come, though a mark there has.
    key = float(np.float32(10 / 60))
    steps = Channel(0, Path.TRANSLATION, Interpolation.STEP, [0.0, key, 1.0], [[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    animator = Animator(rig(Clip("a", [steps], [ClipEvent("mark", key)])), rate=60)
    animator.play("a", 0)
    assert x(animator, 9, 10, 11) == [0.0, 0.0, 1.0]
    assert [(e.tick, e.event) for e in animator.advance(11)] == [(10, "mark")]


# Mixes


def test_nothing_played_is_the_rest_pose() -> None:
    animator = Animator(rig(Clip("a", [slide(1.0)])), rate=10)
    assert x(animator, 0, 5) == [10.0, 10.0]
    animator.play("a", 5)
    animator.stop(6)
    assert x(animator, 6) == [10.0]


def test_a_crossfade_is_linear_over_whole_ticks_while_both_play() -> None:
    animator = Animator(rig(Clip("a", [slide(10.0, 10.0)]), Clip("b", [at(100.0)])), rate=10)
    animator.play("a", 0)
    animator.crossfade("b", 0.4, 10)
    assert x(animator, 10, 11, 13, 14, 15) == pytest.approx(
        [1.0, 0.75 * 1.1 + 25.0, 0.25 * 1.3 + 75.0, 100.0, 100.0], abs=EXACT
    )


def test_a_crossfade_from_nothing_fades_from_rest() -> None:
    animator = Animator(rig(Clip("a", [at(0.0)])), rate=10)
    animator.crossfade("a", 0.4, 0)
    assert x(animator, 0, 1, 4) == [10.0, 7.5, 0.0]


def test_a_mix_is_a_whole_pose() -> None:
    # The second clip moves another bone; the first bone fades to rest.
    animator = Animator(rig(Clip("a", [at(0.0)]), Clip("b", [at(5.0, node=1)])), rate=10)
    animator.play("a", 0)
    animator.crossfade("b", 0.2, 0)
    assert animator.pose(1).translations[:, 0].tolist() == [5.0, 2.5]


def test_the_oldest_of_too_many_mixes_leaves() -> None:
    clips = [Clip(f"c{i}", [at(float(i))]) for i in range(6)]
    animator = Animator(rig(*clips), rate=10)
    animator.play("c0", 0)
    for i in range(1, 6):
        animator.crossfade(f"c{i}", 1.0, 0)
    assert len(animator._stack) == MAX_MIXES
    # c2 lies lowest and counts whole; the three above are each half in.
    assert x(animator, 5) == [((2 * 0.5 + 3 * 0.5) * 0.5 + 4 * 0.5) * 0.5 + 5 * 0.5]


def test_faded_out_mixes_leave() -> None:
    animator = Animator(rig(Clip("a", [at(1.0)]), Clip("b", [at(2.0)])), rate=10)
    animator.play("a", 0)
    animator.crossfade("b", 0.5, 0)
    animator.advance(5)
    assert x(animator, 4) == [1.8]  # the tick before can still be asked for
    animator.advance(6)
    assert len(animator._stack) == 1
    assert x(animator, 6) == [2.0]


# Changes while playing


def test_a_change_of_speed_does_not_jump() -> None:
    animator = playing(slide(1.0))
    animator.set_speed(2, 5)
    assert x(animator, 5, 6, 7) == [0.5, 0.7, 0.9]
    animator.set_speed(-1, 8)
    assert x(animator, 8, 9) == pytest.approx([0.1, 0.0], abs=1e-15)
    animator.set_speed(0, 9)
    assert x(animator, 9, 100) == [0.0, 0.0]


def test_a_clip_that_has_ended_turns_back_at_once() -> None:
    animator = playing(slide(1.0), playback="once")
    animator.set_speed(-1, 50)
    assert x(animator, 50, 51) == [1.0, 0.9]


def test_the_way_back_stays_the_way_back() -> None:
    animator = playing(slide(1.0), playback="ping_pong")
    animator.set_speed(2, 12)
    assert x(animator, 12, 13) == pytest.approx([0.8, 0.6])


def test_a_change_of_playback_does_not_jump() -> None:
    animator = playing(slide(1.0), playback="ping_pong")
    animator.set_playback("once", 12)
    assert x(animator, 12, 13, 20) == pytest.approx([0.8, 0.9, 1.0])


def test_a_new_start_plays_on_from_there() -> None:
    animator = playing(slide(1.0))
    animator.set_start(0.3, 5)
    assert x(animator, 5, 6) == [0.3, 0.4]


def test_a_change_of_weight() -> None:
    animator = blended(0.25, second=[at(6.0)])
    animator.set_weight("b", 0.75, 1)
    assert x(animator, 1) == [5.0]
    with pytest.raises(AnimError, match=r"weight is 1\.5; expected 0 to 1"):
        animator.set_weight("b", 1.5, 1)
    with pytest.raises(AnimError, match="all weights are 0"):
        animator.set_weight("a", 0.0, 1)
    assert x(animator, 1) == [5.0]


def test_settings_of_one_clip_only() -> None:
    animator = Animator(rig(Clip("a", [slide(1.0)]), Clip("b", [slide(1.0, node=1)])), rate=10)
    animator.play("a", 0)
    animator.blend("b", 1.0, 0)
    animator.set_speed(0, 5, clip="b")
    assert animator.pose(7).translations[:, 0].tolist() == [0.7, 0.5]


# Refusals


def test_ticks_do_not_go_back() -> None:
    animator = playing(slide(1.0))
    animator.advance(5)
    for command in (
        lambda: animator.play("a", 4),
        lambda: animator.crossfade("a", 1, 4),
        lambda: animator.blend("a", 1, 4),
        lambda: animator.additive("a", 1, 4),
        lambda: animator.play_blend([("a", 1)], 4),
        lambda: animator.set_speed(1, 4),
        lambda: animator.set_weight("a", 1, 4),
        lambda: animator.stop(4),
        lambda: animator.advance(4),
    ):
        with pytest.raises(AnimError, match="tick 4 comes after tick 5; an animator does not go back"):
            command()
    assert x(animator, 7) == [0.7]  # as if none had been called


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: a.play("z", 0), "the rig has no clip 'z'; it has 'a'"),
        (lambda a: a.play("a", 0.5), r"tick is 0\.5; expected an integer"),
        (lambda a: a.play("a", 0, speed=math.nan), "speed is nan; expected a finite number"),
        (lambda a: a.play("a", 0, playback="twice"), "playback is 'twice'; expected 'loop', 'once' or 'ping_pong'"),
        (lambda a: a.play("a", 0, mask=[1.0]), r"mask has shape \(1,\); expected \(2\)"),
        (lambda a: a.play("a", 0, mask=[0.0, 2.0]), r"mask runs from 0\.0 to 2\.0; expected weights in 0 to 1"),
        (lambda a: a.crossfade("a", -1, 0), "seconds is -1; expected 0 or more"),
        (lambda a: a.blend("a", -0.1, 0), r"weight is -0\.1; expected 0 to 1"),
        (lambda a: a.additive("a", math.inf, 0), "weight is inf; expected a finite one"),
        (lambda a: a.additive("a", 1, 0, space="world"), "space is 'world'; expected 'parent' or 'local'"),
        (lambda a: a.play_blend([], 0), "no clips to blend"),
        (lambda a: a.play_blend([("a", 0.0)], 0), "all weights are 0"),
        (lambda a: a.play_blend([("a", 1)] * 17, 0), "17 clips for one mix, which holds 16"),
        (lambda a: a.set_speed(1, 0), "nothing plays"),
        (lambda a: a.set_weight("a", 1, 0), "clip 'a' is not in the newest mix"),
    ],
)
def test_what_cannot_be_followed_is_told(call: object, message: str) -> None:
    with pytest.raises(AnimError, match=message):
        call(Animator(rig(Clip("a", [slide(1.0)])), rate=10))


def test_a_mix_holds_so_many_layers() -> None:
    animator = playing(slide(1.0))
    for _ in range(15):
        animator.blend("a", 0.5, 0)
    with pytest.raises(AnimError, match="the newest mix has 16 layers, as many as it holds"):
        animator.blend("a", 0.5, 0)
