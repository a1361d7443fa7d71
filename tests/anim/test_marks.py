"""Events of the tick animator: which are passed, at which tick, in which order."""

import pickle
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anim import MAX_REPEATS, Animator, Channel, Clip, ClipEvent, Interpolation, Path, PlayedEvent, Rig
from tests.rigs import two_bone


def clip(name: str = "c", duration: float = 1.0, node: int = 0, **events: float) -> Clip:
    """A clip of a duration with events by name."""
    keys = Channel(node, Path.SCALE, Interpolation.LINEAR, [0.0, duration], [[1, 1, 1], [2, 2, 2]])
    return Clip(name, [keys], [ClipEvent(event, time) for event, time in events.items()])


def playing(*clips: Clip, rate: float = 10, **options: object) -> Animator:
    animator = Animator(Rig(two_bone(), clips), rate=rate)
    animator.play(0, 0, **options)
    return animator


def told(events: list[PlayedEvent]) -> list[tuple[int, str]]:
    return [(event.tick, event.event) for event in events]


def test_a_mark_fires_at_the_first_tick_at_or_past_it() -> None:
    animator = playing(clip(exact=0.3, between=0.45))
    assert animator.advance(2) == []
    assert animator.advance(3) == [PlayedEvent(3, "c", "exact")]
    assert told(animator.advance(5)) == [(5, "between")]
    assert told(animator.advance(15)) == [(13, "exact"), (15, "between")]


def test_a_mark_at_the_start_fires_also_when_that_tick_was_advanced() -> None:
    animator = playing(clip(zero=0.0))
    animator.advance(4)
    animator.play(0, 4)
    assert told(animator.advance(4)) == [(4, "zero")]
    assert told(animator.advance(4)) == []


def test_a_start_skips_what_lies_before_it_and_tells_what_lies_at_it() -> None:
    assert told(playing(clip(a=0.1, b=0.5, c=0.6), start=0.5).advance(1)) == [(0, "b"), (1, "c")]


def test_a_loops_end_fires_at_the_wrap_before_its_start() -> None:
    animator = playing(clip(start=0.0, end=1.0))
    assert told(animator.advance(0)) == [(0, "start")]
    assert told(animator.advance(9)) == []
    assert told(animator.advance(20)) == [(10, "end"), (10, "start"), (20, "end"), (20, "start")]


def test_backwards_a_loop_passes_its_start_before_its_end() -> None:
    animator = playing(clip(start=0.0, end=1.0, middle=0.5), speed=-1)
    assert told(animator.advance(10)) == [(0, "start"), (5, "middle"), (10, "start"), (10, "end")]


def test_ping_pong_fires_an_end_once_a_turn_and_the_middle_twice() -> None:
    animator = playing(clip(start=0.0, end=1.0, early=0.2), playback="ping_pong")
    assert told(animator.advance(22)) == [
        (0, "start"), (2, "early"), (10, "end"), (18, "early"), (20, "start"), (22, "early")
    ]  # fmt: skip


def test_once_fires_each_once() -> None:
    animator = playing(clip(start=0.0, end=1.0, early=0.2), playback="once")
    assert told(animator.advance(1000)) == [(0, "start"), (2, "early"), (10, "end")]
    animator.set_speed(1, 1000)
    assert animator.advance(2000) == []


def test_going_back_from_the_end_of_once() -> None:
    animator = playing(clip(end=1.0, early=0.2), playback="once")
    animator.advance(15)
    animator.set_speed(-1, 20)
    assert told(animator.advance(40)) == [(28, "early")]


def test_a_mark_past_the_end_never_comes() -> None:
    assert playing(clip(late=1.5)).advance(100) == []


def test_float32_marks_and_durations_count_as_their_ticks() -> None:
    for k in range(2, 61):
        duration, mark = float(np.float32(k / 60)), float(np.float32((k - 1) / 60))
        animator = playing(clip(duration=duration, end=duration, mark=mark), rate=60)
        assert told(animator.advance(k)) == [(k - 1, "mark"), (k, "end")], k


def test_speed_zero_and_weight_zero_fire_nothing() -> None:
    assert playing(clip(zero=0.0), speed=0).advance(5) == []
    animator = playing(clip("a"), clip("b", zero=0.0))
    animator.blend("b", 0.0, 0)
    assert animator.advance(20) == []
    animator.set_weight("b", 0.5, 20)
    assert told(animator.advance(30)) == [(30, "zero")]


def test_a_fades_weight_does_not_count_and_a_mix_that_left_is_silent() -> None:
    animator = playing(clip("a", tick=0.1), clip("b", tock=0.1))
    animator.crossfade("b", 1.5, 5)
    events = animator.advance(40)
    assert [(e.tick, e.clip) for e in events] == [(1, "a"), (6, "b"), (11, "a"), (16, "b"), (26, "b"), (36, "b")]


