"""Words and bars for long work: on a terminal only, on standard error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

import click

Item = TypeVar("Item")

MARK = "complete"
"""A file in the folder of the tracer's kernels that says that all of them have been compiled."""


def over(items: Iterable[Item], count: int | None, what: str) -> Iterator[Item]:
    """Yield `items` under a bar with the count and the time left, where somebody watches and there are several."""
    if count is None or count < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=count, console=Console(stderr=True), transient=True)


_started: list[subprocess.Popen[bytes]] = []
"""Kept to the end: a command that is refused does not wait, and what it began goes on to fill the cache."""


class Compiling:
    """The tracer's kernels on their way into the cache: compiled by a process of their own while this one poses.

    Where all of them are in the cache already, which a mark in it tells, nothing happens and nothing is said: a kernel
    or two are there as soon as the tracer is imported, or where an interrupt has left them. `wait` before the first
    trace.
    """

    def __init__(self) -> None:
        from anim.kernel import cache_folder

        folder = cache_folder("tracer")
        self._process: subprocess.Popen[bytes] | None = None
        self._mark = None if folder is None else folder / MARK
        if folder is None:
            click.echo("compiling kernels: some 20 seconds, each time, as no cache folder can be written", err=True)
        elif not (folder / MARK).exists():
            click.echo(f"compiling kernels for this machine: some 20 seconds, once (kept in {folder.parent})", err=True)
            words = [sys.executable, "-m", "tracer.warm"]
            with suppress(OSError):  # then this process compiles them itself
                self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                _started.append(self._process)

    def wait(self) -> None:
        """Return when the kernels are there, or are not coming."""
        if self._process is not None and self._process.wait() == 0 and self._mark is not None:
            with suppress(OSError):  # then the next one looks again
                self._mark.touch()
