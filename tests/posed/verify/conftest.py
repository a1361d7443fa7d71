"""The reason why a machine cannot draw, for the tests that need a live frame."""

import pytest

from posed.errors import MissingError
from posed.live import Renderer


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    try:
        return Renderer()
    except MissingError as error:
        pytest.skip(str(error))
