"""The tables of a suite file and of a policy file, format 1: what the file alone can be checked for."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from posed.frame import LAYERS as FRAME_LAYERS
from posed.scene.kinds import Flag, Index, Integer, Name, NotNegative, Positive, Table, found, wrong
from posed.verify.suite.placeholders import unknown_placeholder

LARGEST_TICK = 2**53

MOST_TICKS = 100_000
"""Of one test."""

LARGEST_SIDE = 8192
"""Pixels, as far as a live renderer draws."""

JUDGED = (
    "pose",
    "vertices",
    "silhouette",
    "object",
    "part",
    "triangle",
    "depth",
    "normal",
    "motion",
    "color",
)
"""Layers of a verdict, that limits and tolerances are for."""


class PoseTable(Table):
    """pose = { diagonal = .., steps = .. }."""

    diagonal: NotNegative | None = None
    steps: NotNegative | None = None


class VertexTable(Table):
    """vertices = { steps = .., degrees = .. }."""

    steps: NotNegative | None = None
    degrees: NotNegative | None = None


class IdTable(Table):
    """silhouette, object, part, triangle = { unexplained = .. }."""

    unexplained: Index | None = None


class DepthTable(Table):
    """depth = { relative = .., unexplained = .. }."""

    relative: NotNegative | None = None
    unexplained: Index | None = None


class NormalTable(Table):
    """normal = { degrees = .., unexplained = .. }."""

    degrees: NotNegative | None = None
    unexplained: Index | None = None


class MotionTable(Table):
    """motion = { pixels = .., unexplained = .. }."""

    pixels: NotNegative | None = None
    unexplained: Index | None = None


class ColorTable(Table):
    """color = { max = .., ... }."""

    max: NotNegative | None = None
    texel: NotNegative | None = None
    unexplained: Index | None = None
    flip_mean: NotNegative | None = None
    flip_high: NotNegative | None = None
    flip_blob: NotNegative | None = None
    antialiased: Flag | None = None


class PolicyTable(Table):
    """[policies.NAME]: a preset with limits of one's own in place of some of its."""

    base: Literal["exact", "gpu", "foreign"] = "gpu"
    explains: Flag | None = None
    subpixel_bits: Annotated[Integer, Field(ge=1, le=16)] | None = None
    edge_band: Annotated[Integer, Field(ge=0, le=4)] | None = None
    pose: PoseTable | None = None
    vertices: VertexTable | None = None
    silhouette: IdTable | None = None
    object: IdTable | None = None
    part: IdTable | None = None
    triangle: IdTable | None = None
    depth: DepthTable | None = None
    normal: NormalTable | None = None
    motion: MotionTable | None = None
    color: ColorTable | None = None


class PolicyFile(PolicyTable):
    """A file of one policy."""

    format: Literal[1]


def _command(words: list[str] | None) -> list[str] | None:
    if words is not None and not words:
        raise wrong("the command is empty: give the program and its arguments as a list of texts")
    fault = unknown_placeholder(words or ())
    if fault is not None:
        raise wrong(fault)
    return words


class RendererTable(Table):
    """[renderers.NAME]: a command that any engine is run by, or the built-in live renderer."""

    command: Annotated[list[Name] | None, AfterValidator(_command)] = None
    layers: list[Literal[tuple(FRAME_LAYERS)]] | None = None  # type: ignore[valid-type]
    policy: Name | None = None
    adapter: Name | None = None
    timeout: Positive = 600.0

    @model_validator(mode="after")
    def _one_kind(self) -> RendererTable:
        if self.command is not None and self.adapter is not None:
            raise wrong("adapter is for the built-in renderer: leave it out beside a command")
        if self.command is None and "timeout" in self.model_fields_set:
            raise wrong("timeout is for a command: leave it out of the built-in renderer")
        return self


def read_ticks(value: Any) -> tuple[int, ...]:
    """Return ticks from a list of integers or a text "A:B" or "A:B:STEP", B left out as Python does."""
    expected = 'expected a list of ticks or a text such as "0:240:10"'
    if isinstance(value, str):
        if not re.fullmatch(r"\d{1,16}:\d{1,16}(:\d{1,16})?", value):
            raise wrong(f"{expected}, found {found(value)}")
        numbers = [int(part) for part in value.split(":")]
        if len(numbers) == 3 and numbers[2] == 0:
            raise wrong("the step is 0")
        ticks = range(*numbers)
        if not ticks:
            raise wrong(f"{found(value)} holds no tick: B lies beyond A")
        if len(ticks) > MOST_TICKS:
            raise wrong(f"{found(value)} holds {len(ticks)} ticks: at most {MOST_TICKS} in one test")
        return tuple(ticks)
    if not isinstance(value, list) or not value:
        raise wrong(f"{expected}, found {found(value)}")
    for tick in value:
        if isinstance(tick, bool) or not isinstance(tick, int) or not 0 <= tick <= LARGEST_TICK:
            raise wrong(f"a tick is an integer from 0 to 2^53, found {found(tick)}")
    if len(set(value)) < len(value):
        raise wrong("a tick stands in the list twice")
    return tuple(value)


class TolerateItem(Table):
    """A known difference of one renderer in one layer, with the reason why it does not fail the test."""

    renderer: Name
    layer: Literal[JUDGED]  # type: ignore[valid-type]
    reason: Name


class TestTable(Table):
    """[[test]]: one scene at some ticks."""

    name: Name
    scene: Name
    ticks: Annotated[tuple[int, ...], BeforeValidator(read_ticks)]
    renderers: Annotated[list[Name], Field(min_length=1)] | None = None
    policy: Name | None = None
    tolerate: list[TolerateItem] = Field(default_factory=list)


Side = Annotated[Integer, Field(ge=1, le=LARGEST_SIDE)]


class SuiteTable(Table):
    """The whole file."""

    format: Literal[1]
    size: tuple[Side, Side] = (960, 540)
    renderers: dict[str, RendererTable] = Field(default_factory=dict)
    policies: dict[str, PolicyTable] = Field(default_factory=dict)
    test: Annotated[list[TestTable], Field(min_length=1)]
