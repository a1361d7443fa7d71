"""Compressed buffer views: EXT_meshopt_compression and KHR_meshopt_compression, undone before accessors look."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray
from posed.gltf.document import Record
from posed.gltf.meshopt_attributes import decode_attributes
from posed.gltf.meshopt_filters import FILTERS
from posed.gltf.meshopt_indices import decode_sequence, decode_triangles

NAMES = ("KHR_meshopt_compression", "EXT_meshopt_compression")
_MODES = ("ATTRIBUTES", "TRIANGLES", "INDICES")
_STRIDES = {"OCTAHEDRAL": (4, 8), "QUATERNION": (8,), "COLOR": (4, 8)}
_REEXPORT = "compress the file again"


def meshopt_extension(view: Record) -> Record | None:
    """Return the extension of a compressed buffer view, whichever of its two names it bears, or None."""
    if "extensions" not in view:
        return None
    found = (view.extension(name) for name in NAMES)
    return next((extension for extension in found if extension is not None), None)


def decompressed_size(extension: Record) -> int:
    """Return the bytes that a compressed view claims to unpack to, its layout checked.

    Raises
    ------
    AssetError
        Mode, stride, count and filter do not go together.
    """
    mode, name = extension.text("mode"), extension.text("filter", "NONE")
    if mode not in _MODES:
        extension.refuse(f"one of {', '.join(_MODES)}", "mode")
    if name != "NONE" and (name not in FILTERS or mode != "ATTRIBUTES"):
        extension.refuse(f"one of NONE, {', '.join(FILTERS)}, and NONE for indices", "filter")
    stride, count = extension.integer("byteStride"), extension.integer("count")
    if mode == "ATTRIBUTES" and (stride % 4 or not 4 <= stride <= 256):
        extension.refuse("a multiple of 4 up to 256", "byteStride")
    if mode != "ATTRIBUTES" and stride not in {2, 4}:
        extension.refuse("2 or 4", "byteStride")
    if stride not in _STRIDES.get(name, (stride,)):
        extension.refuse(f"{' or '.join(map(str, _STRIDES[name]))} for the filter {name}", "byteStride")
    if mode == "TRIANGLES" and count % 3:
        extension.refuse("a multiple of 3", "count")
    return stride * count


def decompress(extension: Record, data: memoryview) -> memoryview:
    """Return the bytes of a compressed view, `data` being what the extension points to.

    Raises
    ------
    AssetError
        The data ends early, goes on past its end, or is of another version.
    """
    source = np.frombuffer(data, np.uint8)
    stride, count = extension.integer("byteStride"), extension.integer("count")
    elements: AnyArray | None
    match extension.text("mode"):
        case "ATTRIBUTES":
            elements = decode_attributes(source, count, stride)
        case "TRIANGLES":
            elements = decode_triangles(source, count)
        case _:
            elements = decode_sequence(source, count)
    if elements is None:
        raise extension.error(f"expected {count} elements in {len(data)} compressed bytes, found others: {_REEXPORT}")
    name = extension.text("filter", "NONE")
    if name != "NONE":
        elements = FILTERS[name](np.asarray(elements, np.uint8))
    elif elements.dtype == np.uint32 and stride == 2:
        elements = elements.astype(np.uint16)
    return memoryview(elements.tobytes())
