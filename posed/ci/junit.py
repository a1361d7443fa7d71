"""JUnit XML, which most services that run tests read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from posed.ci.case import Case
from posed.files import check_place, written_whole

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write (section 2.2)."""


def write_junit(path: Path, suite: str, cases: Sequence[Case]) -> None:
    """Write results as JUnit XML: a test case each, a failure where it is no pass, an error where it was not checked.

    Raises
    ------
    PosedError
        The place cannot be written to.
    """
    from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

    listed = TestSuite(_text(suite))
    for one in cases:
        case = TestCase(_text(one.name), _text(one.group))
        if not one.passed:
            failure = (Failure if one.was_checked else Error)(_text(one.sentence), one.status)
            failure.text = _text(f"{one.file}: {one.status}: {one.sentence}")
            case.result = [failure]
        listed.add_testcase(case)
    whole = JUnitXml()
    whole.add_testsuite(listed)
    check_place(path)
    with written_whole(path) as beside:
        whole.write(str(beside), pretty=True)


def _text(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
