"""A few small frames of those that `python -m tests.correct` draws: none fails."""

import pytest

from posed.live import Renderer
from tests.correct.case import draw_case

SEED, FRAMES = 2, 12


@pytest.mark.parametrize("number", range(FRAMES))
def test_a_correct_frame_passes_wherever_the_camera_stands(number: int, renderer: Renderer) -> None:
    case = draw_case(SEED, number, largest=(96, 54))
    for verdict in case.verdicts():
        assert verdict.passed, f"{case.words}: {verdict.sentence()}"


def test_a_number_draws_the_same_frame_again_and_another_one_another() -> None:
    one, again, other = (draw_case(SEED, number, largest=(96, 54)) for number in (3, 3, 4))
    assert (one.words, one.pose.digest) == (again.words, again.pose.digest) != (other.words, other.pose.digest)
