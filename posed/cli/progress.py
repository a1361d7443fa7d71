"""Words and bars for long work: on a terminal only, on standard error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
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


_COLOR = frozenset(("color", "variance"))

CHECKED = ("aov", "center", "range", "verdict")
"""What a check runs."""

_started: dict[str, subprocess.Popen[str]] = {}
"""By the modes that it compiles. Kept to the end: what a command began that was refused goes on."""


def modes_of(integrator: str, samples: int | str, layers: Iterable[str] | None) -> tuple[str, ...]:
    """Return the modes of kernels that a picture needs; `layers` are those wanted, None for all."""
    wanted = None if layers is None else set(layers)
    modes = []
    if integrator != "aov" and (wanted is None or wanted & _COLOR):
        modes.append("center" if integrator == "direct" and samples == "center" else integrator)
    if wanted is None or wanted - _COLOR:
        modes.append("aov")
    return tuple(modes)


class Compiling:
    """Kernels on their way into the cache: compiled by a process of their own while this one poses.

    Where all kernels of the modes are in the cache already, which marks in it tell, nothing happens or is said:
    a kernel or two are there as soon as the tracer is imported, or where an interrupt has left them. `wait` before the
    first trace.

    Parameters
    ----------
    modes
        What will be run, of `posed.warming.SECONDS`.
    """

    def __init__(self, *modes: str) -> None:
        from anim.kernel import cache_folder
        from posed.warming import SECONDS, missing

        folder, needed = cache_folder("posed"), missing(*dict.fromkeys(modes))
        self._process: subprocess.Popen[str] | None = None
        if not needed:
            return
        what = f"compiling kernels of {', '.join(needed)}: some {sum(SECONDS[mode] for mode in needed)} seconds"
        if folder is None:
            click.echo(f"{what}, each time, as no cache folder can be written", err=True)
            return
        click.echo(f"{what}, once for this machine (kept in {folder.parent})", err=True)
        key = " ".join((str(folder), *needed))
        if key in _started and _started[key].poll() is None:
            self._process = _started[key]
            return
        words = [sys.executable, "-m", "posed.warming", *needed]
        with suppress(OSError):  # then this process compiles them itself
            self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            _started[key] = self._process

    def wait(self) -> None:
        """Return when the kernels are there, or are not coming; on a terminal, say how far they are."""
        if self._process is None:
            return
        watched, said = sys.stderr.isatty(), False
        for line in self._process.stdout or ():
            mode, _, what = line.strip().partition(" ")
            if mode == "unsaved":
                click.echo(("\r" if said else "") + unkept(what), err=True)
            elif watched:
                click.echo(f"\r{mode}: {what} kernels", err=True, nl=False)
                said = True
        if said:
            click.echo("\r\x1b[K", err=True, nl=False)
        self._process.wait()


def unkept(reason: str) -> str:
    """Return what is said where compiled kernels cannot be written."""
    return (
        f"the kernels cannot be kept ({reason}) and are compiled anew each time: make room, or set "
        "POSED_CACHE_DIR to a folder that has it"
    )
