"""Layers of the tick animator: blends, shares whatever their scale, order and signs, additive layers, masks, morphs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import Animator, AnimError, Channel, Clip, Path, Pose, Rig, Skeleton, Transform
from tests.anim.animators import EXACT, LINEAR, at, blended, degrees, rig, slide, turned
from tests.rigs import HALF


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
