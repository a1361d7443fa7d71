"""Accessors: typed arrays in buffers, of every component and element type (glTF 2.0, section 3.6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.gltf.buffer import Buffers
from posed.gltf.document import Record
from posed.gltf.meshopt import decompress, decompressed_size, meshopt_extension

LARGEST_TOTAL = 1 << 28
"""Numbers that all accessors of a file may claim together, checked before anything is allocated: 1 GiB as float32."""

_COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("i1"),
    5121: np.dtype("u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
_SHAPES = {
    "SCALAR": (1,),
    "VEC2": (2,),
    "VEC3": (3,),
    "VEC4": (4,),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
_REEXPORT = "export the file again"


@dataclass(frozen=True, eq=False)
class _View:
    """Bytes of a buffer, and the distance from element to element or 0 where they are packed."""

    data: memoryview
    stride: int


class Accessors:
    """The accessors of one file.

    Arrays come as (N,) for SCALAR, (N, C) for vectors and (N, R, C) for matrices, whose columns the file stores one
    after the other; read-only, and the same array for every user of an accessor.
    """

    def __init__(self, document: Record, buffers: Buffers) -> None:
        self.records = document.records("accessors")
        self._views = document.records("bufferViews")
        self._buffers = buffers
        self._left = LARGEST_TOTAL
        self._seen_views: dict[int, _View] = {}
        self._raw: dict[int, AnyArray] = {}
        self._converted: dict[tuple[int, type], AnyArray] = {}
        self._kinds: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.records)

    def count(self, index: int) -> int:
        """Return the number of elements that accessor `index` claims."""
        return self.records[index].integer("count")

    def floats(
        self, index: int, kinds: Sequence[str], dtype: type[np.floating[Any]], user: Record, *keys: str | int
    ) -> AnyArray:
        """Return accessor `index` as floats, normalized integers mapped to 0..1 or -1..1.

        Parameters
        ----------
        kinds
            The element types that `user` allows, such as ``VEC3``.
        dtype
            float32 or float64; a normalized integer is divided in that type, once.
        user, keys
            Where the accessor is used, for errors.
        """
        self.check(index, kinds, user, *keys)
        found = self._converted.get((index, dtype))
        if found is None:
            found = self.some_floats(index, slice(None), dtype)
            found.flags.writeable = False
            self._converted[index, dtype] = found
        return found

    def numbers(self, index: int, kinds: Sequence[str], user: Record, *keys: str | int) -> AnyArray:
        """Return accessor `index` for one that converts it anyway: as it is stored, normalized integers as float64."""
        self.check(index, kinds, user, *keys)
        raw = self.raw(index)
        return raw if raw.dtype.kind == "f" else self.some_floats(index, slice(None), np.float64)

    def some_floats(self, index: int, rows: slice, dtype: type[np.floating[Any]]) -> AnyArray:
        """Return some rows of accessor `index` as `floats` would; they are not kept."""
        raw = self.raw(index)
        values = _as_rows(raw[rows], dtype)
        if raw.dtype.kind != "f" and self.records[index].boolean("normalized", False):
            values = values / dtype(np.iinfo(raw.dtype).max)
            if raw.dtype.kind == "i":
                values = np.maximum(values, dtype(-1))
        return values

    def integers(self, index: int, kinds: Sequence[str], user: Record, *keys: str | int) -> AnyArray:
        """Return accessor `index` as uint32; its components must be unsigned integers."""
        self.check(index, kinds, user, *keys, unsigned=True)
        found = self._converted.get((index, np.uint32))
        if found is None:
            found = _as_rows(self.raw(index), np.uint32)
            found.flags.writeable = False
            self._converted[index, np.uint32] = found
        return found

    def check(self, index: int, kinds: Sequence[str], user: Record, *keys: str | int, unsigned: bool = False) -> None:
        """Refuse accessor `index` for `user` unless it is of one of the element types, and unsigned if it must be."""
        kind = self._kinds.get(index)
        if kind is None:
            kind = self._kinds[index] = self._kind(self.records[index])
        if kind not in kinds:
            raise self.records[index].error(
                f"expected {' or '.join(kinds)} for {user.place(*keys)}, found {kind}: {_REEXPORT}", "type"
            )
        if unsigned and (found := self._component(self.records[index], "componentType")).kind != "u":
            raise self.records[index].error(
                f"expected unsigned integers for {user.place(*keys)}, found {found.name}: {_REEXPORT}", "componentType"
            )

    def view(self, index: int) -> _View:
        """Return the bytes of buffer view `index`, checked against its buffer, unpacked where they are compressed."""
        if index not in self._seen_views:
            record = self._views[index]
            stride = record.integer("byteStride", 0, most=1 << 16)
            extension = meshopt_extension(record)
            if extension is None:
                data = self._bytes(record)
            else:
                self._claim(decompressed_size(extension) // 4, extension)
                data = decompress(extension, self._bytes(extension))
            self._seen_views[index] = _View(data, stride)
        return self._seen_views[index]

    def _bytes(self, record: Record) -> memoryview:
        """Return the bytes that a buffer view, or its extension, points to."""
        data = self._buffers.bytes(record.required_index("buffer", len(self._buffers), "buffers"))
        offset, length = record.integer("byteOffset", 0), record.integer("byteLength")
        if offset + length > len(data):
            raise record.error(
                f"expected bytes {offset} to {offset + length} within the buffer, found {len(data)} bytes in it: "
                f"{_REEXPORT}"
            )
        return data[offset : offset + length]

    def _claim(self, numbers: int, record: Record) -> None:
        """Count `numbers` of `record` against what a file may hold, before they are made."""
        if numbers > self._left:
            raise record.error(
                f"expected at most {LARGEST_TOTAL} numbers in all accessors, found {numbers} in this one: {_REEXPORT}",
                "count",
            )
        self._left -= numbers

    def view_index(self, record: Record, key: str = "bufferView") -> int | None:
        """Return the buffer view that `record` names, or None."""
        return record.index(key, len(self._views), "bufferViews")

    def provide(self, index: int, values: AnyArray, user: Record, *keys: str | int) -> None:
        """Give the data of accessor `index`, (N, C), which lay compressed elsewhere; it takes the accessor's type.

        Raises
        ------
        AssetError
            It has another shape than the accessor claims, or numbers that its type cannot hold.
        """
        record = self.records[index]
        dtype = self._component(record, "componentType")
        shape = (record.integer("count"), *_SHAPES[self._kind(record)])
        self._claim(values.size, record)
        if values.shape != shape:
            raise user.error(f"expected data of shape {shape}, found {values.shape}: {_REEXPORT}", *keys)
        with np.errstate(invalid="ignore"):
            stored = values.astype(dtype)
        if dtype.kind != "f" and not np.array_equal(stored, values):
            raise user.error(f"expected numbers that fit {dtype.name}, found others: {_REEXPORT}", *keys)
        stored = stored[:, 0] if shape[1:] == (1,) else stored
        stored.flags.writeable = False
        self._raw[index] = stored

    def raw(self, index: int) -> AnyArray:
        """Return accessor `index` in its stored component type: a view of the buffer where it is neither sparse nor
        empty of data.

        Raises
        ------
        AssetError
            It claims too much, runs past its buffer view, or overrides elements that it has not.
        """
        if index not in self._raw:
            self._raw[index] = self._load(self.records[index])
        return self._raw[index]

    def _load(self, record: Record) -> AnyArray:
        dtype = self._component(record, "componentType")
        shape = _SHAPES[self._kind(record)]
        count = record.integer("count")
        numbers = count * (shape[0] if len(shape) == 1 else shape[0] * shape[1])
        self._claim(numbers, record)
        view = self.view_index(record)
        sparse = record.record("sparse")
        if view is None:
            values = np.zeros((count, *shape), dtype)
        else:
            values = self._elements(record, self.view(view), record.integer("byteOffset", 0), dtype, shape, count)
        if sparse is not None:
            values = self._override(sparse, values)
        values = values[:, 0] if shape == (1,) else values
        values.flags.writeable = False
        return values

    def _elements(
        self, record: Record, view: _View, offset: int, dtype: np.dtype[Any], shape: tuple[int, ...], count: int
    ) -> AnyArray:
        """Return (count, *shape) elements as a view; a matrix is transposed from the file's column order."""
        inner: tuple[int, ...] = (dtype.itemsize,)
        packed = dtype.itemsize * shape[0]
        if len(shape) == 2:
            column = -(-packed // 4) * 4
            inner, packed = (dtype.itemsize, column), column * shape[1]
        stride = view.stride or packed
        needed = offset + stride * (count - 1) + packed if count else 0
        if needed > len(view.data):
            raise record.error(
                f"{count} elements of {packed} bytes, {stride} apart, from byte {offset}: expected {needed} bytes in "
                f"the buffer view, found {len(view.data)}; {_REEXPORT}"
            )
        if count == 0:
            return np.zeros((0, *shape), dtype)
        return np.ndarray((count, *shape), dtype, view.data, offset, (stride, *inner))

    def _override(self, sparse: Record, base: AnyArray) -> AnyArray:
        """Return a copy of `base` with the elements that `sparse` lists replaced."""
        count = sparse.integer("count", most=len(base))
        places, values = sparse.required_record("indices"), sparse.required_record("values")
        dtype = self._component(places, "componentType")
        if dtype.kind != "u":
            places.refuse("an unsigned component type", "componentType")
        at = self._elements(places, *self._sparse_view(places), dtype, (1,), count)[:, 0]
        new = self._elements(values, *self._sparse_view(values), base.dtype, base.shape[1:], count)
        if count and int(at.max()) >= len(base):
            raise places.error(f"expected indices below {len(base)}, found {int(at.max())}: {_REEXPORT}")
        changed = base.copy()
        changed[at] = new
        return changed

    def _sparse_view(self, record: Record) -> tuple[_View, int]:
        index = record.required_index("bufferView", len(self._views), "bufferViews")
        return self.view(index), record.integer("byteOffset", 0)

    def _kind(self, record: Record) -> str:
        kind = record.text("type")
        if kind not in _SHAPES:
            record.refuse(f"one of {', '.join(_SHAPES)}", "type")
        return kind

    def _component(self, record: Record, key: str) -> np.dtype[Any]:
        number = record.integer(key)
        if number not in _COMPONENTS:
            record.refuse(f"a component type of {', '.join(map(str, _COMPONENTS))}", key)
        return _COMPONENTS[number]


def _as_rows(raw: AnyArray, dtype: type[np.generic]) -> AnyArray:
    """Return the values in `dtype`, aligned and row after row: the array itself where it is so already."""
    if raw.dtype == dtype and raw.flags.c_contiguous and raw.flags.aligned:
        return raw
    return raw.astype(dtype, order="C")
