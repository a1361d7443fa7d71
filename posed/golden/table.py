"""Frames beside their golden ones as a table for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.table import Table

from posed.golden.judging import Judgement, Status
from posed.golden.suite import Held

COLUMNS = ("test", "tick", "renderer", "status", "pixels changed", "found")
"""What stands in a row; of the last two only what any frame has something to say in."""


def held_table(found: Sequence[Held]) -> Table:
    """Return a row a frame: what it is beside its golden one, how many pixels of each layer changed, and a sentence."""
    counts = Counter(one.judgement.status for one in found)
    title = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    table = Table(title=title or "no frames", title_justify="left", box=None, padding=(0, 1))
    rows = [_cells(one) for one in found]
    shown = [name for column, name in enumerate(COLUMNS) if column < 4 or any(row[column] for row in rows)]
    for name in shown:
        wraps = name in ("pixels changed", "found")
        table.add_column(name, justify="right" if name == "tick" else "left", no_wrap=not wraps)
    for one, row in zip(found, rows, strict=True):
        style = "" if one.judgement.status is Status.PASS else "bold red"
        table.add_row(*(cell for name, cell in zip(COLUMNS, row, strict=True) if name in shown), style=style)
    return table


def _cells(one: Held) -> tuple[str, ...]:
    judgement = one.judgement
    sentence = "" if judgement.status is Status.PASS else judgement.sentence
    return one.test, str(one.tick), one.renderer, judgement.status, _changed(judgement), sentence


def _changed(judgement: Judgement) -> str:
    """Return the layers that changed with the number of their pixels."""
    if judgement.verdict is None:
        return ""
    layers = [f"{one.layer} {one.differing}" for one in judgement.verdict.layers if one.differing]
    return ", ".join(layers) or "none"
