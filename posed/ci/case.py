"""One result as test reports have it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

NOT_CHECKED = "not checked"
"""The status of what a run that ended early did not come to."""


@dataclass(frozen=True)
class Case:
    """A result.

    Attributes
    ----------
    group, name
        What was tested: a test of a suite, and which of its frames.
    status
        A word such as `FAIL` or `MISSING`.
    passed
        Whether it is a pass.
    sentence
        What was found, in one line.
    file, line
        The file that is to blame or to be edited, relative to the working folder, and its line, 0 for the whole.
    """

    group: str
    name: str
    status: str
    passed: bool
    sentence: str
    file: Path
    line: int = 0

    @property
    def was_checked(self) -> bool:
        """Whether there is a result at all."""
        return self.status != NOT_CHECKED
