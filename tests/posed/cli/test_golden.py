"""`posed golden`, and results for what runs tests."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from posed.fixtures import skinned_column
from posed.golden import suite as golden_suite
from posed.golden.suite import Held
from tests.posed.cli.conftest import Run

ROOT = Path(__file__).parents[3]

SUITE = """
format = 1
size = [48, 27]

[[test]]
name = "bending"
scene = "column.toml"
ticks = [0, 25]
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("column.toml", "column.glb"):
        shutil.copy(ROOT / "golden" / "scenes" / name, tmp_path)
    (tmp_path / "suite.toml").write_text(SUITE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return Path("suite.toml")


TRACE = ("--renderer", "trace")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_accept_then_verify_then_change_then_accept(run: Run, suite: Path) -> None:
    missing = run("golden", "verify", suite, *TRACE)
    assert missing.status == 1
    assert "2 MISSING" in missing.out
    accepted = run("golden", "accept", suite, *TRACE, "--why", "the first", "--by", "Ada")
    assert (accepted.status, accepted.out.splitlines()[-1]) == (0, "2 golden frames accepted by Ada: the first")
    verified = run("golden", "verify", suite, *TRACE)
    assert verified.status == 0
    assert "2 PASS" in verified.out

    Path("column.glb").write_bytes(skinned_column(width=0.5))
    stale = run("golden", "verify", suite, *TRACE, "--report", "golden.html")
    assert stale.status == 1
    assert "2 STALE" in stale.out
    assert "silhouette" in stale.out, "the layers that changed"
    page = Path("golden.html").read_text(encoding="utf-8")
    assert "STALE: the scene has changed since Ada accepted it on " in page
    assert "posed golden accept suite.toml --test bending --tick 25 --renderer trace --why" in page
    one = run("golden", "accept", suite, *TRACE, "--tick", 25, "--why", "wider", "--report", "golden.html")
    assert one.status == 0
    assert '"sides":["before","after"]' in Path("golden.html").read_text(encoding="utf-8")
    assert "1 PASS, 1 STALE" in run("golden", "verify", suite, *TRACE).out


def test_accepting_what_is_golden_already_writes_nothing(run: Run, suite: Path) -> None:
    run("golden", "accept", suite, *TRACE, "--why", "the first")
    before = files(Path("frames"))
    again = run("golden", "accept", suite, *TRACE, "--why", "for no reason")
    assert "0 golden frames accepted" in again.out
    assert files(Path("frames")) == before


def test_a_run_that_is_interrupted_says_what_it_has_not_verified(
    run: Run, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*given: object, **options: object) -> Iterator[Held]:
        yield next(iter(hold(*given, **options)))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    hold = golden_suite.hold
    monkeypatch.setattr(golden_suite, "hold", broken_off)
    done = run("golden", "verify", suite, *TRACE, "--report", "r.html", "--junit", "r.xml")
    assert done.status == 130
    assert done.err.splitlines()[0] == "1 of 2 frames not checked: the run ended early"
    assert "1 MISSING" in done.out
    assert "<title>suite.toml: golden frames: ended early, after 1 of 2 frames</title>" in Path("r.html").read_text()
    (whole,) = ElementTree.parse("r.xml").getroot().iter("testsuite")
    assert (whole.get("tests"), whole.get("failures"), whole.get("errors")) == ("2", "1", "1")
    assert run("golden", "accept", suite, *TRACE, "--why", "first").status == 130
    assert not Path("frames").exists()


def test_a_frame_that_disagrees_with_the_trace_keeps_all_from_being_accepted(
    run: Run, suite: Path, renderer: object
) -> None:
    suite.write_text(SUITE + 'policy = "exact"\n')
    outcome = run("golden", "accept", suite, "--tick", 25, "--why", "hopeful")
    assert outcome.status == 1
    assert "not accepted: bending, tick 25, live: " in outcome.err
    assert outcome.err.endswith("nothing was written\n")
    assert not Path("frames").exists()


def test_for_machines(run: Run, suite: Path) -> None:
    words = ("golden", "verify", suite, *TRACE, "--json", "--junit", "out.xml", "--github")
    outcome = run(*words)
    found = json.loads(outcome.out)
    assert [(one["test"], one["tick"], one["renderer"], one["status"]) for one in found] == [
        ("bending", 0, "trace", "MISSING"),
        ("bending", 25, "trace", "MISSING"),
    ]
    lines = [line for line in outcome.err.splitlines() if line.startswith("::")]
    assert lines[0] == ("::error file=suite.toml,title=bending%2C tick 0%2C trace%3A MISSING::there is no golden frame")
    failures = ElementTree.parse("out.xml").getroot().iter("failure")
    assert [one.get("type") for one in failures] == ["MISSING", "MISSING"]


def test_on_github_annotations_come_by_themselves(run: Run, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert "::error " in run("golden", "verify", suite, *TRACE).out
    assert "::error " not in run("golden", "verify", suite, *TRACE, "--no-github").out


def test_accepting_takes_a_reason(run: Run, suite: Path) -> None:
    outcome = run("golden", "accept", suite)
    assert outcome.status == 2
    assert "--why is missing: give --why TEXT" in outcome.err


def test_without_a_suite_it_says_where_it_looked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("golden", "verify")
    assert (outcome.status, outcome.err) == (2, "posed: golden/suite.toml: there is no such file: check the path\n")


def test_a_suite_s_check_is_told_to_what_runs_tests(run: Run, suite: Path, renderer: object) -> None:
    passed = run("check", "--suite", suite, "--junit", "out.xml", "--report", "suite.html")
    words = "posed golden accept suite.toml --test bending --tick 25 --renderer live --why"
    assert words in Path("suite.html").read_text(encoding="utf-8")
    assert passed.status == 0, passed.out
    cases = [case.get("name") for case in ElementTree.parse("out.xml").getroot().iter("testcase")]
    assert cases == ["tick 0, live", "tick 25, live"]
    suite.write_text(SUITE + 'policy = "exact"\n')
    failed = run("check", "--suite", suite, "--github")
    assert failed.status == 1
    assert "::error file=suite.toml,title=bending%2C tick 25%2C live%3A failed::" in failed.out


def test_one_check_is_a_case_too(run: Run, suite: Path, renderer: object) -> None:
    outcome = run("check", "column.toml", "--tick", 0, "--size", "48x27", "--junit", "out.xml")
    assert outcome.status == 0, outcome.out
    (case,) = ElementTree.parse("out.xml").getroot().iter("testcase")
    assert (case.get("classname"), case.get("name")) == ("column", "tick 0, live")
