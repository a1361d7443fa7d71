"""Channels and clips: what is kept, what is normalized, what is refused."""

import pickle

import numpy as np
import pytest

from anim import AnimError, Channel, Clip, ClipEvent, Interpolation, Path

LINEAR, CUBIC = Interpolation.LINEAR, Interpolation.CUBICSPLINE


def slide(node: int = 0, times: object = (0.0, 1.0)) -> Channel:
    return Channel(node, Path.TRANSLATION, LINEAR, times, np.zeros((len(times), 3)))


def test_rotation_keys_are_brought_to_unit_length_once() -> None:
    channel = Channel(0, Path.ROTATION, LINEAR, [0, 1], [[0, 3, 0, 4], [0, 0.6, 0, 0.8]])
    assert channel.values.tolist() == [[0, 0.6, 0, 0.8], [0, 0.6, 0, 0.8]]
    again = Channel(0, Path.ROTATION, LINEAR, channel.times, channel.values)
    assert again.values.tobytes() == channel.values.tobytes()


def test_of_a_spline_the_values_are_normalized_and_the_tangents_are_not() -> None:
    channel = Channel(0, Path.ROTATION, CUBIC, [0], [[5, 5, 5, 5], [0, 3, 0, 4], [7, 7, 7, 7]])
    assert channel.values.tolist() == [[5, 5, 5, 5], [0, 0.6, 0, 0.8], [7, 7, 7, 7]]


def test_of_keys_at_one_time_the_last_is_kept() -> None:
    channel = Channel(0, Path.WEIGHTS, LINEAR, [0, 0.5, 0.5, 1], [[1], [2], [3], [4]])
    assert channel.times.tolist() == [0, 0.5, 1]
    assert channel.values.tolist() == [[1], [3], [4]]
    spline = Channel(0, Path.WEIGHTS, CUBIC, [0.5, 0.5], [[1], [2], [3], [4], [5], [6]])
    assert spline.values.tolist() == [[4], [5], [6]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, Path.SCALE, LINEAR, [0], [[1, 1, 1]]), "the node is negative"),
        ((0, Path.SCALE, LINEAR, [], np.zeros((0, 3))), "has no keys; expected at least one"),
        (
            (3, Path.SCALE, LINEAR, [0, 2, 1], np.ones((3, 3))),
            r"node 3, scale: key 2 is at 1\.0 s, before key 1 at 2\.0",
        ),
        ((0, Path.SCALE, LINEAR, [0, np.nan], np.ones((2, 3))), r"times\[1\] is nan; expected a finite number"),
        ((0, Path.SCALE, LINEAR, [0], [[1, 1]]), r"values has shape \(1, 2\); expected \(1, 3\)"),
        ((0, Path.SCALE, CUBIC, [0], [[1, 1, 1]]), r"values has shape \(1, 3\); expected \(3, 3\)"),
        ((0, Path.ROTATION, LINEAR, [0, 1], [[0, 0, 0, 1], [0, 0, 0, 0]]), "rotation of key 1 has length 0"),
    ],
)
def test_a_faulty_channel_is_told(arguments: tuple, message: str) -> None:
    with pytest.raises(AnimError, match=message):
        Channel(*arguments)


def test_a_clip_lasts_from_zero_to_its_last_key() -> None:
    assert Clip("walk", [slide(0, [1.5, 2.5]), slide(1, [0.0, 1.0])]).duration == 2.5
    assert Clip("still", []).duration == 0.0
    assert Clip("early", [slide(0, [-2.0, -1.0])]).duration == 0.0


def test_two_channels_of_one_property_are_refused() -> None:
    with pytest.raises(AnimError, match="clip 'walk': channels 0 and 2 both move the translation of node 4"):
        Clip("walk", [slide(4), slide(5), slide(4)])


def test_events() -> None:
    clip = Clip("walk", [slide()], [ClipEvent("a", 0)]).with_events([ClipEvent("b", 0.5)])
    assert [(e.name, e.time) for e in clip.events] == [("a", 0.0), ("b", 0.5)]
    with pytest.raises(AnimError, match="event 'a' is at -1"):
        ClipEvent("a", -1)
    with pytest.raises(AnimError, match="event 'a' is at inf"):
        ClipEvent("a", float("inf"))


def test_arrays_are_read_only_also_after_a_pickle() -> None:
    clip = pickle.loads(pickle.dumps(Clip("walk", [slide()])))
    with pytest.raises(ValueError, match="read-only"):
        clip.channels[0].values[0, 0] = 1.0


def test_a_channel_beside_another_shares_its_times() -> None:
    one = Channel(0, Path.TRANSLATION, Interpolation.LINEAR, [0.0, 1.0], np.zeros((2, 3)))
    other = one.beside(1, Path.ROTATION, Interpolation.LINEAR, [(0, 0, 0, 2), (0, 0, 0, 1)])
    assert other.times is one.times
    assert (other.node, other.path, other.values.tolist()) == (1, Path.ROTATION, [[0, 0, 0, 1], [0, 0, 0, 1]])
    with pytest.raises(AnimError, match=r"values has shape \(3, 4\); expected \(2, 4\)"):
        one.beside(1, Path.ROTATION, Interpolation.LINEAR, np.ones((3, 4)))
