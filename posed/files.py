"""Files: refused before they are read or written in vain; written whole or not at all, beside their place first.

A folder that is missing is made when a file is written into it, never before.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from posed.errors import PosedError


def unreadable(path: Path) -> str | None:
    """Say why `path` cannot be read, None where it can: it must be a regular file, as a pipe would wait for ever."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            return "is a folder" if stat.S_ISDIR(mode) else "is not a regular file"
        with path.open("rb"):
            return None
    except FileNotFoundError:
        return "there is no such file: check the path"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    except ValueError:
        return "cannot be read: its name holds a null character"


def check_place(path: Path) -> None:
    """Refuse a place that no file can be written to, before the work for it is done.

    Raises
    ------
    PosedError
        Its folder may not be written to or cannot be made, or a folder stands at the place itself.
    """
    folder = path.parent
    try:
        if path.is_dir():
            raise PosedError(f"{path}: is a folder: give the name of a file")
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not there.is_dir():
            raise PosedError(f"{folder}: {_in_the_way(folder, there)}")
        if not os.access(there, os.W_OK | os.X_OK):
            raise PosedError(f"{there}: the folder may not be written to: choose another")
    except (OSError, ValueError) as error:
        raise PosedError(f"{path}: is no place for a file: {error}") from error


def _in_the_way(folder: Path, file: Path) -> str:
    """Say that a file stands where `folder` or one above it would."""
    return f"{'is' if file == folder else f'{file} is'} a file, no folder: choose another place"


def no_suffix(path: Path) -> str:
    """Say which suffix of a file was found, as a message about formats ends."""
    if path.is_dir():
        return "found a folder"
    lossy = "; JPEG blurs what is compared" if path.suffix.lower() in (".jpg", ".jpeg") else ""
    return f'found "{path.suffix}"{lossy}' if path.suffix else "found none"


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing.

    Raises
    ------
    PosedError
        It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        there = next(place for place in (folder, *folder.parents) if place.exists())
        raise PosedError(f"{folder}: {_in_the_way(folder, there)}") from error
    except OSError as error:
        raise PosedError(f"{folder}: the folder cannot be made: {error.strerror or error}") from error


@contextmanager
def written_whole(path: Path | str) -> Iterator[Path]:
    """Give a place beside `path` to write to; on success it replaces `path`, on any failure it is gone.

    The place has the suffix of `path`, so that writers that choose a format by suffix work. What stood at `path` stays
    until the new file is complete. The folder, and those above it, are made where they are missing.

    Raises
    ------
    PosedError
        The folder cannot be made or written, or the disk is full.
    """
    path = Path(path)
    make_folder(path.parent)
    beside = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")  # a name may be as long as the system allows
    try:
        yield beside
        os.replace(beside, path)
    except OSError as error:
        raise PosedError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # what it says has been said
            beside.unlink(missing_ok=True)
