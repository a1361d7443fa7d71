"""`--report` of the commands that give a verdict."""

from pathlib import Path

import pytest

from posed.data import demo_scene
from tests.posed.cli.conftest import Run
from tests.posed.verify.report.literals import DEEPER, frame


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


def test_compare_writes_a_page(run: Run, tmp_path: Path) -> None:
    for name, change in (("a.npz", None), ("b.npz", DEEPER)):
        frame(change).save(tmp_path / name)
    page = tmp_path / "two.html"
    outcome = run("compare", tmp_path / "a.npz", tmp_path / "b.npz", "--report", page)
    assert outcome.status == 1
    assert f"{page}: the report" in outcome.out
    assert "<title>a.npz and b.npz</title>" in page.read_text(encoding="utf-8")


@pytest.mark.usefixtures("renderer")
def test_a_range_of_ticks_is_one_run(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "walk.html"
    outcome = run("check", demo_scene(), "--ticks", "0:20:10", "--size", "192x108", "--report", page)
    assert outcome.status == 0, outcome.out
    html = page.read_text(encoding="utf-8")
    assert html.count('"tick":0,') == html.count('"tick":10,') == 1
    assert '"name":"walker, live"' in html
