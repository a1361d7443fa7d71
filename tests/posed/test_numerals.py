"""Numbers of any size in short texts."""

from fractions import Fraction

import pytest

from posed.numerals import LARGEST_EXPONENT, LONGEST, read_fraction, read_index


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("60", Fraction(60)),
        ("0.1", Fraction(1, 10)),
        ("30000/1001", Fraction(30000, 1001)),
        ("-2.5e-1", Fraction(-1, 4)),
        ("1E3", Fraction(1000)),
        (f"1e{LARGEST_EXPONENT}", Fraction(10**LARGEST_EXPONENT)),
    ],
)
def test_a_text_names_its_rational_exactly(text: str, value: Fraction) -> None:
    assert read_fraction(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Invalid literal"),
        ("nan", "Invalid literal"),
        ("inf", "Invalid literal"),
        ("one", "Invalid literal"),
        ("1/0", "divides by zero"),
        ("1e401", "exponent"),
        ("1e-401", "exponent"),
        ("1e999999999", "exponent"),
        ("1E+9_9_9", "exponent"),
        ("9" * (LONGEST + 1), "a number of 65 characters: at most 64 are read"),
        ("9" * 5000, "5000 characters"),
    ],
)
def test_what_is_no_number_to_work_with_is_refused_at_once(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_fraction(text)


def test_an_index_is_digits_up_to_the_most() -> None:
    assert [read_index(text, 99) for text in ("0", "99", "100", "-1", "1.5", "", "x", "9" * 5000)] == [
        0,
        99,
        None,
        None,
        None,
        None,
        None,
        None,
    ]
