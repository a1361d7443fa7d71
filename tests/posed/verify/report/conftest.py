"""Debian's Chromium, driven by Playwright, for the tests that look at a page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from posed.verify.report import Report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


Open = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: "Browser", tmp_path: Path) -> Iterator[Open]:
    """Open a report from disk; afterwards nothing may have been written to the console or asked of a network."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def complain(request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            complaints.append(request.url)

    def opened(report: Report, **options: Any) -> "Page":
        report.save(tmp_path / "report.html")
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 1000}} | options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", complain)
        page.goto((tmp_path / "report.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
