"""State animators: phases, fades that freeze, events of the current state, parameters across states."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import (
    AnimError,
    BlendTree,
    Channel,
    Clip,
    Interpolation,
    Path,
    Pose,
    Rig,
    Skeleton,
    StateAnimator,
    Transform,
)
from tests.rigs import two_bone


def rig() -> Rig:
    def slide(name: str, start: float, end: float, duration: float) -> Clip:
        keys = [[start, 0, 0], [end, 0, 0]]
        return Clip(name, [Channel(0, Path.TRANSLATION, Interpolation.LINEAR, [0.0, duration], keys)])

    return Rig(two_bone(), [slide("walk", 0, 1, 1.0), slide("run", 10, 10, 0.5), slide("die", 20, 24, 2.0)])


def animator(rate: int = 10) -> StateAnimator:
    out = StateAnimator(rig(), rate=rate)
    out.add_clip_state("walk", "walk")
    out.add_clip_state("run", "run")
    out.add_clip_state("die", "die", loop=False)
    return out


def x(states: StateAnimator) -> float:
    return float(states.pose().translations[0, 0])


def test_before_anything_plays() -> None:
    states = animator()
    assert (states.current_state, states.phase, states.fade_weight, states.finished) == (-1, 0.0, 1.0, False)
    for call in (states.update, states.pose, states.palette, states.bone_matrices):
        with pytest.raises(AnimError, match="nothing plays; call play first"):
            call()


def test_a_phase_advances_by_the_cycle_rate() -> None:
    states = animator()
    states.play("walk")
    states.update(3)
    assert states.phase == pytest.approx(0.3)
    assert x(states) == pytest.approx(0.3)
    states.update(8)
    assert states.phase == pytest.approx(0.1)
    states.speed = -2.0
    states.update()
    assert states.phase == pytest.approx(0.9)


def test_a_state_that_does_not_loop_ends_at_phase_one() -> None:
    states = animator()
    states.play("die")
    states.update(19)
    assert not states.finished
    states.update(5)
    assert (states.phase, states.finished, x(states)) == (1.0, True, 24.0)
    states.play("die")
    assert states.finished
    states.play("die", restart=True)
    assert (states.phase, states.finished) == (0.0, False)


def test_a_fade_mixes_two_states_that_both_go_on() -> None:
    states = animator()
    states.play("walk")
    states.update(2)
    states.play("run", fade_seconds=0.4)
    assert states.fade_weight == 0.0
    assert x(states) == pytest.approx(0.2)
    states.update()
    assert states.fade_weight == 0.25
    assert x(states) == pytest.approx(0.75 * 0.3 + 0.25 * 10)
    states.update(3)
    assert states.fade_weight == 1.0
    assert x(states) == 10.0


def test_a_second_play_during_a_fade_freezes_the_blend() -> None:
    states = animator()
    states.play("walk")
    states.play("run", fade_seconds=0.4)
    states.update(2)
    frozen = x(states)
    states.play("die", fade_seconds=0.2)
    assert x(states) == frozen
    states.update()
    assert x(states) == pytest.approx(0.5 * frozen + 0.5 * 20.2)


def test_playing_the_current_state_again_changes_nothing() -> None:
    states = animator()
    states.play("walk")
    states.update(3)
    states.play("walk", fade_seconds=1.0)
    assert (states.phase, states.fade_weight) == (pytest.approx(0.3), 1.0)


def told(states: StateAnimator) -> list[tuple[int, str, str]]:
    return [tuple(event) for event in states.take_events()]


def test_events_of_the_current_state_once_for_each_pass() -> None:
    states = animator()
    states.add_event("walk", "left", 0.25)
    states.add_event("walk", "right", 0.0)
    states.add_event("run", "step", 0.5)
    states.play("walk")
    assert told(states) == [(0, "walk", "right")]
    states.update(13)
    assert told(states) == [(3, "walk", "left"), (10, "walk", "right"), (13, "walk", "left")]
    states.play("run", fade_seconds=0.5, start_phase=0.5)
    states.update(5)
    assert told(states) == [(13, "run", "step"), (18, "run", "step")]
    assert told(states) == []


def test_events_backwards_and_many_in_a_tick() -> None:
    states = animator()
    states.add_event("walk", "left", 0.25)
    states.play("walk", start_phase=0.5)
    states.speed = -1.0
    states.update(3)
    assert told(states) == [(3, "walk", "left")]
    states.speed = 25.0  # two and a half cycles a tick, from 0.2
    states.update()
    assert told(states) == [(4, "walk", "left")] * 3


def test_parameters_reach_every_state_that_declares_them() -> None:
    states = animator()
    trees = []
    for name in ("a", "b"):
        tree = BlendTree(states.rig)
        tree.add_parameter("speed")
        root_children = tree.add_clip("walk"), tree.add_clip("run")
        root = tree.add_blend_1d("speed")
        for threshold, child in enumerate(root_children):
            tree.add_child(root, child, threshold)
        states.add_state(name, tree)
        trees.append(tree)
    states.set_parameter("speed", 1.0)
    assert [tree.values for tree in trees] == [[1.0], [1.0]]
    states.play("b")
    assert x(states) == 10.0
    with pytest.raises(AnimError, match="no state has a parameter 'wind'"):
        states.set_parameter("wind", 1.0)


def test_matrices_and_palettes_go_into_given_arrays() -> None:
    states = animator()
    states.play("run")
    matrices, palette, pose = np.empty((2, 4, 4)), np.empty((2, 4, 4), np.float32), Pose(states.rig.skeleton)
    assert states.bone_matrices(out=matrices) is matrices
    assert states.palette(out=palette) is palette
    assert states.pose(out=pose) is pose
    assert matrices[1, :3, 3].tolist() == [10.0, 1.0, 0.0]
    assert palette[1, :3, 3].tolist() == [10.0, 0.0, 0.0]


def test_what_cannot_be_is_refused() -> None:
    states = animator()
    with pytest.raises(AnimError, match="there is no state 'jump'; there are 'walk', 'run', 'die'"):
        states.play("jump")
    with pytest.raises(AnimError, match=r"event 'e' is at phase 1\.0; expected 0 or more and less than 1"):
        states.add_event("walk", "e", 1.0)
    with pytest.raises(AnimError, match="start_phase is 1"):
        states.play("walk", start_phase=1)
    with pytest.raises(AnimError, match="state 'walk' is there already"):
        states.add_clip_state("walk", "walk")
    with pytest.raises(AnimError, match="of another rig"):
        states.add_state("other", BlendTree(rig()))
    with pytest.raises(AnimError, match="the tree has no nodes"):
        states.add_state("empty", BlendTree(states.rig))
    assert states.find_state("jump") == -1
    states.play("walk")
    with pytest.raises(AnimError, match="ticks is -1; expected an integer, 0 or more"):
        states.update(-1)


@given(cuts=st.lists(st.integers(0, 30), max_size=6))
def test_any_split_of_the_ticks_gives_the_same_bits(cuts: list[int]) -> None:
    def begun() -> StateAnimator:
        states = animator(rate=7)
        states.add_event("run", "step", 0.3)
        states.play("walk", start_phase=0.3)
        states.update(2)
        states.play("run", fade_seconds=2)
        return states

    once, stepped = begun(), begun()
    once.update(sum(cuts))
    for cut in cuts:
        stepped.update(cut)
        stepped = pickle.loads(pickle.dumps(stepped))
    assert once.palette().tobytes() == stepped.palette().tobytes()
    assert once.take_events() == stepped.take_events()


def morphing() -> StateAnimator:
    """One bone with a morph of rest weight 0.5; `open` and `shut` hold it at 1 and 0."""
    skeleton = Skeleton(["face"], [-1], [Transform()], morphs={0: [0.5]})
    clips = [
        Clip(name, [Channel(0, Path.WEIGHTS, Interpolation.LINEAR, [0.0, 1.0], [[value], [value]])])
        for name, value in (("shut", 0.0), ("open", 1.0))
    ]
    states = StateAnimator(Rig(skeleton, clips), rate=10)
    for clip in clips:
        states.add_clip_state(clip.name, clip)
    return states


def test_morph_weights_fade_with_their_state() -> None:
    states = morphing()
    states.play("shut")
    states.play("open", fade_seconds=0.4)
    states.update()
    assert states.pose().weights.tolist() == [0.25]
    states.play("shut", fade_seconds=0.2)  # the frozen quarter fades out
    assert states.pose().weights.tolist() == [0.25]
    states.update()
    assert states.pose().weights.tolist() == [0.125]


def test_a_fade_is_rounded_to_whole_ticks_half_up() -> None:
    for seconds, ticks in ((0.04, 0), (0.05, 1), (0.14, 1), (0.15, 2)):
        states = animator()
        states.play("walk")
        states.play("run", fade_seconds=seconds)
        states.update(ticks)
        assert states.fade_weight == 1.0, seconds
        if ticks > 0:
            states.play("die", fade_seconds=seconds)
            states.update(ticks - 1)
            assert states.fade_weight == (ticks - 1) / ticks, seconds


@given(cuts=st.lists(st.integers(0, 12), max_size=6))
def test_any_split_between_commands_gives_the_same_bits(cuts: list[int]) -> None:
    """Three states, one a blend whose parameter changes; a fade that a second play freezes."""

    def begun() -> StateAnimator:
        states = animator(rate=7)
        tree = BlendTree(states.rig)
        tree.add_parameter("pace", 0.3)
        children = tree.add_clip("walk"), tree.add_clip("run", speed=0.9)
        root = tree.add_blend_1d("pace")
        for threshold, child in enumerate(children):
            tree.add_child(root, child, threshold)
        states.add_state("go", tree)
        states.enable_root_motion(0)
        states.play("walk", start_phase=0.3)
        return states

    def run(steps: list[int]) -> bytes:
        states = begun()
        for command in (
            lambda s: s.play("go", fade_seconds=1.3),
            lambda s: s.play("die", fade_seconds=2.1),
            lambda s: s.set_parameter("pace", 0.8),
        ):
            command(states)
            for step in steps:
                states.update(step)
                states = pickle.loads(pickle.dumps(states))
        return states.palette().tobytes() + np.array(tuple(states.take_root_motion())).tobytes()

    assert run(cuts) == run([sum(cuts)])
