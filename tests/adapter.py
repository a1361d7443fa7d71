"""What tests that draw do on a machine without a graphics adapter."""

import os
from typing import NoReturn

import pytest

from posed.errors import MissingError


def go_without(error: MissingError) -> NoReturn:
    """Skip the test with the reason; fail it where POSED_TEST_ADAPTER is 1, as CI sets it, since there one must be."""
    if os.environ.get("POSED_TEST_ADAPTER") == "1":
        pytest.fail(f"POSED_TEST_ADAPTER is 1, and {error}", pytrace=False)
    pytest.skip(str(error))
