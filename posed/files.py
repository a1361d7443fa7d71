"""Files: refused before they are read or written in vain; written whole or not at all, beside their place first."""

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
    except (OSError, ValueError) as error:
        return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def check_place(path: Path) -> None:
    """Refuse a place that no file can be written to, before the work for it is done.

    Raises
    ------
    PosedError
        The folder does not exist or may not be written to, or a folder stands at the place itself.
    """
    folder = path.parent
    try:
        if not folder.is_dir():
            raise PosedError(f"{folder}: {no_folder(folder)}")
        if path.is_dir():
            raise PosedError(f"{path}: is a folder: give the name of a file")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PosedError(f"{folder}: the folder may not be written to: choose another")
    except (OSError, ValueError) as error:
        raise PosedError(f"{path}: is no place for a file: {error}") from error


def no_folder(folder: Path) -> str:
    """Say why `folder` is none: it is missing, or a file stands in its way."""
    for place in (folder, *folder.parents):
        if place.is_dir():
            break
        if place.exists():
            return f"{'is' if place == folder else f'{place} is'} a file, no folder: choose another place"
    return "there is no such folder: make it first"


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
        raise PosedError(f"{folder}: {no_folder(folder)}") from error
    except OSError as error:
        raise PosedError(f"{folder}: the folder cannot be made: {error.strerror or error}") from error


@contextmanager
def written_whole(path: Path | str) -> Iterator[Path]:
    """Give a place beside `path` to write to; on success it replaces `path`, on any failure it is gone.

    The place has the suffix of `path`, so that writers that choose a format by suffix work. What stood at `path` stays
    until the new file is complete.

    Raises
    ------
    PosedError
        The folder does not exist or cannot be written, or the disk is full.
    """
    path = Path(path)
    beside = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")  # a name may be as long as the system allows
    try:
        yield beside
        os.replace(beside, path)
    except OSError as error:
        place = path.parent if not path.parent.is_dir() else path
        raise PosedError(f"{place}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # what it says has been said
            beside.unlink(missing_ok=True)
