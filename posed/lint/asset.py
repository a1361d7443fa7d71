"""A glTF file under examination: its JSON and accessors through the loader's readers, faults kept instead of raised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np

from posed.arrays import Float32, UInt32
from posed.errors import AssetError
from posed.gltf.accessor import Accessors
from posed.gltf.buffer import Buffers
from posed.gltf.container import read_container
from posed.gltf.document import Record, parse_document
from posed.gltf.draco import unpack_draco
from posed.gltf.images import Images
from posed.gltf.loader import load
from posed.gltf.model import Model
from posed.gltf.topology import TRIANGLES, read_triangles
from posed.lint.finding import Finding

KINDS = (
    "accessors",
    "animations",
    "buffers",
    "bufferViews",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
)
"""The arrays of a file's root."""


@dataclass(frozen=True, eq=False)
class Part:
    """A primitive as the file has it: `positions` (V, 3) and `triangles` (F, 3) are None where they cannot be read."""

    mesh: int
    record: Record
    attributes: Record
    mode: int
    positions: Float32 | None
    triangles: UInt32 | None


class Asset:
    """One glTF file to be examined at a `rate` of ticks a second.

    `model` is what the loader makes of it, or None where it refuses it; `refusals` are the errors met so far.

    Raises
    ------
    AssetError
        The file is no glTF at all: nothing in it can be looked at.
    MissingError
        It is compressed by something that this machine lacks.
    """

    def __init__(self, path: Path, rate: Fraction) -> None:
        self.path, self.rate = path, rate
        container = read_container(path)
        self.document = parse_document(path, container.json)
        self.records = {kind: self.document.records(kind) for kind in KINDS}
        self.buffers = Buffers(self.document, container.binary)
        self.accessors = Accessors(self.document, self.buffers)
        self.images = Images(self.document, self.buffers, self.accessors)
        self.refusals: list[AssetError] = []
        self.model: Model | None = None
        with self.tolerant():
            self.model = load(path)

    @contextmanager
    def tolerant(self) -> Iterator[None]:
        """Keep an `AssetError` of the block as a refusal, and go on after it."""
        try:
            yield
        except AssetError as error:
            self.refusals.append(error)

    def finding(self, code: str, pointer: str, what: str) -> Finding:
        """Return the finding `code` at a JSON pointer of this file."""
        return Finding(code, self.path, what, pointer)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The primitives of all meshes, by mesh."""
        parts: list[Part] = []
        for mesh, record in enumerate(self.records["meshes"]):
            with self.tolerant():
                for primitive in record.records("primitives"):
                    with self.tolerant():
                        parts.append(self._part(mesh, primitive))
        return tuple(parts)

    def _part(self, mesh: int, record: Record) -> Part:
        attributes = record.required_record("attributes")
        mode = record.integer("mode", TRIANGLES, most=6)
        positions: Float32 | None = None
        triangles: UInt32 | None = None
        with self.tolerant():
            unpacked = unpack_draco(record, self.accessors)
            accessor = attributes.index("POSITION", len(self.accessors), "accessors")
            if accessor is not None:
                found = self.accessors.floats(accessor, ("VEC3",), np.float32, attributes, "POSITION")
                positions = found if np.isfinite(found).all() else None
                if unpacked is None:
                    triangles = read_triangles(record, self.accessors, mode, len(found), [])
                else:
                    triangles, mode = unpacked, TRIANGLES
        return Part(mesh, record, attributes, mode, positions, triangles)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The parent of each node, the first where it is listed twice, or -1."""
        nodes = self.records["nodes"]
        parents = [-1] * len(nodes)
        for index, record in enumerate(nodes):
            with self.tolerant():
                for child in record.indices("children", len(nodes), "nodes"):
                    if parents[child] == -1:
                        parents[child] = index
        return tuple(parents)

    def below(self, roots: Iterable[int]) -> set[int]:
        """Return the nodes `roots` and all nodes below them."""
        nodes = self.records["nodes"]
        reached: set[int] = set()
        waiting = list(roots)
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached.add(node)
                with self.tolerant():
                    waiting.extend(nodes[node].indices("children", len(nodes), "nodes"))
        return reached

    @cached_property
    def shown(self) -> set[int]:
        """The nodes of the scene that is shown; all nodes where the file has no scenes."""
        scenes, nodes = self.records["scenes"], self.records["nodes"]
        if not scenes:
            return set(range(len(nodes)))
        roots: tuple[int, ...] = tuple(range(len(nodes)))
        with self.tolerant():
            chosen = self.document.index("scene", len(scenes), "scenes") or 0
            roots = scenes[chosen].indices("nodes", len(nodes), "nodes")
        return self.below(roots)

    def morph_count(self, mesh: int) -> int:
        """Return the number of morph targets of a mesh, the largest of its primitives'."""
        return max((len(part.record.records("targets")) for part in self.parts if part.mesh == mesh), default=0)


def called(record: Record, noun: str, index: int) -> str:
    """Return how a sentence calls entry `index` of a file's array: its noun, index and name."""
    name = record.data.get("name")
    return f'{noun} {index} "{name}"' if isinstance(name, str) and name else f"{noun} {index}"
