"""Results of several frames for what runs tests: JUnit XML, and annotations where GitHub reads them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from posed.ci import Case, github_lines, write_junit


def say_cases(suite: str, cases: Sequence[Case], *, junit: Path | None, github: bool, as_json: bool) -> None:
    """Write what is asked for; annotations go to standard error where standard output is for machines."""
    if junit is not None:
        write_junit(junit, suite, cases)
        click.echo(f"{junit}: {len(cases)} results", err=as_json)
    if github:
        for line in github_lines(cases):
            click.echo(line, err=as_json)


def accept_words(suite: Path, test: str, tick: int, renderer: str) -> str:
    """Return the command that makes one frame of a suite golden, but for the reason."""
    chosen = ["--test", test, "--tick", str(tick), "--renderer", renderer]
    return shlex.join(["posed", "golden", "accept", str(suite), *chosen, "--why", "say why"])


def relative(path: Path) -> Path:
    """Return a path as seen from the working folder where it lies below that, as annotations need it."""
    whole, here = Path(os.path.abspath(path)), Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else path
