"""Buffers and what else a glTF file names by URI: bytes in the file, embedded, or beside it (glTF 2.0, 3.6 and 2.8)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

from posed.errors import AssetError
from posed.gltf.container import read_file
from posed.gltf.document import Record

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_EMBED = "embed the data or put the file beside the model"


class Buffers:
    """The buffers of one file, each read when it is first asked for.

    Parameters
    ----------
    document
        The root of the file's JSON.
    binary
        The content of the binary chunk, which is the first buffer where that has no URI.
    """

    def __init__(self, document: Record, binary: memoryview | None) -> None:
        self._records = document.records("buffers")
        self._binary = binary
        self._read: dict[int, memoryview] = {}
        self._beside: dict[Path, bytes] = {}
        self._path = document.path

    def __len__(self) -> int:
        return len(self._records)

    def bytes(self, index: int) -> memoryview:
        """Return the `byteLength` bytes of buffer `index`.

        Raises
        ------
        AssetError
            It has fewer bytes than it claims, or its URI cannot be followed.
        """
        if index not in self._read:
            self._read[index] = self._load(self._records[index], index)
        return self._read[index]

    def digests(self) -> dict[int, str]:
        """Return the digest of every buffer that was read, by index."""
        return {index: hashlib.blake2b(data, digest_size=16).hexdigest() for index, data in self._read.items()}

    def uri(self, record: Record) -> memoryview:
        """Return the bytes behind ``record.uri``: a data URI or a file in the model's folder.

        Raises
        ------
        AssetError
            The URI is of the network, leads out of the model's folder or to no readable file.
        """
        uri = record.text("uri")
        if uri[:5].lower() == "data:":
            return memoryview(_decode_data(record, uri))
        path = _beside(record, uri)
        if path not in self._beside:
            try:
                self._beside[path] = read_file(path)
            except AssetError as error:
                raise record.error(f'the file "{uri}" beside the model: {error.message}', "uri") from error
        return memoryview(self._beside[path])

    def _load(self, record: Record, index: int) -> memoryview:
        length = record.integer("byteLength")
        if "uri" in record:
            data = self.uri(record)
        elif index == 0 and self._binary is not None:
            data = self._binary
        else:
            raise record.error("expected a uri, or a binary chunk for the first buffer of a .glb, found neither", "uri")
        if len(data) < length:
            raise record.error(
                f"expected {length} bytes of data, found {len(data)}: the data is truncated, export the file again",
                "byteLength",
            )
        return data[:length]


def _decode_data(record: Record, uri: str) -> bytes:
    header, comma, body = uri.partition(",")
    if not comma:
        raise record.error("expected a comma after the media type of a data URI, found none: export again", "uri")
    if not header.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote_to_bytes(body) if "%" in body else body)
    except (binascii.Error, ValueError) as error:
        raise record.error(f"expected base64 data, found other text ({error}): export the file again", "uri") from error


def _beside(record: Record, uri: str) -> Path:
    """Return the file that a relative URI names, which must lie in the folder of the model, links followed."""
    if _SCHEME.match(uri):
        scheme = uri.partition(":")[0]
        raise record.error(f'expected a relative path or a data URI, found the scheme "{scheme}": {_EMBED}', "uri")
    name = unquote_to_bytes(uri).decode("utf-8", "replace")
    folder = record.path.parent
    if "\0" in name or "\\" in name:
        raise record.error(f'expected a path with forward slashes, found "{uri[:80]}": {_EMBED}', "uri")
    try:
        root, path = folder.resolve(), (folder / name).resolve()
        outside = not path.is_relative_to(root)
    except (OSError, RuntimeError, ValueError) as error:
        raise record.error(f'the path "{uri[:80]}" cannot be followed ({error}): {_EMBED}', "uri") from error
    if outside:
        raise record.error(f'expected a file in the model\'s folder, found "{uri[:80]}" outside it: {_EMBED}', "uri")
    return path
