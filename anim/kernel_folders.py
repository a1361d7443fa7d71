"""Folders of compiled kernels: held by the processes that use them; those of old versions are swept away.

Each version of the sources has folders of its own. When a new one is made, the `KEPT` that were used last stay, and all
others go that no process holds.
"""

import atexit
import os
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

KEPT = 12
"""Folders kept: one for each of three packages, of four versions."""

LOCK = "in-use"
"""A file in each folder that its users hold a shared lock on; its time is that of the last use."""

NAME = re.compile("[0-9a-f]{16}")
SWEPT = re.compile(r"\.[0-9a-f]{16}")
"""What a folder is called while it is removed."""

SUFFIXES = (".nbi", ".nbc")
"""Of numba's files."""

MARK = "complete-"
"""What the names of files begin with that say, of one mode each, that its kernels have been compiled."""

_held: list[IO[bytes]] = []
"""Open until the process ends, and the locks with them."""


@atexit.register
def _let_go() -> None:
    for stream in _held:
        stream.close()


def hold(folder: Path) -> bool:
    """Make a folder, for this user only, and hold it until the process ends; say whether a file can be made in it.

    Making one sweeps away old ones beside it.
    """
    try:
        while True:
            is_new = not folder.exists()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stream = (folder / LOCK).open("ab")
            _lock(stream, alone=False)
            if _is_at(stream, folder / LOCK):  # else somebody has just swept it away
                break
            stream.close()
        os.utime(folder / LOCK)
    except OSError:
        return False
    _held.append(stream)
    if is_new:
        sweep(folder.parent)
    return True


def sweep(root: Path) -> None:
    """Remove all but the `KEPT` folders of kernels used last, except those that somebody holds.

    A folder that has anything but kernels in it is nobody's to remove.
    """
    with suppress(OSError):
        there = [path for path in sorted(root.iterdir()) if path.is_dir() and not path.is_symlink()]
        for left in there:  # by one who was killed at it
            if SWEPT.fullmatch(left.name):
                shutil.rmtree(left, ignore_errors=True)
        folders = sorted((path for path in there if NAME.fullmatch(path.name)), key=_last_use, reverse=True)
        for old in folders[KEPT:]:
            with suppress(OSError):
                _remove_unheld(old)


def _last_use(folder: Path) -> int:
    lock = folder / LOCK
    return (lock if lock.exists() else folder).stat().st_mtime_ns


def _remove_unheld(folder: Path) -> None:
    files = [path for path in sorted(folder.rglob("*")) if not path.is_dir()]
    if any(path.suffix not in SUFFIXES and path.name != LOCK and not path.name.startswith(MARK) for path in files):
        return
    swept = folder.with_name(f".{folder.name}")
    with (folder / LOCK).open("ab") as stream:
        if not _lock(stream, alone=True):
            return
        if sys.platform != "win32":  # there a folder with an open file can neither be moved nor removed
            folder.rename(swept)
    if sys.platform == "win32":
        folder.rename(swept)
    shutil.rmtree(swept, ignore_errors=True)


def _is_at(stream: IO[bytes], place: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), place.stat())
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes], *, alone: bool) -> bool:
    """Lock an open file with others, or alone unless somebody has it; Windows guards open files without."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
    except OSError:  # somebody has it, or the file system knows no locks: nothing is swept away there
        return False
    return True
