"""Triangles on the picture plane: clipped to the depths a camera sees, in pixels and float64."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.verify.geometry import Geometry

Floats = NDArray[np.float64]

CUT = np.int8(3)
"""Tag of an edge that clipping made: the picture of the surface ends there. 0 to 2 are the triangle's own edges."""

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
    lens: Floats
    """(5,): pixels across and down of a unit of the picture plane at depth 1, or of a metre; the picture's middle in
    pixels; 1 where the camera is orthographic, so that depth leaves size alone"""


def project(geometry: Geometry, band: float, moved: tuple[float, float] = (0.0, 0.0)) -> Pieces:
    """Return the pieces of every triangle that is drawn, and of those that a rasterizer might draw because they are
    seen edge-on, thinner than the band.

    Parameters
    ----------
    geometry
        What the camera sees.
    band
        Pixels by which snapping may move an edge.
    moved
        Pixels right and down by which the picture is moved.
    """
    width, height = geometry.size
    near, far = geometry.cuts
    eye, corners = geometry.triangles.eye, geometry.triangles.corners
    if near <= 0.0 and not geometry.orthographic:
        near = NEAREST * max(float(eye[:, 2].max(initial=0.0)), 1e-30)
    depths = eye[corners, 2]
    crossing = ((depths < near) | (depths > far)).any(axis=1)
    room = len(depths) + 2 * int(crossing.sum())
    pieces = Pieces(
        np.empty((room, 3, 2)),
        np.empty((room, 3)),
        np.empty((room, 3), np.int8),
        np.empty(room, np.int64),
        np.empty(room),
        np.array([*geometry.scale, width / 2.0 + moved[0], height / 2.0 + moved[1], float(geometry.orthographic)]),
    )
    count = write_pieces(
        corners,
        eye,
        geometry.drawn,
        np.array([near, far]),
        band,
        geometry.allowance,
        pieces,
    )
    return Pieces(
        pieces.points[:count],
        pieces.inverse[:count],
        pieces.tags[:count],
        pieces.owner[:count],
        pieces.reach[:count],
        pieces.lens,
    )


@kernel
def write_pieces(
    triangles: NDArray[np.uint32],
    eye: Floats,
    drawn: NDArray[np.bool_],
    cuts: Floats,
    band: float,
    allowance: float,
    pieces: Pieces,
) -> int:
    """Write `pieces` and return their number.

    Parameters
    ----------
    triangles, eye, drawn
        Corners (F, 3), and see `Geometry`.
    cuts
        (2,): the least and the greatest depth that is seen.
    band, allowance
        Pixels, and metres of a vertex, by which an edge may be off.
    pieces
        Has room for all; its lens is set.
    """
    count = 0
    scale, middle, orthographic = pieces.lens[:2], pieces.lens[2:4], pieces.lens[4] != 0.0
    corners, tags = np.empty((2, MOST_CORNERS, 3)), np.empty((2, MOST_CORNERS), np.int8)
    for triangle in range(len(triangles)):
        for corner in range(3):
            vertex = triangles[triangle, corner]
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
            if drawn[triangle] or thickness(pieces.points, count) <= 2.0 * pieces.reach[count]:
                count += 1
    return count


@kernel
def thickness(points: Floats, piece: int) -> Any:
    """Return the least altitude of a piece in pixels."""
    longest = 0.0
    for corner in range(3):
        after = (corner + 1) % 3
        dx = points[piece, after, 0] - points[piece, corner, 0]
        dy = points[piece, after, 1] - points[piece, corner, 1]
        longest = max(longest, dx * dx + dy * dy)
    ax, ay = points[piece, 1, 0] - points[piece, 0, 0], points[piece, 1, 1] - points[piece, 0, 1]
    bx, by = points[piece, 2, 0] - points[piece, 0, 0], points[piece, 2, 1] - points[piece, 0, 1]
    return abs(ax * by - ay * bx) / np.sqrt(longest) if longest > 0.0 else 0.0


def length_of_edges(pieces: Pieces, chosen: NDArray[np.bool_], size: tuple[int, int]) -> float:
    """Return the length in pixels of the edges of the triangles `chosen`, (F,) bool, as far as they are in the picture.

    An edge along which two of them touch counts once.
    """
    own = chosen[pieces.owner]
    starts = pieces.points[own].reshape(-1, 2)
    ends = pieces.points[own][:, [1, 2, 0]].reshape(-1, 2)
    is_edge = pieces.tags[own].ravel() != INNER
    starts, ends = starts[is_edge], ends[is_edge]
    if not len(starts):
        return 0.0
    is_turned = (starts[:, 0] > ends[:, 0]) | ((starts[:, 0] == ends[:, 0]) & (starts[:, 1] > ends[:, 1]))
    low, high = np.where(is_turned[:, None], ends, starts), np.where(is_turned[:, None], starts, ends)
    lines = np.unique(np.concatenate([low, high], axis=1), axis=0)
    origin, way = lines[:, :2], lines[:, 2:] - lines[:, :2]
    first, last = np.zeros(len(lines)), np.ones(len(lines))
    for axis in range(2):
        moves = way[:, axis] != 0.0
        step = np.where(moves, way[:, axis], 1.0)
        crossings = [np.where(moves, (side - origin[:, axis]) / step, -np.inf) for side in (0.0, size[axis])]
        is_beside = ~moves & ((origin[:, axis] < 0.0) | (origin[:, axis] > size[axis]))
        first = np.maximum(first, np.minimum(*crossings))
        last = np.where(is_beside, -np.inf, np.minimum(last, np.where(moves, np.maximum(*crossings), np.inf)))
    inside = np.clip(last - first, 0.0, 1.0)
    return float((np.sqrt((way * way).sum(axis=1)) * inside).sum())


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
