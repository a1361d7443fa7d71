"""What an engine got right, got wrong and did not answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from posed.conform.pack import VERSION
from posed.conform.rig import Rig
from posed.verify.verdict import Verdict

Word = Literal["right", "wrong", "no answer"]

KINDS = ("palettes", "vertices", "frame")
"""What an engine may answer with."""


def kind_of(layer: str) -> str:
    """Return which of `KINDS` a layer of a verdict is read from."""
    return {"pose": "palettes", "vertices": "vertices"}.get(layer, "frame")


@dataclass(frozen=True, eq=False)
class MomentResult:
    """One rig at one tick.

    `verdict` is None where the engine had no answer that could be compared: `said` tells why. Of a wrong answer it is
    the likeliest cause, and `cure` where to look in the engine, where that is known.
    """

    rig: Rig
    tick: int
    verdict: Verdict | None = None
    said: str = ""
    cure: str = ""

    @property
    def word(self) -> Word:
        """Whether the answer is right."""
        if self.verdict is None:
            return "no answer"
        if not self.verdict.passed:
            return "wrong"
        tells = not self.rig.drawn or "right" in (self.kind("vertices"), self.kind("frame"))
        return "right" if tells else "no answer"

    def kind(self, name: str) -> Word:
        """Return whether what it answered of one of `KINDS` is right."""
        layers = [] if self.verdict is None else [one for one in self.verdict.compared if kind_of(one.layer) == name]
        if not layers:
            return "no answer"
        return "right" if all(one.passed for one in layers) else "wrong"

    def to_json(self) -> dict[str, object]:
        """Return the result as plain values."""
        return {
            "tick": self.tick,
            "outcome": self.word,
            **{name: self.kind(name) for name in KINDS},
            "said": self.said,
            "cure": self.cure,
            "verdict": None if self.verdict is None else self.verdict.to_json(),
        }


@dataclass(frozen=True, eq=False)
class RigResult:
    """One rig at all its ticks: as good as the worst of them."""

    rig: Rig
    moments: tuple[MomentResult, ...]

    @property
    def word(self) -> Word:
        """Whether all its answers are right."""
        return _worst([one.word for one in self.moments])

    def kind(self, name: str) -> Word:
        """Return whether all that was answered of one of `KINDS` is right."""
        return _worst([one.kind(name) for one in self.moments])

    @property
    def worst(self) -> MomentResult:
        """The first moment that is as bad as the rig."""
        return next(one for one in self.moments if one.word == self.word)

    def sentence(self) -> str:
        """Say what is wrong or missing; empty where all is right."""
        one = self.worst
        return f"tick {one.tick}: {one.said}" if one.said and len(self.moments) > 1 else one.said


@dataclass(frozen=True, eq=False)
class ConformResult:
    """All rigs that were asked of an engine."""

    engine: str
    rigs: tuple[RigResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every answer is there and right."""
        return bool(self.rigs) and all(one.word == "right" for one in self.rigs)

    @property
    def counts(self) -> dict[Word, int]:
        """How many rigs there are of each word."""
        found = Counter(one.word for one in self.rigs)
        words: tuple[Word, ...] = ("right", "wrong", "no answer")
        return {word: found[word] for word in words}

    def to_json(self) -> dict[str, object]:
        """Return the result as plain values."""
        return {
            "format": "posed conformance result",
            "version": 1,
            "pack": VERSION,
            "engine": self.engine,
            "passed": self.passed,
            "counts": self.counts,
            "rigs": [
                {
                    "rig": one.rig.name,
                    "about": one.rig.about,
                    "outcome": one.word,
                    **{name: one.kind(name) for name in KINDS},
                    "sentence": one.sentence(),
                    "moments": [moment.to_json() for moment in one.moments],
                }
                for one in self.rigs
            ],
        }


def _worst(words: Sequence[Word]) -> Word:
    if "wrong" in words:
        return "wrong"
    return "no answer" if "no answer" in words else "right"
