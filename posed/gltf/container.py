"""Containers: a file's bytes parted into its JSON and its binary chunk (glTF 2.0, section 4)."""

from __future__ import annotations

import stat
import struct
from dataclasses import dataclass
from pathlib import Path

from posed.errors import AssetError

MAGIC = b"glTF"
_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_REEXPORT = "export the file again"


@dataclass(frozen=True, eq=False)
class Container:
    """The JSON text of a file, and the content of its binary chunk or None where it has none."""

    json: bytes
    binary: memoryview | None


def read_container(path: Path) -> Container:
    """Read `path` as what its first bytes say it is, whatever its suffix.

    Unknown chunks and bytes past the declared length are ignored; an empty binary chunk is one of no bytes.

    Raises
    ------
    AssetError
        The file cannot be read, is neither kind of glTF, is truncated or of another version.
    """
    data = read_file(path)
    if data[:4] == MAGIC:
        return _parse_binary(path, data)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        return Container(data, None)
    if not data:
        raise AssetError(path, "", f"the file is empty: {_REEXPORT}")
    start = data[:12].decode("ascii", "replace").encode("unicode_escape").decode()
    raise AssetError(
        path, "", f'not a glTF file: expected the letters glTF or a JSON object, found "{start}"; give a .glb or .gltf'
    )


def read_file(path: Path) -> bytes:
    """Return the content of the regular file `path`; an `AssetError` says why it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise AssetError(path, "", "not a regular file: give the path of a .glb or .gltf file")
        return path.read_bytes()
    except FileNotFoundError:
        raise AssetError(path, "", "there is no such file: check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AssetError(path, "", f"cannot be read ({reason}): check the path and its permissions") from error


def _parse_binary(path: Path, data: bytes) -> Container:
    if len(data) < _HEADER.size:
        raise AssetError(
            path, "", f"truncated: expected a header of {_HEADER.size} bytes, found {len(data)}; {_REEXPORT}"
        )
    _, version, length = _HEADER.unpack_from(data)
    if version != 2:
        raise AssetError(path, "", f"expected a binary glTF of version 2, found version {version}; {_REEXPORT} as 2.0")
    if length > len(data):
        raise AssetError(path, "", f"truncated: expected {length} bytes, found {len(data)}; copy or {_REEXPORT}")
    json: bytes | None = None
    binary: memoryview | None = None
    at = _HEADER.size
    while at < length:
        if at + _CHUNK.size > length:
            raise AssetError(path, "", f"truncated: byte {at} begins a chunk with no room for its header; {_REEXPORT}")
        size, kind = _CHUNK.unpack_from(data, at)
        at += _CHUNK.size
        if size > length - at:
            raise AssetError(
                path, "", f"truncated: the chunk at byte {at} claims {size} bytes, {length - at} are left; {_REEXPORT}"
            )
        if json is None:
            if kind != b"JSON":
                name = kind.decode("ascii", "replace").encode("unicode_escape").decode()
                raise AssetError(path, "", f'expected a first chunk of the kind JSON, found "{name}"; {_REEXPORT}')
            json = data[at : at + size].rstrip(b"\0 ")
        elif kind == b"BIN\0" and binary is None:
            binary = memoryview(data)[at : at + size]
        at += size
    if json is None:
        raise AssetError(path, "", f"expected a JSON chunk, found none; {_REEXPORT}")
    return Container(json, binary)
