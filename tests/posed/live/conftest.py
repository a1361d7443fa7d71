"""The renderer of the live tests, or the reason why there is none."""

import pytest

from posed.errors import MissingError
from posed.live import Renderer


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    try:
        return Renderer()
    except MissingError as error:
        pytest.skip(str(error))
