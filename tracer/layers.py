"""The geometry layers: what lies at each pixel's exact hit, and where that was in the snapshot before."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, leaf
from tracer.geometry import Hits, Memory
from tracer.surface import write_surface
from tracer.surface_row import ALBEDO, EMITTED, GEOMETRIC, POSITION, SHADING
from tracer.tables import Mesh, Movement
from tracer.view import project, write_camera_ray
from tracer.visible import World


class Layers(NamedTuple):
    """The layers that kernels fill, (H, W, ..) each; the other ids are looked up by triangle."""

    depth: NDArray[np.float32]
    position: NDArray[np.float32]
    normal: NDArray[np.float32]
    geometric_normal: NDArray[np.float32]
    albedo: NDArray[np.float32]
    emission: NDArray[np.float32]
    uv: NDArray[np.float32]
    barycentric: NDArray[np.float32]
    joint: NDArray[np.uint32]
    motion: NDArray[np.float32]


@leaf
def write_layers(
    world: World,
    movement: Movement,
    origin: NDArray[np.float64],
    view: NDArray[np.float64],
    previous_view: NDArray[np.float64],
    hits: Hits,
    first_row: int,
    last_row: int,
    memory: Memory,
    layers: Layers,
) -> None:
    """Write rows of all layers; pixels that hit nothing get depth infinity and keep zeros.

    Parameters
    ----------
    world, movement
        The scene.
    origin
        (3,) float64, added to positions.
    view, previous_view
        The camera now and in the snapshot before, from `view_of`.
    hits
        From `write_hits`.
    first_row, last_row
        Rows to write.
    memory
        This thread's.
    layers
        Written.
    """
    height, width = hits.triangle.shape
    ray, surface = memory.rays[0], memory.surface
    mesh = world.mesh
    for y in range(first_row, last_row):
        for x in range(width):
            triangle = hits.triangle[y, x]
            if triangle < 0:
                layers.depth[y, x] = np.float32(np.inf)
                continue
            u, v = hits.place[y, x, 1], hits.place[y, x, 2]
            write_camera_ray(view, x + 0.5, y + 0.5, width, height, ray)
            write_surface(mesh, world.looks, triangle, u, v, ray, surface)
            layers.depth[y, x] = np.float32(hits.place[y, x, 0])
            for axis in range(3):
                layers.position[y, x, axis] = np.float32(origin[axis] + surface[POSITION + axis])
                layers.normal[y, x, axis] = np.float32(surface[SHADING + axis])
                layers.geometric_normal[y, x, axis] = np.float32(surface[GEOMETRIC + axis])
                layers.albedo[y, x, axis] = np.float32(surface[ALBEDO + axis])
                layers.emission[y, x, axis] = np.float32(surface[EMITTED + axis])
            layers.barycentric[y, x, 0], layers.barycentric[y, x, 1] = np.float32(u), np.float32(v)
            if len(mesh.coordinates) > 0:
                uvs, w = mesh.coordinates[0], 1.0 - u - v
                a, b, c = mesh.faces[triangle, 0], mesh.faces[triangle, 1], mesh.faces[triangle, 2]
                for axis in range(2):
                    layers.uv[y, x, axis] = np.float32(w * uvs[a, axis] + u * uvs[b, axis] + v * uvs[c, axis])
            layers.joint[y, x] = _strongest_joint(mesh, movement, triangle, u, v)
            across, down = _motion(mesh, movement, view, previous_view, triangle, u, v, width, height)
            layers.motion[y, x, 0], layers.motion[y, x, 1] = np.float32(across), np.float32(down)


@leaf
def _strongest_joint(mesh: Mesh, movement: Movement, triangle: Index, u: float, v: float) -> np.uint32:
    """Return the joint with the largest interpolated weight, the smaller id where two are equal; 0 where there is
    none."""
    influences = movement.joints.shape[1]
    best, best_weight = np.uint32(0), 0.0
    for entry in range(3 * influences):
        joint = movement.joints[mesh.faces[triangle, entry // influences], entry % influences]
        if joint == np.uint32(0):
            continue
        weight = 0.0
        for other in range(3 * influences):
            corner = other // influences
            vertex = mesh.faces[triangle, corner]
            if movement.joints[vertex, other % influences] == joint:
                share = 1.0 - u - v if corner == 0 else (u if corner == 1 else v)
                weight += share * movement.weights[vertex, other % influences]
        if weight > best_weight or (weight == best_weight and joint < best):
            best, best_weight = joint, weight
    return best


@leaf
def _motion(
    mesh: Mesh,
    movement: Movement,
    view: NDArray[np.float64],
    previous_view: NDArray[np.float64],
    triangle: Index,
    u: float,
    v: float,
    width: int,
    height: int,
) -> tuple[float, float]:
    """Return where a surface point is now minus where it was, in pixels; zero where it was not before the camera."""
    a, b, c = mesh.faces[triangle, 0], mesh.faces[triangle, 1], mesh.faces[triangle, 2]
    w = 1.0 - u - v
    now, before = mesh.vertices, movement.previous
    x, y, is_before = project(
        view,
        w * now[a, 0] + u * now[b, 0] + v * now[c, 0],
        w * now[a, 1] + u * now[b, 1] + v * now[c, 1],
        w * now[a, 2] + u * now[b, 2] + v * now[c, 2],
        width,
        height,
    )
    other_x, other_y, was_before = project(
        previous_view,
        w * before[a, 0] + u * before[b, 0] + v * before[c, 0],
        w * before[a, 1] + u * before[b, 1] + v * before[c, 1],
        w * before[a, 2] + u * before[b, 2] + v * before[c, 2],
        width,
        height,
    )
    if not (is_before and was_before):
        return 0.0, 0.0
    return x - other_x, y - other_y
