"""Arrays in `.npz` files: the same bytes for the same arrays, nothing but plain arrays read back."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError

LARGEST_MEMBER = 1 << 31
"""Bytes of one unpacked array that are read at most."""


def write_npz(stream: IO[bytes], arrays: Mapping[str, AnyArray]) -> None:
    """Write arrays as a compressed npz whose bytes depend on them alone: no time of writing, names in order."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in sorted(arrays):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(arrays[name]), allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getbuffer(), zipfile.ZIP_DEFLATED, 1
            )


def read_npz(path: Path) -> dict[str, AnyArray]:
    """Read the arrays of the npz at `path`; no objects, none larger than `LARGEST_MEMBER` when unpacked.

    Raises
    ------
    PosedError
        The file cannot be read; a member is too large, no plain array, or not as large as it says.
    ValueError
        It is not an npz.
    """
    arrays: dict[str, AnyArray] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if entry.file_size > LARGEST_MEMBER:
                    raise PosedError(f"{path}: {entry.filename} unpacks to {entry.file_size} bytes: too large to read")
                with archive.open(entry) as member:
                    name = entry.filename.removesuffix(".npy")
                    try:
                        arrays[name] = _read_array(member, entry.file_size)
                    except ValueError as error:
                        raise PosedError(f"{path}: {name}: {error}") from error
    except OSError as error:
        raise PosedError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"not an npz: {error}") from error
    return arrays


def _read_array(member: IO[bytes], size: int) -> AnyArray:
    """Read an array from the `size` bytes of a member, which must be those that its head claims."""
    content = io.BytesIO(member.read(size))
    if np.lib.format.read_magic(content) != (1, 0):
        raise ValueError("is an array of another version than 1.0: save it with numpy.savez")
    shape, _, dtype = np.lib.format.read_array_header_1_0(content)
    if dtype.hasobject:
        raise ValueError("holds Python objects: save numbers alone")
    expected, found = math.prod(shape) * dtype.itemsize, size - content.tell()
    if expected != found:
        raise ValueError(f"expected {expected} bytes for {dtype} {shape}, found {found}: save it again")
    content.seek(0)
    array: AnyArray = np.lib.format.read_array(content, allow_pickle=False)
    return array
