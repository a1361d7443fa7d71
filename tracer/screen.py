"""What lies at pixel centres, decided in float64 for every triangle that may be there: camera rays meet no tree.

The rays through a picture's centres leave one point, or run side by side, and lie in rows; so the picture itself tells
which of them may meet a triangle. A triangle's edges bound its columns in a row, and each centre within these bounds is
a ray tested as any other is, by the formula of `exact_hit`. The bounds err outwards, by far more than float64 rounds:
what they leave out, no test would have let in. So the answers are those of the tree, which tests the same triangles and
more.

Source of the edges' form, which needs no clipping: Olano and Greer, *Triangle Scan Conversion using 2D Homogeneous
Coordinates*, 1997.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, inlined, leaf
from tracer.exact import TIE, depth_axis_of, sheared_hit
from tracer.materials import AlphaMode
from tracer.tables import ALPHA_MODE, DOUBLE_SIDED, IS_PLAIN, IS_SWAPPED, MATERIAL, RANK, Looks, Mesh
from tracer.view import FAR, FORWARD, HALF_HEIGHT, HALF_WIDTH, NEAR, ORIGIN, ORTHOGRAPHIC, RIGHT, UP
from tracer.visible import LAYERS, stops

_OPAQUE: Final = int(AlphaMode.OPAQUE)

SLACK: Final = 2.0**-40
"""Share of the greatest product in an edge's function by which its sign is not trusted: float64 errs by 2^-48."""

MARGIN: Final = 2.0**-8
"""Pixels by which the projected bounds of a triangle, and its bounds in a row, reach beyond it."""

SHALLOW: Final = 2.0**-12
"""Depth over distance below which a vertex is too far aside to be projected: its triangle may lie anywhere."""

SIDEWAYS: Final = 2.0**-30
"""Sine below which it is left to each ray which side of a triangle it meets."""

FLATTEST: Final = 2.0**-20
"""Volume that the camera's axes span below which nothing is projected."""

STEEP: Final = 2.0**36
"""Columns beyond which the place where an edge crosses a row bounds nothing: float64 has it to 2^-14 columns there."""

# Columns of a triangle's print, int32.
FIRST_ROW, END_ROW, FIRST_COLUMN, END_COLUMN, SIDE = 0, 1, 2, 3, 4
"""rows and columns that it may be seen in, those behind the last; and which way it winds to the camera: 1
counter-clockwise, -1, 0 where that is in doubt; plus `SURE` where every ray that meets it stops"""
PRINT_COLUMNS: Final = 5
SURE: Final = 4


class Screen(NamedTuple):
    """A camera and the pixel centres of its picture, W across and H down."""

    camera: NDArray[np.float64]
    """from `view_of`"""
    inverse: NDArray[np.float64]
    """(3, 3): rows give a vector's coordinates along the camera's right, up and forward axes"""
    across: NDArray[np.float64]
    """(W, 3): what a column adds to a ray's direction, or to its origin where the camera is orthographic"""
    down: NDArray[np.float64]
    """(H, 3): what a row adds"""


class Prints(NamedTuple):
    """Where each of F triangles may be seen."""

    marks: NDArray[np.int32]
    """(F, 5), columns as named above; zeros where no centre sees it"""
    nearest: NDArray[np.float32]
    """(F,) a distance that no hit comes before"""


class Finds(NamedTuple):
    """What the pixels of some rows show, pixel by pixel from the first row's left end."""

    triangle: NDArray[np.int64]
    """-1 where there is none"""
    distance: NDArray[np.float64]
    u: NDArray[np.float64]
    v: NDArray[np.float64]


