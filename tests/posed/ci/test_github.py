"""Annotations of GitHub Actions."""

from pathlib import Path

from posed.ci import NOT_CHECKED, Case, github_lines


def test_what_is_no_pass_is_an_error_on_its_file() -> None:
    cases = [
        Case("walker", "tick 0, live", "PASS", True, "fine", Path("golden/suite.toml")),
        Case("walker", "tick 42, live", "FAIL", False, "depth: 3 pixels", Path("golden/suite.toml")),
    ]
    assert github_lines(cases) == [
        "::error file=golden/suite.toml,title=walker%2C tick 42%2C live%3A FAIL::depth: 3 pixels"
    ]


def test_a_line_is_told_where_it_is_known() -> None:
    (line,) = github_lines([Case("a", "b", "FAIL", False, "c", Path("x.toml"), 14)])
    assert line == "::error file=x.toml,title=a%2C b%3A FAIL,line=14::c"


def test_nothing_in_a_text_ends_the_line_or_begins_another_command() -> None:
    (line,) = github_lines([Case("a", "b", "FAIL", False, "50% off\r\n::warning::x", Path("x"))])
    assert line.endswith("::50%25 off%0D%0A::warning::x")
    assert "\n" not in line


def test_all_that_was_not_checked_is_one_line_before_the_others() -> None:
    left = [Case("a", f"tick {tick}, live", NOT_CHECKED, False, "the run ended early", Path("x")) for tick in (2, 3)]
    lines = github_lines([Case("a", "b", "FAIL", False, "c", Path("x")), *left])
    assert lines == [
        "::error file=x,title=the run%2C ended early%3A not checked::2 of 3 frames: the run ended early",
        "::error file=x,title=a%2C b%3A FAIL::c",
    ]
