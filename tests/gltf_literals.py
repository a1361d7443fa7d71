"""Tiny glTF files for tests: a dictionary that one reads in full and one buffer, written as .glb or .gltf."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, DTypeLike

from posed.errors import AssetError
from posed.gltf import load

COMPONENTS = {"int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123, "uint32": 5125, "float32": 5126}
KINDS = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (2, 2): "MAT2", (3, 3): "MAT3", (4, 4): "MAT4"}
TRIANGLE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


class Literal:
    """A glTF file in the making: `root` is its JSON, to be changed at will, `data` its one buffer."""

    def __init__(self, **root: Any) -> None:
        self.root: dict[str, Any] = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], **root}
        self.data = bytearray()

    def view(self, data: bytes, **extra: Any) -> int:
        """Append bytes as a buffer view and return its index."""
        self.data += bytes(-len(self.data) % 4)
        self.root["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **extra})
        self.data += data
        return len(self.root["bufferViews"]) - 1

    def accessor(self, values: ArrayLike, dtype: DTypeLike = np.float32, **extra: Any) -> int:
        """Append an array as an accessor and return its index; a matrix is stored column by column."""
        array = np.asarray(values, np.dtype(dtype))
        stored = array.swapaxes(1, 2) if array.ndim == 3 else array
        view = self.view(np.ascontiguousarray(stored).tobytes())
        self.root["accessors"].append(
            {
                "bufferView": view,
                "componentType": COMPONENTS[array.dtype.name],
                "count": len(array),
                "type": KINDS[array.shape[1:]],
                **extra,
            }
        )
        return len(self.root["accessors"]) - 1

    def primitive(self, positions: ArrayLike = TRIANGLE, **attributes: int) -> dict[str, Any]:
        """Return a primitive of `positions` and of further attributes by accessor."""
        return {"attributes": {"POSITION": self.accessor(positions), **attributes}}

    def mesh(self, *primitives: dict[str, Any], **extra: Any) -> int:
        """Append a mesh, of one triangle where no primitive is given, and return its index."""
        meshes = self.root.setdefault("meshes", [])
        meshes.append({"primitives": list(primitives) or [self.primitive()], **extra})
        return len(meshes) - 1

    def node(self, **node: Any) -> int:
        """Append a node and return its index."""
        nodes = self.root.setdefault("nodes", [])
        nodes.append(node)
        return len(nodes) - 1

    def animation(self, *channels: tuple[int | None, str, Sequence[float], ArrayLike, str], **extra: Any) -> int:
        """Append a clip of channels (node, path, times, values, interpolation) and return its index."""
        clip: dict[str, Any] = {"channels": [], "samplers": [], **extra}
        for node, path, times, values, interpolation in channels:
            target = {"path": path} if node is None else {"node": node, "path": path}
            clip["channels"].append({"sampler": len(clip["samplers"]), "target": target})
            sampler = {"input": self.accessor(times), "output": self.accessor(values), "interpolation": interpolation}
            clip["samplers"].append(sampler)
        self.root.setdefault("animations", []).append(clip)
        return len(self.root["animations"]) - 1

    def glb(self) -> bytes:
        """Return the file as a binary glTF."""
        root = {**self.root, **({"buffers": [{"byteLength": len(self.data)}]} if self.root["bufferViews"] else {})}
        return glb(json.dumps(root).encode(), bytes(self.data))

    def gltf(self, uri: str | None = None) -> bytes:
        """Return the file as JSON, its buffer embedded or named by `uri`."""
        embedded = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        buffers = [{"byteLength": len(self.data), "uri": embedded if uri is None else uri}]
        return json.dumps({**self.root, **({"buffers": buffers} if self.root["bufferViews"] else {})}).encode()

    def write(self, folder: Path, name: str = "model.glb") -> Path:
        """Write the file and return its path."""
        path = folder / name
        path.write_bytes(self.glb() if name.endswith(".glb") else self.gltf())
        return path


def glb(text: bytes, binary: bytes | None = None, *more: tuple[bytes, bytes]) -> bytes:
    """Return a binary glTF of a JSON chunk, a binary one unless None, and `more` (kind, content) chunks after them."""
    chunks = [(b"JSON", text + b" " * (-len(text) % 4))]
    if binary is not None:
        chunks.append((b"BIN\0", binary + bytes(-len(binary) % 4)))
    body = b"".join(struct.pack("<I4s", len(content), kind) + content for kind, content in [*chunks, *more])
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def two_joint_skin(**node: Any) -> Literal:
    """Return three vertices on two joints: vertex 0 on joint 0, 1 half on each, 2 on joint 1.

    Joint 0 is node 1 at the origin; joint 1 is node 2, its child one metre up; node 0 carries the mesh and takes the
    keyword arguments.
    """
    literal = Literal()
    primitive = literal.primitive(
        [[0, 0, 0], [0, 1, 0], [0, 2, 0]],
        JOINTS_0=literal.accessor([[0, 1, 0, 0]] * 3, np.uint8),
        WEIGHTS_0=literal.accessor([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]]),
    )
    literal.node(mesh=literal.mesh(primitive), skin=0, **node)
    literal.node(name="hip", children=[2])
    literal.node(name="knee", translation=[0, 1, 0])
    bind = np.stack([np.eye(4), np.eye(4)])
    bind[1, 1, 3] = -1.0
    literal.root["skins"] = [{"joints": [1, 2], "inverseBindMatrices": literal.accessor(bind)}]
    return literal


def refusal(path: Path) -> str:
    """Return the text with which the file is refused, without the path that it begins with."""
    with pytest.raises(AssetError) as caught:
        load(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")
