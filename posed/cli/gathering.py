"""Frames asked of a run, of which an interrupt or an error may leave some: what it came to is told all the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Generic, NamedTuple, TypeVar

from posed.ci import NOT_CHECKED, Case
from posed.cli.progress import Bar
from posed.words import counted

Kept = TypeVar("Kept")


class Asked(NamedTuple):
    """Which frame."""

    test: str
    tick: int
    renderer: str


class Gathering(Generic[Kept]):
    """What comes of frames in the order in which they were asked for, under a bar.

    Used in a `with`: an interrupt or an error ends the block and is kept for `end`, which raises it again when what
    was found until then has been told.
    """

    def __init__(self, what: str, asked: Sequence[Asked]) -> None:
        self.asked = asked
        self.found: list[Kept] = []
        self._ended: BaseException | None = None
        self._bar = Bar(what, len(asked))

    def __enter__(self) -> Gathering[Kept]:
        self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._bar.__exit__(kind, value, trace)
        self._ended = value
        return True

    def keep(self, one: Kept) -> None:
        """Take what came of the next frame."""
        self.found.append(one)
        self._bar.show(len(self.found), len(self.asked))

    @property
    def left(self) -> Sequence[Asked]:
        """The frames that the run did not come to."""
        return self.asked[len(self.found) :]

    @property
    def why(self) -> str:
        """Why frames are left."""
        words = "an interrupt" if isinstance(self._ended, KeyboardInterrupt) else str(self._ended)
        return f"the run ended early: {words}"

    @property
    def summary(self) -> str:
        """How many frames are left, as a sentence."""
        return f"{len(self.left)} of {counted(len(self.asked), 'frame')} not checked: the run ended early"

    def lines(self) -> list[str]:
        """Return what is left for a page: a line a test and renderer, after one that says why."""
        if not self.left:
            return []
        told = [f"{len(self.left)} of {counted(len(self.asked), 'frame')} not checked: {self.why}"]
        ordered = sorted(self.left, key=lambda one: (one.test, one.renderer))  # stable: ticks stay in order
        for (test, renderer), frames in groupby(ordered, key=lambda one: (one.test, one.renderer)):
            ticks = [one.tick for one in frames]
            span = (
                f"{counted(len(ticks), 'tick')} from {ticks[0]} to {ticks[-1]}"
                if len(ticks) > 1
                else f"tick {ticks[0]}"
            )
            told.append(f"{test}, {renderer}: not checked: {span}")
        return told

    def cases(self, file: Path) -> list[Case]:
        """Return what is left for what runs tests, a case each."""
        return [
            Case(one.test, f"tick {one.tick}, {one.renderer}", NOT_CHECKED, False, self.why, file) for one in self.left
        ]

    def title(self, name: str) -> str:
        """Return the title of a page that shows what was found of the run called `name`."""
        if not self.left:
            return name
        return f"{name}: ended early, after {len(self.found)} of {counted(len(self.asked), 'frame')}"

    def end(self) -> None:
        """Raise what has ended the run early, where something has."""
        if self._ended is not None:
            raise self._ended
