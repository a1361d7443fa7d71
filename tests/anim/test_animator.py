"""The tick animator: times at the ends, fades, blends, additive layers, masks, and changes while playing."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import (
    MAX_MIXES,
    Animator,
    AnimError,
    Channel,
    Clip,
    ClipEvent,
    Interpolation,
    Path,
    Pose,
    Rig,
    Skeleton,
    Transform,
)
from tests.rigs import HALF

LINEAR = Interpolation.LINEAR
EXACT = 1e-12


def slide(distance: float, duration: float = 1.0, node: int = 0) -> Channel:
    """x runs from 0 to a distance in metres."""
    return Channel(node, Path.TRANSLATION, LINEAR, [0.0, duration], [[0, 0, 0], [distance, 0, 0]])


def turned(axis: str, degrees: float, node: int = 0) -> Channel:
    half = math.radians(degrees) / 2
    vector = [math.sin(half) if a == axis else 0.0 for a in "xyz"]
    return Channel(node, Path.ROTATION, LINEAR, [0.0], [[*vector, math.cos(half)]])


def at(value: float, node: int = 0) -> Channel:
    return Channel(node, Path.TRANSLATION, LINEAR, [0.0], [[value, 0, 0]])


def rig(*clips: Clip, bones: int = 2) -> Rig:
    """Bones without a parent, the first resting at x = 10."""
    rest = [Transform((10.0, 0.0, 0.0)), *[Transform()] * (bones - 1)]
    return Rig(Skeleton([f"bone{i}" for i in range(bones)], [-1] * bones, rest), clips)


def playing(*channels: Channel, rate: float = 10, **options: object) -> Animator:
    """An animator that began one clip of these channels at tick 0."""
    animator = Animator(rig(Clip("a", channels)), rate=rate)
    animator.play("a", 0, **options)
    return animator


def x(animator: Animator, *ticks: float) -> list[float]:
    return [float(animator.pose(tick).translations[0, 0]) for tick in ticks]


def degrees(pose: Pose, bone: int = 0) -> float:
    return math.degrees(2 * math.acos(min(1.0, abs(pose.rotations[bone, 3]))))


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


# Layers


def blended(weight: float, *, second: list[Channel]) -> Animator:
    animator = Animator(rig(Clip("a", [at(2.0), turned("z", 0.0)]), Clip("b", second)), rate=10)
    animator.play("a", 0)
    animator.blend("b", weight, 0)
    return animator


def test_a_layer_mixes_over_what_is_there_only_where_it_moves() -> None:
    pose = blended(0.25, second=[at(6.0), at(8.0, node=1)]).pose(0)
    assert pose.translations[:, 0].tolist() == [3.0, 2.0]


def test_blend_equals_shares_bit_for_bit_where_both_move() -> None:
    for weight in (0.0, 0.1, 0.3, 1 / 3, 0.9, 1.0):
        over = blended(weight, second=[at(-0.0), turned("x", 80.0)])
        shares = Animator(over.rig, rate=10)
        shares.play_blend([("a", 1 - weight), ("b", weight)], 0)
        assert over.pose(0).translations.tobytes() == shares.pose(0).translations.tobytes()
        assert over.pose(0).rotations.tobytes() == shares.pose(0).rotations.tobytes()


def shares(weights: list[float], *channels: list[Channel]) -> Pose:
    clips = [Clip(f"c{i}", c) for i, c in enumerate(channels)]
    animator = Animator(rig(*clips), rate=10)
    animator.play_blend([(c.name, w) for c, w in zip(clips, weights, strict=True)], 0)
    return animator.pose(0)


def test_shares_are_weights_over_their_sum() -> None:
    assert shares([0.75, 0.25], [at(0.0)], [at(8.0)]).translations[0, 0] == 2.0
    assert shares([3, 1], [at(0.0)], [at(8.0)]).translations[0, 0] == 2.0


def test_the_share_of_a_clip_that_does_not_move_a_property_goes_to_rest() -> None:
    assert shares([3, 1], [at(2.0)], [turned("x", 10.0)]).translations[0, 0] == 0.75 * 2.0 + 0.25 * 10.0


def test_three_rotations_do_not_depend_on_the_order_and_do_not_pop() -> None:
    turns = [[turned("z", angle)] for angle in (0.0, 60.0, 80.0)]
    weights = [0.2, 0.3, 0.5]
    expected = shares(weights, *turns).rotations[0]
    for order in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):
        other = shares([weights[i] for i in order], *[turns[i] for i in order]).rotations[0]
        np.testing.assert_allclose(other, expected, atol=EXACT)
    nothing = shares([0.4, 0.6, 0.0], *turns).rotations[0]
    hardly = shares([0.4, 0.6, 1e-9], *turns).rotations[0]
    np.testing.assert_allclose(nothing, hardly, atol=1e-8)


def test_a_rotation_and_its_negation_are_one() -> None:
    negated = Channel(0, Path.ROTATION, LINEAR, [0.0], [[0, 0, -HALF, -HALF]])
    for others in ([], [[turned("z", 30.0)]]):
        plain = shares([1.0] * (2 + len(others)), [turned("z", 90.0)], [turned("z", 0.0)], *others)
        other = shares([1.0] * (2 + len(others)), [negated], [turned("z", 0.0)], *others)
        assert degrees(plain) == pytest.approx(degrees(other), abs=1e-9)


def test_a_sum_without_length_gives_the_heaviest() -> None:
    # Three half turns about x, y and z lie at right angles to the rest, opposite ones cancel.
    third = Channel(0, Path.ROTATION, LINEAR, [0.0], [[-1, 0, 0, 0]])
    pose = shares(
        [0.4, 0.4, 0.2], [turned("x", 180.0)], [third], [Channel(0, Path.ROTATION, LINEAR, [0.0], [[0, 0, 0, 1]])]
    )
    np.testing.assert_allclose(abs(pose.rotations[0]), [0, 0, 0, 1], atol=1e-7)


def additive(weight: float, base: float, channels: list[Channel], **options: object) -> Pose:
    still = Clip("base", [turned("x", base), at(2.0), Channel(0, Path.SCALE, LINEAR, [0], [[2, 2, 2]])])
    animator = Animator(rig(still, Clip("add", channels)), rate=10)
    animator.play("base", 0)
    animator.additive("add", weight, 0, **options)
    return animator.pose(5)


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("space", ["parent", "local"])
def test_an_additive_turn_acts_in_the_parents_space_or_the_bones_own(weight: float, space: str) -> None:
    half = math.radians(90.0) / 2
    moves = Channel(0, Path.ROTATION, LINEAR, [0.0, 0.5], [[0, 0, 0, 1], [0, math.sin(half), 0, math.cos(half)]])
    pose = additive(weight, 90.0, [moves], space=space, playback="once")
    d = math.radians(90.0 * weight) / 2
    s, c = math.sin(d), math.cos(d)
    # Turn about y times the base, a quarter turn about x: on the left (cx, sy, -sx, cw), on the right +sx.
    z = -s * HALF if space == "parent" else s * HALF
    np.testing.assert_allclose(pose.rotations[0], [c * HALF, s * HALF, z, c * HALF], atol=EXACT)


def test_additive_moves_scales_and_references() -> None:
    channels = [slide(4.0), Channel(0, Path.SCALE, LINEAR, [0, 1], [[1, 1, 1], [3, 1, 1]])]
    pose = additive(0.5, 0.0, channels)
    assert pose.translations[0, 0] == 2.0 + 0.5 * 2.0
    assert pose.scales[0].tolist() == [2 * 1.5, 2, 2]
    against = additive(1.0, 0.0, channels, reference=("add", 0.25))
    assert against.translations[0, 0] == 2.0 + 1.0
    against = additive(1.0, 0.0, [slide(4.0)], reference="base")
    assert against.translations[0, 0] == 2.0 + (2.0 - 2.0)


def test_an_additive_reference_that_scales_by_zero_is_refused_by_name() -> None:
    flat = Channel(1, Path.SCALE, LINEAR, [0, 1], [[1, 0, 1], [1, 1, 1]])
    with pytest.raises(AnimError, match=r"'add' at 0\.0 s has a scale of 0 at bone 1 \('bone1'\)"):
        additive(1.0, 0.0, [flat])


def test_a_mask_weighs_a_layer_bone_by_bone() -> None:
    animator = Animator(rig(Clip("a", [at(0.0), at(0.0, 1)]), Clip("b", [at(8.0), at(8.0, 1)])), rate=10)
    animator.play("a", 0)
    animator.blend("b", 0.5, 0, mask=[1.0, 0.25])
    assert animator.pose(0).translations[:, 0].tolist() == [4.0, 1.0]
    animator.play("b", 1, mask=[0.5, 0.0])
    assert animator.pose(1).translations[:, 0].tolist() == [9.0, 0.0]  # over the rest


def test_masked_rotations_mix_with_rest() -> None:
    animator = Animator(rig(Clip("a", [turned("z", 90.0), turned("z", 90.0, 1)])), rate=10)
    animator.play("a", 0, mask=[0.5, 1.0])
    assert [degrees(animator.pose(0), bone) for bone in (0, 1)] == pytest.approx([45.0, 90.0], abs=1e-9)


def test_morph_weights_fade_and_blend() -> None:
    skeleton = Skeleton(["face"], [-1], [Transform()], morphs={0: [0.2, 0.4]})
    clips = [
        Clip("a", [Channel(0, Path.WEIGHTS, LINEAR, [0], [[1.0, 0.0]])]),
        Clip("b", [Channel(0, Path.WEIGHTS, LINEAR, [0], [[0.0, 1.0]])]),
    ]
    animator = Animator(Rig(skeleton, clips), rate=10)
    animator.play("a", 0)
    animator.crossfade("b", 0.4, 0)
    assert animator.pose(1).weights.tolist() == [0.75, 0.25]
    animator.stop(2)
    animator.additive("a", 0.5, 2, reference="b")
    assert animator.pose(2).weights.tolist() == pytest.approx([0.7, -0.1])


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


# The same bits


@given(cuts=st.lists(st.integers(0, 60), max_size=8).map(sorted))
def test_steps_and_pickles_change_no_bit(cuts: list[int]) -> None:
    def begun() -> Animator:
        clips = [
            Clip("a", [slide(1.0, 0.7), turned("x", 30.0)]),
            Clip("b", [slide(3.0, 1.3), turned("y", 70.0)]),
        ]
        animator = Animator(rig(*clips), rate=Fraction(30000, 1001))
        animator.play("a", 0, speed=0.7)
        animator.crossfade("b", 1.1, 0, playback="ping_pong")
        animator.blend("a", 0.3, 0)
        return animator

    once, stepped = begun(), begun()
    once.advance(61)
    for tick in cuts:
        stepped.advance(tick)
        stepped.pose(tick)
        stepped = pickle.loads(pickle.dumps(stepped))
    stepped.advance(61)
    assert once.pose(61).translations.tobytes() == stepped.pose(61).translations.tobytes()
    assert once.pose(61).rotations.tobytes() == stepped.pose(61).rotations.tobytes()


def test_a_copy_goes_its_own_way() -> None:
    animator = playing(slide(1.0), speed=Fraction(1, 10**17 + 1))  # too wide for the rows
    animator.advance(3)
    twin = copy.copy(animator)
    expected = x(animator, 3)
    animator.set_speed(2, 3)
    animator.blend("a", 0.5, 3)
    animator.advance(4)
    assert x(twin, 3) == expected
    twin.set_speed(1, 3)
    assert len(twin._stack.newest) == 1
    assert x(twin, 8) == pytest.approx([0.5], abs=1e-15)


def test_a_copy_tells_its_own_events() -> None:
    animator = Animator(rig(Clip("a", [slide(1.0)], [ClipEvent("e", 0.3)])), rate=10)
    animator.play("a", 0)
    twin = copy.copy(animator)
    assert [e.tick for e in animator.advance(14)] == [3, 13]
    assert [e.tick for e in twin.advance(5)] == [3]
    assert [e.tick for e in twin.advance(14)] == [13]


# Shares, whatever their scale, order and signs

WITHIN = math.radians(85.0)


@st.composite
def movements(draw: st.DrawFn) -> list[Channel]:
    """A clip that moves some of a bone's properties; it turns within 85 degrees of the rest."""
    axis = np.array([draw(st.floats(-1, 1)) for _ in "xyz"])
    axis = axis / np.sqrt((axis * axis).sum()) if (abs(axis) > 0.01).any() else np.array([1.0, 0.0, 0.0])
    half = draw(st.floats(-WITHIN, WITHIN)) / 2
    turn = Channel(0, Path.ROTATION, LINEAR, [0.0], [[*(math.sin(half) * axis), math.cos(half)]])
    size = Channel(0, Path.SCALE, LINEAR, [0.0], [[draw(st.floats(0.1, 3)), 1, 1]])
    return [one for one in (turn, at(draw(st.floats(-5, 5))), size) if draw(st.booleans())]


