"""Draco geometry (KHR_draco_mesh_compression), unpacked by DracoPy where that is installed."""

from __future__ import annotations

from typing import Any

import numpy as np

from posed.arrays import UInt32
from posed.errors import MissingError
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record

NAME = "KHR_draco_mesh_compression"
_REEXPORT = "compress the file again"


def unpack_draco(primitive: Record, accessors: Accessors) -> UInt32 | None:
    """Unpack a compressed primitive into the accessors that describe it, and return its triangles (F, 3).

    None where the primitive is not compressed, or carries its plain data beside.

    Raises
    ------
    MissingError
        DracoPy is not installed.
    AssetError
        The data is not Draco's, or not what the accessors describe.
    """
    extension = primitive.extension(NAME)
    attributes = primitive.required_record("attributes")
    if extension is None or _has_plain_data(attributes, accessors):
        return None
    mesh = _decode(extension, accessors)
    identifiers = extension.required_record("attributes")
    for name in identifiers.data:
        accessor = attributes.required_index(name, len(accessors), "accessors")
        found = mesh.get_attribute_by_unique_id(identifiers.integer(name))
        if found is None:
            identifiers.refuse("the id of an attribute in the compressed data", name)
        accessors.provide(accessor, np.asarray(found["data"]), identifiers, name)
    triangles = np.array(mesh.faces, np.uint32).reshape(-1, 3)
    vertex_count = accessors.count(attributes.required_index("POSITION", len(accessors), "accessors"))
    if len(triangles) and int(triangles.max()) >= vertex_count:
        raise extension.error(f"expected indices below {vertex_count}, found {int(triangles.max())}: {_REEXPORT}")
    triangles.flags.writeable = False
    return triangles


def _has_plain_data(attributes: Record, accessors: Accessors) -> bool:
    position = attributes.index("POSITION", len(accessors), "accessors")
    return position is None or "bufferView" in accessors.records[position]


def _decode(extension: Record, accessors: Accessors) -> Any:
    view = accessors.view_index(extension)
    if view is None:
        extension.refuse("an index of bufferViews", "bufferView")
    try:
        import DracoPy
    except ImportError:
        raise MissingError(
            f'{extension.path}: {extension.pointer}: the mesh is compressed by the extension "{NAME}", which takes '
            'the package DracoPy: pip install "posed[codecs]"'
        ) from None
    try:
        mesh = DracoPy.decode(bytes(accessors.view(view).data))
    except (DracoPy.FileTypeException, DracoPy.EncodingFailedException, ValueError, RuntimeError, MemoryError) as error:
        raise extension.error(f"expected Draco geometry, found other data ({error}): {_REEXPORT}") from error
    if not hasattr(mesh, "faces"):
        raise extension.error(f"expected a mesh, found a cloud of points: {_REEXPORT}")
    return mesh
