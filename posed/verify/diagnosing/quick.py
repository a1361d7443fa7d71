"""A first look without rays: which triangle of the suspects is seen at some pixel centres, and whether that fits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Point = tuple[float, float, float]

NEAREST = 1e-12
"""Metres before the camera from which a place has a place in the picture."""

NOTHING = -1
"""The key of a pixel that shows none of the suspects."""


class Lens(NamedTuple):
    """A camera over a grid of pixel centres.

    Column i and row j of the grid are the pixel `first + i * step`, `first + j * step`.
    """

    axes: Floats
    """(3, 3): right, up and back in the world, one a column"""
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
    """F triangles over V vertices, in the world's axes."""

    positions: NDArray[np.float32]
    """(V, 3) metres from the camera"""
    normals: NDArray[np.float32]
    """(V, 3)"""
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


class Room(NamedTuple):
    """Room to work in, for a grid of R rows and C columns."""

    nearest: Floats
    """(R, C) metres"""
    owner: Whole
    """(R, C) triangles"""
    matches: NDArray[np.bool_]
    """(R, C): the answer"""


@kernel
def write_matches(lens: Lens, drawn: Drawn, asked: Asked, depth_within: float, least_cosine: float, room: Room) -> None:
    """Write where the live frame shows what would be drawn into `room.matches`.

    Parameters
    ----------
    depth_within
        Relative difference of depth that is none.
    least_cosine
        Of the angle between normals that is none.
    """
    nearest, owner, matches = room.nearest, room.owner, room.matches
    for row in range(owner.shape[0]):
        for column in range(owner.shape[1]):
            nearest[row, column] = asked.still[row, column]
            owner[row, column] = -1
    eye, places = seen_vertices(lens, drawn.positions)
    draw_triangles(lens, drawn, eye, places, nearest, owner)
    for row in range(owner.shape[0]):
        for column in range(owner.shape[1]):
            triangle, key = owner[row, column], asked.keys[row, column]
            if triangle < 0 or key < 0:
                matches[row, column] = triangle < 0 and key < 0
                continue
            matches[row, column] = (
                drawn.keys[triangle] == key
                and _is_at(asked.depth[row, column], nearest[row, column], depth_within)
                and _faces(lens, drawn, eye, triangle, row, column, asked.normal[row, column], least_cosine)
            )