def screen_of(view: NDArray[np.float64], size: tuple[int, int]) -> Screen:
    """Give the pixel centres of a picture of `size` = (width, height), seen by a camera from `view_of`."""
    width, height = size
    right, up, forward = (view[first : first + 3] for first in (RIGHT, UP, FORWARD))
    columns = (2.0 * (np.arange(width) + 0.5) / width - 1.0) * view[HALF_WIDTH]
    rows = (1.0 - 2.0 * (np.arange(height) + 0.5) / height) * view[HALF_HEIGHT]
    inverse = np.stack([_crossed(up, forward), _crossed(forward, right), _crossed(right, up)])
    volume = right[0] * inverse[0, 0] + right[1] * inverse[0, 1] + right[2] * inverse[0, 2]
    # Axes in one plane, or nearly: nothing can be projected, and NaN says so.
    inverse = inverse / volume if abs(volume) > FLATTEST else np.full((3, 3), np.nan)
    return Screen(view, inverse, columns[:, None] * right, rows[:, None] * up)


def _crossed(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def no_prints(triangles: int) -> Prints:
    """Make room for the prints of so many triangles, none of which is seen yet."""
    return Prints(np.zeros((triangles, PRINT_COLUMNS), np.int32), np.zeros(triangles, np.float32))


def new_finds(rows: int, width: int) -> Finds:
    """Make room for what some rows show."""
    count = rows * width
    return Finds(np.zeros(count, np.int64), np.zeros(count), np.zeros(count), np.zeros(count))


@leaf
def write_prints(mesh: Mesh, looks: Looks, screen: Screen, chosen: NDArray[np.int64], prints: Prints) -> None:
    """Write where some triangles may be seen; `chosen` are the ones, all with an area."""
    camera, inverse, vertices = screen.camera, screen.inverse, mesh.vertices
    width, height = len(screen.across), len(screen.down)
    is_flat = camera[ORTHOGRAPHIC] != 0.0
    side_margin = MARGIN + 2.0**-30 * width / abs(camera[HALF_WIDTH])
    end_margin = MARGIN + 2.0**-30 * height / abs(camera[HALF_HEIGHT])
    for triangle in chosen:
        side = _side(mesh, looks, camera, triangle)
        if side == _AWAY:
            continue
        nearest, farthest, reach, may_be_anywhere = np.inf, -np.inf, 0.0, False
        left, right, top, bottom = np.inf, -np.inf, np.inf, -np.inf
        for corner in range(3):
            vertex = mesh.faces[triangle, corner]
            x = vertices[vertex, 0] - camera[ORIGIN]
            y = vertices[vertex, 1] - camera[ORIGIN + 1]
            z = vertices[vertex, 2] - camera[ORIGIN + 2]
            aside = inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2] * z
            above = inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2] * z
            depth = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2] * z
            extent = abs(x) + abs(y) + abs(z)
            nearest, farthest, reach = min(nearest, depth), max(farthest, depth), max(reach, extent)
            if not is_flat:
                if not depth > SHALLOW * extent:
                    may_be_anywhere = True
                aside, above = aside / depth, above / depth
            column = (aside / camera[HALF_WIDTH] + 1.0) * 0.5 * width
            row = (1.0 - above / camera[HALF_HEIGHT]) * 0.5 * height
            left, right, top, bottom = min(left, column), max(right, column), min(top, row), max(bottom, row)
        if not nearest <= farthest:
            nearest, farthest, may_be_anywhere = -np.inf, np.inf, True
        if farthest + SLACK * reach < camera[NEAR] or nearest - SLACK * reach > camera[FAR]:
            continue
        if may_be_anywhere or not (left > -np.inf and top > -np.inf):
            left, right, top, bottom = 0.0, np.float64(width), 0.0, np.float64(height)
        first_row, end_row = _centers(top - end_margin, bottom + end_margin, height)
        first_column, end_column = _centers(left - side_margin, right + side_margin, width)
        if first_row < end_row and first_column < end_column:
            marks = prints.marks[triangle]
            marks[FIRST_ROW], marks[END_ROW] = first_row, end_row
            marks[FIRST_COLUMN], marks[END_COLUMN] = first_column, end_column
            marks[SIDE] = side
            prints.nearest[triangle] = np.float32(nearest - 2.0**-20 * reach)


