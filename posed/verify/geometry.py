"""The staged geometry as a camera sees it: what explains a pixel that two correct renderers answer differently."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import tracer
from posed.arrays import Bool, Float64, UInt32
from posed.verify.edges import mark_drawn, mark_sealed
from tracer.tables import Looks, Mesh, looks_of, mesh_of
from tracer.view import FORWARD, ORIGIN, ORTHOGRAPHIC, RIGHT, UP, view_of

ALLOWANCE = 4.0 * 2.0**-23
"""How far a vertex posed in float32 may lie from the exact one, as a share of the largest coordinate: four steps."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """Triangles in front of a camera.

    Attributes
    ----------
    mesh, looks
        The traced scene's tables: F triangles over V vertices, relative to its origin.
    object, part, triangle
        (F,) uint32 ids.
    view
        The camera, see `tracer.view`.
    size
        Width and height of the picture in pixels.
    eye
        (V, 3) float64: vertices along the camera's right, up and forward axes, metres from its place.
    drawn
        (F,) bool: has an area and does not turn its back to the camera, or has two sides.
    sealed
        (F, 3) bool, for the edge from corner i to the next: a drawn triangle of the same object continues the surface
        on the edge's other side, as the camera sees it.
    allowance
        Metres by which a vertex may be off.
    """

    mesh: Mesh
    looks: Looks
    object: UInt32
    part: UInt32
    triangle: UInt32
    view: Float64
    size: tuple[int, int]
    eye: Float64
    drawn: Bool
    sealed: Bool
    allowance: float


def geometry_of(staged: tracer.Scene, camera: tracer.Camera, size: tuple[int, int]) -> Geometry:
    """Return what `camera` sees of a staged scene in a picture of `size` pixels; both are relative to its origin."""
    mesh, has_area = mesh_of(staged)
    looks = looks_of(staged)
    view = view_of(camera, size)
    relative = staged.positions.astype(np.float64) - view[ORIGIN : ORIGIN + 3]
    eye = np.stack(
        [
            relative[:, 0] * view[axis] + relative[:, 1] * view[axis + 1] + relative[:, 2] * view[axis + 2]
            for axis in (RIGHT, UP, FORWARD)
        ],
        axis=1,
    )
    orthographic = bool(view[ORTHOGRAPHIC])
    drawn = np.zeros(len(staged.triangles), np.bool_)
    mark_drawn(mesh, looks, eye, has_area, orthographic, drawn)
    sealed = np.zeros((len(staged.triangles), 3), np.bool_)
    mark_sealed(mesh, staged.object, eye, drawn, orthographic, sealed)
    largest = max(np.abs(staged.positions).max(initial=0.0), np.abs(relative).max(initial=0.0))
    return Geometry(
        mesh=mesh,
        looks=looks,
        object=staged.object,
        part=staged.part,
        triangle=staged.triangle,
        view=view,
        size=size,
        eye=eye,
        drawn=drawn,
        sealed=sealed,
        allowance=float(ALLOWANCE * largest),
    )
