"""Blend trees: weights by hand, phases in step, and what cannot be built."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import MAX_CHILDREN, AnimError, BlendTree, Channel, Clip, Interpolation, Path, Pose, Rig
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