@inlined
def _centers(first: float, last: float, count: Index) -> tuple[Index, Index]:
    """Return the first pixel whose centre lies between two places, and the one behind the last, within `count`."""
    low = min(max(np.ceil(first - 0.5), 0.0), np.float64(count))
    high = min(max(np.floor(last - 0.5) + 1.0, 0.0), np.float64(count))
    return np.intp(low), np.intp(high)


_AWAY: Final = 2


@inlined
def _side(mesh: Mesh, looks: Looks, camera: NDArray[np.float64], triangle: Index) -> Index:
    """Return the last mark of a triangle's print; `_AWAY` where all rays would meet it from a side that is not there.

    A ray to it, times its area normal, is above 0 where the ray leaves on the counter-clockwise side.
    """
    vertices, face = mesh.vertices, mesh.faces[triangle]
    a, b, c = face[0], face[1], face[2]
    ux = np.float64(vertices[b, 0]) - np.float64(vertices[a, 0])
    uy = np.float64(vertices[b, 1]) - np.float64(vertices[a, 1])
    uz = np.float64(vertices[b, 2]) - np.float64(vertices[a, 2])
    vx = np.float64(vertices[c, 0]) - np.float64(vertices[a, 0])
    vy = np.float64(vertices[c, 1]) - np.float64(vertices[a, 1])
    vz = np.float64(vertices[c, 2]) - np.float64(vertices[a, 2])
    rx, ry, rz = camera[FORWARD], camera[FORWARD + 1], camera[FORWARD + 2]
    first, second, beyond = abs(ux) + abs(uy) + abs(uz), abs(vx) + abs(vy) + abs(vz), 0.0
    if camera[ORTHOGRAPHIC] == 0.0:
        rx = vertices[a, 0] - camera[ORIGIN]
        ry = vertices[a, 1] - camera[ORIGIN + 1]
        rz = vertices[a, 2] - camera[ORIGIN + 2]
        beyond = first + second
    along = (uy * vz - uz * vy) * rx + (uz * vx - ux * vz) * ry + (ux * vy - uy * vx) * rz
    most = first * second * (abs(rx) + abs(ry) + abs(rz) + beyond)
    is_sure = face[IS_PLAIN] != np.uint32(0)
    if not is_sure:
        material = looks.materials[face[MATERIAL]]
        is_sure = material[ALPHA_MODE] == _OPAQUE
        if material[DOUBLE_SIDED] == 0.0:
            if abs(along) <= SIDEWAYS * most:
                is_sure = False
            elif (along > 0.0) == (face[IS_SWAPPED] == np.uint32(0)):
                return _AWAY
    side = 0
    if abs(along) > SLACK * most:
        side = -1 if along > 0.0 else 1
    return side + (SURE if is_sure else 0)


@leaf
def count_prints(prints: Prints, top: Index, band: Index, counts: NDArray[np.int64]) -> None:
    """Count the triangles that may be seen in each of B bands of rows.

    Parameters
    ----------
    prints
        From `write_prints`.
    top, band
        The first band's first row, and rows of a band.
    counts
        (B,) zeros; written.
    """
    for triangle in range(len(prints.marks)):
        first, end = _bands(prints, triangle, top, band, len(counts))
        for number in range(first, end):
            counts[number] += 1


@leaf
def write_lists(prints: Prints, top: Index, band: Index, places: NDArray[np.int64], lists: NDArray[np.uint32]) -> None:
    """List the triangles of each band, in their order; `places` says where its list begins, and then where it ends."""
    for triangle in range(len(prints.marks)):
        first, end = _bands(prints, triangle, top, band, len(places))
        for number in range(first, end):
            lists[places[number]] = triangle
            places[number] += 1


@inlined
def _bands(prints: Prints, triangle: Index, top: Index, band: Index, count: Index) -> tuple[Index, Index]:
    """Return the first band that a triangle may be seen in, and the one behind the last."""
    first, end = np.intp(prints.marks[triangle, FIRST_ROW]), np.intp(prints.marks[triangle, END_ROW])
    if end <= max(first, top):
        return 0, 0
    return (max(first, top) - top) // band, min((end - 1 - top) // band + 1, count)


