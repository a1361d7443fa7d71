"""`posed lint`: everything suspicious in a model or a scene file."""

from __future__ import annotations

import json
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posed.cli.kinds import Rate

if TYPE_CHECKING:
    from posed.lint import Finding

STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}


@click.command(short_help="List everything suspicious.")
@click.argument("file", type=click.Path(path_type=Path), metavar="MODEL|SCENE")
@click.option("--rate", type=Rate(), help="Ticks a second that a model's loops should fit; a scene has its own.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def command(file: Path, rate: Fraction | None, as_json: bool) -> int:
    """List everything suspicious in a .glb, a .gltf, or a scene file and the models it names.

    Each line has a place, a code, what was found and how to cure it. Exit status 1 where there is an error.

    \b
    posed lint character.glb
    posed lint golden/scenes/walker.toml --json
    """
    from posed.lint import lint

    findings = lint(file, rate=rate)
    counts = Counter(str(finding.severity) for finding in findings)
    if as_json:
        report = {"file": str(file), "counts": counts, "findings": [finding.to_json() for finding in findings]}
        click.echo(json.dumps(report, indent=1))
    elif findings and sys.stdout.isatty():
        _table(findings)
    else:
        for finding in findings:
            click.echo(str(finding))
    said = ", ".join(f"{counts[kind]} {kind}{'s' * (counts[kind] != 1)}" for kind in STYLES if counts[kind])
    click.echo(f"{file}: {said or 'nothing suspicious'}", err=True)
    return 1 if counts["error"] else 0


def _table(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    several = len({finding.path for finding in findings}) > 1
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("code", "place", "what", "cure"):
        table.add_column(title, no_wrap=title == "code", overflow="fold")
    for finding in findings:
        style = STYLES[finding.severity]
        name = finding.path.name if several or not (finding.pointer or finding.line) else ""
        place = name + (f":{finding.line}" if finding.line else f"{' ' if name else ''}{finding.pointer}")
        table.add_row(
            f"[{style}]{finding.code}[/{style}]",
            escape(place),
            escape(finding.what),
            f"[dim]{escape(finding.cure)}[/dim]",
        )
    Console().print(table)
