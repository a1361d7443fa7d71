"""Rules of the whole suite."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import numpy as np
import pytest

if TYPE_CHECKING:
    from posed.live import Renderer


def pytest_xdist_auto_num_workers() -> int:
    """Run the suite in a few processes: each compiles kernels of its own and traces with threads."""
    return min(os.cpu_count() or 1, 4)


hypothesis.settings.register_profile("posed", derandomize=True, deadline=None)
hypothesis.settings.load_profile("posed")  # the same examples each time, however slow the machine


@pytest.fixture(autouse=True)
def _strict_numbers() -> Iterator[None]:
    """No operation of NumPy divides by zero, overflows or makes a NaN unnoticed."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of models that others made."""
    folder = os.environ.get("POSED_TEST_MODELS")
    if not folder:
        pytest.skip("POSED_TEST_MODELS names no folder of models")
    return Path(folder)


@pytest.fixture(scope="session")
def renderer() -> "Renderer":
    """The renderer of tests that draw; see `go_without` where there is none."""
    from posed.errors import MissingError
    from posed.live import Renderer
    from tests.adapter import go_without

    try:
        return Renderer()
    except MissingError as error:
        go_without(error)