@inlined
def _write_edges(mesh: Mesh, screen: Screen, triangle: Index, side: Index, edges: NDArray[np.float64]) -> Index:
    """Write where the edges of a triangle cross a row, (3, 2): a column for row 0, and what each row adds.

    Returns how many of them bound its columns from the left; they come first. An edge along the rows bounds nothing.
    """
    camera, vertices, face = screen.camera, mesh.vertices, mesh.faces[triangle]
    width, height = len(screen.across), len(screen.down)
    is_flat = camera[ORTHOGRAPHIC] != 0.0
    fx, fy, fz = camera[FORWARD], camera[FORWARD + 1], camera[FORWARD + 2]
    rx, ry, rz = camera[RIGHT], camera[RIGHT + 1], camera[RIGHT + 2]
    ux, uy, uz = camera[UP], camera[UP + 1], camera[UP + 2]
    half_width, half_height = camera[HALF_WIDTH], camera[HALF_HEIGHT]
    right_step, up_step = 2.0 * half_width / width, -2.0 * half_height / height
    right_first, up_first = 0.5 * right_step - half_width, 0.5 * up_step + half_height
    spread = abs(half_width) * (abs(rx) + abs(ry) + abs(rz)) + abs(half_height) * (abs(ux) + abs(uy) + abs(uz))
    ahead = abs(fx) + abs(fy) + abs(fz)
    sign, from_left, from_right = np.float64(side), 0, 3
    for corner in range(3):
        b, c = face[(corner + 1) % 3], face[(corner + 2) % 3]
        bx = vertices[b, 0] - camera[ORIGIN]
        by = vertices[b, 1] - camera[ORIGIN + 1]
        bz = vertices[b, 2] - camera[ORIGIN + 2]
        cx = vertices[c, 0] - camera[ORIGIN]
        cy = vertices[c, 1] - camera[ORIGIN + 1]
        cz = vertices[c, 2] - camera[ORIGIN + 2]
        nx, ny, nz = bz * cy - by * cz, bx * cz - bz * cx, by * cx - bx * cy
        forward = nx * fx + ny * fy + nz * fz
        b_reach, c_reach = abs(bx) + abs(by) + abs(bz), abs(cx) + abs(cy) + abs(cz)
        most = b_reach * c_reach * (ahead + spread)
        if is_flat:
            most = (b_reach + spread) * (c_reach + spread) * ahead
            ex, ey, ez = cx - bx, cy - by, cz - bz
            nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
        right, up = nx * rx + ny * ry + nz * rz, nx * ux + ny * uy + nz * uz
        # The function of the edge, which no centre that the triangle covers has below 0: first + column + row.
        first = sign * (forward + right * right_first + up * up_first) + SLACK * most
        column, row = sign * right * right_step, sign * up * up_step
        if abs(first) + abs(row) * height >= STEEP * abs(column):
            continue
        scale = -1.0 / column
        if column > 0.0:
            edges[from_left, 0], edges[from_left, 1] = first * scale, row * scale
            from_left += 1
        else:
            from_right -= 1
            edges[from_right, 0], edges[from_right, 1] = first * scale, row * scale
    for unused in range(from_left, from_right):
        edges[unused, 0], edges[unused, 1] = np.inf, 0.0
    return from_left


