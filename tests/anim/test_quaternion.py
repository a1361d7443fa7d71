"""Quaternion kernels on turns known by heart."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anim import quaternion
from tests.rigs import HALF

EXACT = 1e-15  # a few roundings of numbers up to one
X_90 = (HALF, 0.0, 0.0, HALF)
Y_90 = (0.0, HALF, 0.0, HALF)
NO_TURN = (0.0, 0.0, 0.0, 1.0)

angles = st.floats(-3.1, 3.1)


def about_z(degrees: float) -> quaternion.Quaternion:
    return quaternion.from_axis_angle((0.0, 0.0, 1.0), math.radians(degrees))


def angle_about_z(q: quaternion.Quaternion) -> float:
    """Degrees of a turn about z, the same for q and -q."""
    assert abs(q[0]) < EXACT
    assert abs(q[1]) < EXACT
    return math.degrees(2.0 * math.atan2(q[2], q[3]) if q[3] >= 0 else 2.0 * math.atan2(-q[2], -q[3]))


def test_a_product_turns_by_its_right_factor_first() -> None:
    # y to z by the turn about x, then z to x by the turn about y.
    assert quaternion.rotate(quaternion.multiply(Y_90, X_90), (0.0, 1.0, 0.0)) == pytest.approx((1, 0, 0), abs=EXACT)
    assert quaternion.rotate(quaternion.multiply(X_90, Y_90), (0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1), abs=EXACT)


def test_the_conjugate_turns_back() -> None:
    turned = quaternion.rotate(X_90, (1.0, 2.0, 3.0))
    assert quaternion.rotate(quaternion.conjugate(X_90), turned) == pytest.approx((1.0, 2.0, 3.0), abs=4 * EXACT)


def test_zero_normalizes_to_no_turn() -> None:
    assert quaternion.normalize((0.0, 0.0, 0.0, 0.0)) == NO_TURN
    assert quaternion.normalize((0.0, 3.0, 0.0, 4.0)) == (0.0, 0.6, 0.0, 0.8)


def test_slerp_takes_the_short_way_to_a_negated_quaternion() -> None:
    negated = tuple(-x for x in about_z(31.0))
    assert angle_about_z(quaternion.slerp(about_z(10.0), negated, 0.5)) == pytest.approx(20.5, abs=1e-12)


def test_slerp_is_even_in_angle_and_lerp_is_not() -> None:
    assert angle_about_z(quaternion.slerp(about_z(0.0), about_z(90.0), 0.25)) == pytest.approx(22.5, abs=1e-12)


def test_slerp_over_half_a_circle_is_defined() -> None:
    # The dot product is 0, or rounding: either way round is a shortest one.
    half_way = quaternion.slerp(NO_TURN, (0.0, 0.0, 1.0, 0.0), 0.5)
    assert abs(angle_about_z(half_way)) == pytest.approx(90.0, abs=1e-12)


def test_slerp_keeps_the_second_operand_where_the_dot_product_is_exactly_zero() -> None:
    assert quaternion.slerp(NO_TURN, (0.0, 0.0, -1.0, 0.0), 0.5)[2] < 0.0


def test_slerp_of_a_turn_with_itself_survives_a_dot_product_above_one() -> None:
    long = (0.0, 0.0, 0.0, 1.0 + 1e-7)
    assert quaternion.slerp(long, long, 0.3) == NO_TURN


@given(a=angles, b=angles, u=st.floats(0, 1))
def test_slerp_has_unit_length(a: float, b: float, u: float) -> None:
    q = quaternion.slerp(
        quaternion.from_axis_angle((1.0, 0.0, 0.0), a), quaternion.from_axis_angle((0.0, 0.6, 0.8), b), u
    )
    assert quaternion.dot(q, q) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("b", [(0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, -0.6, 0.8)])
def test_between_takes_one_direction_to_another(b: quaternion.Vector) -> None:
    assert quaternion.rotate(quaternion.between((1.0, 0.0, 0.0), b), (1.0, 0.0, 0.0)) == pytest.approx(b, abs=4 * EXACT)


def test_between_opposite_directions_along_every_axis() -> None:
    for a in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, -0.8)):
        b = (-a[0], -a[1], -a[2])
        assert quaternion.rotate(quaternion.between(a, b), a) == pytest.approx(b, abs=4 * EXACT)


def test_slerp_of_nearly_parallel_turns_is_the_normalized_lerp() -> None:
    """A turn of 2 degrees about z has a scalar part of 0.99985; one of 5 degrees, 0.99905, is below the bound."""
    for degrees, straight in ((2.0, True), (5.0, False)):
        _, _, z, w = about_z(degrees)
        length = math.sqrt((z / 4) ** 2 + (0.75 + w / 4) ** 2)
        lerp = (0.0, 0.0, z / 4 / length, (0.75 + w / 4) / length)
        apart = abs(angle_about_z(quaternion.slerp(NO_TURN, about_z(degrees), 0.25)) - angle_about_z(lerp))
        assert (apart < 1e-12) == straight
