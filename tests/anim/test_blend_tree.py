"""Blend trees: weights by hand, phases in step, and what cannot be built."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import (
    MAX_CHILDREN,
    AnimError,
    BlendTree,
    Channel,
    Clip,
    Interpolation,
    Path,
    Pose,
    Rig,
    Skeleton,
    Transform,
)
from tests.rigs import two_bone

NAMES = ("idle", "walk", "run", "left", "right")


def tree() -> BlendTree:
    """Five clips that slide the root to 1, 2, 3, 4 and 5 metres in as many seconds."""
    clips = [
        Clip(name, [Channel(0, Path.TRANSLATION, Interpolation.LINEAR, [0.0, i], [[0, 0, 0], [i, 0, 0]])])
        for i, name in enumerate(NAMES, start=1)
    ]
    return BlendTree(Rig(two_bone(), [*clips, Clip("still", [])]))


def line(*thresholds: float) -> BlendTree:
    out = tree()
    out.add_parameter("speed")
    leaves = [out.add_clip(name) for name in NAMES[: len(thresholds)]]
    blend = out.add_blend_1d("speed")
    for leaf, threshold in zip(leaves, thresholds, strict=True):
        out.add_child(blend, leaf, threshold)
    return out


def square() -> BlendTree:
    out = tree()
    out.add_parameter("x")
    out.add_parameter("y")
    leaves = [out.add_clip(name) for name in NAMES]
    blend = out.add_blend_2d("x", "y")
    for leaf, point in zip(leaves, [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)], strict=True):
        out.add_child(blend, leaf, point)
    return out


@pytest.mark.parametrize(
    ("speed", "expected"),
    [(-1, [1, 0, 0]), (0, [1, 0, 0]), (0.5, [0.75, 0.25, 0]), (2, [0, 1, 0]), (3, [0, 0.5, 0.5]), (9, [0, 0, 1])],
)
def test_one_parameter_is_linear_between_thresholds(speed: float, expected: list[float]) -> None:
    blend = line(0, 2, 4)
    blend.set_parameter("speed", speed)
    assert blend.leaf_weights().tolist() == [*expected, 1.0]


def test_gradient_bands_are_exact_at_their_points_and_by_hand_between() -> None:
    blend = square()
    for i, (x, y) in enumerate([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)]):
        blend.set_parameter("x", x)
        blend.set_parameter("y", y)
        assert blend.leaf_weights()[:5].tolist() == [float(i == j) for j in range(5)]
    blend.set_parameter("x", 0.5)
    blend.set_parameter("y", 0.0)
    # The middle: 1 - 0.5; (1, 0): 1 - 0.5 against the middle, 1 - 0.25 against (0, 1); (0, 1): 1 - 1/2 (1, -1) . ... =
    # 0.
    assert blend.leaf_weights()[:5].tolist() == [0.5, 0.5, 0.0, 0.0, 0.0]


@given(x=st.floats(-2, 2), y=st.floats(-2, 2), dx=st.floats(-1e-7, 1e-7))
def test_gradient_bands_sum_to_one_and_are_continuous(x: float, y: float, dx: float) -> None:
    blend = square()
    blend.set_parameter("x", x)
    blend.set_parameter("y", y)
    weights = blend.leaf_weights()[:5]
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    blend.set_parameter("x", x + dx)
    assert abs(blend.leaf_weights()[:5] - weights).max() < 2e-5


def test_trees_nest_and_share_nodes() -> None:
    blend = tree()
    blend.add_parameter("a", 0.25)
    blend.add_parameter("b", 0.5)
    idle, walk, run = (blend.add_clip(name) for name in NAMES[:3])
    inner = blend.add_blend_1d("a")
    blend.add_child(inner, idle, 0)
    blend.add_child(inner, walk, 1)
    outer = blend.add_blend_1d("b")
    blend.add_child(outer, inner, 0)
    blend.add_child(outer, walk, 1)  # walk stands under both
    spare = blend.add_blend_1d("b")
    blend.add_child(spare, run, 0)
    blend.set_root(outer)
    assert blend.leaf_weights().tolist() == [0.375, 0.125 + 0.5, 0.0, 0.5, 1.0, 0.0]
    assert blend.leaves() == [(0, 0), (1, 1)]


def test_leaves_play_at_one_phase_and_the_cycle_is_their_mean() -> None:
    blend = line(0, 1)
    blend.set_parameter("speed", 0.25)
    pose = blend.evaluate(0.5)
    assert pose.translations[0, 0] == 0.75 * 0.5 + 0.25 * 1.0
    assert blend.cycle_rate() == 0.75 / 1 + 0.25 / 2


def test_a_leaf_counts_with_its_speed_and_not_without_duration() -> None:
    blend = tree()
    blend.add_parameter("speed", 0.5)
    quick, still = blend.add_clip("walk", speed=3.0), blend.add_clip("still")
    root = blend.add_blend_1d("speed")
    blend.add_child(root, quick, 0)
    blend.add_child(root, still, 1)
    assert blend.cycle_rate() == 0.5 * 1.5
    assert blend.evaluate(1.0).translations[0, 0] == 0.5 * 2.0  # still gives the rest pose


def test_the_first_of_equal_parameters_counts() -> None:
    blend = tree()
    blend.add_parameter("p", 1.0)
    blend.add_parameter("p", 2.0)
    blend.set_parameter("p", 5.0)
    assert blend.values == [5.0, 2.0]


def test_given_arrays_are_used() -> None:
    blend = line(0, 1)
    weights, pose = np.empty(3), Pose(blend.rig.skeleton)
    assert blend.leaf_weights(out=weights) is weights
    assert blend.evaluate(0.5, out=pose, scratch=weights) is pose
    assert blend.cycle_rate(scratch=weights) == 1.0


def test_what_cannot_be_built_is_refused() -> None:
    blend = line(0, 1)
    with pytest.raises(AnimError, match=r"threshold is 1\.0 after 1\.0; expected thresholds to increase"):
        blend.add_child(2, 0, 1.0)
    with pytest.raises(AnimError, match="node 0 plays a clip; only blends have children"):
        blend.add_child(0, 1, 0.0)
    with pytest.raises(AnimError, match="child is node 9; the tree has 3"):
        blend.add_child(2, 9, 2.0)
    with pytest.raises(AnimError, match="node 2 stands above node 2; as its child it would close a cycle"):
        blend.add_child(2, 2, 2.0)
    with pytest.raises(AnimError, match=r"place is \(1\.0, 2\.0\); node 2 blends by 1 parameters"):
        blend.add_child(2, 0, (1.0, 2.0))
    with pytest.raises(AnimError, match="place is nan"):
        blend.add_child(2, 0, float("nan"))
    with pytest.raises(AnimError, match="the tree has no parameter 'wind'; it has 'speed'"):
        blend.set_parameter("wind", 1.0)
    with pytest.raises(AnimError, match="the rig has no clip 'jog'"):
        blend.add_clip("jog")
    with pytest.raises(AnimError, match=r"point \(1\.0, 0\.0\) is taken by child 1 of node 5"):
        square().add_child(5, 0, (1, 0))
    with pytest.raises(AnimError, match="phase is 2"):
        blend.evaluate(2.0)
    for i in range(2, MAX_CHILDREN):
        blend.add_child(2, 0, float(i))
    with pytest.raises(AnimError, match="node 2 has 8 children, as many as it holds"):
        blend.add_child(2, 0, 99.0)


def test_an_unfinished_tree_does_not_validate() -> None:
    blend = tree()
    with pytest.raises(AnimError, match="the tree has no nodes; add a clip"):
        blend.validate()
    blend.add_parameter("p")
    blend.add_blend_1d("p")
    with pytest.raises(AnimError, match="node 0 is a blend without children"):
        blend.validate()


def two_channels(name: str, degrees: float, weight: float) -> Clip:
    half = math.radians(degrees) / 2
    turn = [[0.0, 0.0, math.sin(half), math.cos(half)]]
    channels = [
        Channel(0, Path.ROTATION, Interpolation.LINEAR, [0.0], turn),
        Channel(0, Path.WEIGHTS, Interpolation.LINEAR, [0.0], [[weight]]),
    ]
    return Clip(name, channels)


def test_turns_and_morph_weights_are_mixed_by_the_leaves_weights() -> None:
    """A quarter of 60 degrees over 0: tan(a / 2) = sin 30 / 4 / (3 / 4 + cos 30 / 4). Morphs 0.2 and 1: 0.4."""
    skeleton = Skeleton(["face"], [-1], [Transform()], morphs={0: [0.5]})
    blend = BlendTree(Rig(skeleton, [two_channels("a", 0.0, 0.2), two_channels("b", 60.0, 1.0), Clip("still", [])]))
    blend.add_parameter("p", 0.25)
    root_children = [blend.add_clip("a"), blend.add_clip("b")]
    root = blend.add_blend_1d("p")
    for threshold, child in enumerate([*root_children, blend.add_clip("still")]):
        blend.add_child(root, child, threshold)
    blend.set_root(root)
    pose = blend.evaluate(0.0)
    tangent = (0.5 / 4) / (0.75 + math.cos(math.radians(30.0)) / 4)
    assert pose.rotations[0, 2] / pose.rotations[0, 3] == pytest.approx(tangent, abs=1e-15)
    assert pose.weights[0] == pytest.approx(0.75 * 0.2 + 0.25 * 1.0, abs=1e-15)
    blend.set_parameter("p", 1.5)  # half the rest pose, where nothing turns and the weight is 0.5
    pose = blend.evaluate(0.0)
    assert pose.rotations[0].tolist() == pytest.approx([0, 0, math.sin(math.radians(15)), math.cos(math.radians(15))])
    assert pose.weights[0] == 0.75


def test_a_cycle_over_several_nodes_is_refused() -> None:
    blend = tree()
    blend.add_parameter("p")
    low, middle, high = (blend.add_blend_1d("p") for _ in range(3))
    blend.add_child(high, middle, 0)
    blend.add_child(middle, low, 0)
    with pytest.raises(AnimError, match="node 2 stands above node 0; as its child it would close a cycle"):
        blend.add_child(low, high, 0)


PLACES = st.lists(
    st.tuples(st.floats(-100, 100), st.floats(-100, 100)),
    min_size=2,
    max_size=MAX_CHILDREN,
    unique_by=lambda point: (round(point[0], 3), round(point[1], 3)),
)


@given(places=PLACES, at=st.tuples(st.floats(-200, 200), st.floats(-200, 200)))
def test_gradient_bands_of_any_points(places: list[tuple[float, float]], at: tuple[float, float]) -> None:
    blend = tree()
    blend.add_parameter("x")
    blend.add_parameter("y")
    leaves = [blend.add_clip("walk") for _ in places]
    root = blend.add_blend_2d("x", "y")
    for leaf, place in zip(leaves, places, strict=True):
        blend.add_child(root, leaf, place)
    for i, (x, y) in enumerate(places):
        blend.set_parameter("x", x)
        blend.set_parameter("y", y)
        assert blend.leaf_weights()[: len(places)].tolist() == [float(i == j) for j in range(len(places))]
    blend.set_parameter("x", at[0])
    blend.set_parameter("y", at[1])
    weights = blend.leaf_weights()[: len(places)]
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)


def test_points_too_near_to_tell_apart_are_refused() -> None:
    with pytest.raises(AnimError, match=r"point \(1e-170, 0\.0\) is taken by child 0 of node 5"):
        square().add_child(5, 0, (1e-170, 0.0))
