"""A finding: one suspicious thing in a file, with its code, its place and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from posed.lint.codes import CODES


class Severity(StrEnum):
    """How bad it is: an error is refused, a warning looks wrong somewhere, a note is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One suspicious thing.

    Attributes
    ----------
    code
        A key of `CODES`, such as ``P401``; severity and cure are those of the code.
    path
        The file.
    what
        What was found, in one sentence without its full stop.
    pointer
        JSON pointer (RFC 6901) into a glTF file, empty where the whole file is meant.
    line
        1-based line of a scene file, 0 where the whole file is meant.
    """

    code: str
    path: Path
    what: str
    pointer: str = ""
    line: int = 0

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return Severity(CODES[self.code].severity)

    @property
    def cure(self) -> str:
        """What to do about it."""
        return CODES[self.code].cure

    @property
    def place(self) -> str:
        """``file``, ``file: /json/pointer`` or ``file:line``."""
        if self.line:
            return f"{self.path}:{self.line}"
        return f"{self.path}: {self.pointer}" if self.pointer else f"{self.path}"

    def __str__(self) -> str:
        return f"{self.place}: {self.code} {self.severity}: {self.what}; {self.cure}"

    def to_json(self) -> dict[str, object]:
        """Return the finding as JSON values."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "file": str(self.path),
            "pointer": self.pointer,
            "line": self.line,
            "what": self.what,
            "cure": self.cure,
        }
