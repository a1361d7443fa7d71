"""Debian's Chromium, driven by Playwright, for the tests that look at a page."""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """A headless Chromium; without one the test is skipped, or fails where POSED_TEST_BROWSER is 1, as CI sets it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    reason = "no chromium is installed: apt install chromium" if program is None else ""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        reason = "playwright is not installed: pip install playwright"
    if reason:
        if os.environ.get("POSED_TEST_BROWSER") == "1":
            pytest.fail(f"POSED_TEST_BROWSER is 1, and {reason}", pytrace=False)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield launched
        launched.close()
