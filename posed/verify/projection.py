"""Triangles on the picture plane: clipped to the depths a camera sees, in pixels and float64."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.verify.geometry import Geometry
from tracer.tables import Mesh
from tracer.view import FAR, HALF_HEIGHT, HALF_WIDTH, NEAR, ORTHOGRAPHIC

Floats = NDArray[np.float64]

CUT = np.int8(3)
"""Tag of an edge that clipping made: the picture of the surface ends there. Tags 0 to 2 are the triangle's own edges."""

INNER = np.int8(4)
"""Tag of an edge between two pieces of one clipped triangle."""

NEAREST = 2.0**-20
"""Share of the greatest depth that stands for a near plane of 0."""

MOST_CORNERS = 5
"""Corners of a triangle that is clipped at two planes."""


class Pieces(NamedTuple):
    """S pieces of triangles, as they lie on the picture."""

    points: Floats
    """(S, 3, 2) pixels, x right and y down"""
    inverse: Floats
    """(S, 3) 1 / depth of each corner, or depth where the camera is orthographic: linear over the picture"""
    tags: NDArray[np.int8]
    """(S, 3) which edge leads from a corner to the next"""
    owner: NDArray[np.int64]
    """(S,) the triangle"""
    reach: Floats
    """(S,) pixels by which an edge may be off anywhere on the piece"""


def project(geometry: Geometry, band: float) -> Pieces:
    """Return the pieces of every triangle that is drawn, and of those that a rasterizer might draw because they are
    seen edge-on, thinner than the band.

    Parameters
    ----------
    geometry
        What the camera sees.
    band
        Pixels by which snapping may move an edge.
    """
    width, height = geometry.size
    view = geometry.view
    scale = np.array([width / 2 / view[HALF_WIDTH], height / 2 / view[HALF_HEIGHT]])
    orthographic = bool(view[ORTHOGRAPHIC])
    near = view[NEAR]
    if near <= 0.0 and not orthographic:
        near = NEAREST * max(float(geometry.eye[:, 2].max(initial=0.0)), np.finfo(np.float64).tiny / NEAREST)
    depths = geometry.eye[geometry.mesh.triangles, 2]
    crossing = ((depths < near) | (depths > view[FAR])).any(axis=1)
    room = len(depths) + 2 * int(crossing.sum())
    pieces = Pieces(
        np.empty((room, 3, 2)),
        np.empty((room, 3)),
        np.empty((room, 3), np.int8),
        np.empty(room, np.int64),
        np.empty(room),
    )
    count = write_pieces(
        geometry.mesh,
        geometry.eye,
        geometry.drawn,
        np.array([near, view[FAR]]),
        scale,
        np.array([width / 2, height / 2]),
        orthographic,
        band,
        geometry.allowance,
        pieces,
    )
    return Pieces(*(array[:count] for array in pieces))


@kernel
def write_pieces(
    mesh: Mesh,
    eye: Floats,
    drawn: NDArray[np.bool_],
    cuts: Floats,
    scale: Floats,
    middle: Floats,
    orthographic: bool,
    band: float,
    allowance: float,
    pieces: Pieces,
) -> int:
    """Write `pieces` and return their number.

    Parameters
    ----------
    mesh, eye, drawn
        See `Geometry`.
    cuts
        (2,): the least and the greatest depth that is seen.
    scale, middle
        (2,): pixels a unit of the picture plane at distance 1, or a metre; the picture's middle in pixels.
    orthographic
        Whether depth leaves size alone.
    band, allowance
        Pixels, and metres of a vertex, by which an edge may be off.
    pieces
        Has room for all.
    """
    count = 0
    corners, tags = np.empty((2, MOST_CORNERS, 3)), np.empty((2, MOST_CORNERS), np.int8)
    for triangle in range(len(mesh.triangles)):
        for corner in range(3):
            vertex = mesh.triangles[triangle, corner]
            for axis in range(3):
                corners[0, corner, axis] = eye[vertex, axis]
            tags[0, corner] = corner
        number = _clipped(corners[0], tags[0], 3, cuts[0], 1.0, corners[1], tags[1])
        number = _clipped(corners[1], tags[1], number, cuts[1], -1.0, corners[0], tags[0])
        for second in range(1, number - 1):
            nearest = np.inf
            for place, corner in enumerate((0, second, second + 1)):
                depth = corners[0, corner, 2]
                nearest = min(nearest, depth)
                shrink = 1.0 if orthographic else 1.0 / depth
                pieces.points[count, place, 0] = middle[0] + scale[0] * corners[0, corner, 0] * shrink
                pieces.points[count, place, 1] = middle[1] - scale[1] * corners[0, corner, 1] * shrink
                pieces.inverse[count, place] = depth if orthographic else shrink
            pieces.tags[count, 0] = tags[0, 0] if second == 1 else INNER
            pieces.tags[count, 1] = tags[0, second]
            pieces.tags[count, 2] = tags[0, number - 1] if second == number - 2 else INNER
            pieces.owner[count] = triangle
            pieces.reach[count] = band + max(scale[0], scale[1]) * allowance * (1.0 if orthographic else 1.0 / nearest)
            if drawn[triangle] or thickness(pieces.points[count]) <= 2.0 * pieces.reach[count]:
                count += 1
    return count


@kernel
def thickness(points: Floats) -> float:
    """Return the least altitude of a triangle, `points` (3, 2)."""
    longest = 0.0
    for corner in range(3):
        after = (corner + 1) % 3
        dx, dy = points[after, 0] - points[corner, 0], points[after, 1] - points[corner, 1]
        longest = max(longest, dx * dx + dy * dy)
    area = (points[1, 0] - points[0, 0]) * (points[2, 1] - points[0, 1]) - (points[1, 1] - points[0, 1]) * (
        points[2, 0] - points[0, 0]
    )
    return abs(area) / np.sqrt(longest) if longest > 0.0 else 0.0


@kernel
def _clipped(
    corners: Floats,
    tags: NDArray[np.int8],
    number: int,
    depth: float,
    sign: float,
    kept: Floats,
    kept_tags: NDArray[np.int8],
) -> int:
    """Write the part of a convex polygon on one side of a depth to `kept`, return its number of corners.

    With `sign` 1 the part behind `depth` is kept, with -1 the one before it (Sutherland and Hodgman 1974).
    """
    count = 0
    for corner in range(number):
        after = (corner + 1) % number
        here, there = (corners[corner, 2] - depth) * sign, (corners[after, 2] - depth) * sign
        if here >= 0.0:
            for axis in range(3):
                kept[count, axis] = corners[corner, axis]
            kept_tags[count] = tags[corner]
            count += 1
        if (here >= 0.0) != (there >= 0.0):
            share = here / (here - there)
            for axis in range(3):
                kept[count, axis] = corners[corner, axis] + share * (corners[after, axis] - corners[corner, axis])
            kept[count, 2] = depth
            kept_tags[count] = CUT if here >= 0.0 else tags[corner]
            count += 1
    return count