WEIGHTED = st.lists(st.tuples(st.floats(0.01, 1.0), movements()), min_size=1, max_size=5)


def mixed(parts: list[tuple[float, list[Channel]]]) -> Pose:
    return shares([weight for weight, _ in parts], *[channels for _, channels in parts])


def numbers(pose: Pose) -> np.ndarray:
    return np.concatenate([pose.translations[0], pose.rotations[0], pose.scales[0]])


@given(parts=WEIGHTED, scale=st.floats(0.001, 1000.0), power=st.integers(-20, 20))
def test_shares_do_not_depend_on_the_scale_of_the_weights(
    parts: list[tuple[float, list[Channel]]], scale: float, power: int
) -> None:
    expected = numbers(mixed(parts))
    np.testing.assert_allclose(numbers(mixed([(w * scale, c) for w, c in parts])), expected, rtol=0, atol=EXACT)
    assert numbers(mixed([(w * 2.0**power, c) for w, c in parts])).tobytes() == expected.tobytes()


@given(parts=WEIGHTED, data=st.data())
def test_shares_do_not_depend_on_the_order(parts: list[tuple[float, list[Channel]]], data: st.DataObject) -> None:
    turned_parts = data.draw(st.permutations(parts))
    np.testing.assert_allclose(mixed(turned_parts).globals()[0], mixed(parts).globals()[0], rtol=0, atol=4 * EXACT)


