"""Meshes and their primitives: the geometry of a glTF file (glTF 2.0, section 3.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float32, UInt32
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record
from posed.gltf.draco import unpack_draco
from posed.gltf.influences import read_influences
from posed.gltf.topology import TRIANGLES, read_triangles
from posed.gltf.variants import Variants

_KNOWN = re.compile(r"POSITION|NORMAL|TANGENT|(TEXCOORD|COLOR|JOINTS|WEIGHTS)_\d+|_.*")
_REEXPORT = "export the file again"


@dataclass(frozen=True, eq=False)
class MorphTarget:
    """Deltas of one morph target, (V, 3) float32 each; None where the target lacks the attribute."""

    positions: Float32 | None = None
    normals: Float32 | None = None
    tangents: Float32 | None = None


@dataclass(frozen=True, eq=False)
class Primitive:
    """A part of a mesh: vertices in the file's own order, triangles after strips and fans are unrolled.

    positions (V, 3), normals (V, 3) or None, tangents (V, 4) or None, uvs one (V, 2) for each TEXCOORD set, colors
    (V, 4) linear or None; joints (V, K) and weights (V, K) over all sets together, weights decoded and normalized,
    or both None where the primitive is not skinned; triangles (F, 3), empty for points and lines. `material` is an
    index into the model's materials or None for the default one. `mode` is glTF's number for what the file draws,
    0 points to 6 triangle fan. `sources` is None for the file's own vertices; where rendering has split some, the (V,)
    vertices of the file that they were. `sums` (V,) is what the file's own weights of a vertex add up to, None where
    that is 1 at each.
    """

    index: int
    positions: Float32
    normals: Float32 | None
    tangents: Float32 | None
    uvs: tuple[Float32, ...]
    colors: Float32 | None
    joints: UInt32 | None
    weights: Float32 | None
    triangles: UInt32
    material: int | None
    targets: tuple[MorphTarget, ...] = ()
    mode: int = TRIANGLES
    sources: UInt32 | None = None
    sums: Float32 | None = None


@dataclass(frozen=True, eq=False)
class Mesh:
    """A named list of primitives with the default weights of their morph targets, one a target or none at all.

    `target_names` are the morph targets' names where the exporter wrote them.
    """

    index: int
    name: str
    primitives: tuple[Primitive, ...]
    weights: tuple[float, ...] = ()
    target_names: tuple[str, ...] = ()

    @property
    def morph_count(self) -> int:
        """The number of morph targets, the largest of the primitives'."""
        return max((len(primitive.targets) for primitive in self.primitives), default=0)


def read_meshes(
    document: Record, accessors: Accessors, material_count: int, variants: Variants, notes: list[str]
) -> tuple[Mesh, ...]:
    """Return the file's meshes with the materials of the variant shown; reservations are added to `notes`.

    Raises
    ------
    AssetError
        An attribute has another type or length than the positions, a number that is not finite, or indices past the
        vertices.
    """
    return tuple(
        _read_mesh(index, record, accessors, material_count, variants, notes)
        for index, record in enumerate(document.records("meshes"))
    )


def _read_mesh(
    index: int, record: Record, accessors: Accessors, material_count: int, variants: Variants, notes: list[str]
) -> Mesh:
    primitives = tuple(
        _read_primitive(position, primitive, accessors, variants.material(primitive, material_count), notes)
        for position, primitive in enumerate(record.records("primitives"))
    )
    weights = record.numbers("weights") if "weights" in record else ()
    return Mesh(index, record.text("name", ""), primitives, weights, _target_names(record))


def _target_names(record: Record) -> tuple[str, ...]:
    """Return ``extras.targetNames``, a convention of exporters; anything else that stands there means nothing."""
    extras = record.data.get("extras")
    names = extras.get("targetNames") if isinstance(extras, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return ()
    return tuple(name.encode("utf-8", "replace").decode() for name in names)


def _read_primitive(
    index: int, record: Record, accessors: Accessors, material: int | None, notes: list[str]
) -> Primitive:
    mode = record.integer("mode", TRIANGLES, most=6)
    attributes = record.required_record("attributes")
    unpacked = unpack_draco(record, accessors)
    for name in attributes.data:
        if not _KNOWN.fullmatch(name):
            notes.append(f"{attributes.place(name)}: an attribute of unknown meaning is not read")
    if "POSITION" not in attributes:
        notes.append(f"{attributes.pointer}: a primitive without POSITION has no vertices")
        empty = np.zeros((0, 3), np.float32)
        return Primitive(
            index, empty, None, None, (), None, None, None, np.zeros((0, 3), np.uint32), material, (), mode
        )
    reader = _Attributes(accessors, attributes)
    positions = reader.floats("POSITION", ("VEC3",))
    assert positions is not None
    influences = read_influences(attributes, accessors, len(positions), notes)
    return Primitive(
        index,
        positions,
        reader.floats("NORMAL", ("VEC3",)),
        reader.floats("TANGENT", ("VEC4",)),
        reader.texture_coordinates(),
        reader.colors(),
        influences.joints,
        influences.weights,
        read_triangles(record, accessors, mode, len(positions), notes) if unpacked is None else unpacked,
        material,
        tuple(_read_target(target, accessors, len(positions), notes) for target in record.records("targets")),
        mode if unpacked is None else TRIANGLES,
        sums=influences.sums,
    )


def _read_target(record: Record, accessors: Accessors, vertex_count: int, notes: list[str]) -> MorphTarget:
    for name in record.data:
        if name not in {"POSITION", "NORMAL", "TANGENT"}:
            notes.append(f"{record.place(name)}: a morph target moves positions, normals and tangents only")
    reader = _Attributes(accessors, record, vertex_count)
    return MorphTarget(*(reader.floats(name, ("VEC3",)) for name in ("POSITION", "NORMAL", "TANGENT")))


class _Attributes:
    """Reads the accessors of one attributes object, which must all have the length of the first."""

    def __init__(self, accessors: Accessors, record: Record, count: int | None = None) -> None:
        self._accessors, self._record, self._count = accessors, record, count

    def floats(self, name: str, kinds: tuple[str, ...]) -> Float32 | None:
        """Return the attribute as finite float32 rows, or None where there is none of that name."""
        accessor = self._record.index(name, len(self._accessors), "accessors")
        if accessor is None:
            return None
        values = self._accessors.floats(accessor, kinds, np.float32, self._record, name)
        if self._count is None:
            self._count = len(values)
        if len(values) != self._count:
            raise self._record.error(
                f"expected {self._count} elements, one a vertex, found {len(values)}: {_REEXPORT}", name
            )
        if not np.isfinite(values).all():
            vertex = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            raise self._record.error(
                f"expected finite numbers, found {values[vertex].tolist()} at vertex {vertex}: {_REEXPORT}", name
            )
        return values

    def texture_coordinates(self) -> tuple[Float32, ...]:
        """Return the sets TEXCOORD_0, TEXCOORD_1 and so on up to the first that is missing."""
        sets: list[Float32] = []
        while (values := self.floats(f"TEXCOORD_{len(sets)}", ("VEC2",))) is not None:
            sets.append(values)
        return tuple(sets)

    def colors(self) -> Float32 | None:
        """Return COLOR_0 as linear red, green, blue and alpha, which is 1 where the file has three components."""
        values = self.floats("COLOR_0", ("VEC3", "VEC4"))
        if values is None or values.shape[1] == 4:
            return values
        colors: AnyArray = np.ones((len(values), 4), np.float32)
        colors[:, :3] = values
        colors.flags.writeable = False
        return colors
