"""Numbers and lists in sentences."""

import math

import pytest

from posed.words import counted, listed, numeral, span


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1886, "1,886"),
        (-1886.0, "-1,886"),
        (0.0078431, "0.00784"),
        (1234.6, "1,235"),
        (-64341.2, "-64,341"),
        (999.7, "1,000"),
        (999.4, "999"),
        (1e15, "1e+15"),
        (-math.inf, ""),
        (math.nan, ""),
    ],
)
def test_a_numeral_is_whole_or_has_three_digits(value: float, text: str) -> None:
    assert numeral(value) == text


def test_counts_and_lists() -> None:
    assert [counted(1, "part"), counted(2, "part"), counted(2, "vertex", "vertices")] == [
        "1 part",
        "2 parts",
        "2 vertices",
    ]
    assert listed([3], "tick") == "tick 3"
    assert listed(range(1, 11), "tick") == "ticks 1, 2, 3, 4, 5, 6, 7, 8, ..."
    assert [span("row", 7, 7), span("row", 7, 9)] == ["row 7", "rows 7 to 9"]
