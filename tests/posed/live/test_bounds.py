"""The origin that a frame puts near its camera."""

import numpy as np
import pytest

from posed.live.bounds import frame_origin


@pytest.mark.parametrize(
    ("eye", "origin"),
    [
        ((3, 4, 5), (0, 8, 8)),
        ((1e6, 0, 0), (1e6, 0, 0)),
        ((1e6 + 1, 3.9, 4), (1e6, 0, 8)),
        ((-4.1, -3.9, 0), (-8, 0, 0)),
    ],
)
def test_the_origin_is_the_eye_rounded_to_the_power_of_two_above_the_diagonal(
    eye: tuple[float, ...], origin: tuple[float, ...]
) -> None:
    # A diagonal of 5: multiples of 8.
    found = frame_origin(np.array(eye, np.float64), np.zeros(3), np.array([3.0, 4.0, 0.0]))
    assert found.tolist() == list(origin)


def test_a_scene_without_size_has_its_origin_at_the_world_s() -> None:
    for size in (0.0, np.inf, np.nan):
        assert frame_origin(np.full(3, 1e9), np.zeros(3), np.full(3, size)).tolist() == [0, 0, 0]
