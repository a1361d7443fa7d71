"""Evidence: what a hypothesis is held against."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.recognizing.undoing import Undone


class Evidence(Protocol):
    """A live side and where it differs from the truth.

    Attributes
    ----------
    noun
        What is counted: pixels, vertices or joints.
    differing
        How many of them differ that no rounding explains.
    suspects
        Names of the objects that differ, the one with the most first.
    """

    noun: str
    differing: int
    suspects: tuple[str, ...]

    def look(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits at a first look, in a few milliseconds.

        Raises
        ------
        PoseError
            It poses a vertex to where no number is.
        """
        ...

    def judge(self, hypothesis: Hypothesis) -> Match | None:
        """Return how a hypothesis fits where one must look closer; None where the first look has told all."""
        ...

    def undone(self) -> Iterable[tuple[Undone, Match]]:
        """Yield mistakes of a picture as a whole, with what agrees once each is undone."""
        ...
