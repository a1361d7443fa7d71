"""Exact numbers: what a decimal stands for, and which times count as whole ticks."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from anim import AnimError
from anim.rational import exact, exact_rate, snapped, whole_ticks


def test_a_float_stands_for_its_shortest_decimal() -> None:
    assert exact(0.3) == Fraction(3, 10)
    assert exact(np.float64(29.97)) == Fraction(2997, 100)
    assert exact(Decimal("0.1")) == Fraction(1, 10)
    assert exact(np.int32(7)) == 7
    assert exact(Fraction(1, 3)) == Fraction(1, 3)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), "1", None, True])
def test_what_is_no_number_is_refused(number: object) -> None:
    with pytest.raises(AnimError, match="speed is .*; expected a"):
        exact(number, "speed")  # type: ignore[arg-type]


def test_a_rate_is_positive() -> None:
    assert exact_rate(Fraction(30000, 1001)) == Fraction(30000, 1001)
    with pytest.raises(AnimError, match="rate is 0; expected a positive number"):
        exact_rate(0)


@pytest.mark.parametrize("rate", [24, 30, 60])
def test_float32_times_of_whole_ticks_count_as_those(rate: int) -> None:
    for k in range(1, 121):
        if k * rate % 60 == 0:
            assert snapped(float(np.float32(k / 60)), Fraction(rate)) == Fraction(k, 60)


def test_other_times_keep_their_value() -> None:
    between = float(np.float32(0.7083333))
    assert snapped(between, Fraction(60)) == Fraction(between)
    assert snapped(0.0, Fraction(60)) == 0
    # Two float32 steps away is not the tick any more.
    beside = float(np.float32(1) + np.float32(2) ** -22)
    assert snapped(beside, Fraction(60)) == Fraction(beside)


def test_lengths_round_to_whole_ticks_half_up() -> None:
    assert [whole_ticks(s, Fraction(10)) for s in (0, 0.04, 0.05, 0.14, 0.15)] == [0, 0, 1, 1, 2]
    with pytest.raises(AnimError, match="seconds is -1"):
        whole_ticks(-1, Fraction(10))
