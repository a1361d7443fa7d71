"""Rigs: finding clips, and the flat tables that kernels read."""

import pickle

import numpy as np
import pytest

from anim import AnimError, Channel, Clip, Interpolation, Path, Rig, Skeleton, Transform, sample
from tests.rigs import two_bone

LINEAR = Interpolation.LINEAR


def slide(node: int, distance: float, times: tuple[float, ...] = (0.0, 1.0)) -> Channel:
    return Channel(node, Path.TRANSLATION, LINEAR, times, np.linspace(0, distance, len(times))[:, None] * [1, 0, 0])


def test_clips_are_found_by_name_index_and_identity() -> None:
    clips = [Clip("walk", []), Clip("run", []), Clip("run", [])]
    rig = Rig(two_bone(), clips)
    assert [rig.clip_index(c) for c in ("walk", 2, clips[1])] == [0, 2, 1]
    with pytest.raises(AnimError, match=r"2 clips are named 'run'; choose one by its index: \[1, 2\]"):
        rig.clip_index("run")
    with pytest.raises(AnimError, match="the rig has no clip 'jog'; it has 'walk', 'run', 'run'"):
        rig.clip_index("jog")
    with pytest.raises(AnimError, match="the rig has no clip 3"):
        rig.clip_index(3)
    with pytest.raises(AnimError, match="the rig has no clip 'walk'"):
        rig.clip_index(Clip("walk", []))
    with pytest.raises(AnimError, match="it has none"):
        Rig(two_bone()).clip_index("walk")


def test_equal_key_times_share_a_timeline_and_values_stay_with_their_bones() -> None:
    clip = Clip(
        "c", [slide(0, 1.0), slide(1, 2.0, (0.0, 0.5, 2.0)), Channel(1, Path.SCALE, LINEAR, [0, 1], [[1] * 3, [3] * 3])]
    )
    rig = Rig(two_bone(), [clip, clip])
    assert np.diff(rig.clip_tables.clip_timelines).tolist() == [2, 2]
    pose = sample(rig, 1, 0.5)
    assert pose.translations.tolist() == [[0.5, 0, 0], [1, 0, 0]]
    assert pose.scales[1].tolist() == [2, 2, 2]


def test_the_rest_pose_and_the_ends() -> None:
    rig = Rig(two_bone(), [Clip("c", [slide(1, 4.0, (1.5, 2.5))])])
    assert sample(rig, None, 0.0).translations[1].tolist() == [0, 1, 0]
    assert [sample(rig, "c", t).translations[1, 0] for t in (0.0, 1.5, 2.0, 2.5, 99.0)] == [0, 0, 2, 4, 4]
    with pytest.raises(AnimError, match="a time is inf"):
        sample(rig, "c", float("inf"))


def test_a_clip_leaves_nothing_behind_for_the_next() -> None:
    rig = Rig(two_bone(), [Clip("a", [slide(0, 3.0)]), Clip("b", [slide(1, 5.0)])])
    sample(rig, "a", 0.7)
    assert sample(rig, "b", 0.7).translations[0].tolist() == [0, 0, 0]


def test_weights_of_another_count_are_refused() -> None:
    skeleton = Skeleton(["a"], [-1], [Transform()], morphs={0: [0.0, 0.0]})
    channel = Channel(0, Path.WEIGHTS, LINEAR, [0], [[1.0]])
    with pytest.raises(AnimError, match=r"clip 'c', channel 0: has 1 weights a key for node 0 \('a'\), which has 2"):
        Rig(skeleton, [Clip("c", [channel])])


def test_morph_weights_of_a_bone_among_others() -> None:
    skeleton = Skeleton(["a", "b"], [-1, -1], [Transform()] * 2, morphs={0: [0.5], 1: [0.1, 0.2]})
    rig = Rig(skeleton, [Clip("c", [Channel(1, Path.WEIGHTS, LINEAR, [0, 1], [[0, 1], [1, 0]])])])
    pose = sample(rig, "c", 0.25)
    assert pose.weights.tolist() == [0.5, 0.25, 0.75]


def test_a_pickled_rig_samples_the_same() -> None:
    rig = Rig(two_bone(), [Clip("c", [slide(0, 3.0)])])
    rig.clip_tables  # noqa: B018 - made before the pickle, which leaves it out
    copy = pickle.loads(pickle.dumps(rig))
    assert sample(copy, "c", 0.3).translations.tobytes() == sample(rig, "c", 0.3).translations.tobytes()