def test_order_is_tick_then_mix_then_layer_then_time() -> None:
    animator = playing(clip("a", x=0.55, y=0.51), clip("b", z=0.59), clip("c", w=0.4))
    animator.blend("b", 1.0, 0)
    animator.crossfade("c", 2.0, 2)
    assert told(animator.advance(6)) == [(6, "y"), (6, "x"), (6, "z"), (6, "w")]


def test_events_before_a_command_are_those_of_the_old_settings() -> None:
    animator = playing(clip(a=0.3, b=0.5))
    animator.set_speed(10, 4)
    assert told(animator.advance(5)) == [(3, "a"), (5, "b"), (5, "a")]


def test_what_was_replaced_at_once_was_never_there() -> None:
    animator = playing(clip("a", zero=0.0), clip("b", zero=0.0))
    animator.play("b", 0)
    assert animator.advance(0) == [PlayedEvent(0, "b", "zero")]


def test_a_new_start_at_the_tick_of_play_skips_earlier_marks() -> None:
    animator = playing(clip(zero=0.0, half=0.5))
    animator.set_start(0.5, 0)
    assert told(animator.advance(0)) == [(0, "half")]


def test_events_wait_for_advance_after_stop() -> None:
    animator = playing(clip(a=0.3))
    animator.stop(5)
    assert told(animator.advance(9)) == [(3, "a")]


def test_a_long_pause_delivers_the_latest_passes() -> None:
    events = told(playing(clip(a=0.0, b=0.5)).advance(10_000))
    assert len(events) == 2 * MAX_REPEATS
    assert events[-1] == (10_000, "a")
    assert events[0] == (10_000 - 10 * MAX_REPEATS + 5, "b")


def test_a_clip_without_length_tells_its_start_once() -> None:
    still = Clip("still", [Channel(0, Path.SCALE, Interpolation.STEP, [0.0], [[1, 1, 1]])], [ClipEvent("zero", 0.0)])
    assert told(playing(still).advance(1000)) == [(0, "zero")]


@given(
    speed=st.fractions(-4, 4, max_denominator=30),
    start=st.fractions(-1, 3, max_denominator=30),
    duration=st.fractions(Fraction(1, 5), 2, max_denominator=40),
    marks=st.lists(st.fractions(0, 1, max_denominator=12), min_size=1, max_size=3),
    playback=st.sampled_from(["loop", "once", "ping_pong"]),
    cuts=st.lists(st.integers(0, 50), max_size=6).map(sorted),
)
def test_any_split_of_the_ticks_gives_the_same_events(
    speed: Fraction, start: Fraction, duration: Fraction, marks: list[Fraction], playback: str, cuts: list[int]
) -> None:
    events = {f"m{i}": float(np.float32(float(mark * duration))) for i, mark in enumerate(marks)}
    made = clip(duration=float(np.float32(float(duration))), **events)
    options = {"speed": speed, "start": start, "playback": playback}
    whole, parts = playing(made, rate=20, **options), playing(made, rate=20, **options)
    collected = []
    for tick in cuts:
        collected += parts.advance(tick)
        parts = pickle.loads(pickle.dumps(parts))
    assert collected + parts.advance(50) == whole.advance(50)


@given(
    speed=st.fractions(-4, 4, max_denominator=6).filter(bool),
    mark=st.integers(0, 12),
    playback=st.sampled_from(["loop", "once", "ping_pong"]),
)
def test_every_pass_lies_where_the_time_crosses_the_mark(speed: Fraction, mark: int, playback: str) -> None:
    animator = playing(clip(duration=1.2, m=mark / 10), rate=10, speed=speed, start=0.3, playback=playback)
    layer = animator._stack.newest[0]
    found = [event.tick for event in animator.advance(60)]
    expected = []
    for tick in range(1, 61):
        before, now = layer.unwrapped(tick - 1), layer.unwrapped(tick)
        expected += [tick] * crossings(before, now, Fraction(mark, 10), Fraction(12, 10), playback)
    at_start = [0] if mark == 3 else []
    assert found == at_start + expected


def crossings(before: Fraction, now: Fraction, mark: Fraction, duration: Fraction, playback: str) -> int:
    """Count by brute force how often an unwrapped time goes over a mark, the end it arrives at counted."""
    places = {mark}
    if playback == "loop":
        places = {mark + turn * duration for turn in range(-40, 41)}
    elif playback == "ping_pong":
        places = {side * mark + 2 * turn * duration for turn in range(-40, 41) for side in (1, -1)}
    return sum(before < place <= now or now <= place < before for place in places)
