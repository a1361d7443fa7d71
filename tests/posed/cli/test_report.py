"""`--report` of the commands that give a verdict."""

from pathlib import Path

import pytest

from posed.data import demo_scene
from tests.posed.cli.conftest import Run


@pytest.mark.usefixtures("renderer")
def test_check_writes_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "walker.html"
    outcome = run("check", demo_scene(), "--tick", 42, "--size", "192x108", "--report", page)
    assert outcome.status == 0, outcome.out + outcome.err
    assert f"{page}: the report" in outcome.out
    assert "<title>walker, tick 42</title>" in page.read_text(encoding="utf-8")
    as_json = run("check", demo_scene(), "--size", "192x108", "--report", page, "--json")
    assert as_json.out.startswith("{"), "a machine reads nothing else"
    assert f"{page}: the report" in as_json.err


def test_a_page_that_cannot_be_written_is_refused_before_the_work(run: Run, tmp_path: Path) -> None:
    outcome = run("check", "no.glb", "--report", tmp_path / "nowhere" / "x.html")
    assert (outcome.status, outcome.err) == (2, f"posed: {tmp_path}/nowhere: there is no such folder: make it first\n")
