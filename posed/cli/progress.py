"""Words and bars for long work: on a terminal only, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

Item = TypeVar("Item")


def over(items: Iterable[Item], count: int | None, what: str) -> Iterator[Item]:
    """Yield `items` under a bar with the count and the time left, where somebody watches and there are several."""
    if count is None or count < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=count, console=Console(stderr=True), transient=True)


def compiling(package: str) -> None:
    """Say that kernels are about to be compiled, if they are not in the cache: it takes a while, once."""
    from anim.kernel import cache_folder

    folder = cache_folder(package)
    if folder is not None and any(folder.rglob("*.nbi")):
        return
    where = "" if folder is None else f", kept in {folder}"
    click.echo(f"compiling kernels for this machine: once, some 20 seconds{where}", err=True)
