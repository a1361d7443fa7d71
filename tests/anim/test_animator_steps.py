"""The tick animator however it is stepped, copied and pickled: the same bits, and events once."""

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import Animator, Channel, Clip, ClipEvent, Path, Rig, Skeleton, Transform
from tests.anim.animators import LINEAR, playing, rig, slide, turned, x
from tests.rigs import HALF


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
