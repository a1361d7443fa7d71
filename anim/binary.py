"""Little-endian bytes, written field by field and read back under limits: the ground of the skeleton and clip files."""

import struct

import numpy as np
from numpy.typing import NDArray

from anim.errors import AnimError

LONGEST_NAME = 4096
"""Bytes of a name in UTF-8."""


class Writer:
    """Puts fields one after the other."""

    def __init__(self, magic: bytes, version: int) -> None:
        self._parts = [magic]
        self.count(version)

    def count(self, number: int) -> None:
        """Write an unsigned integer of 32 bits."""
        self._parts.append(struct.pack("<I", number))

    def index(self, number: int) -> None:
        """Write an index plus one, so that -1, which says none, is 0."""
        self.count(number + 1)

    def name(self, name: str) -> None:
        """Write a text: its length in bytes, then UTF-8."""
        encoded = name.encode("utf-8")
        self.count(len(encoded))
        self._parts.append(encoded)

    def reals(self, numbers: NDArray[np.float64]) -> None:
        """Write float64 numbers in row-major order, without their count."""
        self._parts.append(np.ascontiguousarray(numbers, "<f8").tobytes())

    def bytes(self) -> bytes:
        """Return what was written."""
        return b"".join(self._parts)


class Reader:
    """Takes fields in the order they were written.

    Parameters
    ----------
    data
        The file's bytes.
    kind
        What errors call the file.
    magic, version
        What it must begin with.

    Raises
    ------
    AnimError
        From every method, where the bytes end early or a number is past its limit.
    """

    def __init__(self, data: bytes, kind: str, magic: bytes, version: int) -> None:
        self._data = memoryview(data)
        self._kind = kind
        self._at = 0
        found = bytes(self._take(len(magic)))
        if found != magic:
            raise AnimError(f"not a {kind} file: it begins with {found!r}; expected {magic!r}")
        number = self.count("version", 2**32 - 1)
        if number != version:
            raise AnimError(f"the {kind} file has version {number}; expected {version}")

    def count(self, name: str, limit: int) -> int:
        """Return an unsigned integer of 32 bits, at most the limit."""
        number = int(struct.unpack("<I", self._take(4))[0])
        if number > limit:
            raise AnimError(f"the {self._kind} file says {name} is {number}; expected at most {limit}")
        return number

    def index(self, name: str, limit: int) -> int:
        """Return an index that was written plus one, -1 for none."""
        return self.count(name, limit) - 1

    def name(self) -> str:
        """Return a text."""
        encoded = bytes(self._take(self.count("the length of a name", LONGEST_NAME)))
        try:
            return encoded.decode("utf-8")
        except UnicodeDecodeError:
            raise AnimError(f"the {self._kind} file has a name that is no UTF-8: {encoded!r}") from None

    def reals(self, *shape: int) -> NDArray[np.float64]:
        """Return float64 numbers of a shape."""
        count = 1
        for length in shape:
            count *= length
        return np.frombuffer(self._take(8 * count), "<f8").reshape(shape)

    def end(self) -> None:
        """Refuse bytes after the last field."""
        left = len(self._data) - self._at
        if left:
            raise AnimError(f"the {self._kind} file has {left} bytes after its end")

    def _take(self, count: int) -> memoryview:
        if self._at + count > len(self._data):
            raise AnimError(
                f"the {self._kind} file ends after {len(self._data)} bytes; expected {count} more at byte {self._at}"
            )
        self._at += count
        return self._data[self._at - count : self._at]
