"""Which pixels float32 may have got wrong, so that the float64 tree decides them.

Embree's hit or miss itself depends on the instruction set where a ray passes an open boundary or a silhouette. Such
pixels lie beside a projected edge of that kind, or beside a pixel that shows another part. Inside a part, the
candidates around a hit settle the rest.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tracer.adjacency import Neighbors
from tracer.compiling import Index, leaf
from tracer.tables import PART, PLACE, Mesh
from tracer.view import FORWARD, HALF_HEIGHT, HALF_WIDTH, NEAR, ORIGIN, ORTHOGRAPHIC, RIGHT, UP

REACH = 1.25
"""Pixels around a point of an edge whose centres are doubted: one, and half of the step between points."""

EDGE_ON = 2.0**-20
"""Sine below which a triangle counts as seen edge-on, so that its edges are silhouettes whatever float64 says of its
side."""


@leaf
def doubt_neighbors(
    mesh: Mesh, triangles: NDArray[np.int64], first_row: int, last_row: int, doubt: NDArray[np.bool_]
) -> None:
    """Mark pixels in some rows whose 3 x 3 neighbourhood shows more than one part, or a part and nothing.

    Parameters
    ----------
    mesh
        The scene's.
    triangles
        (H, W) int64, -1 where nothing.
    doubt
        (H, W) bool; marked.
    """
    height, width = triangles.shape
    for y in range(first_row, last_row):
        for x in range(width):
            here = _part(mesh, triangles[y, x])
            for other_y in range(max(y - 1, 0), min(y + 2, height)):
                for other_x in range(max(x - 1, 0), min(x + 2, width)):
                    if _part(mesh, triangles[other_y, other_x]) != here:
                        doubt[y, x] = True


@leaf
def doubt_edges(
    mesh: Mesh,
    neighbors: Neighbors,
    view: NDArray[np.float64],
    triangles: NDArray[np.int64],
    ends: NDArray[np.float64],
    doubt: NDArray[np.bool_],
) -> None:
    """Mark pixels whose centre lies within a pixel of an open or silhouette edge of some of the triangles.

    Parameters
    ----------
    mesh, neighbors, view
        The scene and the camera.
    triangles
        Which ones, all with an area.
    ends
        (2, 3) float64, to work in.
    doubt
        (H, W) bool; marked.
    """
    for triangle in triangles:
        for corner in range(3):
            following = (corner + 1) % 3
            if _is_outline(mesh, neighbors, view, triangle, corner, following):
                _write_projected(mesh, view, mesh.faces[triangle, corner], ends[0])
                _write_projected(mesh, view, mesh.faces[triangle, following], ends[1])
                if _clip_near(view, ends):
                    _mark_line(view, ends, doubt)


@leaf
def _part(mesh: Mesh, triangle: Index) -> Index:
    return np.int64(mesh.faces[triangle, PART]) if triangle >= 0 else np.int64(-1)


@leaf
def _is_outline(
    mesh: Mesh, neighbors: Neighbors, view: NDArray[np.float64], triangle: Index, corner: Index, following: Index
) -> bool:
    """Say whether an edge is open, shared by more than two triangles, or a silhouette: both its triangles on one side
    of it.

    A silhouette of two triangles is told by the one with the smaller index.
    """
    place, other_place = mesh.faces[triangle, PLACE + corner], mesh.faces[triangle, PLACE + following]
    if place == other_place:
        return False
    sharing, partner = 0, np.int64(-1)
    for index in range(neighbors.start[place], neighbors.start[place + 1]):
        other = np.int64(neighbors.around[index])
        if other == triangle:
            continue
        for k in range(PLACE, PLACE + 3):
            if mesh.faces[other, k] == other_place:
                sharing += 1
                partner = other
    if sharing != 1:
        return True
    if partner < triangle:
        return False
    start, end = mesh.faces[triangle, corner], mesh.faces[triangle, following]
    own = _side(mesh, view, start, end, mesh.faces[triangle, 3 - corner - following])
    for k in range(3):
        apex = mesh.faces[partner, PLACE + k]
        if apex not in (place, other_place):
            return own * _side(mesh, view, start, end, mesh.faces[partner, k]) >= 0.0
    return True


@leaf
def _side(mesh: Mesh, view: NDArray[np.float64], start: Index, end: Index, apex: Index) -> float:
    """Return on which side of an edge a vertex is seen, 1 or -1; 0 where that is nearly along it."""
    vertices = mesh.vertices
    ax, ay, az = view[FORWARD], view[FORWARD + 1], view[FORWARD + 2]
    if view[ORTHOGRAPHIC] == 0.0:
        ax, ay, az = (
            vertices[start, 0] - view[ORIGIN],
            vertices[start, 1] - view[ORIGIN + 1],
            vertices[start, 2] - view[ORIGIN + 2],
        )
    bx = np.float64(vertices[end, 0]) - np.float64(vertices[start, 0])
    by = np.float64(vertices[end, 1]) - np.float64(vertices[start, 1])
    bz = np.float64(vertices[end, 2]) - np.float64(vertices[start, 2])
    cx = np.float64(vertices[apex, 0]) - np.float64(vertices[start, 0])
    cy = np.float64(vertices[apex, 1]) - np.float64(vertices[start, 1])
    cz = np.float64(vertices[apex, 2]) - np.float64(vertices[start, 2])
    volume = (ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz
    a, b, c = ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz
    if abs(volume) <= EDGE_ON * math.sqrt(a) * math.sqrt(b) * math.sqrt(c):
        return 0.0
    return 1.0 if volume > 0.0 else -1.0


@leaf
def _write_projected(mesh: Mesh, view: NDArray[np.float64], vertex: Index, end: NDArray[np.float64]) -> None:
    """Write a vertex's place in the camera's axes: right, up, forward."""
    x = mesh.vertices[vertex, 0] - view[ORIGIN]
    y = mesh.vertices[vertex, 1] - view[ORIGIN + 1]
    z = mesh.vertices[vertex, 2] - view[ORIGIN + 2]
    end[0] = x * view[RIGHT] + y * view[RIGHT + 1] + z * view[RIGHT + 2]
    end[1] = x * view[UP] + y * view[UP + 1] + z * view[UP + 2]
    end[2] = x * view[FORWARD] + y * view[FORWARD + 1] + z * view[FORWARD + 2]


@leaf
def _clip_near(view: NDArray[np.float64], ends: NDArray[np.float64]) -> bool:
    """Cut a line, in the camera's axes, at the near plane; say whether anything is left."""
    near = view[NEAR] * 0.5
    if view[ORTHOGRAPHIC] == 0.0:  # something must be left to divide by
        near = max(near, 2.0**-20 * max(abs(ends[0, 2]), abs(ends[1, 2])))
    if ends[0, 2] < near and ends[1, 2] < near:
        return False
    for k in range(2):
        if ends[k, 2] < near:
            share = (near - ends[k, 2]) / (ends[1 - k, 2] - ends[k, 2])
            for axis in range(2):
                ends[k, axis] += share * (ends[1 - k, axis] - ends[k, axis])
            ends[k, 2] = near
    return True


