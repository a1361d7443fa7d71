"""A conformance result as a table for the terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from posed.conform.result import KINDS, ConformResult

MARKS = {"right": "right", "wrong": "WRONG", "no answer": "-"}


def conform_table(result: ConformResult) -> Table:
    """Return a row a rig: what it is about, what was answered, and a sentence where that is not right."""
    counts = ", ".join(f"{count} {word}" for word, count in result.counts.items() if count)
    table = Table(title=counts, title_justify="left", box=None, padding=(0, 1))
    for name in ("rig", "", *KINDS, "found"):
        table.add_column(name, no_wrap=name != "found")
    told: set[str] = set()
    for one in result.rigs:
        word = {"right": "right", "wrong": "WRONG", "no answer": "NO ANSWER"}[one.word]
        said = one.sentence() if one.worst.said not in told else "for the same reason"
        told |= {one.worst.said} if one.word == "no answer" else set()
        found = f"{one.rig.about}: {said}" if one.word != "right" else ""
        style = "" if one.word == "right" else "bold red" if one.word == "wrong" else "yellow"
        table.add_row(one.rig.name, word, *(MARKS[one.kind(kind)] for kind in KINDS), escape(found), style=style)
    return table
