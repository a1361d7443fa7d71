"""`--report` of the commands that give a verdict."""

from pathlib import Path

import numpy as np
import pytest

from posed.data import demo_scene
from posed.frame import Frame
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
    (tmp_path / "file").touch()
    outcome = run("check", "no.glb", "--report", tmp_path / "file" / "x.html")
    expected = f"posed: {tmp_path}/file: is a file, no folder: choose another place\n"
    assert (outcome.status, outcome.err) == (2, expected)


def test_a_folder_that_is_missing_is_made_by_every_command_and_by_none_that_refuses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (("pose", "no.glb", "-o", "a/p.json"), ("render", "no.glb", "--ticks", "0:2", "-o", "b/%d.png")):
        assert run(*words).status == 2
    assert list(tmp_path.iterdir()) == []
    small = (demo_scene(), "--size", "16x9")
    depth = np.ones((2, 2), np.float32)
    Frame({"depth": depth}, (2, 2)).save("one/two/a.npz")
    for words in (
        ("pose", demo_scene(), "-o", "a/p.json"),
        ("bake", demo_scene().with_suffix(".glb"), "-o", "b/c/p.ply"),
        ("render", *small, "--samples", 1, "-o", "d/one.png"),
        ("render", *small, "--samples", 1, "--ticks", "0:2", "-o", "e/%d.png"),
        ("compare", "one/two/a.npz", "one/two/a.npz", "--report", "f/x.html"),
        ("check", *small, "--live", "one/two/a.npz", "--ticks", "0:1", "--junit", "g/x.xml", "--report", "h/x.html"),
    ):
        outcome = run(*words)
        assert outcome.status in (0, 1), outcome.err
    there = ["a/p.json", "b/c/p.ply", "d/one.png", "e/0.png", "e/1.png", "f/x.html", "g/x.xml", "h/x.html"]
    assert [name for name in there if not Path(name).is_file()] == []


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
