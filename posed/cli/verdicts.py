"""Verdicts on the command line: a table for people, JSON for machines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from posed.verify.suite.result import SuiteResult
from posed.verify.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 160
"""Columns where standard output is no terminal."""


def say_verdict(verdict: Verdict, *, as_json: bool) -> None:
    """Write a verdict to standard output."""
    if as_json:
        click.echo(json.dumps(verdict.to_json(), indent=1))
    else:
        show(verdict.table())


def say_results(result: SuiteResult) -> None:
    """Write what a run of several frames came to: a row a frame, what failed first in each, and the counts."""
    from posed.verify.table import results_table

    show(results_table(result))


def show(table: RenderableType) -> None:
    """Write a table to standard output."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False).print(table)
