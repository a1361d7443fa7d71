"""The scripted run: one value, by single ticks, uneven steps, pickles in the middle, with and without the compiler."""

import os
import subprocess
import sys
from pathlib import Path

from tests.anim import scripted

GOLDEN = "cba36d5fb5ba88bc55fa88cda78de68c95f61495d0788c9e27373d6edb0f738b"
"""Hash of the palettes and weights; a change here is a golden change and belongs in the changelog."""


def test_single_ticks_give_the_golden_value() -> None:
    assert scripted.play()[0] == GOLDEN


def test_uneven_steps_and_pickles_give_the_same() -> None:
    expected, events = scripted.play()
    assert len(events) > 10
    assert scripted.play([], pickled_at=[99, 201, 300]) == (expected, events)
    assert scripted.play([1, 2, 50, 51, 131, 299, 398], pickled_at=[51, 399]) == (expected, events)


def test_plain_python_gives_the_same() -> None:
    house = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "tests.anim.scripted"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=house,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [GOLDEN, GOLDEN]
