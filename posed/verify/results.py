"""What was found about one layer: measures against limits, pixels, and the blobs that they form."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from posed.arrays import AnyArray, Bool, Int32
from posed.words import span, with_unit

Status = Literal["passed", "failed", "not compared"]

NEITHER = "neither side has it"
"""Why a layer is not compared that both sides lack."""


@dataclass(frozen=True)
class Measure:
    """A number with its limit, both in `unit`; `where` names what the number was found on, where that is known.

    A count is an int.
    """

    name: str
    value: float
    limit: float
    unit: str = ""
    where: str = ""

    @property
    def margin(self) -> float:
        """What is left up to the limit in the measure's own unit, negative by as much as the value lies beyond it."""
        return 0.0 if self.value == self.limit else self.limit - self.value

    @property
    def passed(self) -> bool:
        """Whether the value keeps its limit; what is no number does not."""
        return self.value <= self.limit

    def sentence(self) -> str:
        """Say the value, its limit and where it was found."""
        where = f" on {self.where}" if self.where else ""
        value = with_unit(self.value, self.unit)
        found = f"{value} {self.name}" if isinstance(self.value, int) else f"{self.name} {value}"
        limit = f"{self.limit:.4g} mm" if value.endswith(" m") else f"{self.limit:.4g}"
        return f"{found}{where} (limit {limit})"


@dataclass(frozen=True)
class Blob:
    """Unexplained pixels that touch each other, by a side or a corner.

    Attributes
    ----------
    number
        From 1 in its layer, the largest blob first; `Pixels.blobs` holds it.
    pixels
        How many.
    box
        The first column and row, and those behind the last.
    at
        Column and row of the pixel that lies deepest inside.
    worst
        The greatest difference in the layer's unit, 0 for ids.
    distance
        Pixels from where the live frame shows something to where the reference shows the same, at the farthest; 0 where
        both show it in the same place and only a value differs, None where the reference shows it nowhere.
    object, part, joint
        Names from the id table: what most of the pixels show, of the nearer surface where the two sides show two. Empty
        where it is not known; the joint also where nothing is skinned.
    """

    number: int
    pixels: int
    box: tuple[int, int, int, int]
    at: tuple[int, int]
    worst: float = 0.0
    distance: float | None = 0.0
    object: str = ""
    part: str = ""
    joint: str = ""

    def place(self) -> str:
        """Say where the blob lies."""
        left, top, right, bottom = self.box
        where = f"{span('column', left, right - 1)}, {span('row', top, bottom - 1)}"
        names = ", ".join(
            [name for name in (self.part,) if name and name != self.object]
            + [f"joint {self.joint}" for _ in range(bool(self.joint))]
            + [where]
        )
        return f'object "{self.object}" ({names})' if self.object else where


@dataclass(frozen=True)
class Deviation:
    """Something of a pose that is off beyond its limit, or a part's vertices that are.

    `what` is its kind: joint, node, object, morph, sprite, visible, property, camera or part; `where` its name;
    `value` and `limit` are in `unit`; a state that has no unit says in `note` what was found and what was expected.
    `object` is the name of the object it belongs to, empty where it belongs to none.
    """

    what: str
    where: str
    value: float
    limit: float
    unit: str = ""
    note: str = ""
    object: str = ""

    def sentence(self) -> str:
        """Say what is off and by how much."""
        return f"{self.what} {self.where}: {self.note or with_unit(self.value, self.unit)}"


@dataclass(frozen=True, eq=False)
class Pixels:
    """A layer's findings as pictures.

    Attributes
    ----------
    differing
        (H, W) bool: where the two sides differ.
    explained
        (H, W) bool: those of them that two correct renderers may answer so.
    tied
        (H, W) bool: those of the explained where a tie decides.
    blobs
        (H, W) int32: the blob's number at unexplained pixels, 0 elsewhere.
    measure
        (H, W) float32: by how much, in the layer's unit; None for ids.
    """

    differing: Bool
    explained: Bool
    tied: Bool
    blobs: Int32
    measure: AnyArray | None = None


