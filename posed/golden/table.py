"""Frames beside their golden ones as a table for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.table import Table

from posed.golden.judging import Judgement, Status
from posed.golden.suite import Held


def held_table(found: Sequence[Held]) -> Table:
    """Return a row a frame: what it is beside its golden one, how many pixels of each layer changed, and a sentence."""
    counts = Counter(one.judgement.status for one in found)
    title = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    table = Table(title=title or "no frames", title_justify="left", box=None, padding=(0, 1))
    for name in ("test", "tick", "renderer", "", "pixels changed", "found"):
        wraps = name in ("pixels changed", "found")
        table.add_column(name, justify="right" if name == "tick" else "left", no_wrap=not wraps)
    for one in found:
        status = one.judgement.status
        style = "" if status is Status.PASS else "bold red"
        sentence = "" if status is Status.PASS else one.judgement.sentence
        table.add_row(one.test, str(one.tick), one.renderer, status, _changed(one.judgement), sentence, style=style)
    return table


def _changed(judgement: Judgement) -> str:
    """Return the layers that changed with the number of their pixels."""
    if judgement.verdict is None:
        return ""
    layers = [f"{one.layer} {one.differing}" for one in judgement.verdict.layers if one.differing]
    return ", ".join(layers) or "none"
