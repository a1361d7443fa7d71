"""Overlays of directions and extents: normals, tangents with their bitangents, and bounding boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.overlay.base import Overlay
from posed.overlay.canvas import SLACK, Canvas
from posed.overlay.labels import Label
from posed.overlay.naming import chosen_objects
from posed.overlay.ramps import linear
from posed.overlay.strokes import Strokes
from posed.overlay.view import View

NORMAL, TANGENT, BITANGENT = linear(90, 220, 255), linear(240, 72, 72), linear(96, 208, 96)
BOX = linear(255, 255, 255)

CELL = 9.0
"""Pixels at 540 rows: of the vertices in a square of this side the nearest one's direction is drawn."""

LENGTH = 0.022
"""Of a direction, as a share of the picture's height at its depth."""


@dataclass(frozen=True)
class Normals(Overlay):
    """Normals of the vertices that are seen; `length` in metres, of even size in the picture unless given."""

    length: float | None = None

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw a line along each."""
        chosen = _seen_vertices(view)
        ways = view.staged.normals[chosen].astype(np.float64)
        canvas.stroke(_lines(view, chosen, ways, NORMAL, self.length))


@dataclass(frozen=True)
class Tangents(Overlay):
    """Tangents in red and bitangents in green, of the vertices that are seen and have them; `length` as of normals."""

    length: float | None = None

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw two lines for each."""
        if view.staged.tangents is None or not view.staged.tangents.any():
            canvas.labels.append(Label("no vertex has tangents", 6.0 * view.unit, 14.0 * view.unit, 0.0))
            return
        chosen = _seen_vertices(view)
        chosen = chosen[(view.staged.tangents[chosen, :3] != 0.0).any(axis=1)]
        normal = view.staged.normals[chosen].astype(np.float64)
        tangent = view.staged.tangents[chosen].astype(np.float64)
        bitangent = np.cross(normal, tangent[:, :3]) * tangent[:, 3:]
        canvas.stroke(_lines(view, chosen, tangent[:, :3], TANGENT, self.length))
        canvas.stroke(_lines(view, chosen, bitangent, BITANGENT, self.length))


def _seen_vertices(view: View) -> AnyArray:
    """Return vertices that nothing hides, one in each square of `CELL` pixels: the nearest."""
    used = np.unique(view.staged.triangles)
    places, depths = view.project_staged(view.staged.positions[used])
    width, height = view.size
    x, y = (np.floor(places[:, axis]) for axis in (0, 1))
    inside = np.flatnonzero((depths > view.near) & (x >= 0) & (x < width) & (y >= 0) & (y < height))
    column, row = x[inside].astype(np.int64), y[inside].astype(np.int64)
    seen = depths[inside] <= view.layers["depth"][row, column] * (1.0 + 2.0 * SLACK)
    inside, column, row = inside[seen], column[seen], row[seen]
    side = CELL * view.unit
    cells = (row // side).astype(np.int64) * width + (column // side).astype(np.int64)
    order = np.lexsort((depths[inside], cells))
    first = np.append(True, cells[order][1:] != cells[order][:-1]) if len(order) else np.zeros(0, np.bool_)
    chosen: AnyArray = used[inside[order[first]]]
    return chosen


def _lines(view: View, chosen: AnyArray, ways: Float64, color: AnyArray, length: float | None) -> Strokes:
    at = view.staged.positions[chosen].astype(np.float64) + view.staged.origin
    if length is None:
        _, depths = view.project(at)
        per_metre = _metres_of_height(view)
        sizes = LENGTH * per_metre * (np.ones(len(at)) if view.parallel else depths)
    else:
        sizes = np.full(len(at), length)
    return Strokes.of(at, at + ways * sizes[:, None], width=0.7 * view.unit, color=color)


def _metres_of_height(view: View) -> float:
    """Return the metres that the picture is high at a depth of 1 m, or at any depth of a camera with parallel rays."""
    up = view.camera.matrix[:3, 1] / np.sqrt((view.camera.matrix[:3, 1] ** 2).sum())
    eye = view.camera.matrix[:3, 3] - view.camera.matrix[:3, 2] / np.sqrt((view.camera.matrix[:3, 2] ** 2).sum())
    places, _ = view.project_staged(np.stack([eye, eye + up]))
    return float(view.size[1] / abs(places[1, 1] - places[0, 1]))


@dataclass(frozen=True)
class Boxes(Overlay):
    """The box along the world's axes around each object's posed vertices, with its name and size in metres."""

    object: str | None = None
    names: bool = True
    see_through: bool = True

    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw twelve edges for each."""
        for name, low, high in _boxes(view, chosen_objects(view.scene, self.object)):
            corners = np.array([[(low, high)[bit >> axis & 1][axis] for axis in range(3)] for bit in range(8)])
            pairs = [(bit, bit | 1 << axis) for bit in range(8) for axis in range(3) if not bit >> axis & 1]
            a, b = (corners[[pair[end] for pair in pairs]] for end in (0, 1))
            hidden = 0.3 if self.see_through else 0.0
            canvas.stroke(Strokes.of(a, b, width=0.8 * view.unit, color=BOX), hidden=hidden)
            if self.names:
                places, depths = view.project(corners)
                seen = np.flatnonzero(depths > view.near)
                if len(seen):
                    top = seen[places[seen, 1].argmin()]
                    width, height, depth = (high - low).tolist()
                    text = f"{name}  {width:.3g} x {height:.3g} x {depth:.3g} m"
                    x, y = places[top]
                    canvas.labels.append(Label(text, float(x), max(float(y), 12.0 * view.unit), float(depths[top])))


def _boxes(view: View, objects: frozenset[str]) -> Iterator[tuple[str, Float64, Float64]]:
    staged = view.staged
    for number, one in enumerate(view.scene.objects, 1):
        used = np.unique(staged.triangles[staged.object == number])
        if one.name in objects and len(used):
            positions = staged.positions[used].astype(np.float64) + staged.origin
            yield one.name, positions.min(axis=0), positions.max(axis=0)
