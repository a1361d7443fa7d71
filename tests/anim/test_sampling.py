"""Sampling one channel: the three interpolations at keys, between them and past the ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import (
    AnimError,
    Channel,
    Clip,
    Interpolation,
    Path,
    Pose,
    Skeleton,
    Transform,
    sample_clip,
    sample_component,
    sample_rotation,
    wrap_time,
)
from anim.sampling import locate

STEP, LINEAR, CUBIC = Interpolation.STEP, Interpolation.LINEAR, Interpolation.CUBICSPLINE
EXACT = 1e-14


def about_z(degrees: float) -> list[float]:
    return [0.0, 0.0, math.sin(math.radians(degrees) / 2), math.cos(math.radians(degrees) / 2)]


def numbers(interpolation: Interpolation, times: list[float], values: list[float]) -> Channel:
    return Channel(0, Path.WEIGHTS, interpolation, times, [[v] for v in values])


def at(channel: Channel, *times: float) -> list[float]:
    return [sample_component(channel, 0, time) for time in times]


def test_step_holds_a_key_until_the_next() -> None:
    channel = numbers(STEP, [0.0, 0.5, 1.0], [10.0, 20.0, 30.0])
    assert at(channel, 0.0, 0.4999, 0.5, 0.999, 1.0) == [10.0, 10.0, 20.0, 20.0, 30.0]


def test_linear() -> None:
    assert at(numbers(LINEAR, [1.0, 3.0], [10.0, 20.0]), 1.5, 2.0, 2.5) == [12.5, 15.0, 17.5]


def test_a_cubic_spline_scales_its_tangents_by_the_interval() -> None:
    # Keys 4 s apart: value 0 leaving at 1 a second, value 0 arriving at -1 a second. Half way 4 (1/8) + 4 (1/8) = 1;
    # a quarter of the way 4 (9/64) + 4 (3/64) = 3/4.
    channel = numbers(CUBIC, [0.0, 4.0], [9.0, 0.0, 1.0, -1.0, 0.0, 9.0])
    assert at(channel, 2.0, 1.0) == [1.0, 0.75]


def test_cubic_weights_lie_as_tangents_in_values_tangents_out() -> None:
    rows = [[0, 0, 0], [1, 2, 3], [0, 0, 0], [0, 0, 0], [5, 6, 7], [0, 0, 0]]
    channel = Channel(0, Path.WEIGHTS, CUBIC, [0.0, 1.0], rows)
    assert [sample_component(channel, c, 0.5) for c in range(3)] == [3.0, 4.0, 5.0]
    assert [sample_component(channel, c, 1.0) for c in range(3)] == [5.0, 6.0, 7.0]


@pytest.mark.parametrize("interpolation", [STEP, LINEAR, CUBIC])
def test_the_ends_hold_and_keys_come_back_bit_for_bit(interpolation: Interpolation) -> None:
    times = np.array([0.1, 0.35, 0.7], np.float32).astype(float)
    values = np.random.default_rng(1).normal(size=(9 if interpolation is CUBIC else 3, 4))
    channel = Channel(0, Path.ROTATION, interpolation, times, values)
    loaded = channel.values[1::3] if interpolation is CUBIC else channel.values
    for time, key in [(0.0, 0), (-5.0, 0), *zip(times, range(3), strict=True), (0.7001, 2), (1e9, 2)]:
        assert sample_rotation(channel, float(time)) == tuple(loaded[key])


def test_one_key_is_a_constant() -> None:
    assert at(numbers(LINEAR, [0.7], [3.0]), 0.0, 0.7, 9.0) == [3.0, 3.0, 3.0]


def test_rotations_slerp_the_shorter_way() -> None:
    negated = [-x for x in about_z(31.0)]
    channel = Channel(0, Path.ROTATION, LINEAR, [0.0, 1.0], [about_z(10.0), negated])
    assert sample_rotation(channel, 0.5) == pytest.approx(about_z(20.5), abs=EXACT)


def test_cubic_rotations_are_normalized() -> None:
    flat = [[0.0] * 4, about_z(0.0), [0.0] * 4, [0.0] * 4, about_z(90.0), [0.0] * 4]
    channel = Channel(0, Path.ROTATION, CUBIC, [0.0, 1.0], flat)
    assert sample_rotation(channel, 0.5) == pytest.approx(about_z(45.0), abs=EXACT)


def test_a_cubic_rotation_through_zero_keeps_the_keys() -> None:
    opposite = [[0.0] * 4, [0, 0, 0, 1], [0.0] * 4, [0.0] * 4, [0, 0, 0, -1], [0.0] * 4]
    assert sample_rotation(Channel(0, Path.ROTATION, CUBIC, [0, 1], opposite), 0.5) == (0, 0, 0, 1)


@given(
    gaps=st.lists(st.floats(0.001, 10.0), min_size=0, max_size=30),
    start=st.floats(0.0, 5.0),
    where=st.floats(-0.1, 1.1),
)
def test_every_time_is_located_between_its_keys(gaps: list[float], start: float, where: float) -> None:
    times = np.cumsum([start, *gaps])
    time = start + where * (times[-1] - start) if gaps else start + where
    key, share = locate(times, 0, len(times), time)
    assert 0.0 <= share <= 1.0
    if share == 0.0:
        assert times[key] == time or (key, time < times[0]) == (0, True) or (key == len(gaps) and time > times[-1])
    else:
        assert times[key] < time < times[key + 1]
        assert times[key] + share * (times[key + 1] - times[key]) == pytest.approx(time)


def test_sample_clip_moves_what_its_channels_move() -> None:
    skeleton = Skeleton(["a", "b"], [-1, 0], [Transform()] * 2, node_to_bone=[1, -1, 0], morphs={0: [0.0, 0.0]})
    clip = Clip(
        "c",
        [
            Channel(0, Path.TRANSLATION, LINEAR, [0, 1], [[0, 0, 0], [2, 4, 6]]),
            Channel(1, Path.TRANSLATION, LINEAR, [0], [[9, 9, 9]]),  # node 1 is no bone
            Channel(2, Path.WEIGHTS, LINEAR, [0, 1], [[0, 1], [1, 0]]),
            Channel(7, Path.SCALE, LINEAR, [0], [[9, 9, 9]]),  # the file has no node 7
        ],
    )
    pose = Pose(skeleton)
    pose.scales[1] = 5.0
    sample_clip(clip, 0.5, pose)
    assert pose.translations.tolist() == [[0, 0, 0], [1, 2, 3]]
    assert pose.weights.tolist() == [0.5, 0.5]
    assert pose.scales[1].tolist() == [5.0, 5.0, 5.0]
    with pytest.raises(AnimError, match=r"has 1 weights for bone 0 \('a'\), which has 2"):
        sample_clip(Clip("c", [Channel(2, Path.WEIGHTS, LINEAR, [0], [[1]])]), 0.0, pose)


def test_what_cannot_be_sampled_is_refused() -> None:
    channel = numbers(LINEAR, [0.0], [1.0])
    with pytest.raises(AnimError, match="component is 1; the channel has 1"):
        sample_component(channel, 1, 0.0)
    with pytest.raises(AnimError, match="the channel moves the weights; expected one that moves the rotation"):
        sample_rotation(channel, 0.0)
    with pytest.raises(AnimError, match="a time is nan"):
        sample_component(channel, 0, math.nan)


def test_wrap_time() -> None:
    assert [wrap_time(t, 2.0) for t in (0.0, 1.5, 2.0, 5.0, -0.5)] == [0.0, 1.5, 0.0, 1.0, 1.5]
    assert [wrap_time(t, 2.0, loop=False) for t in (-1.0, 1.5, 3.0)] == [0.0, 1.5, 2.0]
    assert wrap_time(7.0, 0.0) == 0.0
    assert wrap_time(-1e-30, 2.0) == 0.0
    with pytest.raises(AnimError, match="duration is -1"):
        wrap_time(0.0, -1.0)
