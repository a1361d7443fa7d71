"""Verdicts as tables for the terminal: a row a measure, and below it what each failing layer has to say."""

from __future__ import annotations

from rich.table import Table

from posed.verify.results import LayerResult, Measure
from posed.verify.suite.result import SuiteResult
from posed.verify.verdict import Verdict
from posed.words import numeral, unit_of

WORDS = {"passed": "pass", "failed": "FAIL"}


def verdict_table(verdict: Verdict) -> Table:
    """Return the table of one verdict."""
    word = "passed" if verdict.passed else "failed"
    table = Table(
        title=f"{word} ({verdict.policy.name})", title_justify="left", caption_justify="left", box=None, padding=(0, 1)
    )
    for name in ("layer", "", "measure"):
        table.add_column(name, no_wrap=True)
    for name in ("found", "limit", "margin", "differ", "edges", "ties"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in verdict.compared:
        _add_layer(table, one)
    table.caption = "\n".join(told(verdict))
    return table


def told(verdict: Verdict) -> list[str]:
    """Return the lines below the table: failures, what was recognized, notes and where the two sides came from."""
    lines = [one.sentence() for one in verdict.compared if not one.passed or one.note]
    lines += [f"tolerated: {one.layer}: {one.tolerated}" for one in verdict.layers if one.tolerated]
    lines += [f"recognized: {one.sentence}" for one in verdict.recognitions]
    if verdict.diagnosis is not None:
        lines.append(verdict.diagnosis.sentence())
    lines += [f"note: {one}" for one in verdict.notes]
    lines += [f"not compared: {', '.join(layers)}: {reason}" for reason, layers in _left_out(verdict).items()]
    return [*lines, f"reference: {verdict.reference.origin}; live: {verdict.live.origin}"]


def _left_out(verdict: Verdict) -> dict[str, list[str]]:
    """Return the layers that were not compared, by why."""
    reasons: dict[str, list[str]] = {}
    for one in verdict.layers:
        if not one.compared:
            reasons.setdefault(one.note, []).append(one.layer)
    return reasons


def _add_layer(table: Table, one: LayerResult) -> None:
    word = "tolerated" if one.tolerated and not one.passed else WORDS[one.status]
    counts = [f"{count:,}" for count in (one.differing, one.at_edges, one.ties)] if one.pixels is not None else [""] * 3
    for index, measure in enumerate(one.measures):
        table.add_row(
            *(("", "") if index else (one.layer, word)),
            measure.name,
            *_numbers(measure),
            *(["" for _ in counts] if index else counts),
            style="" if measure.passed else ("yellow" if one.tolerated else "bold red"),
        )


def _numbers(one: Measure) -> tuple[str, str, str]:
    """Return value, limit and margin as text, the unit with the value."""
    value, limit, margin = (numeral(number) for number in (one.value, one.limit, one.margin))
    return f"{value} {unit_of(one.value, one.unit)}".rstrip(), limit, margin


def results_table(result: SuiteResult) -> Table:
    """Return the table of several frames: a row each but for those not checked, which its title counts.

    A row tells what failed first in a frame that did not pass.
    """
    counts = ", ".join(f"{count} {outcome}" for outcome, count in result.counts.items() if count)
    table = Table(title=counts, title_justify="left", caption_justify="left", box=None, padding=(0, 1))
    for name in ("test", "tick", "renderer", "", "policy", "found"):
        table.add_column(name, justify="right" if name == "tick" else "left", no_wrap=name != "found")
    for one in result.results:
        if one.outcome == "not checked":
            continue
        verdict = one.verdict
        found = one.error if verdict is None else "" if verdict.passed else verdict.sentence()
        tolerated = [] if verdict is None else [layer.layer for layer in verdict.layers if layer.tolerated]
        if tolerated and not found:
            found = f"tolerated: {', '.join(tolerated)}"
        word = {"passed": "pass", "failed": "FAIL", "no frame": "NO FRAME"}[one.outcome]
        policy = "" if verdict is None else verdict.policy.name
        style = "" if one.outcome == "passed" else "bold red"
        table.add_row(one.test, str(one.tick), one.renderer, word, policy, found, style=style)
    return table
