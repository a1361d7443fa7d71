"""Where two runs part: the first tick, the first joint, and the likeliest cause."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from posed.verify.diagnosing.diagnosis import Diagnosis
from posed.words import distance


@dataclass(frozen=True)
class Divergence:
    """What a walk through two runs came to.

    Attributes
    ----------
    tick
        The first tick at which they differ; None where they agree at all that both have.
    object, joint
        The first object that differs, and the name of its first joint or node in the order of the hierarchy, parents
        first; None where there is none or the object itself stands elsewhere.
    what
        What of it differs: its place, a joint, a placed node, its morph weights, its sprite.
    millimetres
        How far off a vertex is there; None where what differs has no length or nobody knows how large it is.
    compared
        How many ticks were compared.
    last_agreeing
        The tick compared before `tick`; None where that is the first.
    diagnosis
        The search for the cause at `tick`; None without a scene.
    notes
        What a reader should know.
    """

    tick: int | None = None
    object: str | None = None
    joint: str | None = None
    what: str = ""
    millimetres: float | None = None
    compared: int = 0
    last_agreeing: int | None = None
    diagnosis: Diagnosis | None = field(default=None, compare=False)
    notes: tuple[str, ...] = ()

    @property
    def cause(self) -> str | None:
        """The likeliest cause in a sentence; None where nothing differs or nothing explains it."""
        best = None if self.diagnosis is None else self.diagnosis.best
        return None if best is None else best.claim

    def sentence(self) -> str:
        """Say where the runs part and why."""
        if self.tick is None:
            return f"the runs agree at {self.compared:,} tick{'' if self.compared == 1 else 's'}"
        where = f'object "{self.object}"'
        if self.joint is not None:
            where += f", {self.what} {self.joint}"
        elif self.what:
            where += f", {self.what}"
        off = "" if self.millimetres is None else f", by {distance(self.millimetres)}"
        after = "from the first tick on" if self.last_agreeing is None else f"tick {self.last_agreeing} agrees"
        why = "" if self.diagnosis is None else f"; {self.diagnosis.sentence()}"
        return f"the runs part at tick {self.tick} ({after}) at {where}{off}{why}"

    def to_json(self) -> dict[str, Any]:
        """Return the divergence as plain values."""
        return {
            "format": "posed divergence",
            "version": 1,
            "sentence": self.sentence(),
            "tick": self.tick,
            "object": self.object,
            "joint": self.joint,
            "what": self.what,
            "millimetres": self.millimetres,
            "compared": self.compared,
            "last_agreeing": self.last_agreeing,
            "cause": self.cause,
            "diagnosis": None if self.diagnosis is None else self.diagnosis.to_json(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join([self.sentence(), *(f"note: {note}" for note in self.notes)])
