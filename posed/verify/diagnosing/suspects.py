"""The parts of the objects that differ, joined so that posing them again and again takes few calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from posed.arrays import AnyArray, Float32, Float64, Int8, UInt32
from posed.gltf.mesh import Primitive
from posed.matrices import moved
from posed.properties import shown_parts
from posed.scene.description import Part, Scene
from posed.snapshot import Posed
from posed.verify.posing import Posing, places


@dataclass(frozen=True, eq=False)
class Shown:
    """Vertices of the suspects under one hypothesis, every copy of every part one after the other.

    positions (V, 3) float32 in metres from an origin, in the world's axes; normals (V, 3) float32, zero where the file
    has none; facing (F,) int8, 1 where a triangle's counter-clockwise side is its front, else -1.
    """

    positions: Float32
    normals: Float32
    facing: Int8


class Suspects:
    """The triangles of some objects as `Shown` lists them.

    Attributes
    ----------
    corners : (F, 3) uint32
        Rows of `Shown.positions`.
    object, part, triangle : (F,) uint32
        Ids.
    two_sided : (F,) bool
    plain : (F,) bool
        Whether the normal that is seen is that of the vertices or of the triangle: no normal map bends it.
    flat : (F,) bool
        Whether the file has no normals.
    """

    def __init__(self, scene: Scene, posed: Posed, names: Iterable[str]) -> None:
        chosen = set(names)
        shown = [part for part in shown_parts(scene, posed) if part.object.name in chosen]
        self._groups = [_joined(group) for group in _grouped(shown)]
        copies = [(part, members, copy) for part, members in self._groups for copy in range(part.copies)]
        starts = np.cumsum([0, *(len(part.primitive.positions) for part, _, _ in copies)])
        empty = np.empty((0, 3), np.uint32)
        self.corners: UInt32 = np.concatenate(
            [empty, *(p.primitive.triangles + np.uint32(s) for (p, _, _), s in zip(copies, starts, strict=False))]
        )
        parts = [one for _, members, _ in copies for one in members]
        counts = [len(one.primitive.triangles) for one in parts]
        self.object, self.part = (
            np.repeat(np.array(ids, np.uint32), counts)
            for ids in ([one.object_id for one in parts], [one.id for one in parts])
        )
        self.triangle: UInt32 = np.concatenate(
            [np.empty(0, np.uint32), *(np.arange(1, count + 1, dtype=np.uint32) for count in counts)]
        )
        self.two_sided, self.plain, self.flat = (
            np.repeat(np.array(marks, np.bool_), counts)
            for marks in (
                [one.material.double_sided for one in parts],
                [one.material.normal_texture is None for one in parts],
                [one.primitive.normals is None for one in parts],
            )
        )

    def shown(self, posed: Posed, posing: Posing, changed: Iterable[str], right: Posing, origin: Float64) -> Shown:
        """Return the vertices as a hypothesis has them, in metres from `origin`, (3,).

        `posing` poses the objects in `changed`, `right` the others.
        """
        names, pieces = set(changed), []
        for part, _ in self._groups:
            how = posing if part.object.name in names else right
            local = how.local(part, posed)
            pieces += [how.placed(part, local, moved(place, origin)) for place in places(part, posed)]
        none = np.empty((0, 3), np.float32)
        return Shown(
            np.concatenate([none, *(one.positions for one in pieces)]),
            np.concatenate(
                [none, *(np.zeros_like(one.positions) if one.normals is None else one.normals for one in pieces)]
            ),
            np.concatenate([np.empty(0, np.int8), *(one.facing for one in pieces)]),
        )


def _grouped(parts: Iterable[Part]) -> list[list[Part]]:
    """Return parts that are posed alike together: of one node, all with or without joints and normals, no targets."""
    groups: dict[tuple[object, ...], list[Part]] = {}
    for part in parts:
        key: tuple[object, ...] = (part.object.name, part.node, part.skinned, part.primitive.normals is None)
        if part.primitive.targets:
            key = (*key, part.id)
        groups.setdefault(key, []).append(part)
    return list(groups.values())


def _joined(parts: list[Part]) -> tuple[Part, list[Part]]:
    """Return parts as one, with what posing needs, and themselves."""
    own = [part.primitive for part in parts]
    first = own[0]
    starts = np.cumsum([0, *(len(one.positions) for one in own)])
    primitive = replace(
        first,
        positions=np.concatenate([one.positions for one in own]),
        normals=None if first.normals is None else np.concatenate([_given(one.normals) for one in own]),
        tangents=None,
        uvs=(),
        colors=None,
        joints=None if not parts[0].skinned else _padded([_given(one.joints) for one in own]),
        weights=None if not parts[0].skinned else _padded([_given(one.weights) for one in own]),
        triangles=np.concatenate([one.triangles + np.uint32(s) for one, s in zip(own, starts, strict=False)]),
        sums=None if all(one.sums is None for one in own) else np.concatenate([_sums(one) for one in own]),
        sources=None,
    )
    return replace(parts[0], primitive=primitive), parts


def _given(values: AnyArray | None) -> AnyArray:
    assert values is not None
    return values


def _padded(influences: list[AnyArray]) -> AnyArray:
    """Return joints or weights (V, K) as wide as the widest, nothing at influences that others do not have."""
    width = max(one.shape[1] for one in influences)
    return np.concatenate([np.pad(one, ((0, 0), (0, width - one.shape[1]))) for one in influences])


def _sums(one: Primitive) -> Float32:
    return np.ones(len(one.positions), np.float32) if one.sums is None else one.sums
