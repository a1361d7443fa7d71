"""Verdicts on the command line: a table for people, JSON for machines."""

from __future__ import annotations

import json
import sys

import click

from posed.verify.verdict import Verdict

WIDTH = 160
"""Columns where standard output is no terminal."""


def say_verdict(verdict: Verdict, *, as_json: bool) -> None:
    """Write a verdict to standard output."""
    if as_json:
        click.echo(json.dumps(verdict.to_json(), indent=1))
        return
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False).print(verdict.table())
