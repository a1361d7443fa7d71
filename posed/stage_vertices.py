"""The vertices of a stage: each part posed in its own space, then placed among those of the whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

import anim
from anim.placing import widen_bounds, write_bounds
from posed.arrays import AnyArray, Float32, Float64, Int8
from posed.matrices import moved, multiply
from posed.scene.description import Part
from posed.skinning import PosedVertices, Poser, write_placed
from posed.snapshot import Posed

Local = Mapping[int, PosedVertices]
"""A part's vertices by its id: in its object's space where it is skinned, else in its node's."""


class Placed(NamedTuple):
    """The vertices of all copies of all parts, in order, relative to the stage's origin; see `tracer.Scene`."""

    positions: Float32
    normals: Float32
    tangents: Float32 | None
    facing: Int8


class StageVertices:
    """The parts of a stage, some more than once, posed again and again.

    Parameters
    ----------
    parts
        In order, a part as often as it is shown.
    has_tangents
        Whether any vertex has a tangent; those without get zeros.
    """

    def __init__(self, parts: Sequence[Part], *, has_tangents: bool) -> None:
        self._parts = tuple(dict.fromkeys(parts))
        self._has_tangents = has_tangents
        self._names = {part.id: part_name(part) for part in self._parts}
        self._posers = {True: self._made(attributes=True), False: self._made(attributes=False)}
        self._vertices = sum(len(part.primitive.positions) for part in parts)
        self._faces = sum(len(part.primitive.triangles) for part in parts)
        self._boxes = {part.id: _box(part.primitive.positions) for part in self._parts}

    def _made(self, *, attributes: bool) -> dict[int, Poser]:
        return {
            part.id: Poser(part.primitive, follows=part.skinned, attributes=attributes, part=self._names[part.id])
            for part in self._parts
        }

    def local(self, posed: Posed, *, attributes: bool = True) -> Local:
        """Return each part's vertices morphed and, where a palette moves it, skinned; or their positions alone.

        Raises
        ------
        PoseError
            A vertex is posed to where no number is.
        """
        posers = self._posers[attributes]
        return {
            part.id: posers[part.id].at(
                posed.palettes[part.object.name][part.node] if part.skinned else None,
                posed.morphs.get(part.object.name, {}).get(part.node, ()),
            )
            for part in self._parts
        }

    def diagonal(self, posed: Posed, local: Local) -> float:
        """Return the diagonal of the parts' bounds in the world: of boxes around them, so an upper bound."""
        bounds = np.array([np.inf] * 3 + [-np.inf] * 3)
        for part in self._parts:
            box = _box(local[part.id].positions) if part.skinned else self._boxes[part.id]
            if box is not None:
                for matrix in _places(part, posed):
                    widen_bounds(box, _read_only(matrix), bounds)
        if not np.isfinite(bounds).all():
            return 1.0
        x, y, z = (bounds[3:] - bounds[:3]).tolist()
        return math.sqrt(x * x + y * y + z * z)

    def placed(self, posed: Posed, local: Local, origin: Float64) -> Placed:
        """Return all vertices relative to `origin`.

        Raises
        ------
        PoseError
            A vertex is placed where no number is.
        """
        whole = Placed(
            np.empty((self._vertices, 3), np.float32),
            np.zeros((self._vertices, 3), np.float32),
            np.zeros((self._vertices, 4), np.float32) if self._has_tangents else None,
            np.empty(self._faces, np.int8),
        )
        vertex = face = 0
        for part in self._parts:
            base = local[part.id]
            for matrix in _places(part, posed):
                rows, faces = slice(vertex, vertex + len(base.positions)), slice(face, face + len(base.facing))
                tangents = None if whole.tangents is None else whole.tangents[rows]
                out = anim.Vertices(whole.positions[rows], whole.normals[rows], tangents)
                sign = write_placed(base, moved(matrix, origin), out, part=self._names[part.id])
                whole.facing[faces] = base.facing if sign > 0 else -base.facing
                vertex, face = rows.stop, faces.stop
        return whole

    def places(self, posed: Posed, origin: Float64) -> Float32:
        """Return the positions alone of all vertices relative to `origin`, (V, 3); errors as of `placed`."""
        local, whole, vertex = self.local(posed, attributes=False), np.empty((self._vertices, 3), np.float32), 0
        for part in self._parts:
            base = local[part.id]
            for matrix in _places(part, posed):
                rows = slice(vertex, vertex + len(base.positions))
                write_placed(base, moved(matrix, origin), anim.Vertices(whole[rows]), part=self._names[part.id])
                vertex = rows.stop
        return whole


def part_matrix(part: Part, posed: Posed) -> Float64:
    """Return the world matrix of a part: of its node where it is placed, of its object where it is skinned."""
    model = posed.models[part.object.name]
    return model if part.skinned else multiply(model, posed.nodes[part.object.name][part.node])


def part_name(part: Part) -> str:
    """Return what errors call a part."""
    mesh = part.object.model.nodes[part.node].mesh
    assert mesh is not None
    return (
        f'object "{part.object.name}", mesh "{part.object.model.meshes[mesh].name}", primitive {part.primitive.index}'
    )


def _places(part: Part, posed: Posed) -> list[Float64]:
    """Return the world matrices that a part is shown under: one, or one an instance."""
    place = part_matrix(part, posed)
    return [place] if part.instances is None else [multiply(place, instance) for instance in part.instances]


def _box(positions: Float32) -> Float64 | None:
    """Return the least and the largest x, y and z of some positions, (6,), None where there are none."""
    if len(positions) == 0:
        return None
    box = np.empty(6)
    write_bounds(_read_only(positions), box)
    return _read_only(box)


def _read_only(values: AnyArray) -> AnyArray:
    """Return a view for reading, so that a kernel is compiled for one kind of array whoever owns it."""
    view = np.ascontiguousarray(values).view()
    view.flags.writeable = False
    return view