@leaf
def write_finds(
    mesh: Mesh,
    looks: Looks,
    screen: Screen,
    prints: Prints,
    listed: NDArray[np.uint32],
    first_row: Index,
    last_row: Index,
    edges: NDArray[np.float64],
    finds: Finds,
) -> None:
    """Write what the pixels of some rows show.

    Parameters
    ----------
    mesh, looks, screen, prints
        The scene, the picture, and from `write_prints`.
    listed
        The triangles that may be seen in these rows.
    first_row, last_row
        The rows, the last one excluded.
    edges
        (3, 2) float64, to work in.
    finds
        Written.
    """
    camera, vertices, width = screen.camera, mesh.vertices, len(screen.across)
    is_flat = camera[ORTHOGRAPHIC] != 0.0
    near = camera[NEAR] * (1.0 - TIE)
    for place in range((last_row - first_row) * width):
        finds.triangle[place], finds.distance[place] = -1, camera[FAR]
    fx, fy, fz = camera[FORWARD], camera[FORWARD + 1], camera[FORWARD + 2]
    ox, oy, oz = camera[ORIGIN], camera[ORIGIN + 1], camera[ORIGIN + 2]
    for number in range(len(listed)):
        triangle = np.intp(listed[number])
        marks, face, nearest = prints.marks[triangle], mesh.faces[triangle], np.float64(prints.nearest[triangle])
        first, end, side = np.intp(marks[FIRST_COLUMN]), np.intp(marks[END_COLUMN]), np.intp(marks[SIDE])
        is_sure = side > 1
        side -= SURE if is_sure else 0
        from_left = _write_edges(mesh, screen, triangle, side, edges) if side != 0 else 0
        a, b, c, depth_axis = face[0], face[1], face[2], -1
        ax, ay, az, bx, by, bz, cx, cy, cz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for row in range(max(first_row, np.intp(marks[FIRST_ROW])), min(last_row, np.intp(marks[END_ROW]))):
            low, high = np.float64(first), np.float64(end - 1)
            if side != 0:
                for number_of_edge in range(3):
                    crossing = edges[number_of_edge, 0] + edges[number_of_edge, 1] * row
                    if number_of_edge < from_left:
                        low = max(low, crossing - MARGIN)
                    else:
                        high = min(high, crossing + MARGIN)
                if not low <= high:
                    continue
            for column in range(np.intp(np.ceil(low)), np.intp(np.floor(high)) + 1):
                place = (row - first_row) * width + column
                best = finds.distance[place] * (1.0 + TIE)
                if nearest > best:
                    continue
                dx, dy, dz = fx, fy, fz
                lx = screen.across[column, 0] + screen.down[row, 0]
                ly = screen.across[column, 1] + screen.down[row, 1]
                lz = screen.across[column, 2] + screen.down[row, 2]
                if is_flat:
                    ox, oy, oz = camera[ORIGIN] + lx, camera[ORIGIN + 1] + ly, camera[ORIGIN + 2] + lz
                else:
                    dx, dy, dz = fx + lx, fy + ly, fz + lz
                axis = depth_axis_of(dx, dy, dz)
                if axis != depth_axis or is_flat:
                    depth_axis = axis
                    i, j = (axis + 1) % 3, (axis + 2) % 3
                    x, y, z = ox, oy, oz
                    if axis == 0:
                        x, y, z = oy, oz, ox
                    elif axis == 1:
                        x, y, z = oz, ox, oy
                    ax, ay, az = vertices[a, i] - x, vertices[a, j] - y, vertices[a, axis] - z
                    bx, by, bz = vertices[b, i] - x, vertices[b, j] - y, vertices[b, axis] - z
                    cx, cy, cz = vertices[c, i] - x, vertices[c, j] - y, vertices[c, axis] - z
                x, y, z = dx, dy, dz
                if axis == 0:
                    x, y, z = dy, dz, dx
                elif axis == 1:
                    x, y, z = dz, dx, dy
                along = 1.0 / z
                inside, distance, u, v, _ = sheared_hit(x * along, y * along, along, ax, ay, az, bx, by, bz, cx, cy, cz)
                if not inside or distance < near or distance > best:
                    continue
                before = finds.triangle[place]
                if (
                    before >= 0
                    and distance >= finds.distance[place] * (1.0 - TIE)
                    and face[RANK] >= mesh.faces[before, RANK]
                ):
                    continue
                if is_sure or stops(mesh, looks, triangle, u, v, dx, dy, dz, LAYERS):
                    finds.triangle[place], finds.distance[place] = triangle, distance
                    finds.u[place], finds.v[place] = u, v
