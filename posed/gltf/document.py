"""The JSON of a glTF file, read with types: every value is checked where it is taken, errors name its place."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from posed.errors import AssetError

LARGEST_TEXT = 1 << 28
"""Bytes of JSON, embedded buffers included."""
LARGEST_DEPTH = 128
"""Arrays and objects within one another; glTF itself needs eight."""
LARGEST_VALUES = 1 << 23
"""Commas and brackets of the text: a bound on what parsing allocates, about 1 GiB."""
LARGEST_LIST = 1 << 18
"""Objects in one array, such as nodes."""
LARGEST_INTEGER = 1 << 53

_CURE = "correct it or export the file again"
_BRACKETS = np.zeros(256, np.int8)
_BRACKETS[np.frombuffer(b'[{]},"', np.uint8)] = (1, 1, -1, -1, 2, 3)


class Record:
    """A JSON object together with its place in the file.

    The getters take a key and return its value as the wanted type, or the default where the key is absent; without a
    default the key is required. Each raises `AssetError` with the JSON pointer of what it found otherwise.
    """

    __slots__ = ("_base", "_key", "data", "path")

    def __init__(self, path: Path, data: dict[str, Any], base: str | Record = "", key: str | int | None = None) -> None:
        self.path, self.data, self._base, self._key = path, data, base, key

    @property
    def pointer(self) -> str:
        """The JSON pointer (RFC 6901) of this object."""
        base = self._base if isinstance(self._base, str) else self._base.pointer
        return base if self._key is None else f"{base}/{_escaped(self._key)}"

    def place(self, *keys: str | int) -> str:
        """Return the JSON pointer of what lies under `keys` in this object."""
        return "".join([self.pointer, *(f"/{_escaped(key)}" for key in keys)])

    def error(self, message: str, *keys: str | int) -> AssetError:
        """Return the error that says `message` of the value under `keys`."""
        return AssetError(self.path, self.place(*keys), message)

    def refuse(self, expected: str, *keys: str | int) -> NoReturn:
        """Raise the error that the value under `keys` is not what was expected."""
        found: Any = self.data
        for key in keys:
            found = found[key] if isinstance(key, int) else found.get(key, _ABSENT)
        raise self.error(f"expected {expected}, found {_described(found)}: {_CURE}", *keys)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def integer(self, key: str, default: int | None = None, *, least: int = 0, most: int = LARGEST_INTEGER) -> int:
        """Return an integer of `least` to `most`."""
        value = self.data.get(key, default)
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int or not least <= value <= most:
            limit = f" to {most}" if most < LARGEST_INTEGER else " or more"
            self.refuse(f"an integer of {least}{limit}", key)
        return value

    def index(self, key: str, count: int, noun: str) -> int | None:
        """Return an index below `count`, the number of the file's `noun`, or None where the key is absent."""
        return self.required_index(key, count, noun) if key in self.data else None

    def required_index(self, key: str, count: int, noun: str) -> int:
        """Return an index below `count`, the number of the file's `noun`."""
        value = self.data.get(key)
        if type(value) is not int or not 0 <= value < count:
            self.refuse(_index_of(count, noun), key)
        return value

    def indices(self, key: str, count: int, noun: str) -> tuple[int, ...]:
        """Return a list of indices below `count`; an absent key is an empty one."""
        values = self.data.get(key)
        if values is None and key not in self.data:
            return ()
        if type(values) is not list:
            self.refuse(f"an array of indices of {noun}", key)
        for position, value in enumerate(values):
            if type(value) is not int or not 0 <= value < count:
                self.refuse(_index_of(count, noun), key, position)
        return tuple(values)

    def number(
        self, key: str, default: float | None = None, *, least: float = -math.inf, most: float = math.inf
    ) -> float:
        """Return a finite number of `least` to `most`."""
        value: Any = self.data.get(key, default)
        if not _is_finite(value) or not least <= value <= most:
            self.refuse(f"a finite number{_between(least, most)}", key)
        return float(value)

    def numbers(
        self, key: str, count: int | None = None, default: tuple[float, ...] | None = None, *, least: float = -math.inf
    ) -> tuple[float, ...]:
        """Return `count` finite numbers, or any number of them where `count` is None."""
        values = self.data.get(key)
        if values is None and key not in self.data and default is not None:
            return default
        if type(values) is not list or (count is not None and len(values) != count):
            self.refuse(f"an array of {'' if count is None else f'{count} '}numbers", key)
        for position, value in enumerate(values):
            if not _is_finite(value) or value < least:
                self.refuse(f"a finite number{_between(least, math.inf)}", key, position)
        return tuple(map(float, values))

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; half surrogates, which no file or terminal can hold, become question marks."""
        value = self.data.get(key, default)
        if type(value) is not str:
            self.refuse("a string", key)
        return value if value.isascii() else value.encode("utf-8", "replace").decode()

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings; an absent key is an empty one."""
        values = self.data.get(key, [])
        if type(values) is not list:
            self.refuse("an array of strings", key)
        for position, value in enumerate(values):
            if type(value) is not str:
                self.refuse("a string", key, position)
        return tuple(value.encode("utf-8", "replace").decode() for value in values)

    def boolean(self, key: str, default: bool) -> bool:
        """Return a boolean."""
        value = self.data.get(key, default)
        if type(value) is not bool:
            self.refuse("true or false", key)
        return value

    def record(self, key: str) -> Record | None:
        """Return an object, or None where the key is absent."""
        value = self.data.get(key)
        if value is None and key not in self.data:
            return None
        if type(value) is not dict:
            self.refuse("an object", key)
        return Record(self.path, value, self, key)

    def required_record(self, key: str) -> Record:
        """Return an object that must be there."""
        found = self.record(key)
        if found is None:
            self.refuse("an object", key)
        return found

    def records(self, key: str) -> list[Record]:
        """Return a list of objects; an absent key is an empty one."""
        values = self.data.get(key)
        if values is None and key not in self.data:
            return []
        if type(values) is not list:
            self.refuse("an array of objects", key)
        if len(values) > LARGEST_LIST:
            raise self.error(f"expected at most {LARGEST_LIST} objects, found {len(values)}: part the file", key)
        base, path = self.place(key), self.path
        for position, value in enumerate(values):
            if type(value) is not dict:
                self.refuse("an object", key, position)
        return [Record(path, value, base, position) for position, value in enumerate(values)]

    def extension(self, name: str) -> Record | None:
        """Return the object of the extension `name`, or None where this object does not use it."""
        if "extensions" not in self.data:
            return None
        return self.required_record("extensions").record(name)

    def extensions(self) -> Iterator[str]:
        """Yield the names of the extensions that this object uses."""
        found = self.record("extensions")
        return iter(()) if found is None else iter(found.data)


