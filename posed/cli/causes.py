"""Causes on the command line: sentences and a table for people, JSON for machines."""

from __future__ import annotations

import json
import sys

import click

from posed.verify.diagnosing import Diagnosis

WIDTH = 160
"""Columns where standard output is no terminal."""


def say(found: Diagnosis, *, as_json: bool) -> None:
    """Write a diagnosis to standard output."""
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1))
        return
    from rich.console import Console

    click.echo(found.sentence())
    if found.shown:
        Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False).print(found.table())
    for line in found.lines():
        click.echo(line)
