"""What casts a shadow anywhere on a disk around a ray's start: thin sheets too, which a few rays beside it may miss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.bvh import inverse_of, passes_box
from tracer.compiling import Index, leaf
from tracer.surface_row import GEOMETRIC
from tracer.tables import Mesh
from tracer.visible import SHADOW, World, stops


class Disk(NamedTuple):
    """Where rays toward a light may start, beside one that starts at a surface point; metres throughout."""

    distance: float
    """of the light, along the ray; of a sun the length of the ray's direction"""
    is_sun: bool
    """whether the rays are parallel; else they meet at the light"""
    radius: float
    """across the light"""
    slant: float
    """cosine between the light and the normal of the plane that starts lie on"""
    most: float
    """how far along the light they follow that plane"""
    bias: float
    """toward the light, what is nearer to a start casts nothing"""


@leaf
def slide_of(rise: float, slant: float, most: float) -> float:
    """Return how far a start moves back along the light to be on its plane again, which it has left by `rise`."""
    if abs(rise) < abs(slant) * most:
        return rise / slant
    return most if rise * slant > 0.0 else -most


@leaf
def meets_disk(
    world: World,
    casts: NDArray[np.uint32],
    ray: NDArray[np.float64],
    frame: NDArray[np.float64],
    surface: NDArray[np.float64],
    disk: Disk,
    far: float,
    stack: NDArray[np.int64],
) -> bool:
    """Say whether anything near a ray, across the light, stops light to a start beneath it.

    Parameters
    ----------
    world, casts, stack
        As for `met_by_tree`.
    ray, far
        (6,) float64: the start in the middle and the way to the light; and where the light is, in lengths of that way.
    frame
        (6,) float64: two unit directions across the light.
    surface
        The row of the surface, for its plane.
    disk
        Where rays may start.
    """
    tree, inverse = world.tree, inverse_of(ray)
    right, up = 0.0, 0.0
    for axis in range(3):
        right += surface[GEOMETRIC + axis] * frame[axis]
        up += surface[GEOMETRIC + axis] * frame[3 + axis]
    height = 0
    if len(tree.links) > 0:
        stack[0], height = 0, 1
    while height > 0:
        height -= 1
        node = stack[height]
        if not passes_box(tree.bounds, node, ray, inverse, -disk.most / disk.distance, far, disk.radius):
            continue
        first = tree.links[node, 0]
        if tree.links[node, 1] == 0:
            stack[height], stack[height + 1] = first, first + 1
            height += 2
            continue
        for place in range(first, first + tree.links[node, 1]):
            triangle = tree.triangles[place]
            if len(casts) > 0 and casts[triangle] == np.uint32(0):
                continue
            if _casts(world, triangle, ray, frame, right, up, disk, far):
                return True
    return False


@leaf
def _casts(
    world: World,
    triangle: Index,
    ray: NDArray[np.float64],
    frame: NDArray[np.float64],
    right: float,
    up: float,
    disk: Disk,
    far: float,
) -> bool:
    """Say whether a triangle stops light to a start beneath it, at the ray or where one of its sides is nearest to it.

    `right` and `up` say how the starts' plane leaves the directions across the light.
    """
    faces = world.mesh.faces
    x0, y0, h0, k0 = _seen(world.mesh, np.intp(faces[triangle, 0]), ray, frame, disk)
    x1, y1, h1, k1 = _seen(world.mesh, np.intp(faces[triangle, 1]), ray, frame, disk)
    x2, y2, h2, k2 = _seen(world.mesh, np.intp(faces[triangle, 2]), ray, frame, disk)
    if not min(k0, k1, k2) > 0.0:
        return False
    for place in range(4):
        if place == 0:
            a, b, c = x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0
            area = a + b + c
            if area == 0.0 or min(a * area, b * area, c * area) < 0.0:
                continue
            a, b, c = a / area, b / area, c / area
        elif place == 1:
            c, b = 0.0, _share(x0, y0, h0, x1, y1, h1)
            a = 1.0 - b
        elif place == 2:
            a, c = 0.0, _share(x1, y1, h1, x2, y2, h2)
            b = 1.0 - c
        else:
            b, a = 0.0, _share(x2, y2, h2, x0, y0, h0)
            c = 1.0 - a
        x, y, k = a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2, a * k0 + b * k1 + c * k2
        ahead = (a * k0 * h0 + b * k1 * h1 + c * k2 * h2) / k
        if x * x + y * y > disk.radius * disk.radius or not ahead < far * disk.distance:
            continue
        above = ahead + slide_of(x * right + y * up, disk.slant, disk.most)
        u, v = b * k1 / k, c * k2 / k
        if above > disk.bias and stops(world.mesh, world.looks, triangle, u, v, ray[3], ray[4], ray[5], SHADOW):
            return True
    return False


@leaf
def _seen(
    mesh: Mesh, vertex: Index, ray: NDArray[np.float64], frame: NDArray[np.float64], disk: Disk
) -> tuple[float, float, float, float]:
    """Return where the ray to the light through a vertex starts across the light, how far along the light the vertex
    is, and how much larger it is seen than at the start; that is no positive number beyond the light."""
    px = mesh.vertices[vertex, 0] - ray[0]
    py = mesh.vertices[vertex, 1] - ray[1]
    pz = mesh.vertices[vertex, 2] - ray[2]
    ahead = (px * ray[3] + py * ray[4] + pz * ray[5]) / disk.distance
    larger = 1.0 if disk.is_sun else 1.0 / (1.0 - ahead / disk.distance)
    x = px * frame[0] + py * frame[1] + pz * frame[2]
    y = px * frame[3] + py * frame[4] + pz * frame[5]
    return x * larger, y * larger, ahead, larger


@leaf
def _share(x0: float, y0: float, h0: float, x1: float, y1: float, h1: float) -> float:
    """Return which share of the way from one point to another is nearest to the origin across the light, or, where the
    way leads along the light, nearest to it."""
    dx, dy = x1 - x0, y1 - y0
    squared = dx * dx + dy * dy
    if squared == 0.0:
        return 1.0 if h1 > h0 else 0.0
    return min(max(-(x0 * dx + y0 * dy) / squared, 0.0), 1.0)
