"""What docs/detection.md states: twice the floor is caught, a tenth of it is not."""

import pytest

from posed.live import Renderer
from tests.detection.measuring import LAYERS, Case
from tests.detection.moving import MOVES, SUBJECTS
from tests.detection.page import PAGE, read, write

SIZE, FLOORS = read(PAGE.read_text())

COLUMN = SUBJECTS[1]


def test_the_page_is_what_is_written_of_its_own_numbers() -> None:
    text = PAGE.read_text()
    assert read(write(FLOORS, SIZE, "an adapter")) == (SIZE, FLOORS)
    assert set(FLOORS) == {
        (subject.name, move, policy) for subject in SUBJECTS for move in MOVES for policy in ("exact", "gpu", "foreign")
    }
    assert all(list(floors) == list(LAYERS) for floors in FLOORS.values())
    assert "python -m tests.detection " in text


@pytest.mark.parametrize("layer", ["pose", "vertices", "triangle", "depth", "motion"])
@pytest.mark.parametrize("move", MOVES)
def test_twice_the_floor_is_caught_and_a_tenth_of_it_is_not(move: str, layer: str, renderer: Renderer) -> None:
    case = Case(COLUMN, move, "gpu", SIZE)
    floor = FLOORS[COLUMN.name, move, "gpu"][layer]
    assert case.catches(2.0 * floor, shaded=False)[layer]
    assert not case.catches(0.1 * floor, shaded=False)[layer]


def test_colors_that_are_shifted_are_caught_by_what_the_page_says(renderer: Renderer) -> None:
    case = Case(COLUMN, "displacement", "gpu", SIZE)
    floor = FLOORS[COLUMN.name, "displacement", "gpu"]["color"]
    assert case.catches(2.0 * floor, shaded=True)["color"]
    assert not case.catches(0.1 * floor, shaded=True)["color"]
