"""A report of one verdict or of many, gathered one after the other and written as one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from posed.color import hex_color
from posed.files import check_place, written_whole
from posed.verify.explaining.pixel import NEEDED, explain
from posed.verify.explaining.tree import text
from posed.verify.report.colors import (
    EDGE_COLOR,
    EXTRA_COLOR,
    LARGEST,
    MISSING_COLOR,
    SMALLEST,
    TIE_COLOR,
    UNSCRAMBLE,
    WRONG_COLOR,
    difference_colors,
)
from posed.verify.report.content import Story, frame_content, names
from posed.verify.report.page import page
from posed.verify.verdict import Verdict

MASK = ((EDGE_COLOR, "explained at an edge"), (TIE_COLOR, "explained by a tie"), (WRONG_COLOR, "unexplained"))

LINE = 400
"""Columns of an explained pixel's lines at most: the page scrolls them."""

PICTURE_BYTES = 24_000_000
"""Of the pictures of a report of many verdicts, as text; those of failures go first."""


class Shown(NamedTuple):
    """What a report shows of a verdict, as plain values: pictures encoded, pixels explained, the ids' names."""

    content: dict[str, Any]
    names: dict[str, list[str]]


def shown(verdict: Verdict, *, story: Story | None = None) -> Shown:
    """Return what a report shows of a verdict; see `Report.add`."""
    frame = verdict.reference.frame
    content = frame_content(verdict, story=story or _explained(verdict))
    return Shown(content, {} if frame is None else names(frame.ids))


class Report:
    """Verdicts for people.

    Frames are encoded as they are added and not kept, and pictures that will not fit are dropped on the way, so that a
    report of hundreds of ticks needs little memory.

    Parameters
    ----------
    title
        What was checked.

    Attributes
    ----------
    absent
        A line for each of what should be shown and is not: frames that were not drawn or not checked.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.absent: list[str] = []
        self._runs: dict[str, dict[str, Any]] = {}

    def add(
        self,
        verdict: Verdict,
        *,
        run: str = "",
        sides: tuple[str, str] = ("reference", "live"),
        accept: str = "",
        story: Story | None = None,
    ) -> None:
        """Add a verdict.

        Parameters
        ----------
        verdict
            What was found.
        run
            Its series: verdicts of one run follow each other by tick under one scrubber.
        sides
            What its run calls the two sides.
        accept
            The command that accepts the live frame as golden.
        story
            Explains a pixel; `posed.explain` does unless given, where the verdict knows its scene and snapshot.
        """
        self.add_shown(shown(verdict, story=story), run=run, sides=sides, accept=accept)

    def add_shown(
        self, one: Shown, *, run: str = "", sides: tuple[str, str] = ("reference", "live"), accept: str = ""
    ) -> None:
        """Add what `shown` made of a verdict, in this process or in another one; see `add`."""
        kept = self._runs.setdefault(run, {"name": run, "sides": sides, "frames": [], "names": {}})
        kept["names"] = kept["names"] or one.names
        kept["frames"].append(one.content | {"accept": accept})
        if sum(map(_picture_bytes, self._frames())) > 2 * PICTURE_BYTES:
            self._drop_pictures()

    def _frames(self) -> list[dict[str, Any]]:
        return [frame for run in self._runs.values() for frame in run["frames"]]

    def _drop_pictures(self) -> None:
        """Drop pictures down to `PICTURE_BYTES`: those of failures stay first, then those of passes spread evenly."""
        frames = self._frames()
        left, is_first = PICTURE_BYTES, True
        for index in sorted(range(len(frames)), key=lambda index: (frames[index]["passed"], _scattered(index))):
            size = _picture_bytes(frames[index])
            if size > left and not is_first:
                frames[index]["pictures"] = {}
            else:
                left, is_first = left - size, False

    def html(self) -> str:
        """Return the page."""
        self._drop_pictures()
        data = {
            "title": self.title,
            "absent": self.absent,
            "runs": list(self._runs.values()),
            "scale": {
                "colors": [hex_color(color) for color in difference_colors()[1:]],
                "least": SMALLEST,
                "most": LARGEST,
            },
            "mask": [[hex_color(color), text] for color, text in MASK],
            "missing": hex_color(MISSING_COLOR),
            "extra": hex_color(EXTRA_COLOR),
            "unscramble": UNSCRAMBLE,
        }
        return page(self.title, data)

    def save(self, path: Path | str) -> None:
        """Write the page, whole or not at all.

        Raises
        ------
        PosedError
            The place cannot be written to.
        """
        check_place(Path(path))
        with written_whole(path) as beside:
            beside.write_text(self.html(), encoding="utf-8")


def _explained(verdict: Verdict) -> Story | None:
    """Return what explains pixels of a verdict's reference, None where its scene or snapshot is not at hand."""
    scene, pose, frame = verdict.scene, verdict.reference.pose, verdict.reference.frame
    if scene is None or pose is None or frame is None or any(name not in frame for name in NEEDED):
        return None
    return lambda x, y: text(explain(scene, pose, x, y, frame=frame), width=LINE)


def _picture_bytes(frame: Mapping[str, Any]) -> int:
    return sum(len(uri) for four in frame["pictures"].values() for uri in four.values())


def _scattered(index: int) -> int:
    """Return the bits of an index in reverse: in that order the first n indices lie evenly apart."""
    return int(f"{index:032b}"[::-1], 2)