def parse_document(path: Path, text: bytes) -> Record:
    """Return the root object of a glTF file's JSON.

    Raises
    ------
    AssetError
        The text is not UTF-8 or not JSON, passes one of the limits above, or is not glTF 2.
    """
    _check_limits(path, text)
    try:
        root = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise AssetError(path, "", f"expected JSON in UTF-8, found another byte at {error.start}: {_CURE}") from error
    except (ValueError, RecursionError) as error:
        raise AssetError(path, "", f"the JSON cannot be read ({error}): {_CURE}") from error
    if type(root) is not dict:
        raise AssetError(path, "", f"expected a JSON object, found {_described(root)}: {_CURE}")
    document = Record(path, root)
    asset = document.required_record("asset")
    version = asset.text("minVersion", asset.text("version"))
    if version.split(".")[0] != "2" or ("minVersion" in asset and version != "2.0"):
        key = "minVersion" if "minVersion" in asset else "version"
        raise asset.error(f'expected glTF version 2.0, found "{version}": export the file as glTF 2.0', key)
    return document


def _check_limits(path: Path, text: bytes) -> None:
    if len(text) > LARGEST_TEXT:
        raise AssetError(path, "", f"the JSON has {len(text)} bytes; at most {LARGEST_TEXT} are read: store it as .glb")
    if b"\\" in text:
        text = text.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    kinds = _BRACKETS[np.frombuffer(text, np.uint8)]
    count = int(np.count_nonzero(kinds))
    if count > LARGEST_VALUES:
        raise AssetError(path, "", f"the JSON has {count} values; at most {LARGEST_VALUES} are read: part the file")
    marks = kinds[np.flatnonzero(kinds)]
    inside = np.logical_xor.accumulate(marks == 3) if marks.size else np.zeros(0, np.bool_)
    steps = np.where(inside | (marks >= 2), 0, marks)
    depth = int(np.cumsum(steps, dtype=np.int32).max(initial=0))
    if depth > LARGEST_DEPTH:
        raise AssetError(path, "", f"the JSON nests {depth} deep; at most {LARGEST_DEPTH} are read: {_CURE}")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


class _Absent:
    pass


_ABSENT = _Absent()


def _is_finite(value: object) -> bool:
    kind = type(value)
    return (kind is float and math.isfinite(value)) or (kind is int and -1e308 <= value <= 1e308)  # type: ignore[arg-type,operator]


def _between(least: float, most: float) -> str:
    if least == -math.inf:
        return "" if most == math.inf else f" of at most {most:g}"
    return f" of at least {least:g}" if most == math.inf else f" of {least:g} to {most:g}"


def _index_of(count: int, noun: str) -> str:
    return f"an index of {noun} below {count}" if count else f"no index, as the file has no {noun}"


def _escaped(key: str | int) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _described(value: object) -> str:
    match value:
        case _Absent():
            return "nothing"
        case dict():
            return "an object"
        case list():
            return f"an array of {len(value)}"
        case str():
            short = value if len(value) <= 40 else f"{value[:40]}..."
            return json.dumps(short)
        case bool() | None:
            return json.dumps(value)
        case _:
            return f"{value:g}" if isinstance(value, float) else str(value)[:40]
