"""The own transcendentals against 60-digit decimal arithmetic, and their named special values."""

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest

from anim import scalar

decimal.getcontext().prec = 60
TWO_UNITS = 2.0


def units(got: float, exact: Decimal) -> float:
    """Return the error in units in the last place of the exact value."""
    return float(abs(Decimal(float(got)) - exact) / Decimal(math.ulp(float(exact))))


def exact_sin(x: Decimal) -> Decimal:
    term = total = x
    for n in range(2, 400, 2):
        term = -term * x * x / (n * (n + 1))
        total += term
        if abs(term) < Decimal(10) ** -58:
            break
    return total


def exact_atan(x: Decimal) -> Decimal:
    """Halve the angle until the series converges in a few terms."""
    halvings = 0
    while abs(x) > Decimal("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    term, total = x, x
    for n in range(3, 200, 2):
        term = -term * x * x
        total += term / n
        if abs(term) < Decimal(10) ** -58:
            break
    return total * 2**halvings


EXACT_PI = 4 * exact_atan(Decimal(1))


def reduced_sin(angle: float, quarter: int = 0) -> Decimal:
    """Return sin(angle + quarter pi/2) from an exactly reduced argument."""
    with decimal.localcontext(prec=90):
        x = Decimal(angle) + quarter * EXACT_PI / 2
        x -= (x / (2 * EXACT_PI)).to_integral_value() * 2 * EXACT_PI
        return exact_sin(x)


@pytest.fixture
def angles() -> np.ndarray:
    source = np.random.default_rng(7)
    near_multiples = np.arange(-40, 41) * (math.pi / 2) * (1 + 1e-9)
    return np.concatenate(
        [
            source.uniform(-math.pi, math.pi, 300),
            source.uniform(-scalar.LARGEST_ANGLE, scalar.LARGEST_ANGLE, 200),
            near_multiples,
            np.arange(-8, 9) * (math.pi / 4),
            10.0 ** source.uniform(-12, 0, 100),
        ]
    )


def test_sin_and_cos_are_within_two_units_in_the_last_place(angles: np.ndarray) -> None:
    assert max(units(scalar.sin(a), reduced_sin(float(a))) for a in angles) < TWO_UNITS
    assert max(units(scalar.cos(a), reduced_sin(float(a), 1)) for a in angles) < TWO_UNITS


def test_sin_acute_is_within_three_units_in_the_last_place() -> None:
    source = np.random.default_rng(10)
    angles = np.concatenate([source.uniform(0, math.pi / 2, 400), 10.0 ** source.uniform(-12, 0, 100), [math.pi / 2]])
    assert max(units(scalar.sin_acute(a), reduced_sin(float(a))) for a in angles) < 3.0
    assert scalar.sin_acute(0.0) == 0.0


def test_acos_is_within_two_units_in_the_last_place() -> None:
    source = np.random.default_rng(8)
    cosines = np.concatenate([source.uniform(-1, 1, 400), 1 - 10.0 ** source.uniform(-15, -1, 100), [-0.5, 0.5, 0.0]])
    for c in cosines:
        exact = Decimal(float(c))
        # acos c = 2 atan sqrt((1 - c) / (1 + c))
        expected = 2 * exact_atan(((1 - exact) / (1 + exact)).sqrt())
        assert units(scalar.acos(c), expected) < TWO_UNITS, c


def test_atan2_is_within_two_units_in_the_last_place_in_every_octant() -> None:
    source = np.random.default_rng(9)
    points = np.concatenate([source.normal(size=(400, 2)), [[1, 1], [-1, 1], [1, -1], [-1, -1], [1e-9, 1], [7, 16]]])
    for x, y in points:
        expected = exact_atan(Decimal(float(y)) / Decimal(float(x)))
        if x < 0:
            expected += EXACT_PI if y >= 0 else -EXACT_PI
        assert units(scalar.atan2(y, x), expected) < TWO_UNITS, (x, y)


def test_exp_and_log_are_within_two_units_in_the_last_place() -> None:
    source = np.random.default_rng(11)
    for x in np.concatenate([source.uniform(-700, 700, 300), source.uniform(-2, 2, 300)]):
        assert units(scalar.exp(x), Decimal(float(x)).exp()) < TWO_UNITS, x
    for x in np.concatenate([np.exp(source.uniform(-700, 700, 300)), source.uniform(0.25, 4, 300), [5e-324]]):
        assert units(scalar.log(x), Decimal(float(x)).ln()) < TWO_UNITS, x


def test_named_values() -> None:
    assert (scalar.exp(0.0), scalar.exp(710.0), scalar.exp(-746.0)) == (1.0, math.inf, 0.0)
    assert scalar.exp(-745.0) == 5e-324
    assert (scalar.log(1.0), scalar.log(0.0), scalar.log(2.0)) == (0.0, -math.inf, math.log(2.0))
    assert scalar.sin(0.0) == 0.0
    assert scalar.cos(0.0) == 1.0
    assert scalar.acos(1.0) == 0.0
    assert scalar.acos(-1.0) == math.pi
    assert scalar.acos(0.0) == math.pi / 2
    assert scalar.acos(1.0 + 1e-9) == 0.0
    assert scalar.acos(-1.0 - 1e-9) == math.pi
    assert scalar.atan2(0.0, 0.0) == 0.0
    assert scalar.atan2(1.0, 0.0) == math.pi / 2
    assert scalar.atan2(-1.0, 0.0) == -math.pi / 2
    assert scalar.atan2(0.0, -1.0) == math.pi


def test_sine_is_odd_and_cosine_even_to_the_bit(angles: np.ndarray) -> None:
    for a in angles:
        assert scalar.sin(-a) == -scalar.sin(a)
        assert scalar.cos(-a) == scalar.cos(a)
