"""Digests of values: BLAKE2b-128 over one canonical little-endian encoding."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Protocol

import numpy as np

NO_DIGEST: Mapping[str, bool] = {"digest": False}
"""Metadata of a dataclass field that is no part of the value's identity."""


class _Sink(Protocol):
    def update(self, data: bytes, /) -> None: ...


def digest(value: object) -> str:
    """Return the digest of `value` as 32 hex digits.

    `value` is built of None, bool, int, float, Fraction, str, bytes, enumerations, arrays, sequences, mappings with
    string or integer keys (encoded in key order) and dataclasses (encoded by field name). Arrays carry their dtype and
    shape, so that equal bytes of another type differ; every part carries a tag and a length, so that no two values
    share an encoding. A dataclass that knows its own `digest` stands for itself by that, and a field with the metadata
    `NO_DIGEST`, such as the path a value was read from, is left out.
    """
    state = hashlib.blake2b(digest_size=16)
    _encode(state, value)
    return state.hexdigest()


def _encode(state: _Sink, value: object) -> None:
    match value:
        case None:
            state.update(b"n")
        case bool():
            state.update(b"t" if value else b"f")
        case Enum():
            _encode(state, value.value)
        case int():
            _bytes(state, b"i", str(value).encode())
        case float():
            state.update(b"d" + struct.pack("<d", value))
        case Fraction():
            _bytes(state, b"q", str(value).encode())
        case str():
            _bytes(state, b"s", value.encode())
        case bytes():
            _bytes(state, b"b", value)
        case np.ndarray():
            little = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
            _bytes(state, b"a", f"{little.dtype.str}{value.shape}".encode())
            state.update(little.tobytes())
        case np.generic():
            _encode(state, value.item())
        case Mapping():
            _bytes(state, b"m", str(len(value)).encode())
            for key in sorted(value):
                _encode(state, key)
                _encode(state, value[key])
        case Sequence():
            _bytes(state, b"l", str(len(value)).encode())
            for item in value:
                _encode(state, item)
        case _ if is_dataclass(value) and not isinstance(value, type):
            own = getattr(value, "digest", None)
            names = [one.name for one in fields(value) if one.metadata.get("digest", True)]
            _encode(state, own or {name: getattr(value, name) for name in names})
        case _:
            raise TypeError(f"a {type(value).__name__} has no canonical encoding")


def _bytes(state: _Sink, tag: bytes, data: bytes) -> None:
    state.update(tag + struct.pack("<Q", len(data)) + data)
