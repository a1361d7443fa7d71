"""The verdict: for each layer whether the live side agrees with the reference, by how much, and where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from posed.errors import PosedError, VerdictError
from posed.showing import ShowsItself
from posed.verify.policy import Policy
from posed.verify.results import LayerResult, Recognition, plain

if TYPE_CHECKING:
    from rich.table import Table

    from posed.frame import Frame
    from posed.scene.description import Scene
    from posed.snapshot import Posed
    from posed.verify.vertices import Vertices


class Told(Protocol):
    """A cause that was searched for: a sentence for people, plain values for machines."""

    def sentence(self) -> str:
        """Say the likeliest cause, or that none was found."""
        ...

    def to_json(self) -> dict[str, object]:
        """Return the cause as plain values."""
        ...


@dataclass(frozen=True)
class Side:
    """One of the two that were compared: what is at hand of it, and `origin`, a line that says where it came from."""

    origin: str = "not stated"
    frame: Frame | None = field(default=None, repr=False, compare=False)
    pose: Posed | None = field(default=None, repr=False, compare=False)
    vertices: Vertices | None = field(default=None, repr=False, compare=False)

    @property
    def tick(self) -> int | None:
        """The tick that the frame, the snapshot or the vertices state; None where none does."""
        stated = [
            None if self.frame is None else self.frame.provenance.tick,
            None if self.pose is None else self.pose.tick,
            None if self.vertices is None else self.vertices.tick,
        ]
        return next((tick for tick in stated if tick is not None), None)


@dataclass(frozen=True)
class Verdict(ShowsItself):
    """Whether a live side agrees with its reference.

    Attributes
    ----------
    layers
        What was found, in the order in which a failure is named.
    policy
        The limits in force.
    size, tick
        Width and height in pixels and the tick; None where nothing states them.
    reference, live
        The two sides.
    recognitions
        Classic mistakes that the live side makes, the one that explains most first.
    notes
        What a reader should know of the whole.
    scene
        What both sides show, where it is at hand.
    diagnosis
        The likeliest cause, where one was searched for.
    """

    layers: tuple[LayerResult, ...]
    policy: Policy
    size: tuple[int, int] | None = None
    tick: int | None = None
    reference: Side = Side()
    live: Side = Side()
    recognitions: tuple[Recognition, ...] = ()
    notes: tuple[str, ...] = ()
    scene: Scene | None = field(default=None, repr=False, compare=False)
    diagnosis: Told | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"Verdict: {'passed' if self.passed else 'failed'}: {self.sentence()}"

    def __getitem__(self, layer: str) -> LayerResult:
        for one in self.layers:
            if one.layer == layer:
                return one
        raise KeyError(f'no layer "{layer}": {", ".join(one.layer for one in self.layers)} are compared')

    @property
    def compared(self) -> tuple[LayerResult, ...]:
        """The layers that both sides have."""
        return tuple(one for one in self.layers if one.compared)

    @property
    def passed(self) -> bool:
        """Whether something was compared and all of it agrees, or is tolerated."""
        return bool(self.compared) and self.first_failure is None

    @property
    def first_failure(self) -> LayerResult | None:
        """The first layer that was compared, does not agree and is not tolerated."""
        return next((one for one in self.compared if not one.passed and not one.tolerated), None)

    def without_pictures(self) -> Verdict:
        """Return the verdict without what takes memory: its sides' frames and vertices, and its layers' pixels."""
        layers = tuple(replace(one, pixels=None) for one in self.layers)
        sides = [replace(one, frame=None, vertices=None) for one in (self.reference, self.live)]
        return replace(self, layers=layers, reference=sides[0], live=sides[1])

    def check(self) -> None:
        """Return where the verdict has passed.

        Raises
        ------
        VerdictError
            It has not; the message names the first failing layer, what it lacks, where, and a mistake recognized.
        """
        if not self.passed:
            raise VerdictError(self.sentence())

    def sentence(self) -> str:
        """Say in one line what the verdict is."""
        failure = self.first_failure
        if failure is not None:
            causes = [one.sentence for one in self.recognitions[:1]]
            if self.diagnosis is not None:
                causes.append(self.diagnosis.sentence())
            return "; ".join([failure.sentence(), *causes])
        if not self.compared:
            return "nothing was compared: the two sides have no layer in common"
        return f"agrees in {', '.join(one.layer for one in self.compared)}"

    def save_report(self, path: Path | str, *, title: str = "", accept: str = "") -> None:
        """Write one HTML file that shows the verdict to people: each layer's pictures, blobs, and where both came from.

        It opens from disk, without a network; see `posed.verify.report.Report` for one of many verdicts.

        Parameters
        ----------
        path
            The file, whole or not at all.
        title
            What was checked; the scene's file and the tick unless given.
        accept
            The command that accepts the live frame as golden.

        Raises
        ------
        PosedError
            The place cannot be written to.
        """
        from posed.verify.report import Report

        report = Report(title or self.title())
        report.add(self, accept=accept)
        report.save(path)

    def title(self) -> str:
        """Return the name of the scene's file and the tick, as far as they are known."""
        scene = "" if self.scene is None else self.scene.path.stem
        tick = "" if self.tick is None else f"tick {self.tick}"
        return ", ".join(part for part in (scene, tick) if part) or "two frames"

    def to_json(self) -> dict[str, object]:
        """Return the verdict as plain values."""
        failure = self.first_failure
        return {
            "format": "posed verdict",
            "version": 1,
            "passed": self.passed,
            "first_failure": None if failure is None else failure.layer,
            "sentence": self.sentence(),
            "policy": _plain(self.policy.to_json()),
            "size": None if self.size is None else list(self.size),
            "tick": self.tick,
            "reference": self.reference.origin,
            "live": self.live.origin,
            "recognitions": [
                {"code": one.code, "sentence": one.sentence, "share": one.share} for one in self.recognitions
            ],
            "notes": list(self.notes),
            "diagnosis": None if self.diagnosis is None else self.diagnosis.to_json(),
            "layers": [one.to_json() for one in self.layers],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        """Return the verdict that `to_json` wrote: without frames, pictures and diagnosis.

        Raises
        ------
        PosedError
            The values are not those of a verdict of this version.
        """
        if data.get("format") != "posed verdict" or data.get("version") != 1:
            raise PosedError(
                f"is a {data.get('format', 'file without a format')} of version {data.get('version')}: "
                "expected a posed verdict of version 1"
            )
        size = data["size"]
        return cls(
            layers=tuple(LayerResult.from_json(one) for one in data["layers"]),
            policy=_policy(data["policy"]),
            size=None if size is None else (size[0], size[1]),
            tick=data["tick"],
            reference=Side(data["reference"]),
            live=Side(data["live"]),
            recognitions=tuple(Recognition(**one) for one in data["recognitions"]),
            notes=tuple(data["notes"]),
        )

    def table(self) -> Table:
        """Return a table for the terminal; see `posed.verify.table.verdict_table`."""
        from posed.verify.table import verdict_table

        return verdict_table(self)


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _plain(one) if isinstance(one, Mapping) else plain(one) for name, one in values.items()}


def _policy(data: Mapping[str, Any]) -> Policy:
    """Return the policy that `_plain` made of one."""
    whole = Policy("")
    values: dict[str, Any] = {}
    for one in fields(Policy):
        value = data[one.name]
        kind = type(getattr(whole, one.name))
        values[one.name] = (
            kind(**{name: float(limit) if isinstance(limit, str) else limit for name, limit in value.items()})
            if isinstance(value, Mapping)
            else value
        )
    return Policy(**values)
