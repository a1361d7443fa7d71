"""What a search for the cause came to: findings ranked by how much of the difference they explain."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.results import plain

if TYPE_CHECKING:
    from rich.table import Table

ENOUGH = 0.9
"""Share of the difference from which a hypothesis counts as its explanation: edges may lack a tenth."""

WORTH_A_WORD = 0.25
"""Share from which the nearest hypothesis is told where none explains enough."""

AS_GOOD = 0.005
"""Shares that differ by no more count as one."""

MOST_SHOWN = 8
"""Findings of a printed table, at most."""

LEAST_SHOWN = 0.05
"""Share from which one is printed: what explains less is chance."""


@dataclass(frozen=True)
class Match:
    """How a hypothesis fits what differs.

    `explained` of `differing` are as it says; `broken` of the others, which agree with the truth, would not be. `gap`
    is how far off the differing ones are on average: it tells which of two that explain as much comes nearer.
    """

    explained: int
    broken: int
    differing: int
    gap: float = 0.0

    @property
    def share(self) -> float:
        """The part of the difference that it explains, less what it breaks; 0 to 1."""
        return max(0, self.explained - self.broken) / self.differing if self.differing else 0.0


@dataclass(frozen=True, eq=False)
class Finding:
    """A hypothesis and how it fits.

    `noun` is what was counted: pixels, vertices or joints. `traced` says that rays counted; else the finding is a first
    look at some pixels, by projection.
    """

    hypothesis: Hypothesis
    match: Match
    noun: str
    traced: bool = False

    @property
    def share(self) -> float:
        """The part of the difference that it explains, 0 to 1."""
        return self.match.share

    @property
    def family(self) -> str:
        """The kind of mistake."""
        return self.hypothesis.family

    @property
    def claim(self) -> str:
        """What is wrong."""
        return self.hypothesis.claim

    def sentence(self) -> str:
        """Say what is wrong and the evidence for it."""
        breaks = f", and breaks {self.match.broken:,}" if self.match.broken else ""
        explained = self.match.explained / self.match.differing if self.match.differing else 0.0
        noun = _noun(self.match.differing, self.noun)
        return f"{self.claim}: explains {_percent(explained)} of {self.match.differing:,} differing {noun}{breaks}"

    def to_json(self) -> dict[str, object]:
        """Return the finding as plain values."""
        one = self.hypothesis
        return {
            "family": one.family,
            "claim": one.claim,
            "cure": one.cure,
            "objects": list(one.objects),
            "values": {name: plain(value) for name, value in one.values.items()},
            "share": self.share,
            "explained": self.match.explained,
            "broken": self.match.broken,
            "differing": self.match.differing,
            "counted": self.noun,
            "traced": self.traced,
        }


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """The likeliest cause of what differs.

    Attributes
    ----------
    differing
        How many pixels, vertices or joints (`noun`) differ that no rounding explains.
    noun
        What was counted.
    ranked
        Every hypothesis that explains something, the best first.
    tick
        The tick of the truth.
    notes
        What could not be tried, and why.
    """

    differing: int
    noun: str
    ranked: tuple[Finding, ...] = ()
    tick: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Finding | None:
        """The finding that explains what differs; None where nothing differs or none explains enough."""
        return self.ranked[0] if self.ranked and self.ranked[0].share >= ENOUGH else None

    @property
    def ties(self) -> tuple[Finding, ...]:
        """The findings that explain as much as the best."""
        best = self.best
        return () if best is None else tuple(one for one in self.ranked[1:] if one.share >= best.share - AS_GOOD)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that are printed."""
        return tuple(one for one in self.ranked if one.share >= LEAST_SHOWN)[:MOST_SHOWN]

    def sentence(self) -> str:
        """Say the likeliest cause, or that there is none."""
        if self.differing == 0:
            return "nothing differs"
        if self.best is not None:
            return self.best.sentence()
        nearest, verb = "", "differs" if self.differing == 1 else "differ"
        if self.ranked and self.ranked[0].share >= WORTH_A_WORD:
            one = self.ranked[0]
            nearest = f" (the nearest, {one.claim}, would explain {_percent(one.share)})"
        return f"no hypothesis explains this: {self.differing:,} {_noun(self.differing, self.noun)} {verb}{nearest}"

    def to_json(self) -> dict[str, object]:
        """Return the diagnosis as plain values."""
        return {
            "format": "posed diagnosis",
            "version": 1,
            "sentence": self.sentence(),
            "differing": self.differing,
            "counted": self.noun,
            "tick": self.tick,
            "best": None if self.best is None else self.best.to_json(),
            "ranked": [one.to_json() for one in self.ranked],
            "notes": list(self.notes),
        }

    def table(self) -> Table:
        """Return a table for the terminal: the hypotheses that come near, and below it where to look."""
        from rich.markup import escape
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        table.add_column("explains", justify="right", no_wrap=True)
        table.add_column("breaks", justify="right", no_wrap=True)
        table.add_column("hypothesis")
        for one in self.shown:
            style = "bold green" if one is self.best else "" if one in self.ties else "dim"
            explained = _percent(one.match.explained / one.match.differing)
            table.add_row(explained, f"{one.match.broken:,}", escape(one.claim), style=style)
        return table

    def lines(self) -> list[str]:
        """Return what stands below the table: where to look, and the notes."""
        look = [] if self.best is None else [f"look at: {self.best.hypothesis.cure}"]
        return look + [f"note: {note}" for note in self.notes]

    def __str__(self) -> str:
        from rich.console import Console

        stream = io.StringIO()
        if self.shown:
            Console(file=stream, force_jupyter=False, width=120, highlight=False, color_system=None).print(self.table())
        return "\n".join([self.sentence(), *stream.getvalue().rstrip().splitlines(), *self.lines()])


def _noun(number: int, noun: str) -> str:
    """Return a plural, or the word that goes with one."""
    alone = {"pixels": "pixel", "vertices": "vertex", "joints": "joint", "joints and states": "state"}
    return alone[noun] if number == 1 and noun in alone else noun


def _percent(share: float) -> str:
    """Return a share in percent: 100 only where nothing is missing, 0 only where there is nothing."""
    shown = round(100.0 * share, 1)
    if share < 1.0:
        shown = min(shown, 99.9)
    if share > 0.0:
        shown = max(shown, 0.1)
    return f"{shown:g} %"