@kernel
def seen_vertices(lens: Lens, positions: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Return vertices along the camera's right, up and forward axes, (V, 3) metres from it, and in the picture, (V, 2)
    as columns and rows of the grid; the latter mean nothing for what does not lie before the camera.
    """
    eye, places = np.empty((len(positions), 3)), np.empty((len(positions), 2))
    for vertex in range(len(positions)):
        x, y, z = np.float64(positions[vertex, 0]), np.float64(positions[vertex, 1]), np.float64(positions[vertex, 2])
        for axis in range(3):
            eye[vertex, axis] = lens.axes[0, axis] * x + lens.axes[1, axis] * y + lens.axes[2, axis] * z
        eye[vertex, 2] = -eye[vertex, 2]
        shrink = 1.0 if lens.orthographic else 1.0 / max(eye[vertex, 2], NEAREST)
        across = lens.middle[0] + lens.scale * eye[vertex, 0] * shrink
        down = lens.middle[1] - lens.scale * eye[vertex, 1] * shrink
        places[vertex, 0] = (across - 0.5 - lens.first) / lens.step
        places[vertex, 1] = (down - 0.5 - lens.first) / lens.step
    return eye, places


@kernel
def draw_triangles(lens: Lens, drawn: Drawn, eye: Floats, places: Floats, nearest: Floats, owner: Whole) -> None:
    """Write each triangle where it is nearer than what is there; those that turn their backs are not drawn.

    In one loop, as a call costs more than most triangles do: they lie between the pixel centres that are looked at.
    """
    near, far = lens.cuts
    rows, columns = owner.shape
    for triangle in range(len(drawn.corners)):
        i, j, k = drawn.corners[triangle, 0], drawn.corners[triangle, 1], drawn.corners[triangle, 2]
        shallow, deep = min(eye[i, 2], eye[j, 2], eye[k, 2]), max(eye[i, 2], eye[j, 2], eye[k, 2])
        if deep < near or shallow > far:
            continue
        top, bottom, left, right = 0, rows - 1, 0, columns - 1
        if lens.orthographic or shallow > max(near, NEAREST):
            left = max(0, _whole(np.ceil(min(places[i, 0], places[j, 0], places[k, 0]))))
            right = min(columns - 1, _whole(np.floor(max(places[i, 0], places[j, 0], places[k, 0]))))
            top = max(0, _whole(np.ceil(min(places[i, 1], places[j, 1], places[k, 1]))))
            bottom = min(rows - 1, _whole(np.floor(max(places[i, 1], places[j, 1], places[k, 1]))))
        if left > right or top > bottom:
            continue
        a = eye[i, 0], eye[i, 1], eye[i, 2]
        b = eye[j, 0], eye[j, 1], eye[j, 2]
        c = eye[k, 0], eye[k, 1], eye[k, 2]
        turn = _turn(lens.orthographic, a, b, c)
        if turn == 0.0 or (not drawn.two_sided[triangle] and turn * drawn.facing[triangle] < 0.0):
            continue
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                x, y = _ray(lens, row, column)
                u, v, w, depth = _hit(lens.orthographic, a, b, c, turn, x, y)
                if u >= 0.0 and v >= 0.0 and w >= 0.0 and near <= depth <= far and depth < nearest[row, column]:
                    nearest[row, column] = depth
                    owner[row, column] = triangle


@kernel
def _whole(place: float) -> Any:
    """Return a row or column of the grid as an integer, those far outside brought nearer."""
    return int(min(max(place, -1e9), 1e9))


@kernel
def _ray(lens: Lens, row: int, column: int) -> tuple[float, float]:
    """Return where a pixel centre lies across and up from the middle at depth 1, metres."""
    x = (lens.first + column * lens.step + 0.5 - lens.middle[0]) / lens.scale
    y = -(lens.first + row * lens.step + 0.5 - lens.middle[1]) / lens.scale
    return x, y


@kernel
def _turn(orthographic: bool, a: Point, b: Point, c: Point) -> Any:
    """Return a number above 0 where the camera sees the corners go round counter-clockwise, below 0 the other way."""
    if orthographic:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    # Six times the volume that the triangle spans with the camera.
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


@kernel
def _hit(
    orthographic: bool, a: Point, b: Point, c: Point, turn: float, x: float, y: float
) -> tuple[float, float, float, float]:
    """Return the barycentric shares of the three corners at a pixel centre, and the depth there.

    In perspective the ray is x, y, 1: a corner's share is the volume that the ray spans with the other two.
    """
    if orthographic:
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
def _faces(
    lens: Lens, drawn: Drawn, eye: Floats, triangle: int, row: int, column: int, found: Floats, least: float
) -> Any:
    """Say whether a stated normal is the one drawn; one that is not stated, or that a map bends, is."""
    if not drawn.plain[triangle] or (found[0] == 0.0 and found[1] == 0.0 and found[2] == 0.0):
        return True
    i, j, k = drawn.corners[triangle, 0], drawn.corners[triangle, 1], drawn.corners[triangle, 2]
    normal = np.empty(3)
    if drawn.flat[triangle]:
        for axis in range(3):
            one, other = (axis + 1) % 3, (axis + 2) % 3
            ax, ay = np.float64(drawn.positions[i, one]), np.float64(drawn.positions[i, other])
            bx, by = np.float64(drawn.positions[j, one]) - ax, np.float64(drawn.positions[j, other]) - ay
            cx, cy = np.float64(drawn.positions[k, one]) - ax, np.float64(drawn.positions[k, other]) - ay
            normal[axis] = bx * cy - by * cx
    else:
        a = eye[i, 0], eye[i, 1], eye[i, 2]
        b = eye[j, 0], eye[j, 1], eye[j, 2]
        c = eye[k, 0], eye[k, 1], eye[k, 2]
        x, y = _ray(lens, row, column)
        u, v, w, _ = _hit(lens.orthographic, a, b, c, _turn(lens.orthographic, a, b, c), x, y)
        for axis in range(3):
            normal[axis] = (
                u * np.float64(drawn.normals[i, axis])
                + v * np.float64(drawn.normals[j, axis])
                + w * np.float64(drawn.normals[k, axis])
            )
    length = np.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
    cosine = normal[0] * found[0] + normal[1] * found[1] + normal[2] * found[2]
    if drawn.flat[triangle] or drawn.two_sided[triangle]:
        cosine = abs(cosine)  # frames turn it to the camera
    return cosine >= least * length