@given(parts=WEIGHTED, other=movements(), place=st.integers(0, 5))
def test_nothing_pops_as_a_weight_leaves_zero(
    parts: list[tuple[float, list[Channel]]], other: list[Channel], place: int
) -> None:
    def with_other(weight: float) -> np.ndarray:
        return mixed([*parts[:place], (weight, other), *parts[place:]]).globals()[0]

    # A clip of share 1e-9 / 0.01 at most takes the pose less than so much times 15 away, the farthest of any two.
    np.testing.assert_allclose(with_other(1e-9), with_other(0.0), rtol=0, atol=1e-5)
    np.testing.assert_allclose(with_other(1e-12), with_other(0.0), rtol=0, atol=1e-8)
    np.testing.assert_allclose(with_other(0.0), mixed(parts).globals()[0], rtol=0, atol=4 * EXACT)


@given(turns=st.lists(movements(), min_size=4, max_size=4), flips=st.lists(st.booleans(), min_size=4, max_size=4))
def test_rotations_and_their_negations_pose_the_same(turns: list[list[Channel]], flips: list[bool]) -> None:
    def negated(channel: Channel, flip: bool) -> Channel:
        sign = -1.0 if flip and channel.path is Path.ROTATION else 1.0
        return Channel(0, channel.path, LINEAR, channel.times, sign * channel.values)

    def posed(flips: list[bool]) -> np.ndarray:
        clips = [
            Clip(f"c{i}", [negated(channel, flip) for channel in channels])
            for i, (channels, flip) in enumerate(zip(turns, flips, strict=True))
        ]
        animator = Animator(rig(*clips), rate=10)
        animator.play_blend([("c0", 1.0), ("c1", 2.0)], 0)
        animator.crossfade("c2", 1.0, 0)
        animator.blend("c3", 0.25, 0)
        animator.additive("c1", 0.5, 0, reference="c0")
        return animator.pose(3).globals()

    np.testing.assert_array_equal(posed(flips), posed([False] * 4))


