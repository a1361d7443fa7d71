"""Words and bars for long work: on a terminal only, on standard error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from rich.progress import Progress, TaskID

Item = TypeVar("Item")


def over(items: Iterable[Item], count: int | None, what: str) -> Iterator[Item]:
    """Yield `items` under a bar with the count and the time left, where somebody watches and there are several."""
    if count is None or count < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=count, console=Console(stderr=True), transient=True)


class Bar:
    """A bar with the count, the rate and the time left, on a terminal and for several items only.

    ``with Bar("tracing", 60) as bar: ... bar.show(done, 60)``. What was there at the first call is not counted into the
    rate.
    """

    def __init__(self, what: str, count: int) -> None:
        self._what, self._count = what, count
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Bar:
        if self._count > 1 and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            rate = TextColumn("{task.fields[rate]}")
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._progress.start()
        return self

    def show(self, done: int, count: int) -> None:
        """Show that `done` of `count` are there."""
        if self._progress is None:
            return
        if self._task is None:
            self._task = self._progress.add_task(self._what, total=count, completed=done, rate="")
            return
        speed = self._progress.tasks[0].speed
        rate = "" if speed is None else f"{speed:.1f}/s"
        self._progress.update(self._task, completed=done, rate=rate)

    def __exit__(self, *error: object) -> None:
        if self._progress is not None:
            self._progress.stop()


_started: dict[Path, subprocess.Popen[bytes]] = {}
"""By the folder that is filled. Kept to the end: a command that is refused does not wait, and what it began goes on."""


class Compiling:
    """The tracer's kernels on their way into the cache: compiled by a process of their own while this one poses.

    Where all of them are in the cache already, which a mark in it tells, nothing happens and nothing is said: a kernel
    or two are there as soon as the tracer is imported, or where an interrupt has left them. `wait` before the first
    trace.
    """

    def __init__(self) -> None:
        from anim.kernel import cache_folder
        from anim.kernel_folders import MARK

        folder = cache_folder("tracer")
        self._process: subprocess.Popen[bytes] | None = None
        self._mark = None if folder is None else folder / MARK
        if folder is None:
            click.echo("compiling kernels: some 20 seconds, each time, as no cache folder can be written", err=True)
        elif not (folder / MARK).exists():
            click.echo(f"compiling kernels for this machine: some 20 seconds, once (kept in {folder.parent})", err=True)
            if folder in _started and _started[folder].poll() is None:
                self._process = _started[folder]
                return
            words = [sys.executable, "-m", "tracer.warm"]
            with suppress(OSError):  # then this process compiles them itself
                self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                _started[folder] = self._process

    def wait(self) -> None:
        """Return when the kernels are there, or are not coming."""
        if self._process is not None and self._process.wait() == 0 and self._mark is not None:
            with suppress(OSError):  # then the next one looks again
                self._mark.touch()
