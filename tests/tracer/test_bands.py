"""Rows shared out among threads."""

import numpy as np
import pytest

from tracer.bands import BAND, PART, Report, band_count, in_bands, in_parts


@pytest.mark.parametrize("height", [1, BAND - 1, BAND, BAND + 1, 10 * BAND + 3])
def test_every_row_is_done_once_and_progress_ends_at_1(height: int) -> None:
    done, shares = [], []
    report = Report(shares.append, band_count(height), 2)
    for _ in range(2):
        in_bands(lambda first, last: done.extend(range(first, last)), height, report)
    assert sorted(done) == sorted([*range(height), *range(height)])
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_a_fault_in_a_thread_reaches_the_caller() -> None:
    def fail(first: int, last: int) -> None:
        raise ArithmeticError(f"{first} to {last}")

    with pytest.raises(ArithmeticError, match=f"0 to {BAND}"):
        in_bands(fail, 3 * BAND, Report(None, 3, 1))


@pytest.mark.parametrize("count", [0, 1, PART - 1, PART, 3 * PART + 5])
def test_every_item_is_done_once(count: int) -> None:
    done: list[int] = []
    in_parts(lambda part: done.extend(part.tolist()), np.arange(count))
    assert sorted(done) == list(range(count))