def test_a_key_within_a_float32_step_of_a_tick_is_sampled_at_its_own_time() -> None:
    # float32(10 / 60) lies above 10 / 60: at tick 10 its key has not come, though a mark there has.
    key = float(np.float32(10 / 60))
    steps = Channel(0, Path.TRANSLATION, Interpolation.STEP, [0.0, key, 1.0], [[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    animator = Animator(rig(Clip("a", [steps], [ClipEvent("mark", key)])), rate=60)
    animator.play("a", 0)
    assert x(animator, 9, 10, 11) == [0.0, 0.0, 1.0]
    assert [(e.tick, e.event) for e in animator.advance(11)] == [(10, "mark")]


def everything(until: int, cuts: list[int]) -> bytes:
    """Shares, a fade, a masked layer and a masked additive one, commanded at ticks 0, 7 and 20, stepped at `cuts`."""
    skeleton = Skeleton(["face", "body"], [-1, 0], [Transform((10.0, 0.0, 0.0)), Transform()], morphs={0: [0.2, 0.4]})
    smile = Channel(0, Path.WEIGHTS, LINEAR, [0.0, 0.9], [[0.0, 1.0], [1.0, 0.5]])
    swing = Channel(1, Path.ROTATION, LINEAR, [0.0, 1.3], [[0, 0, 0, 1], [HALF, 0, 0, HALF]])
    clips = [
        Clip("a", [slide(1.0, 0.7), turned("x", 30.0), smile]),
        Clip("b", [slide(3.0, 1.3), turned("y", 70.0)]),
        Clip("c", [slide(2.0, 1.1, node=1), swing]),
    ]
    animator = Animator(Rig(skeleton, clips), rate=Fraction(30000, 1001))
    commands = {
        0: lambda: animator.play_blend([("a", 0.3), ("b", 0.6), ("c", 0.2)], 0, speed=0.7),
        7: lambda: animator.crossfade("c", 1.7, 7, playback="ping_pong", speed=-0.9),
        20: lambda: (
            animator.blend("a", 0.4, 20, mask=[0.25, 1.0]),
            animator.additive("c", 0.6, 20, mask=[1.0, 0.5], reference=("c", 0.3), space="local"),
        ),
    }
    for now in sorted({*cuts, *commands}):
        if now <= until:
            animator.advance(now)
            commands.get(now, lambda: None)()
            animator.palette(now)
            animator = pickle.loads(pickle.dumps(animator)) if now % 2 else copy.copy(animator)
    animator.advance(until)
    pose = animator.pose(until)
    return animator.palette(until).tobytes() + b"".join(
        part.tobytes() for part in (pose.translations, pose.rotations, pose.scales, pose.weights)
    )


@given(cuts=st.lists(st.integers(0, 70), max_size=10), until=st.integers(25, 70))
def test_any_split_of_fades_layers_and_masks_gives_the_same_bits(cuts: list[int], until: int) -> None:
    assert everything(until, cuts) == everything(until, [])
