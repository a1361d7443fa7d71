"""Posed vertices of a scene's parts: computed here, read back from a device, or dumped by an engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from posed.arrays import AnyArray, Float32, read_only
from posed.errors import PoseError
from posed.files import unreadable, written_whole
from posed.npz import read_npz, write_npz
from posed.verify.skinned import Skinned

WIDTHS: Mapping[str, int] = {"positions": 3, "normals": 3, "tangents": 4}
"""The arrays of a part and their columns."""


class Place(NamedTuple):
    """Which part: its object (empty: the scene's only one), node, primitive and instance."""

    object: str
    node: int
    primitive: int
    instance: int = 0


@dataclass(frozen=True, eq=False)
class PartVertices:
    """Posed vertices of one part in the file's order.

    positions (V, 3) float32 in the object's space, metres; normals (V, 3) and tangents (V, 4) of unit length, None
    where they are not stated and zero at a vertex that has none. `skinned` is what poses them, where that is known.
    """

    positions: Float32
    normals: Float32 | None = None
    tangents: Float32 | None = None
    skinned: Skinned | None = None

    @property
    def largest(self) -> float:
        """The largest coordinate on the way: of the positions and, where known, of the palette's translations."""
        met = float(np.abs(self.positions).max(initial=0.0))
        return met if self.skinned is None else max(met, float(np.abs(self.skinned.palette[:, :3, 3]).max(initial=0.0)))


@dataclass(frozen=True, eq=False)
class Vertices:
    """Posed vertices by part; `tick` is None where it is not stated, `origin` says where they came from."""

    parts: Mapping[Place, PartVertices]
    tick: int | None = None
    origin: str = field(default="not stated")

    def save(self, path: Path | str) -> None:
        """Write the vertices as an npz with the keys `object/node/primitive/instance/positions` and so on.

        Raises
        ------
        PosedError
            The place cannot be written.
        """
        arrays: dict[str, AnyArray] = {}
        for place, part in self.parts.items():
            for name in WIDTHS:
                values = getattr(part, name)
                if values is not None:
                    arrays["/".join([*(str(one) for one in place if one != ""), name])] = values
        if self.tick is not None:
            arrays["tick"] = np.array(self.tick, np.int64)
        with written_whole(path) as beside, beside.open("wb") as stream:
            write_npz(stream, arrays)

    @classmethod
    def load(cls, path: Path | str) -> Vertices:
        """Read the vertices of an npz that `save`, `posed bake` or an engine wrote.

        The keys are `[object/]node/primitive[/instance]/` and then positions, normals or tangents; a `tick` may be
        stated. Other arrays are ignored, such as a bake's triangles.

        Raises
        ------
        PoseError
            The file cannot be read, holds no positions, or an array has another shape or a number that is not finite.
        """
        path = Path(path)
        reason = unreadable(path)
        if reason is not None:
            raise PoseError(f"{path}: {reason}")
        try:
            return vertices_of(read_npz(path), origin=path.name)
        except ValueError as error:
            raise PoseError(f"{path}: is no npz of vertices: {error}") from error


def is_vertices(names: Iterable[str]) -> bool:
    """Return whether the members of an npz, by name, are those of vertices."""
    return any(_read_key(name, "positions") for name in names)


def vertices_of(arrays: Mapping[str, AnyArray], *, origin: str) -> Vertices:
    """Return the vertices in the arrays of an npz; ValueError says what is wrong with them."""
    found: dict[Place, dict[str, Float32]] = {}
    for name, values in arrays.items():
        for array, width in WIDTHS.items():
            place = _read_key(name, array)
            if place is not None:
                found.setdefault(place, {})[array] = _checked(name, values, width)
    parts = {}
    for place, given in found.items():
        if "positions" not in given:
            raise ValueError(f'"{place}" has no positions')
        for name, values in given.items():
            if len(values) != len(given["positions"]):
                raise ValueError(f'"{place}" has {len(given["positions"])} positions and {len(values)} {name}')
        parts[place] = PartVertices(given["positions"], given.get("normals"), given.get("tangents"))
    if not parts:
        have = ", ".join(list(arrays)[:4]) or "nothing"
        raise ValueError(f'it holds {have}: expected keys such as "walker/3/0/positions"')
    return Vertices(parts, _tick(arrays.get("tick")), origin)


def _tick(value: AnyArray | None) -> int | None:
    if value is None:
        return None
    if value.size != 1 or value.dtype.kind not in "iu":
        raise ValueError('"tick" is no integer')
    return int(value.reshape(()))


def _read_key(name: str, array: str) -> Place | None:
    """Return the place that a member's name states, None where it is no `array` of a part.

    Of the numbers before the array's name at most three belong to the place: an object that is called by a number needs
    the instance in full.
    """
    *before, last = name.split("/")
    numbers: list[int] = []
    while before and len(numbers) < 3 and before[-1].isdecimal():
        numbers.insert(0, int(before.pop()))
    if last != array or len(numbers) < 2:
        return None
    return Place("/".join(before), *numbers)


def _checked(name: str, values: AnyArray, width: int) -> Float32:
    if values.ndim != 2 or values.shape[1] != width or values.dtype.kind != "f":
        raise ValueError(f'"{name}" is {values.dtype} {values.shape}: expected float32 (V, {width})')
    if not np.isfinite(values).all():
        raise ValueError(f'"{name}" has a number that is not finite')
    return read_only(values, np.float32)
