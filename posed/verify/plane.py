"""Geometry on the picture plane: distances, weights and depths of pieces at a place in pixels.

Kernels here take whole arrays and an index, never a slice: numba counts references to each slice.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.verify.projection import INNER, Pieces

Floats = NDArray[np.float64]


@kernel
def distance_to_edge(points: Floats, piece: int, edge: int, x: float, y: float) -> Any:
    """Return the distance in pixels from a place to the edge of a piece from one corner to the next."""
    px, py = offset_from_edge(points, piece, edge, x, y)
    return np.sqrt(px * px + py * py)


@kernel
def offset_from_edge(points: Floats, piece: int, edge: int, x: float, y: float) -> tuple[Any, Any]:
    """Return the way in pixels from the nearest point of an edge to a place."""
    after = (edge + 1) % 3
    dx, dy = points[piece, after, 0] - points[piece, edge, 0], points[piece, after, 1] - points[piece, edge, 1]
    px, py = x - points[piece, edge, 0], y - points[piece, edge, 1]
    squared = dx * dx + dy * dy
    share = 0.0 if squared == 0.0 else min(max((px * dx + py * dy) / squared, 0.0), 1.0)
    return px - share * dx, py - share * dy


@kernel
def distance_to_edges(pieces: Pieces, piece: int, x: float, y: float, with_inner: bool) -> Any:
    """Return the distance in pixels to a piece's nearest edge, `with_inner` those between pieces of one triangle."""
    nearest = np.inf
    for edge in range(3):
        if with_inner or pieces.tags[piece, edge] != INNER:
            nearest = min(nearest, distance_to_edge(pieces.points, piece, edge, x, y))
    return nearest


@kernel
def weights_at(points: Floats, piece: int, x: float, y: float) -> tuple[Any, Any, Any, Any]:
    """Return the weights of a piece's corners at a place, linear over the picture, and twice its signed area.

    A piece without area has the weights 0 and the area 0.
    """
    ax, ay = points[piece, 1, 0] - points[piece, 0, 0], points[piece, 1, 1] - points[piece, 0, 1]
    bx, by = points[piece, 2, 0] - points[piece, 0, 0], points[piece, 2, 1] - points[piece, 0, 1]
    area = ax * by - ay * bx
    if area == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    px, py = x - points[piece, 0, 0], y - points[piece, 0, 1]
    second, third = (px * by - py * bx) / area, (ax * py - ay * px) / area
    return 1.0 - second - third, second, third, area


@kernel
def slope_of(pieces: Pieces, piece: int, area: float) -> Any:
    """Return how much a piece's `inverse` changes over a pixel at most; `area` is twice its signed area, not 0."""
    ax = pieces.points[piece, 1, 0] - pieces.points[piece, 0, 0]
    ay = pieces.points[piece, 1, 1] - pieces.points[piece, 0, 1]
    bx = pieces.points[piece, 2, 0] - pieces.points[piece, 0, 0]
    by = pieces.points[piece, 2, 1] - pieces.points[piece, 0, 1]
    first = pieces.inverse[piece, 1] - pieces.inverse[piece, 0]
    second = pieces.inverse[piece, 2] - pieces.inverse[piece, 0]
    across, down = (first * by - second * ay) / area, (second * ax - first * bx) / area
    return np.sqrt(across * across + down * down)


@kernel
def corner_weights(
    eye: Floats, corners: NDArray[np.uint32], lens: Floats, triangle: int, x: float, y: float
) -> tuple[Any, Any, Any]:
    """Return the weights of a triangle's corners at the point of its plane that a place in the picture shows.

    Parameters
    ----------
    eye, corners
        See `geometry.Triangles`.
    lens
        See `Pieces`.
    triangle, x, y
        Which triangle, and the place in pixels.
    """
    a, b, c = corners[triangle, 0], corners[triangle, 1], corners[triangle, 2]
    right, up = (x - lens[2]) / lens[0], (lens[3] - y) / lens[1]
    is_flat = lens[4] != 0.0
    first = _spanned(eye, b, c, right, up, is_flat)
    second = _spanned(eye, c, a, right, up, is_flat)
    third = _spanned(eye, a, b, right, up, is_flat)
    whole = first + second + third
    if whole == 0.0:
        return 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0
    return first / whole, second / whole, third / whole


@kernel
def _spanned(eye: Floats, b: int, c: int, right: float, up: float, is_flat: bool) -> Any:
    """Return the volume that the ray (right, up, 1) spans with two vertices, or the area with them where `is_flat`."""
    if is_flat:
        return (eye[b, 0] - right) * (eye[c, 1] - up) - (eye[b, 1] - up) * (eye[c, 0] - right)
    return (
        right * (eye[b, 1] * eye[c, 2] - eye[b, 2] * eye[c, 1])
        + up * (eye[b, 2] * eye[c, 0] - eye[b, 0] * eye[c, 2])
        + (eye[b, 0] * eye[c, 1] - eye[b, 1] * eye[c, 0])
    )