@dataclass(frozen=True)
class LayerResult:
    """What was found about one layer.

    Attributes
    ----------
    layer
        Its name.
    measures
        What was measured, each with its limit; the layer passes when all of them keep theirs. Empty where it was not
        compared: `note` says why.
    differing, explained, ties
        Pixels that differ; those of them that two correct renderers may answer so, the rest being unexplained; and
        those of the explained where a tie decides, because surfaces share a place or an edge goes through the very
        centre; of depth, normal and motion, also those on the triangle that the reference sees too, which its slope,
        its bend or its nearness to the eye accounts for; of color, also those whose shadow or texture the live frame
        may read so. The rest lies at edges.
    blobs, blob_count
        Where unexplained pixels lie, the largest blobs first, and how many there are in all.
    deviations
        What of a pose or of vertices is off, the worst first, as far as it is listed.
    note
        What a reader should know.
    tolerated
        Why a failure of this layer does not fail the verdict; empty where it does.
    pixels
        The findings as pictures; not kept in files.
    """

    layer: str
    measures: tuple[Measure, ...] = ()
    differing: int = 0
    explained: int = 0
    ties: int = 0
    blobs: tuple[Blob, ...] = ()
    blob_count: int = 0
    deviations: tuple[Deviation, ...] = ()
    note: str = ""
    tolerated: str = ""
    pixels: Pixels | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, measure: str) -> Measure:
        for one in self.measures:
            if one.name == measure:
                return one
        raise KeyError(f'{self.layer} has no measure "{measure}": {", ".join(one.name for one in self.measures)}')

    @property
    def compared(self) -> bool:
        """Whether both sides have the layer."""
        return bool(self.measures)

    @property
    def passed(self) -> bool:
        """Whether the layer was compared and agrees."""
        return self.compared and all(one.passed for one in self.measures)

    @property
    def status(self) -> Status:
        """Whether the layer passed, failed, or was not compared."""
        if not self.compared:
            return "not compared"
        return "passed" if self.passed else "failed"

    @property
    def unexplained(self) -> int:
        """Differing pixels that nothing explains."""
        return self.differing - self.explained

    @property
    def at_edges(self) -> int:
        """Explained pixels that lie at edges, where rounding decides."""
        return self.explained - self.ties

    @property
    def failures(self) -> tuple[Measure, ...]:
        """The measures that do not keep their limits."""
        return tuple(one for one in self.measures if not one.passed)

    def sentence(self) -> str:
        """Say in one line what was found."""
        if not self.compared:
            return f"{self.layer}: not compared: {self.note}"
        note = f"; {self.note}" if self.note else ""
        if self.passed:
            explained = f", {self.explained} of {self.differing} differing pixels explained" if self.differing else ""
            return f"{self.layer}: agrees{explained}{note}"
        found = [one.sentence() for one in self.failures]
        if self.blobs:
            counted = next((place for place, one in enumerate(self.failures) if one.unit == "pixels"), len(found) - 1)
            found[counted] += f", most of them on {self.blobs[0].place()}"
        return f"{self.layer}: {'; '.join(found)}{note}"

    def to_json(self) -> dict[str, object]:
        """Return the finding as plain values."""
        return {
            "layer": self.layer,
            "status": self.status,
            "measures": [
                {name: plain(value) for name, value in asdict(one).items()}
                | {"margin": plain(one.margin), "passed": one.passed}
                for one in self.measures
            ],
            "differing": self.differing,
            "explained": self.explained,
            "unexplained": self.unexplained,
            "ties": self.ties,
            "blobs": [{name: plain(value) for name, value in asdict(one).items()} for one in self.blobs],
            "blob_count": self.blob_count,
            "deviations": [{name: plain(value) for name, value in asdict(one).items()} for one in self.deviations],
            "note": self.note,
            "tolerated": self.tolerated,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LayerResult:
        """Return the finding that `to_json` wrote, without pictures."""
        kept = {one.name for one in fields(cls)} - {"measures", "blobs", "deviations", "pixels"}
        return cls(
            measures=tuple(Measure(**_fields(Measure, one)) for one in data["measures"]),
            blobs=tuple(Blob(**_fields(Blob, one)) for one in data["blobs"]),
            deviations=tuple(Deviation(**_fields(Deviation, one)) for one in data["deviations"]),
            **{name: data[name] for name in kept},
        )


@dataclass(frozen=True)
class Recognition:
    """A classic mistake that the live side makes.

    `code` is its short name, `sentence` says it in words, and `share` is the part in [0, 1] of the differing pixels,
    vertices or joints that it explains.
    """

    code: str
    sentence: str
    share: float


def plain(value: object) -> object:
    """Return a value as JSON has it: an infinite number as a text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _fields(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a dataclass from JSON values, lists as tuples and the text of a number as the number."""
    values = {one.name: data[one.name] for one in fields(kind)}
    numbers = ("value", "limit", "worst", "distance")
    return {
        name: tuple(value)
        if isinstance(value, list)
        else float(value)
        if name in numbers and isinstance(value, str)
        else value
        for name, value in values.items()
    }
