"""JUnit XML."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from posed.ci import NOT_CHECKED, Case, write_junit
from posed.errors import PosedError

CASES = (
    Case("walker", "tick 0, live", "PASS", True, "the same bit by bit", Path("golden/suite.toml")),
    Case("walker", "tick 42, live", "FAIL", False, 'depth: 3 pixels on object "a<b>"', Path("golden/suite.toml")),
    Case("column", "tick 0, live", "MISSING", False, "there is no golden frame", Path("golden/suite.toml")),
)


def test_each_result_is_a_case_and_what_is_no_pass_a_failure(tmp_path: Path) -> None:
    write_junit(tmp_path / "out.xml", "golden/suite.toml", CASES)
    root = ElementTree.parse(tmp_path / "out.xml").getroot()
    (suite,) = root.iter("testsuite")
    assert (suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors")) == (
        "golden/suite.toml", "3", "2", "0",
    )  # fmt: skip
    cases = [(case.get("classname"), case.get("name")) for case in suite.iter("testcase")]
    assert cases == [("walker", "tick 0, live"), ("walker", "tick 42, live"), ("column", "tick 0, live")]
    failures = [(one.get("type"), one.get("message"), one.text) for one in suite.iter("failure")]
    assert failures == [
        ("FAIL", 'depth: 3 pixels on object "a<b>"', 'golden/suite.toml: FAIL: depth: 3 pixels on object "a<b>"'),
        ("MISSING", "there is no golden frame", "golden/suite.toml: MISSING: there is no golden frame"),
    ]


def test_what_was_not_checked_is_an_error_no_failure(tmp_path: Path) -> None:
    left = Case("walker", "tick 9, live", NOT_CHECKED, False, "the run ended early", Path("x"))
    write_junit(tmp_path / "out.xml", "s", [*CASES, left])
    (suite,) = ElementTree.parse(tmp_path / "out.xml").getroot().iter("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "1")
    (error,) = suite.iter("error")
    assert (error.get("type"), error.get("message")) == ("not checked", "the run ended early")


def test_a_character_that_xml_does_not_have_is_replaced(tmp_path: Path) -> None:
    odd = Case("a\x00b", "c\x1b", "FAIL", False, "d\ufffe \U0001f600", Path("x"))
    write_junit(tmp_path / "out.xml", "s\x07", [odd])
    (case,) = ElementTree.parse(tmp_path / "out.xml").getroot().iter("testcase")
    assert (case.get("classname"), case.get("name")) == ("a\ufffdb", "c\ufffd")
    assert case[0].get("message") == "d\ufffd \U0001f600"


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PosedError, match="file: is a file, no folder"):
        write_junit(tmp_path / "file" / "out.xml", "empty", CASES)
