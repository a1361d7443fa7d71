"""A model whose every view is compressed: by meshopt in its three modes and with a filter, and by Draco where it is
installed.
"""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.gltf_literals import Literal

MESHOPT, DRACO = "EXT_meshopt_compression", "KHR_draco_mesh_compression"
SQUARE = np.float32([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
FACES = np.uint32([[0, 1, 2], [0, 2, 3]])


def encode_attributes(elements: NDArray[Any]) -> bytes:
    """Return elements, (N, C) of at most 16, as a vertex stream of version 0 whose codes are stored whole."""
    rows = np.ascontiguousarray(elements).view(np.uint8).reshape(len(elements), -1)
    deltas = np.diff(rows.astype(np.int8), axis=0, prepend=np.int8(0))
    codes = ((deltas.astype(np.int16) << 1) ^ (deltas.astype(np.int16) >> 7)).astype(np.uint8)
    lanes = b"".join(b"\x03" + codes[:, lane].tobytes().ljust(16, b"\0") for lane in range(rows.shape[1]))
    return b"\xa0" + lanes + bytes(max(32, rows.shape[1]))


def encode_triangles(indices: NDArray[Any]) -> bytes:
    """Return indices below 64 of triangles, each told by its difference from the last one."""
    told = bytearray()
    for face in np.diff(indices.ravel().astype(int), prepend=0).reshape(-1, 3).tolist():
        told += bytes([0xFF, *((delta << 1) ^ (delta >> 7) for delta in face)])
    return b"\xe1" + b"\xff" * (indices.size // 3) + bytes(told) + bytes(16)


def encode_sequence(indices: NDArray[Any]) -> bytes:
    """Return indices below 32 on the first of the two baselines."""
    deltas = np.diff(indices.ravel().astype(int), prepend=0).tolist()
    return b"\xd1" + bytes(((delta << 1) ^ (delta >> 7)) << 1 for delta in deltas) + bytes(4)


def packed_file() -> Literal:
    """Return the model: squares of triangles by meshopt, of a strip by meshopt, and by Draco."""
    literal = Literal(extensionsUsed=[MESHOPT, DRACO])

    def compressed(data: bytes, count: int, stride: int, mode: str, name: str = "NONE") -> int:
        view = literal.view(data)
        own = literal.root["bufferViews"][view]
        extension = {**own, "count": count, "byteStride": stride, "mode": mode, "filter": name}
        literal.root["bufferViews"][view] = {
            "buffer": 0,
            "byteLength": count * stride,
            **({"byteStride": stride} if mode == "ATTRIBUTES" else {}),
            "extensions": {MESHOPT: extension},
        }
        return view

    def accessor(view: int, kind: str, component: int, count: int, **extra: Any) -> int:
        literal.root["accessors"].append(
            {"bufferView": view, "type": kind, "componentType": component, "count": count, **extra}
        )
        return len(literal.root["accessors"]) - 1

    positions = accessor(compressed(encode_attributes(SQUARE), 4, 12, "ATTRIBUTES"), "VEC3", 5126, 4)
    up = np.tile(np.array([0, 0, 127, 0], np.int8), (4, 1))
    octahedral = compressed(encode_attributes(up), 4, 4, "ATTRIBUTES", "OCTAHEDRAL")
    normals = accessor(octahedral, "VEC3", 5120, 4, normalized=True)
    attributes = {"POSITION": positions, "NORMAL": normals}
    faces = accessor(compressed(encode_triangles(FACES), 6, 2, "TRIANGLES"), "SCALAR", 5123, 6)
    strip = accessor(compressed(encode_sequence(np.array([0, 1, 3, 2])), 4, 4, "INDICES"), "SCALAR", 5125, 4)
    literal.node(
        mesh=literal.mesh(
            {"attributes": attributes, "indices": faces}, {"attributes": attributes, "indices": strip, "mode": 5}
        )
    )
    if importlib.util.find_spec("DracoPy") is not None:
        import DracoPy

        view = literal.view(DracoPy.encode(SQUARE, FACES, quantization_bits=14, preserve_order=True))
        first = len(literal.root["accessors"])
        literal.root["accessors"] += [
            {"componentType": 5126, "count": 4, "type": "VEC3"},
            {"componentType": 5123, "count": 6, "type": "SCALAR"},
        ]
        extension = {"bufferView": view, "attributes": {"POSITION": 0}}
        primitive = {"attributes": {"POSITION": first}, "indices": first + 1, "extensions": {DRACO: extension}}
        literal.node(mesh=literal.mesh(primitive), translation=[0, 0, 1])
    return literal
