"""A first look without rays: which triangle of the suspects is seen at some pixel centres, and whether that fits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

NOTHING = -1
"""The key of a pixel that shows none of the suspects."""


class Lens(NamedTuple):
    """A camera over a grid of pixel centres.

    Column i and row j of the grid are the pixel `first + i * step`, `first + j * step`.
    """

    orthographic: bool
    scale: float
    """Pixels of a metre at depth 1, or anywhere where the camera is orthographic."""
    middle: tuple[float, float]
    """Of the picture, in pixels."""
    cuts: tuple[float, float]
    """The least and the greatest depth that is seen."""
    first: int
    step: int


class Asked(NamedTuple):
    """What the live frame shows at a grid of R rows and C columns."""

    keys: Whole
    """(R, C): as the triangles' keys, `NOTHING` where it shows none of them"""
    depth: Floats
    """(R, C) metres, NaN where it does not say"""
    normal: Floats
    """(R, C, 3) unit length, zero where it does not say"""
    still: Floats
    """(R, C) metres: what hides the suspects beyond it"""


class Drawn(NamedTuple):
    """F triangles over V vertices."""

    eye: Floats
    """(V, 3): along the camera's right, up and forward axes, metres from the camera"""
    normals: Floats
    """(V, 3) along the same axes"""
    corners: NDArray[np.uint32]
    """(F, 3)"""
    facing: NDArray[np.int8]
    """(F,)"""
    two_sided: NDArray[np.bool_]
    """(F,)"""
    flat: NDArray[np.bool_]
    """(F,): whether the triangle's own normal is seen"""
    plain: NDArray[np.bool_]
    """(F,): whether its normal can be told here"""
    keys: Whole
    """(F,): what a pixel shows that shows the triangle"""


@kernel
def write_matches(
    lens: Lens,
    drawn: Drawn,
    asked: Asked,
    depth_within: float,
    least_cosine: float,
    nearest: Floats,
    owner: Whole,
    matches: NDArray[np.bool_],
) -> None:
    """Write where the live frame shows what would be drawn, (R, C).

    Parameters
    ----------
    depth_within
        Relative difference of depth that is none.
    least_cosine
        Of the angle between normals that is none.
    nearest, owner
        Room to work in, (R, C) each.
    """
    for row in range(owner.shape[0]):
        for column in range(owner.shape[1]):
            nearest[row, column] = asked.still[row, column]
            owner[row, column] = -1
    for triangle in range(len(drawn.corners)):
        draw_triangle(lens, drawn, triangle, nearest, owner)
    for row in range(owner.shape[0]):
        for column in range(owner.shape[1]):
            triangle, key = owner[row, column], asked.keys[row, column]
            if triangle < 0 or key < 0:
                matches[row, column] = triangle < 0 and key < 0
                continue
            matches[row, column] = (
                drawn.keys[triangle] == key
                and _is_at(asked.depth[row, column], nearest[row, column], depth_within)
                and _faces(lens, drawn, triangle, row, column, asked.normal[row, column], least_cosine)
            )


@kernel
def draw_triangle(lens: Lens, drawn: Drawn, triangle: int, nearest: Floats, owner: Whole) -> None:
    """Write a triangle where it is nearer than what is there; one that turns its back is not drawn."""
    a = drawn.eye[drawn.corners[triangle, 0]]
    b = drawn.eye[drawn.corners[triangle, 1]]
    c = drawn.eye[drawn.corners[triangle, 2]]
    turn = _turn(lens, a, b, c)
    if turn == 0.0 or (not drawn.two_sided[triangle] and turn * drawn.facing[triangle] < 0.0):
        return
    near, far = lens.cuts
    if max(a[2], b[2], c[2]) < near or min(a[2], b[2], c[2]) > far:
        return
    rows, columns = owner.shape
    top, bottom, left, right = 0, rows - 1, 0, columns - 1
    if lens.orthographic or min(a[2], b[2], c[2]) > max(near, 1e-12):
        low_x, high_x, low_y, high_y = np.inf, -np.inf, np.inf, -np.inf
        for corner in (a, b, c):
            shrink = 1.0 if lens.orthographic else 1.0 / corner[2]
            x = lens.middle[0] + lens.scale * corner[0] * shrink
            y = lens.middle[1] - lens.scale * corner[1] * shrink
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
        left = max(0, _first(lens, low_x))
        right = min(columns - 1, _last(lens, high_x))
        top = max(0, _first(lens, low_y))
        bottom = min(rows - 1, _last(lens, high_y))
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            u, v, w, depth = _hit(lens, a, b, c, turn, row, column)
            if u >= 0.0 and v >= 0.0 and w >= 0.0 and near <= depth <= far and depth < nearest[row, column]:
                nearest[row, column] = depth
                owner[row, column] = triangle


