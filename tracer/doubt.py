"""Which pixels float32 may have got wrong, so that the float64 tree decides them.

Embree's hit or miss itself depends on the instruction set where a ray passes an open boundary or a silhouette. Such
pixels lie beside a projected edge of that kind, or beside a pixel that shows another part. Inside a part, the
candidates around a hit settle the rest.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tracer.adjacency import OPEN, Neighbors
from tracer.compiling import Index, inlined, leaf
from tracer.tables import Mesh
from tracer.view import FORWARD, HALF_HEIGHT, HALF_WIDTH, NEAR, ORIGIN, ORTHOGRAPHIC, RIGHT, UP

REACH = 1.25
"""Pixels around a point of an edge whose centres are doubted: one, and half of the step between points."""

EDGE_ON = 2.0**-20
"""Sine below which a triangle counts as seen edge-on, so that its edges are silhouettes whatever float64 says of its
side."""


@leaf
def doubt_neighbors(parts: NDArray[np.uint32], first_row: int, last_row: int, doubt: NDArray[np.bool_]) -> None:
    """Mark pixels in some rows whose 3 x 3 neighbourhood shows more than one part, or a part and nothing.

    Parameters
    ----------
    parts
        (H, W) uint32, 0 where nothing.
    doubt
        (H, W) bool; marked.
    """
    height, width = parts.shape
    one, last = np.uintp(1), np.uintp(width - 1)
    for y in range(first_row, last_row):
        row, marks = parts[y], doubt[y]
        above, below = parts[max(y - 1, 0)], parts[min(y + 1, height - 1)]
        for x in range(one, last):  # by unsigned numbers, which cannot count from the end: eight or more at once
            here, before, after = row[x], x - one, x + one
            marks[x] |= (
                (here != above[before])
                | (here != above[x])
                | (here != above[after])
                | (here != row[before])
                | (here != row[after])
                | (here != below[before])
                | (here != below[x])
                | (here != below[after])
            )
        for x in (0, width - 1):
            for column in (max(x - 1, 0), x, min(x + 1, width - 1)):
                marks[x] |= row[x] != above[column] or row[x] != row[column] or row[x] != below[column]


@leaf
def write_facing(mesh: Mesh, view: NDArray[np.float64], triangles: NDArray[np.int64], facing: NDArray[np.int8]) -> None:
    """Write which side of some triangles the camera sees: 1 or -1; 0 where that is nearly their edge.

    Parameters
    ----------
    mesh, view
        The scene and the camera.
    triangles
        Which ones, all with an area.
    facing
        (F,); written: 1 where they wind counter-clockwise to the camera.
    """
    vertices = mesh.vertices
    for triangle in triangles:
        a, b, c = mesh.faces[triangle, 0], mesh.faces[triangle, 1], mesh.faces[triangle, 2]
        ex, ey, ez = -view[FORWARD], -view[FORWARD + 1], -view[FORWARD + 2]
        if view[ORTHOGRAPHIC] == 0.0:
            ex = view[ORIGIN] - vertices[a, 0]
            ey = view[ORIGIN + 1] - vertices[a, 1]
            ez = view[ORIGIN + 2] - vertices[a, 2]
        ux = np.float64(vertices[b, 0]) - np.float64(vertices[a, 0])
        uy = np.float64(vertices[b, 1]) - np.float64(vertices[a, 1])
        uz = np.float64(vertices[b, 2]) - np.float64(vertices[a, 2])
        vx = np.float64(vertices[c, 0]) - np.float64(vertices[a, 0])
        vy = np.float64(vertices[c, 1]) - np.float64(vertices[a, 1])
        vz = np.float64(vertices[c, 2]) - np.float64(vertices[a, 2])
        volume = (uy * vz - uz * vy) * ex + (uz * vx - ux * vz) * ey + (ux * vy - uy * vx) * ez
        squares = (ex * ex + ey * ey + ez * ez) * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
        if volume * volume <= EDGE_ON * EDGE_ON * squares:
            facing[triangle] = 0
        else:
            facing[triangle] = 1 if volume > 0.0 else -1


@leaf
def doubt_edges(
    mesh: Mesh,
    neighbors: Neighbors,
    facing: NDArray[np.int8],
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
    facing
        From `write_facing`, for all triangles.
    triangles
        Which ones, all with an area.
    ends
        (2, 3) float64, to work in.
    doubt
        (H, W) bool; marked.
    """
    for triangle in triangles:
        for corner in range(3):
            if _is_outline(neighbors, facing, triangle, neighbors.across[triangle, corner]):
                _write_projected(mesh, view, mesh.faces[triangle, corner], ends[0])
                _write_projected(mesh, view, mesh.faces[triangle, (corner + 1) % 3], ends[1])
                if _clip_near(view, ends):
                    _mark_line(view, ends, doubt)


@inlined
def _is_outline(neighbors: Neighbors, facing: NDArray[np.int8], triangle: Index, across: Index) -> bool:
    """Say whether an edge is open, shared by more than two triangles, or a silhouette, of which the camera sees one
    triangle's front and the other's back.

    A silhouette of two triangles is told by the one with the smaller index.
    """
    if across < 0:
        return bool(across == OPEN)
    partner = across >> 1
    if partner < triangle:
        return False
    seen = np.intp(facing[triangle]) * np.intp(facing[partner])
    return bool(seen <= 0 if across & 1 == 0 else seen >= 0)


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
