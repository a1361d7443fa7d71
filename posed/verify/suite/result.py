"""What a suite's run came to: one result a test, tick and renderer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from posed.verify.verdict import Verdict

Outcome = Literal["passed", "failed", "no frame", "not checked"]


@dataclass(frozen=True)
class CheckResult:
    """One frame of a suite.

    Attributes
    ----------
    test, tick, renderer
        Which frame.
    verdict
        What the comparison came to; None where the renderer gave no frame that could be compared.
    error
        Why there is no verdict.
    was_checked
        Whether its turn came before the run ended.
    """

    test: str
    tick: int
    renderer: str
    verdict: Verdict | None = None
    error: str = ""
    was_checked: bool = True

    @property
    def outcome(self) -> Outcome:
        """Whether the frame passed, failed, there was none to compare, or its turn never came."""
        if not self.was_checked:
            return "not checked"
        if self.verdict is None:
            return "no frame"
        return "passed" if self.verdict.passed else "failed"

    def without_pictures(self) -> CheckResult:
        """Return the result without what takes memory; see `Verdict.without_pictures`."""
        return self if self.verdict is None else replace(self, verdict=self.verdict.without_pictures())

    def sentence(self) -> str:
        """Say in one line what came of it."""
        found = self.error if self.verdict is None else self.verdict.sentence()
        return f"{self.test}, tick {self.tick}, {self.renderer}: {self.outcome}: {found}"

    def to_json(self) -> dict[str, object]:
        """Return the result as plain values."""
        return {
            "test": self.test,
            "tick": self.tick,
            "renderer": self.renderer,
            "outcome": self.outcome,
            "error": self.error,
            "verdict": None if self.verdict is None else self.verdict.to_json(),
        }


@dataclass(frozen=True)
class SuiteResult:
    """Results of a suite, in the order of its tests, ticks and renderers; `path` is the suite's file."""

    path: Path
    results: tuple[CheckResult, ...]

    @property
    def missing(self) -> int:
        """How many frames were to be checked and were not."""
        return self.counts["not checked"]

    @property
    def passed(self) -> bool:
        """Whether there is a result and each of them passed."""
        return bool(self.results) and all(one.outcome == "passed" for one in self.results)

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many results there are of each outcome."""
        found = Counter(one.outcome for one in self.results)
        return {outcome: found[outcome] for outcome in ("passed", "failed", "no frame", "not checked")}

    def to_json(self) -> dict[str, object]:
        """Return the results as plain values."""
        return {
            "format": "posed suite result",
            "version": 1,
            "suite": str(self.path),
            "passed": self.passed,
            "counts": self.counts,
            "missing": self.missing,
            "results": [one.to_json() for one in self.results],
        }