@kernel
def _first(lens: Lens, place: float) -> Any:
    """Return the first row or column of the grid at or after a place in pixels."""
    return int(np.ceil(min(max((place - 0.5 - lens.first) / lens.step, -1e9), 1e9)))


@kernel
def _last(lens: Lens, place: float) -> Any:
    """Return the last row or column of the grid at or before a place in pixels."""
    return int(np.floor(min(max((place - 0.5 - lens.first) / lens.step, -1e9), 1e9)))


@kernel
def _turn(lens: Lens, a: Floats, b: Floats, c: Floats) -> Any:
    """Return a number above 0 where the camera sees the corners go round counter-clockwise, below 0 the other way."""
    if lens.orthographic:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    # Six times the volume that the triangle spans with the camera.
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


@kernel
def _hit(
    lens: Lens, a: Floats, b: Floats, c: Floats, turn: float, row: int, column: int
) -> tuple[float, float, float, float]:
    """Return the barycentric shares of the three corners at a pixel centre and the depth there.

    In perspective the ray is x, y, 1: a corner's share is the volume that the ray spans with the other two.
    """
    x = (lens.first + column * lens.step + 0.5 - lens.middle[0]) / lens.scale
    y = -(lens.first + row * lens.step + 0.5 - lens.middle[1]) / lens.scale
    if lens.orthographic:
        u = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / turn
        v = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / turn
        w = 1.0 - u - v
        return u, v, w, u * a[2] + v * b[2] + w * c[2]
    u = x * (b[1] * c[2] - b[2] * c[1]) + y * (b[2] * c[0] - b[0] * c[2]) + b[0] * c[1] - b[1] * c[0]
    v = x * (c[1] * a[2] - c[2] * a[1]) + y * (c[2] * a[0] - c[0] * a[2]) + c[0] * a[1] - c[1] * a[0]
    w = x * (a[1] * b[2] - a[2] * b[1]) + y * (a[2] * b[0] - a[0] * b[2]) + a[0] * b[1] - a[1] * b[0]
    total = u + v + w
    if total == 0.0:
        return -1.0, -1.0, -1.0, 0.0
    return u / total, v / total, w / total, turn / total


@kernel
def _is_at(found: float, depth: float, within: float) -> Any:
    """Say whether a stated depth is the one drawn; one that is not stated is."""
    return np.isnan(found) or abs(found - depth) <= within * depth


@kernel
def _faces(lens: Lens, drawn: Drawn, triangle: int, row: int, column: int, found: Floats, least: float) -> Any:
    """Say whether a stated normal is the one drawn; one that is not stated, or that a map bends, is."""
    if not drawn.plain[triangle] or (found[0] == 0.0 and found[1] == 0.0 and found[2] == 0.0):
        return True
    i, j, k = drawn.corners[triangle, 0], drawn.corners[triangle, 1], drawn.corners[triangle, 2]
    a, b, c = drawn.eye[i], drawn.eye[j], drawn.eye[k]
    u, v, w, _ = _hit(lens, a, b, c, _turn(lens, a, b, c), row, column)
    normal = np.empty(3)
    for axis in range(3):
        if drawn.flat[triangle]:
            one, other = (axis + 1) % 3, (axis + 2) % 3
            normal[axis] = (b[one] - a[one]) * (c[other] - a[other]) - (b[other] - a[other]) * (c[one] - a[one])
        else:
            normal[axis] = u * drawn.normals[i, axis] + v * drawn.normals[j, axis] + w * drawn.normals[k, axis]
    length = np.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
    cosine = normal[0] * found[0] + normal[1] * found[1] + normal[2] * found[2]
    if drawn.flat[triangle] or drawn.two_sided[triangle]:
        cosine = abs(cosine)  # it is turned to the camera in a way that these axes do not keep
    return cosine >= least * length
