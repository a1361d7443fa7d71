"""The staged geometry as a camera sees it: what explains a pixel that two correct renderers answer differently."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import tracer
from posed.arrays import Bool, Float32, Float64, Int8, UInt32
from posed.verify.alpha import Alphas, alphas_of
from posed.verify.edges import mark_drawn, mark_sealed

ALLOWANCE = 4.0 * 2.0**-23
"""How far a vertex posed in float32 may lie from the exact one, as a share of the largest coordinate: four steps."""


class Triangles(NamedTuple):
    """F triangles over V vertices that lie at W places, in the form that kernels take."""

    corners: UInt32
    """(F, 3)"""
    object: UInt32
    """(F,) id"""
    facing: Int8
    """(F,): 1 where the counter-clockwise side is the front, else -1"""
    two_sided: Bool
    """(F,)"""
    part: UInt32
    """(F,) id"""
    flat: Bool
    """(F,): shaded by its own normal"""
    veils: Bool
    """(F,): color behind it shows, for it is blended or lets light through"""
    place: UInt32
    """(V,): seams split vertices, not places"""
    around_start: UInt32
    """(W + 1,): where a place's triangles begin in `around`"""
    around: UInt32
    """(3 F,): triangles by place"""
    eye: Float64
    """(V, 3): vertices along the camera's right, up and forward axes, metres from the camera"""
    normals: Float32
    """(V, 3): unit length, zero where only flat triangles use the vertex"""


@dataclass(frozen=True, eq=False)
class Geometry:
    """What a camera sees of a staged scene.

    Attributes
    ----------
    triangles, alphas
        The surfaces and their holes.
    triangle
        (F,) uint32 ids.
    drawn
        (F,) bool: does not turn its back to the camera, or has two sides.
    sealed
        (F, 3) bool, for the edge from corner i to the next: a drawn triangle of the same object continues the surface
        on the edge's other side, as the camera sees it.
    smooth
        (F, 3) bool: and its color goes on too.
    size
        Width and height of the picture in pixels.
    scale
        (2,) float64: pixels across and down of a metre at depth 1, or anywhere for an orthographic camera.
    orthographic
        Whether depth leaves size alone.
    cuts
        The least and the greatest depth that is seen, metres.
    allowance
        Metres by which a vertex may be off.
    """

    triangles: Triangles
    alphas: Alphas
    triangle: UInt32
    drawn: Bool
    sealed: Bool
    smooth: Bool
    size: tuple[int, int]
    scale: Float64
    orthographic: bool
    cuts: tuple[float, float]
    allowance: float


def geometry_of(staged: tracer.Scene, camera: tracer.Camera, size: tuple[int, int]) -> Geometry:
    """Return what `camera` sees of a staged scene in a picture of `size` pixels; both are relative to its origin."""
    positions = staged.positions.astype(np.float64)
    relative = positions - camera.matrix[:3, 3]
    eye = np.stack([_along(relative, camera.matrix[:3, axis]) for axis in range(3)], axis=1)
    eye[:, 2] *= -1.0
    place = _places(staged.positions)
    start, around = _around(place[staged.triangles])
    two_sided = np.array([material.double_sided for material in staged.materials], np.bool_)
    veils = np.array([_veils(material) for material in staged.materials], np.bool_)
    triangles = Triangles(
        staged.triangles,
        staged.object,
        staged.facing,
        two_sided[staged.material],
        staged.part,
        staged.flat,
        veils[staged.material],
        place,
        start,
        around,
        eye,
        staged.normals,
    )
    orthographic = camera.ymag is not None
    drawn = np.zeros(len(staged.triangles), np.bool_)
    mark_drawn(triangles, orthographic, drawn)
    sealed = np.zeros((len(staged.triangles), 3), np.bool_)
    smooth = np.zeros_like(sealed)
    mark_sealed(triangles, drawn, orthographic, sealed, smooth)
    height = size[1]
    half = camera.ymag if camera.ymag is not None else math.tan((camera.yfov or 0.0) / 2.0)
    return Geometry(
        triangles=triangles,
        alphas=alphas_of(staged),
        triangle=staged.triangle,
        drawn=drawn,
        sealed=sealed,
        smooth=smooth,
        size=size,
        scale=np.array([height / 2.0 / half, height / 2.0 / half]),
        orthographic=orthographic,
        cuts=(camera.znear, camera.zfar),
        allowance=ALLOWANCE * float(max(np.abs(positions).max(initial=0.0), np.abs(relative).max(initial=0.0))),
    )


def _veils(material: tracer.Material) -> bool:
    return material.alpha_mode == tracer.AlphaMode.BLEND or material.transmission > 0.0


def _along(vectors: Float64, axis: Float64) -> Float64:
    length = math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2])
    along: Float64 = (vectors[:, 0] * axis[0] + vectors[:, 1] * axis[1] + vectors[:, 2] * axis[2]) / length
    return along


def _places(positions: Float32) -> UInt32:
    """Number the places where vertices lie, (V,); minus zero and zero are one place."""
    bits = (positions + np.float32(0.0)).view(np.uint32)
    order = np.lexsort(bits.T)
    ordered = bits[order]
    is_new = np.ones(len(bits), np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    place = np.empty(len(bits), np.uint32)
    place[order] = np.cumsum(is_new, dtype=np.uint32) - np.uint32(1)
    return place


def _around(corners: UInt32) -> tuple[UInt32, UInt32]:
    """Return where each place's triangles begin and the triangles by place, from the places of corners, (F, 3)."""
    count = int(corners.max()) + 1 if corners.size else 0
    start = np.zeros(count + 1, np.uint32)
    np.cumsum(np.bincount(corners.ravel(), minlength=count), out=start[1:])
    order = np.argsort(corners.ravel(), kind="stable")
    return start, (order // 3).astype(np.uint32)
