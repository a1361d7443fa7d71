"""Annotations of GitHub Actions: lines on standard output that its runner turns into marks on files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from posed.ci.case import Case


def github_lines(cases: Sequence[Case]) -> list[str]:
    """Return the line for each result that is no pass, and one for all that was not checked.

    GitHub shows the first ten of a step. The form is that of "Workflow commands for GitHub Actions", with its escapes.
    """
    left = [one for one in cases if not one.was_checked]
    told = [_line(one) for one in cases if one.was_checked and not one.passed]
    if left:
        sentence = f"{len(left)} of {len(cases)} frames: {left[0].sentence}"
        told.insert(0, _line(replace(left[0], group="the run", name="ended early", sentence=sentence)))
    return told


def _line(one: Case) -> str:
    properties = {"file": one.file.as_posix(), "title": f"{one.group}, {one.name}: {one.status}"}
    if one.line:
        properties["line"] = str(one.line)
    listed = ",".join(f"{name}={_escaped(value, in_property=True)}" for name, value in properties.items())
    return f"::error {listed}::{_escaped(one.sentence, in_property=False)}"


def _escaped(text: str, *, in_property: bool) -> str:
    escapes = {"%": "%25", "\r": "%0D", "\n": "%0A"} | ({":": "%3A", ",": "%2C"} if in_property else {})
    return "".join(escapes.get(character, character) for character in text)
