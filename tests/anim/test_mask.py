"""Masks from names, indices and subtrees."""

import pytest

from anim import AnimError, Skeleton, Transform, bone_mask


def skeleton() -> Skeleton:
    return Skeleton(["hips", "arm", "hand", "leg", "arm"], [-1, 0, 1, 0, 0], [Transform()] * 5)


def test_names_mean_every_bone_of_the_name_and_subtrees_all_below() -> None:
    assert bone_mask(skeleton(), bones=["arm"]).tolist() == [0, 1, 0, 0, 1]
    assert bone_mask(skeleton(), subtrees=["arm"]).tolist() == [0, 1, 1, 0, 1]
    assert bone_mask(skeleton(), bones=[0], subtrees=[3], weight=0.5, otherwise=0.25).tolist() == [
        0.5,
        0.25,
        0.25,
        0.5,
        0.25,
    ]


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(AnimError, match="the skeleton has no bone 'tail'; it has 'hips', 'arm'"):
        bone_mask(skeleton(), bones=["tail"])
    with pytest.raises(AnimError, match="the skeleton has no bone 5"):
        bone_mask(skeleton(), subtrees=[5])
    with pytest.raises(AnimError, match="weight is 2; expected 0 to 1"):
        bone_mask(skeleton(), weight=2)
