"""Poses without an animator: what an animator says it plays makes its pose again."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from anim import Animator, AnimError, Clip, PlayedLayer, PlayedMix, Pose, mixed
from anim.rows import Kind, Playback
from tests.anim.animators import at, rig, slide, turned

# Two clips that move both bones, one that moves the second alone.
CLIPS = rig(
    Clip("walk", [slide(4.0), turned("y", 40.0, 1)]),
    Clip("run", [slide(8.0, 2.0), turned("y", -20.0, 1)]),
    Clip("nod", [turned("x", 30.0, 1), at(0.5, 1)]),
)
ROUNDING = 1e-14
"""Shares are divided by their sum once more, which may round."""


def numbers(pose: Pose) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.concatenate([pose.translations.ravel(), pose.rotations.ravel(), pose.scales.ravel(), pose.weights])


def test_what_an_animator_plays_makes_its_pose() -> None:
    animator = Animator(CLIPS, rate=10)
    animator.play_blend([("walk", 1.0), ("run", 3.0)], 0)
    animator.blend("nod", 0.25, 3, mask=[0.0, 0.5])
    animator.crossfade("run", 1.0, 5, speed=2, playback="once")
    animator.additive("nod", 0.75, 6, reference=("walk", 0.5))
    for tick in (0, 3, 5, 9, 14, 15):
        played = animator.playing(tick)
        assert numbers(mixed(CLIPS, played)) == pytest.approx(numbers(animator.pose(tick)), abs=ROUNDING)


def test_a_played_layer_says_how_it_came_to_its_time() -> None:
    animator = Animator(CLIPS, rate=10)
    animator.play("walk", 2, speed=-2, start=0.5, mask=[1.0, 0.25])
    animator.additive("nod", 0.5, 4, reference=("run", 1.5))
    first, second = animator.playing(7)[0].layers
    # Five ticks at -0.2 s each from 0.5 s: half a second before the start, which wraps to half a second.
    assert (first.unwrapped, first.time, first.speed, first.playback) == (-0.5, 0.5, -2.0, Playback.LOOP)
    assert (first.mask, first.reference) == ((1.0, 0.25), None)
    assert (second.kind, second.reference, second.mask) == (Kind.ADDITIVE, (1, 1.5), None)


def test_no_mixes_are_the_rest_pose() -> None:
    assert numbers(mixed(CLIPS, [])).tolist() == numbers(Pose(CLIPS.skeleton)).tolist()


LAYER = PlayedLayer("walk", 0, Kind.SHARE, 1.0, 0.5)


@pytest.mark.parametrize(
    ("mixes", "message"),
    [
        ([PlayedMix(1.0, (replace(LAYER, index=3),))], "the rig has no clip 3"),
        ([PlayedMix(1.0, (replace(LAYER, time=math.nan),))], "a time is nan; expected a finite number of seconds"),
        ([PlayedMix(1.0, (replace(LAYER, weight=-1.0),))], "weight is -1.0; expected a finite one, 0 or more"),
        ([PlayedMix(1.0, (replace(LAYER, weight=0.0),))], "all weights are 0; expected at least one above"),
        ([PlayedMix(1.5, (LAYER,))], "weight is 1.5; expected 0 to 1"),
        ([PlayedMix(1.0, (replace(LAYER, mask=(1.0,)),))], "mask has shape"),
        ([PlayedMix(1.0, (replace(LAYER, kind=Kind.OVER), LAYER))], "expected the shares of a mix first"),
        ([PlayedMix(1.0, (replace(LAYER, kind=Kind.ADDITIVE),))], "a layer of clip 'walk' has a reference or is"),
        ([PlayedMix(1.0, (LAYER,))] * 5, "5 mixes; expected at most 4, of at most 16 layers each"),
        ([PlayedMix(1.0, (LAYER,) * 17)], "expected at most 4, of at most 16 layers each"),
    ],
)
def test_mixes_that_no_animator_has_are_refused(mixes: list[PlayedMix], message: str) -> None:
    with pytest.raises(AnimError, match=message):
        mixed(CLIPS, mixes)
