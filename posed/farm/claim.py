"""A folder claimed by one run: a second one is refused, and a killed one holds nothing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from posed.errors import PosedError

LOCK = ".posed-run.lock"

LEFT_OVER = re.compile(r"\.[0-9a-f]{16}\.[a-z]+")
"""Names of files that were being written beside their place when their process was killed."""


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold `folder` for this process; what a killed run was writing is swept up first.

    The claim is the operating system's lock on a file, which ends with its process however that ends.

    Raises
    ------
    PosedError
        Another run holds the folder, or no file can be made in it.
    """
    place = folder / LOCK
    with _locked(place):
        for left in folder.iterdir():
            if LEFT_OVER.fullmatch(left.name):
                left.unlink(missing_ok=True)
        try:
            yield
        finally:
            with suppress(OSError):  # a folder turned read-only keeps an empty file, which claims nothing
                place.unlink(missing_ok=True)


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    while True:
        try:
            stream = place.open("a+b")
        except OSError as error:
            raise PosedError(f"{place.parent}: the folder cannot be written: {error.strerror or error}") from error
        with stream:
            if not _lock(stream):
                raise PosedError(
                    f"{place.parent}: another run is writing its frames here: wait for it or choose another folder"
                )
            if _is_at(stream, place):  # else its former holder has just removed it
                yield
                return


def _is_at(stream: IO[bytes], place: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), place.stat())
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes]) -> bool:
    """Take the lock of an open file unless somebody has it; it goes when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
