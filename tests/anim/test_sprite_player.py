"""Sprite players and pools: exact steps, the three playbacks, frame events, commands while playing."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anim import (
    MAX_REPEATS,
    AnimError,
    Atlas,
    FrameEvent,
    PlayedSprite,
    SpriteClip,
    SpritePlayer,
    SpritePool,
    SpriteSheet,
)
from anim.rows import Playback


def player(
    count: int, fps: float, events: tuple[FrameEvent, ...] = (), rate: float = 60, **options: object
) -> SpritePlayer:
    """A player of one clip over frames 10, 11, ... that began at tick 0."""
    clip = SpriteClip.span("run", 10, 9 + count, fps, events)
    out = SpritePlayer(SpriteSheet(Atlas.grid((64, 64), (8, 8)), (clip,)), rate=rate)
    out.play("run", 0, **options)
    return out


def shown(sprite: SpritePlayer, ticks: range) -> list[int]:
    return [sprite.frame(tick) - 10 for tick in ticks]


def test_a_frame_lasts_rate_over_fps_ticks() -> None:
    assert shown(player(3, 12, rate=24), range(8)) == [0, 0, 1, 1, 2, 2, 0, 0]


@pytest.mark.parametrize(
    ("count", "expected"), [(3, [0, 1, 2, 1, 0, 1, 2]), (2, [0, 1, 0, 1, 0, 1, 0]), (1, [0, 0, 0, 0, 0, 0, 0])]
)
def test_ping_pong_shows_its_ends_once(count: int, expected: list[int]) -> None:
    assert shown(player(count, 60, playback="ping_pong"), range(7)) == expected


def test_a_player_says_its_clip_and_step() -> None:
    """Seven steps through three frames there and back: 0 1 2 1 0 1 2 1."""
    sprite = player(3, 60, playback="ping_pong")
    assert sprite.playing(7) == PlayedSprite("run", 0, step=1, frame=11, unwrapped=7, playback=Playback.PING_PONG)
    sprite.stop(8)
    assert sprite.playing(8) is None


def test_once_holds_the_end() -> None:
    assert shown(player(3, 60, playback="once"), range(6)) == [0, 1, 2, 2, 2, 2]


def test_backwards() -> None:
    assert shown(player(3, 60, speed=-1), range(5)) == [0, 2, 1, 0, 2]
    assert shown(player(3, 60, speed=-1, start=Fraction(2, 60), playback="once"), range(5)) == [2, 1, 0, 0, 0]


def test_decimals_mean_what_they_say() -> None:
    # Ten ticks of 0.3 frames are three; in binary 0.3 is a little less.
    assert player(5, 0.3, rate=1).frame(10) == 13
    assert player(7, 12, rate=60, speed=0.1).frame(50 * 7 + 50) == 11


def test_many_ticks_do_not_drift() -> None:
    sprite = player(8, Fraction(30000, 1001), rate=60)
    for tick in (5097, 10**9, 10**15):
        assert sprite.frame(tick) == 10 + tick * 30000 // (1001 * 60) % 8


def test_between_ticks_the_earlier_frame_stays() -> None:
    sprite = player(3, 60)
    assert [sprite.frame(t) - 10 for t in (0.5, 0.999, 1.0, 1.5)] == [0, 0, 1, 1]


def test_before_anything_plays_the_still_frame_shows() -> None:
    sprite = SpritePlayer(player(3, 60).sheet, rate=60)
    assert sprite.frame(7) == 10
    assert sprite.advance(7) == []
    sprite.play("run", 8)
    sprite.stop(9)
    assert sprite.frame(9) == 10


STEP = (FrameEvent("step", 2), FrameEvent("land", 0))


def test_each_entry_of_a_frame_fires_once() -> None:
    sprite = player(3, 30, STEP)
    assert sprite.advance(0) == [(0, "run", "land")]
    assert sprite.advance(3) == []
    assert sprite.advance(13) == [(4, "run", "step"), (6, "run", "land"), (10, "run", "step"), (12, "run", "land")]
    assert sprite.advance(13) == []


def test_ping_pong_fires_an_end_once_a_turn() -> None:
    assert [e.tick for e in player(3, 60, STEP, playback="ping_pong").advance(8) if e.event == "step"] == [2, 6]


def test_once_fires_each_once() -> None:
    sprite = player(3, 60, STEP, playback="once")
    assert sprite.advance(100) == [(0, "run", "land"), (2, "run", "step")]
    assert sprite.advance(200) == []


def test_backwards_fires_at_the_tick_that_shows_the_frame() -> None:
    sprite = player(3, 20, STEP, speed=-1, start=Fraction(1, 20))
    ticks = {e.tick: e.event for e in sprite.advance(12)}
    # Frame 1 at tick 0, so frame 0 from tick 1 on and frame 2 from tick 4.
    assert ticks == {1: "land", 4: "step", 10: "land"}
    for tick, event in ticks.items():
        assert sprite.frame(tick) - 10 == {"land": 0, "step": 2}[event]
        assert sprite.frame(tick - 1) - 10 != {"land": 0, "step": 2}[event]


def test_a_long_pause_delivers_the_latest_passes() -> None:
    events = player(2, 60, (FrameEvent("tick", 0), FrameEvent("tock", 1))).advance(10_000)
    assert len(events) == 2 * MAX_REPEATS
    assert events[-1] == (10_000, "run", "tick")
    assert events[0].tick == 10_000 - 2 * MAX_REPEATS + 1


def test_speed_zero_fires_nothing() -> None:
    assert player(3, 60, STEP, speed=0).advance(10) == []


def test_changing_the_speed_keeps_the_frame_and_its_part() -> None:
    sprite = player(4, 20)
    assert sprite.frame(4) == 11
    sprite.set_speed(2, 4)  # one third of frame 1 was shown: one tick of the double speed is left of it
    assert shown(sprite, range(4, 8)) == [1, 2, 2, 3]


def test_changing_the_playback_keeps_the_frame() -> None:
    sprite = player(3, 60, playback="ping_pong")
    assert sprite.frame(3) == 11
    sprite.set_playback("loop", 3)
    assert shown(sprite, range(3, 7)) == [1, 2, 0, 1]


def test_a_new_start_skips_what_lies_before_it() -> None:
    sprite = player(3, 60, STEP)
    sprite.advance(3)
    sprite.set_start(Fraction(2, 60), 4)
    assert sprite.advance(5) == [(4, "run", "step"), (5, "run", "land")]
    assert sprite.frame(4) == 12


def test_events_before_a_command_are_those_of_the_old_settings() -> None:
    sprite = player(3, 60, STEP)
    sprite.set_speed(0, 4)
    assert sprite.advance(9) == [(0, "run", "land"), (2, "run", "step"), (3, "run", "land")]


def test_going_back_is_refused() -> None:
    sprite = player(3, 60)
    sprite.advance(5)
    with pytest.raises(AnimError, match="tick 4 comes after tick 5"):
        sprite.advance(4)
    with pytest.raises(AnimError, match="tick 4 comes after tick 5"):
        sprite.play("run", 4)
    with pytest.raises(AnimError, match="expected an integer"):
        sprite.advance(5.5)  # type: ignore[arg-type]


def test_settings_need_something_that_plays() -> None:
    sprite = SpritePlayer(player(3, 60).sheet, rate=60)
    with pytest.raises(AnimError, match="nothing plays"):
        sprite.set_speed(1, 0)


@given(
    count=st.integers(1, 6),
    fps=st.fractions(Fraction(1, 10), 120, max_denominator=50),
    speed=st.fractions(-3, 3, max_denominator=20),
    playback=st.sampled_from(["loop", "once", "ping_pong"]),
    cuts=st.lists(st.integers(0, 40), max_size=6).map(sorted),
)
def test_any_split_of_the_ticks_gives_the_same_events(
    count: int, fps: Fraction, speed: Fraction, playback: str, cuts: list[int]
) -> None:
    assume(abs(speed * fps) * 41 / 60 < 64 * count)  # a single call delivers at most 64 passes of a mark
    events = (FrameEvent("first", 0), FrameEvent("last", count - 1))
    whole = player(count, fps, events, speed=speed, playback=playback)
    parts = player(count, fps, events, speed=speed, playback=playback)
    collected = []
    for tick in cuts:
        collected += parts.advance(tick)
        parts = pickle.loads(pickle.dumps(parts))
    expected = whole.advance(41)
    assert collected + parts.advance(41) == expected
    if abs(speed * fps) > 60:
        return  # more than a frame a tick: some are entered and left between two
    for tick, _, event in expected:
        assert whole.frame(tick) == {"first": 10, "last": 9 + count}[event]


@given(
    ticks=st.lists(st.integers(0, 2**40), min_size=1, max_size=5),
    speeds=st.lists(st.fractions(-5, 5, max_denominator=10**9), min_size=1, max_size=5),
)
def test_a_pool_shows_what_its_players_show(ticks: list[int], speeds: list[Fraction]) -> None:
    players = [
        player(1 + i % 4, 12, speed=speed, playback=("loop", "once", "ping_pong")[i % 3])
        for i, speed in enumerate(speeds)
    ]
    players.append(player(3, Fraction(10**20, 10**19 + 1)))  # too wide for 64 bits
    players.append(SpritePlayer(players[0].sheet, rate=60))
    pool = SpritePool(players)
    for tick in ticks:
        assert pool.frames(tick).tolist() == [p.frame(tick) for p in players]


def test_a_pool_notices_commands() -> None:
    sprite = player(3, 60)
    pool = SpritePool([sprite])
    assert pool.frames(1).tolist() == [11]
    sprite.set_speed(0, 1)
    out = np.empty(1, np.int32)
    assert pool.frames(9, out=out) is out
    assert out.tolist() == [11]
