"""The verdict: for each layer whether the live frame agrees with the trace, by how much, and where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from posed.arrays import AnyArray, Bool
from posed.errors import VerdictError

if TYPE_CHECKING:
    from rich.table import Table

    from posed.frame import Frame
    from posed.scene.description import Scene
    from posed.snapshot import Posed


@dataclass(frozen=True)
class Blob:
    """Unexplained pixels on one part.

    `object` and `part` are names from the id table; `pixels` their number; `box` holds the first column and row and
    those behind the last, in pixels.
    """

    object: str
    part: str
    pixels: int
    box: tuple[int, int, int, int]


@dataclass(frozen=True)
class LayerVerdict:
    """What was found about one layer.

    Attributes
    ----------
    layer
        Its name.
    compared
        Whether both frames have it; `note` says what is missing.
    differing, explained, ties
        Pixels that differ; those of them that two correct renderers may answer so, the rest being unexplained; and
        those of the explained where a tie decides, because surfaces share a place or an edge goes through the very
        centre. The rest of the explained lies at edges.
    allowed
        Unexplained pixels that the policy allows.
    most_at_edges
        Pixels that rounding may explain at edges; more of them are a finding of their own.
    worst
        The greatest unexplained difference in the layer's unit, and `limit` what the policy allows; 0 for ids.
    blobs
        Where unexplained pixels lie, largest first.
    note
        What a reader should know.
    """

    layer: str
    compared: bool
    differing: int = 0
    explained: int = 0
    ties: int = 0
    allowed: int = 0
    most_at_edges: int = 0
    worst: float = 0.0
    limit: float = 0.0
    blobs: tuple[Blob, ...] = ()
    note: str = ""

    @property
    def unexplained(self) -> int:
        """Differing pixels that nothing explains."""
        return self.differing - self.explained

    @property
    def at_edges(self) -> int:
        """Explained pixels that lie at edges, where rounding decides."""
        return self.explained - self.ties

    @property
    def margin(self) -> int:
        """Unexplained pixels that were still free, negative where the layer failed by as many."""
        return self.allowed - self.unexplained

    @property
    def passed(self) -> bool:
        """Whether the layer was compared and agrees."""
        return self.compared and self.margin >= 0 and self.at_edges <= self.most_at_edges

    def sentence(self) -> str:
        """Say in one line what was found."""
        if not self.compared:
            return f"{self.layer}: not compared: {self.note}"
        if self.unexplained > self.allowed:
            where = f", most of them on {_place(self.blobs[0])}" if self.blobs else ""
            worst = f", by up to {self.worst:.4g} (limit {self.limit:g})" if self.limit or self.worst else ""
            return f"{self.layer}: {self.unexplained} unexplained pixels, {self.allowed} allowed{where}{worst}"
        if self.at_edges > self.most_at_edges:
            return (
                f"{self.layer}: {self.at_edges} pixels differ at edges, more than the {self.most_at_edges} that "
                "rounding makes: the live frame may be shifted by part of a pixel"
            )
        return f"{self.layer}: agrees, {self.explained} of {self.differing} differing pixels explained"


@dataclass(frozen=True, eq=False)
class LayerPixels:
    """Where a layer differs: (H, W) bool each, and by how much.

    `differing` pixels differ, those of them in `unexplained` are wrong, those in `tied` are explained by a tie;
    `measure` (H, W) float64 is the difference in the layer's unit, None for ids.
    """

    differing: Bool
    unexplained: Bool
    tied: Bool
    measure: AnyArray | None = None


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a verdict was found in: both frames, the pixels of each compared layer and, of a check, what was posed."""

    reference: Frame
    live: Frame
    pixels: Mapping[str, LayerPixels]
    scene: Scene | None = None
    pose: Posed | None = None


@dataclass(frozen=True)
class Verdict:
    """Whether a live frame agrees with its reference.

    `layers` are in the order in which a failure is named; `policy` is the name of the limits; `size` is width and
    height; `tick` is None where the frames do not state it; `reference` and `live` say where the frames came from.
    `evidence` is what reports show; it is no part of the verdict's value.
    """

    layers: tuple[LayerVerdict, ...]
    policy: str
    size: tuple[int, int]
    tick: int | None = None
    reference: str = ""
    live: str = ""
    evidence: Evidence | None = field(default=None, compare=False, repr=False)

    def __getitem__(self, layer: str) -> LayerVerdict:
        for one in self.layers:
            if one.layer == layer:
                return one
        raise KeyError(f'no layer "{layer}": {", ".join(one.layer for one in self.layers)} are compared')

    @property
    def passed(self) -> bool:
        """Whether something was compared and all of it agrees."""
        compared = [one for one in self.layers if one.compared]
        return bool(compared) and all(one.passed for one in compared)

    @property
    def first_failure(self) -> LayerVerdict | None:
        """The first layer that was compared and does not agree."""
        return next((one for one in self.layers if one.compared and not one.passed), None)

    def check(self) -> None:
        """Return where the verdict has passed.

        Raises
        ------
        VerdictError
            It has not; the message names the first failing layer, what it lacks and where.
        """
        failure = self.first_failure
        if failure is not None:
            raise VerdictError(failure.sentence())
        if not self.passed:
            raise VerdictError("nothing was compared: the frames have no layer in common")

    def to_json(self) -> dict[str, object]:
        """Return the verdict as plain values."""
        layers = [
            asdict(one) | {"unexplained": one.unexplained, "margin": one.margin, "passed": one.passed}
            for one in self.layers
        ]
        failure = self.first_failure
        return {
            "passed": self.passed,
            "first_failure": None if failure is None else failure.layer,
            "policy": self.policy,
            "size": list(self.size),
            "tick": self.tick,
            "reference": self.reference,
            "live": self.live,
            "layers": layers,
        }

    def table(self) -> Table:
        """Return a table for the terminal: a row a layer, and below it what each failing layer has to say."""
        from rich.table import Table

        word = "passed" if self.passed else "failed"
        table = Table(title=f"{word} ({self.policy})", title_justify="left", caption_justify="left", box=None)
        for name in ("layer", "", "differ", "edges", "ties", "wrong", "allowed", "worst", "limit"):
            table.add_column(name, justify="left" if name in ("layer", "") else "right", no_wrap=True)
        for one in self.layers:
            if not one.compared:
                table.add_row(one.layer, "not compared", *[""] * 7, style="dim")
                continue
            table.add_row(
                one.layer,
                "pass" if one.passed else "FAIL",
                str(one.differing),
                str(one.at_edges),
                str(one.ties),
                str(one.unexplained),
                str(one.allowed),
                f"{one.worst:.3g}" if one.limit else "",
                f"{one.limit:g}" if one.limit else "",
                style="" if one.passed else "bold red",
            )
        lines = [one.sentence() for one in self.layers if not one.passed]
        lines.append(f"reference: {self.reference}; live: {self.live}")
        table.caption = "\n".join(lines)
        return table


def _place(blob: Blob) -> str:
    left, top, right, bottom = blob.box
    return f'object "{blob.object}" ({blob.part}; columns {left} to {right - 1}, rows {top} to {bottom - 1})'