@leaf
def _mark_line(view: NDArray[np.float64], ends: NDArray[np.float64], doubt: NDArray[np.bool_]) -> None:
    """Mark pixels beside a line given in the camera's axes, in front of the camera."""
    height, width = doubt.shape
    for k in range(2):
        depth = 1.0 if view[ORTHOGRAPHIC] != 0.0 else ends[k, 2]
        ends[k, 0] = (ends[k, 0] / depth / view[HALF_WIDTH] + 1.0) * 0.5 * width
        ends[k, 1] = (1.0 - ends[k, 1] / depth / view[HALF_HEIGHT]) * 0.5 * height
    first, last = 0.0, 1.0
    for axis in range(2):  # Liang and Barsky: the part of the line that is within reach of the picture
        size = width if axis == 0 else height
        start, step = ends[0, axis], ends[1, axis] - ends[0, axis]
        low, high = -REACH - start, size + REACH - start
        if step == 0.0:
            if low > 0.0 or high < 0.0:
                return
            continue
        enter, leave = low / step, high / step
        if enter > leave:
            enter, leave = leave, enter
        first, last = max(first, enter), min(last, leave)
    if first > last:
        return
    dx, dy = ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1]
    steps = np.intp(math.ceil(2.0 * max(abs(dx), abs(dy)) * (last - first))) + 1
    for number in range(steps + 1):
        share = first + (last - first) * number / steps
        x, y = ends[0, 0] + share * dx, ends[0, 1] + share * dy
        left, right = np.intp(max(math.ceil(x - REACH - 0.5), 0)), np.intp(min(math.floor(x + REACH - 0.5), width - 1))
        top, low_row = (
            np.intp(max(math.ceil(y - REACH - 0.5), 0)),
            np.intp(min(math.floor(y + REACH - 0.5), height - 1)),
        )
        for row in range(top, low_row + 1):
            for column in range(left, right + 1):
                doubt[row, column] = True
