"""The geometry layers: what lies at each pixel's exact hit, and where that was in the snapshot before."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.appearance import write_colors
from tracer.compiling import Index, inlined, leaf
from tracer.surface import write_sides
from tracer.surface_row import ALBEDO, EMITTED, GEOMETRIC, POSITION, SHADING
from tracer.tables import MATERIAL, PART, Movement
from tracer.view import project
from tracer.visible import DISTANCE, TRIANGLE, U, V, World


class Layers(NamedTuple):
    """The layers that kernels fill, (H, W, ..) each; they come as zeros."""

    depth: NDArray[np.float32]
    position: NDArray[np.float32]
    normal: NDArray[np.float32]
    geometric_normal: NDArray[np.float32]
    albedo: NDArray[np.float32]
    emission: NDArray[np.float32]
    uv: NDArray[np.float32]
    barycentric: NDArray[np.float32]
    object: NDArray[np.uint32]
    part: NDArray[np.uint32]
    triangle: NDArray[np.uint32]
    material: NDArray[np.uint32]
    joint: NDArray[np.uint32]
    motion: NDArray[np.float32]


class Sight(NamedTuple):
    """All that a picture's geometry layers come from."""

    world: World
    object: NDArray[np.uint32]
    """(F,) what the scene calls the object of each triangle"""
    triangle: NDArray[np.uint32]
    """(F,) and the triangle itself"""
    movement: Movement
    has_moved: bool
    """False where every vertex and the camera are where they were: then `motion` keeps its zeros"""
    origin: NDArray[np.float64]
    """(3,) float64, added to positions"""
    camera: NDArray[np.float64]
    """from `view_of`"""
    camera_before: NDArray[np.float64]
    """the same in the snapshot before"""


@inlined
def write_pixel(
    sight: Sight,
    x: int,
    y: int,
    ray: NDArray[np.float64],
    quest: NDArray[np.float64],
    surface: NDArray[np.float64],
    joints: NDArray[np.uint32],
    shares: NDArray[np.float64],
    layers: Layers,
) -> None:
    """Write a pixel of all layers.

    Parameters
    ----------
    sight
        The scene and the camera.
    x, y
        The pixel.
    ray
        (6,) float64, through its centre.
    quest
        What the ray has found.
    surface, joints, shares
        To work in; see `geometry.Memory`.
    layers
        Written.
    """
    height, width = layers.depth.shape
    mesh, looks = sight.world.mesh, sight.world.looks
    triangle, u, v = np.intp(quest[TRIANGLE]), quest[U], quest[V]
    face = mesh.faces[triangle]
    write_sides(mesh, looks, triangle, u, v, ray, surface)
    write_colors(mesh, looks, triangle, u, v, surface)
    layers.depth[y, x] = np.float32(quest[DISTANCE])
    for axis in range(3):
        layers.position[y, x, axis] = np.float32(sight.origin[axis] + surface[POSITION + axis])
        layers.normal[y, x, axis] = np.float32(surface[SHADING + axis])
        layers.geometric_normal[y, x, axis] = np.float32(surface[GEOMETRIC + axis])
        layers.albedo[y, x, axis] = np.float32(surface[ALBEDO + axis])
        layers.emission[y, x, axis] = np.float32(surface[EMITTED + axis])
    layers.barycentric[y, x, 0], layers.barycentric[y, x, 1] = np.float32(u), np.float32(v)
    if len(mesh.coordinates) > 0:
        uvs, w = mesh.coordinates[0], 1.0 - u - v
        a, b, c = face[0], face[1], face[2]
        for axis in range(2):
            layers.uv[y, x, axis] = np.float32(w * uvs[a, axis] + u * uvs[b, axis] + v * uvs[c, axis])
    layers.object[y, x], layers.triangle[y, x] = sight.object[triangle], sight.triangle[triangle]
    layers.part[y, x], layers.material[y, x] = face[PART], face[MATERIAL] + np.uint32(1)
    if len(joints) > 0:
        layers.joint[y, x] = _strongest_joint(face, sight.movement, u, v, joints, shares)
    if sight.has_moved:
        across, down = _motion(sight, triangle, u, v, width, height)
        layers.motion[y, x, 0], layers.motion[y, x, 1] = np.float32(across), np.float32(down)


@inlined
def write_miss(x: int, y: int, layers: Layers) -> None:
    """Write a pixel that shows nothing where the layers are still zeros."""
    layers.depth[y, x] = np.float32(np.inf)


@leaf
def clear_pixel(x: int, y: int, layers: Layers) -> None:
    """Make a pixel zeros again."""
    layers.depth[y, x] = np.float32(0.0)
    for axis in range(3):
        layers.position[y, x, axis] = layers.normal[y, x, axis] = layers.geometric_normal[y, x, axis] = np.float32(0.0)
        layers.albedo[y, x, axis] = layers.emission[y, x, axis] = np.float32(0.0)
    for axis in range(2):
        layers.uv[y, x, axis] = layers.barycentric[y, x, axis] = layers.motion[y, x, axis] = np.float32(0.0)
    layers.object[y, x] = layers.part[y, x] = layers.triangle[y, x] = np.uint32(0)
    layers.material[y, x] = layers.joint[y, x] = np.uint32(0)


@inlined
def _strongest_joint(
    face: NDArray[np.uint32],
    movement: Movement,
    u: float,
    v: float,
    joints: NDArray[np.uint32],
    shares: NDArray[np.float64],
) -> np.uint32:
    """Return the joint with the largest interpolated weight, the smaller id where two are equal; 0 where there is
    none."""
    influences, count = movement.joints.shape[1], 0
    for corner in range(3):
        vertex = face[corner]
        share = 1.0 - u - v if corner == 0 else (u if corner == 1 else v)
        for number in range(influences):
            joint = movement.joints[vertex, number]
            if joint == np.uint32(0):
                continue
            place = 0
            while place < count and joints[place] != joint:
                place += 1
            if place == count:
                joints[place], shares[place] = joint, 0.0
                count += 1
            shares[place] += share * movement.weights[vertex, number]
    best, best_share = np.uint32(0), 0.0
    for place in range(count):
        if shares[place] > best_share or (shares[place] == best_share and joints[place] < best):
            best, best_share = joints[place], shares[place]
    return best


@inlined
def _motion(sight: Sight, triangle: Index, u: float, v: float, width: int, height: int) -> tuple[float, float]:
    """Return where a surface point is now minus where it was, in pixels; zero where it was not before the camera."""
    face, w = sight.world.mesh.faces[triangle], 1.0 - u - v
    a, b, c = face[0], face[1], face[2]
    now, before = sight.world.mesh.vertices, sight.movement.previous
    x, y, is_before = project(
        sight.camera,
        w * now[a, 0] + u * now[b, 0] + v * now[c, 0],
        w * now[a, 1] + u * now[b, 1] + v * now[c, 1],
        w * now[a, 2] + u * now[b, 2] + v * now[c, 2],
        width,
        height,
    )
    other_x, other_y, was_before = project(
        sight.camera_before,
        w * before[a, 0] + u * before[b, 0] + v * before[c, 0],
        w * before[a, 1] + u * before[b, 1] + v * before[c, 1],
        w * before[a, 2] + u * before[b, 2] + v * before[c, 2],
        width,
        height,
    )
    if not (is_before and was_before):
        return 0.0, 0.0
    return x - other_x, y - other_y
