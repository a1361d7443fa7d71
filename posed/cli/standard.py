"""Standard output and error that bear what shells do to them: readers that leave, names in no encoding, no stream."""

from __future__ import annotations

import io
import os
import sys

import click


class Outlet(io.FileIO):
    """A file descriptor whose reader may leave: what it no longer wants is dropped, and the command goes on.

    So `posed check ... | head -1` still ends with its verdict's status.
    """

    def write(self, data: object, /) -> int:
        """Write bytes; return how many, all of them once the reader has gone."""
        view = memoryview(data)  # type: ignore[arg-type]
        try:
            return super().write(view)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return view.nbytes


def prepare() -> None:
    """Make `sys.stdout` an `Outlet` that takes any name, also where there is none; leave a test's own alone."""
    if sys.stdout is None:  # closed by the shell: >&-
        sys.stdout = open(os.devnull, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 - open until the process ends
    if sys.stdout is not sys.__stdout__ or not isinstance(sys.stdout, io.TextIOWrapper):
        return
    sys.stdout.flush()
    outlet = io.BufferedWriter(Outlet(sys.stdout.fileno(), "w", closefd=False))
    encoding, watched = sys.stdout.encoding, sys.stdout.isatty()
    sys.stdout = io.TextIOWrapper(outlet, encoding, "backslashreplace", line_buffering=watched)


def say(text: str) -> None:
    """Print `text` on standard error as one line, whatever names and messages of others it holds."""
    line = " ".join(part.strip() for part in text.splitlines() if part.strip())
    shown = (c if c.isprintable() or not c.isascii() else c.encode("unicode_escape").decode() for c in line)
    click.echo("".join(shown), err=True)
