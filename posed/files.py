"""Files are written whole or not at all: beside their place first, then moved over it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from posed.errors import PosedError


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
    beside = path.with_name(f".{path.stem}.{secrets.token_hex(4)}{path.suffix}")
    try:
        yield beside
        os.replace(beside, path)
    except OSError as error:
        place = path.parent if not path.parent.is_dir() else path
        raise PosedError(f"{place}: cannot be written: {error.strerror or error}") from error
    finally:
        beside.unlink(missing_ok=True)
