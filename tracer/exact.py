"""The float64 test that decides a hit: watertight along shared edges, and aware of how near an edge is.

Embree's float32 answers only propose triangles. Here a ray is tested against the float32 vertices in float64; two
triangles that share an edge compute the very same edge function with the other sign, so that no ray slips between
them.

Source: Woop, Benthin and Wald, *Watertight Ray/Triangle Intersection*, JCGT 2(1), 2013.
"""

import math

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from tracer.compiling import Index, inlined

EDGE_EPSILON = 2.0**-20
"""Share of the distance within which a ray counts as near an edge: what float32 rounding of ray and vertices can
move, eightfold."""

TIE = 2.0**-40
"""Relative difference of distances below which two hits count as equally far, and the ids decide.

Float64 rounding moves a distance by some 2^-50; surfaces meant to be apart in float32 vertices differ by 2^-24 and
more.
"""

WINDOW = 2.0**-14
"""Relative distance around a float32 hit within which other candidates are asked for: far beyond float32's error."""

DEGENERATE = 2.0**-45
"""Area over the square of the longest edge below which a triangle has no side to hit: float64 rounding of its
normal."""


@inlined
def exact_hit(
    vertices: NDArray[np.float32], faces: NDArray[np.uint32], triangle: Index, ray: NDArray[np.float64]
) -> tuple[bool, float, float, float, bool]:
    """Intersect a ray with a triangle in float64.

    Parameters
    ----------
    vertices
        (V, 3 or more) float32, position first.
    faces
        (F, 3 or more) uint32, vertices first.
    triangle
        Which of them.
    ray
        (6,) float64: origin, direction. The direction has any length but 0.

    Returns
    -------
    inside
        Whether the ray hits; edges and vertices belong to every triangle that has them.
    distance
        In lengths of the direction; 0 where the ray misses the plane.
    u, v
        Barycentric weights of the second and third vertex; outside [0, 1] where the ray misses.
    near_edge
        Whether the ray passes an edge within `EDGE_EPSILON` of its distance, on either side.
    """
    depth_axis = depth_axis_of(ray[3], ray[4], ray[5])
    x_axis, y_axis = (depth_axis + 1) % 3, (depth_axis + 2) % 3
    along: float = 1.0 / ray[3 + depth_axis]
    a, b, c = faces[triangle, 0], faces[triangle, 1], faces[triangle, 2]
    return sheared_hit(
        ray[3 + x_axis] * along,
        ray[3 + y_axis] * along,
        along,
        np.float64(vertices[a, x_axis]) - ray[x_axis],
        np.float64(vertices[a, y_axis]) - ray[y_axis],
        np.float64(vertices[a, depth_axis]) - ray[depth_axis],
        np.float64(vertices[b, x_axis]) - ray[x_axis],
        np.float64(vertices[b, y_axis]) - ray[y_axis],
        np.float64(vertices[b, depth_axis]) - ray[depth_axis],
        np.float64(vertices[c, x_axis]) - ray[x_axis],
        np.float64(vertices[c, y_axis]) - ray[y_axis],
        np.float64(vertices[c, depth_axis]) - ray[depth_axis],
    )


@inlined
def depth_axis_of(dx: float, dy: float, dz: float) -> int:
    """Return the axis along which a direction is longest: 0, 1 or 2."""
    dx, dy, dz = abs(dx), abs(dy), abs(dz)
    if dx > dy and dx > dz:
        return 0
    if dy > dz:
        return 1
    return 2


@inlined
def sheared_hit(
    shear_x: float,
    shear_y: float,
    along: float,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    cx: float,
    cy: float,
    cz: float,
) -> tuple[bool, float, float, float, bool]:
    """Intersect a ray with a triangle, both sheared until the ray is an axis.

    Parameters
    ----------
    shear_x, shear_y, along
        The direction's parts along the axes after its longest one, over the longest; and 1 over that.
    ax, .., cz
        The vertices, relative to the ray's origin, in the order of these axes, the longest last.

    Returns
    -------
    inside, distance, u, v, near_edge
        See `exact_hit`.
    """
    ax, ay = ax - shear_x * az, ay - shear_y * az
    bx, by = bx - shear_x * bz, by - shear_y * bz
    cx, cy = cx - shear_x * cz, cy - shear_y * cz
    weight_a = cx * by - cy * bx
    weight_b = ax * cy - ay * cx
    weight_c = bx * ay - by * ax
    total = weight_a + weight_b + weight_c
    reach = EDGE_EPSILON * max(abs(az), abs(bz), abs(cz))
    near_edge = (
        weight_a * weight_a <= reach * reach * ((cx - bx) * (cx - bx) + (cy - by) * (cy - by))
        or weight_b * weight_b <= reach * reach * ((ax - cx) * (ax - cx) + (ay - cy) * (ay - cy))
        or weight_c * weight_c <= reach * reach * ((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    )
    if total == 0.0:
        return False, 0.0, 0.0, 0.0, near_edge
    negative = weight_a < 0.0 or weight_b < 0.0 or weight_c < 0.0
    positive = weight_a > 0.0 or weight_b > 0.0 or weight_c > 0.0
    scale = 1.0 / total
    distance = (weight_a * az + weight_b * bz + weight_c * cz) * scale * along
    return not (negative and positive), distance, weight_b * scale, weight_c * scale, near_edge


@inlined
def area_normal(
    vertices: NDArray[np.float32], faces: NDArray[np.uint32], triangle: Index
) -> tuple[float, float, float]:
    """Return the cross product of a triangle's first and last edge: counter-clockwise normal, twice the area long."""
    a, b, c = faces[triangle, 0], faces[triangle, 1], faces[triangle, 2]
    ux = np.float64(vertices[b, 0]) - np.float64(vertices[a, 0])
    uy = np.float64(vertices[b, 1]) - np.float64(vertices[a, 1])
    uz = np.float64(vertices[b, 2]) - np.float64(vertices[a, 2])
    vx = np.float64(vertices[c, 0]) - np.float64(vertices[a, 0])
    vy = np.float64(vertices[c, 1]) - np.float64(vertices[a, 1])
    vz = np.float64(vertices[c, 2]) - np.float64(vertices[a, 2])
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@inlined
def geometric_normal(
    vertices: NDArray[np.float32], faces: NDArray[np.uint32], triangle: Index
) -> tuple[float, float, float]:
    """Return the unit normal of a triangle's counter-clockwise side; the triangle has an area."""
    x, y, z = area_normal(vertices, faces, triangle)
    scale = 1.0 / math.sqrt(x * x + y * y + z * z)
    return x * scale, y * scale, z * scale


@kernel
def mark_solid(vertices: NDArray[np.float32], faces: NDArray[np.uint32], marks: NDArray[np.bool_]) -> None:
    """Write to `marks` (F,) which triangles have an area; the others are never hit (see `DEGENERATE`)."""
    for triangle in range(len(faces)):
        x, y, z = area_normal(vertices, faces, triangle)
        longest = 0.0
        for corner in range(3):
            start, end = faces[triangle, corner], faces[triangle, (corner + 1) % 3]
            squared = 0.0
            for axis in range(3):
                step = np.float64(vertices[end, axis]) - np.float64(vertices[start, axis])
                squared += step * step
            longest = max(longest, squared)
        marks[triangle] = math.sqrt(x * x + y * y + z * z) > DEGENERATE * longest
