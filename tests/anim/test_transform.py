"""Transforms: their matrix, and the way back from a matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import AnimError, Transform
from tests.rigs import HALF

NUMBERS = st.floats(-10, 10, allow_nan=False)
EXACT = 1e-12  # a few roundings of numbers up to ten


def test_the_matrix_scales_then_turns_then_moves() -> None:
    matrix = Transform((10.0, 20.0, 30.0), (0.0, 0.0, HALF, HALF), (2.0, 3.0, 4.0)).matrix()
    # x is doubled and turned to y; y tripled and turned to -x.
    np.testing.assert_allclose(matrix, [[0, -3, 0, 10], [2, 0, 0, 20], [0, 0, 4, 30], [0, 0, 0, 1]], atol=EXACT)


def test_rotations_are_brought_to_unit_length_and_unit_ones_left_alone() -> None:
    assert Transform(rotation=(0.0, 3.0, 0.0, 4.0)).rotation == (0.0, 0.6, 0.0, 0.8)
    assert Transform(rotation=(0.0, 0.6, 0.0, 0.8)).rotation == (0.0, 0.6, 0.0, 0.8)


def test_what_is_no_transform_is_refused() -> None:
    with pytest.raises(AnimError, match=r"rotation is \(0, 0, 0, 0\)"):
        Transform(rotation=(0.0, 0.0, 0.0, 0.0))
    with pytest.raises(AnimError, match=r"scale is \(1\.0, nan, 1\.0\); expected 3 finite numbers"):
        Transform(scale=(1.0, float("nan"), 1.0))
    with pytest.raises(AnimError, match="translation is .* expected 3 finite numbers"):
        Transform(translation=(1.0, 2.0))  # type: ignore[arg-type]


@given(
    translation=st.tuples(NUMBERS, NUMBERS, NUMBERS),
    rotation=st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS).filter(lambda q: sum(abs(x) for x in q) > 0.1),
    scale=st.tuples(*[NUMBERS.filter(lambda x: abs(x) > 0.1)] * 3),
)
def test_a_matrix_without_shear_comes_back(translation: tuple, rotation: tuple, scale: tuple) -> None:
    matrix = Transform(translation, rotation, scale).matrix()
    np.testing.assert_allclose(Transform.from_matrix(matrix).matrix(), matrix, atol=1e-11)


@pytest.mark.parametrize("scale", [(0.0, 1.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_a_flat_matrix_comes_back(scale: tuple[float, float, float]) -> None:
    matrix = Transform((1.0, 2.0, 3.0), (0.1, 0.2, 0.3, 0.9), scale).matrix()
    np.testing.assert_allclose(Transform.from_matrix(matrix).matrix(), matrix, atol=EXACT)


def test_a_shear_is_lost_and_no_more() -> None:
    sheared = np.eye(4)
    sheared[0, 1] = 1.0
    found = Transform.from_matrix(sheared)
    assert found.rotation == (0.0, 0.0, 0.0, 1.0)
    assert found.scale == (1.0, pytest.approx(np.sqrt(2.0)), 1.0)
