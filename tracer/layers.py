"""The geometry layers: what lies at each pixel's exact hit, and where that was in the snapshot before."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, inlined, leaf
from tracer.exact import geometric_normal
from tracer.screen import Finds, Screen
from tracer.surface import bent, unit
from tracer.tables import (
    BASE,
    COLOR,
    COLOR_SLOT,
    EMISSION,
    EMISSION_SLOT,
    ENCODED,
    IS_FLAT,
    IS_SWAPPED,
    MATERIAL,
    NORMAL,
    NORMAL_SCALE,
    NORMAL_SLOT,
    PART,
    TANGENT,
    VERTEX_COLUMNS,
    Movement,
)
from tracer.texture import write_texels
from tracer.view import FORWARD, ORTHOGRAPHIC, project
from tracer.visible import World


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
    origin: NDArray[np.float64]
    """(3,) float64, added to positions"""
    camera: NDArray[np.float64]
    """from `view_of`"""
    camera_before: NDArray[np.float64]
    """the same in the snapshot before"""
    camera_has_moved: bool
    """False where both are alike: then what has not moved either keeps zeros for its `motion`"""


class Patch(NamedTuple):
    """What one thread knows of the triangle at hand: whatever is the same at all its pixels."""

    corners: NDArray[np.float64]
    """(3, 19): a vertex's columns as in `tables`, then as named below"""
    joints: NDArray[np.uint32]
    """(3 K,) the joints that hold it, each once"""
    shares: NDArray[np.float64]
    """(3 K,) and how much each does at a pixel"""
    holders: NDArray[np.int64]
    """(3, K): by corner and influence, which of `joints`; -1 where none"""
    weights: NDArray[np.float64]
    """(3, K): and how much"""
    colors: NDArray[np.float64]
    """(W, 3) what its color's texture shows at the pixels at hand"""
    glows: NDArray[np.float64]
    """(W, 3) and that of its emission"""


_BEFORE: Final = VERTEX_COLUMNS
"""where a vertex was"""
_UV: Final = _BEFORE + 3
_CORNER_COLUMNS: Final = _UV + 2

# As NumPy's numbers: for each Python constant numba would compile `_at` anew.
_PLACE, _NORMAL, _COLOR, _WAS = np.int64(0), np.int64(NORMAL), np.int64(COLOR), np.int64(_BEFORE)


def new_patch(influences: int, width: int) -> Patch:
    """Make the memory of one thread, for vertices with so many influences each and rows of so many pixels."""
    return Patch(
        np.zeros((3, _CORNER_COLUMNS)),
        np.zeros(3 * influences, np.uint32),
        np.zeros(3 * influences),
        np.zeros((3, influences), np.int64),
        np.zeros((3, influences)),
        np.zeros((width, 3)),
        np.zeros((width, 3)),
    )


@leaf
def write_rows(
    sight: Sight, screen: Screen, first_row: int, last_row: int, finds: Finds, patch: Patch, layers: Layers
) -> None:
    """Write rows of all layers, which come as zeros.

    Parameters
    ----------
    sight, screen
        The scene and the picture.
    first_row, last_row
        The rows, the last one excluded.
    finds
        What their pixels show.
    patch
        This thread's.
    layers
        Written.
    """
    width = len(screen.across)
    for row in range(first_row, last_row):
        line = _line(layers, row)
        # As NumPy's number: for a Python constant numba would compile `_write_run` twice.
        column: int = np.intp(0)  # type: ignore[assignment]
        base = (row - first_row) * width
        while column < width:
            triangle, first = finds.triangle[base + column], column
            while column < width and finds.triangle[base + column] == triangle:
                column += 1
            if triangle < 0:
                for x in range(np.uintp(first), np.uintp(column)):
                    line.depth[x] = np.float32(np.inf)
            else:
                _write_run(sight, screen, np.intp(triangle), row, first, column, base, finds, patch, line)


@inlined
def _line(layers: Layers, row: int) -> Layers:
    """Return one row of each layer."""
    return Layers(
        layers.depth[row],
        layers.position[row],
        layers.normal[row],
        layers.geometric_normal[row],
        layers.albedo[row],
        layers.emission[row],
        layers.uv[row],
        layers.barycentric[row],
        layers.object[row],
        layers.part[row],
        layers.triangle[row],
        layers.material[row],
        layers.joint[row],
        layers.motion[row],
    )


@inlined
def _write_run(
    sight: Sight,
    screen: Screen,
    triangle: Index,
    row: int,
    first: int,
    end: int,
    base: int,
    finds: Finds,
    patch: Patch,
    line: Layers,
) -> None:
    """Write pixels that lie side by side and show the same triangle."""
    mesh, looks, camera = sight.world.mesh, sight.world.looks, screen.camera
    face = mesh.faces[triangle]
    material = looks.materials[face[MATERIAL]]
    has_moved = _write_corners(sight, face, patch)
    joint, count = _write_holders(face, sight.movement, patch)
    a, b, c = patch.corners[0], patch.corners[1], patch.corners[2]
    gx, gy, gz = geometric_normal(mesh.vertices, mesh.faces, triangle)
    has_map = material[NORMAL_SLOT] >= 0.0 and a[TANGENT + 3] != 0.0
    emits = material[EMISSION] != 0.0 or material[EMISSION + 1] != 0.0 or material[EMISSION + 2] != 0.0
    has_texture, glows = material[COLOR_SLOT] >= 0.0, emits and material[EMISSION_SLOT] >= 0.0
    begin, count_of_pixels = base + first, end - first
    if has_texture:
        write_texels(mesh, looks, triangle, COLOR_SLOT, ENCODED, finds.u, finds.v, begin, count_of_pixels, patch.colors)
    if glows:
        write_texels(
            mesh, looks, triangle, EMISSION_SLOT, ENCODED, finds.u, finds.v, begin, count_of_pixels, patch.glows
        )
    # Numbers without a sign spare each index a look whether it counts from the end.
    for x in range(np.uintp(first), np.uintp(end)):
        place = np.uintp(base) + x
        u, v = finds.u[place], finds.v[place]
        w = 1.0 - u - v
        px, py, pz = _at(a, b, c, w, u, v, _PLACE)
        line.depth[x] = np.float32(finds.distance[place])
        line.position[x, 0] = np.float32(sight.origin[0] + px)
        line.position[x, 1] = np.float32(sight.origin[1] + py)
        line.position[x, 2] = np.float32(sight.origin[2] + pz)
        dx, dy, dz = camera[FORWARD], camera[FORWARD + 1], camera[FORWARD + 2]
        if camera[ORTHOGRAPHIC] == 0.0:
            dx += screen.across[x, 0] + screen.down[row, 0]
            dy += screen.across[x, 1] + screen.down[row, 1]
            dz += screen.across[x, 2] + screen.down[row, 2]
        side = -1.0 if gx * dx + gy * dy + gz * dz > 0.0 else 1.0
        line.geometric_normal[x, 0] = np.float32(gx * side)
        line.geometric_normal[x, 1] = np.float32(gy * side)
        line.geometric_normal[x, 2] = np.float32(gz * side)
        nx, ny, nz = 0.0, 0.0, 0.0
        if face[IS_FLAT] == np.uint32(0):
            nx, ny, nz = _at(a, b, c, w, u, v, _NORMAL)
            nx, ny, nz = unit(nx, ny, nz)
        if nx == 0.0 and ny == 0.0 and nz == 0.0:
            nx, ny, nz = gx * side, gy * side, gz * side
        else:
            if has_map:
                strength = material[NORMAL_SCALE]
                nx, ny, nz = bent(mesh, looks, triangle, u, v, nx, ny, nz, NORMAL_SLOT, strength)
            turn = -side if face[IS_SWAPPED] != np.uint32(0) else side
            nx, ny, nz = nx * turn, ny * turn, nz * turn
        line.normal[x, 0] = np.float32(nx)
        line.normal[x, 1] = np.float32(ny)
        line.normal[x, 2] = np.float32(nz)
        red, green, blue = _at(a, b, c, w, u, v, _COLOR)
        red, green, blue = material[BASE] * red, material[BASE + 1] * green, material[BASE + 2] * blue
        if has_texture:
            shown = patch.colors[x - np.uintp(first)]
            red, green, blue = red * shown[0], green * shown[1], blue * shown[2]
        line.albedo[x, 0] = np.float32(red)
        line.albedo[x, 1] = np.float32(green)
        line.albedo[x, 2] = np.float32(blue)
        if emits:
            red, green, blue = material[EMISSION], material[EMISSION + 1], material[EMISSION + 2]
            if glows:
                shown = patch.glows[x - np.uintp(first)]
                red, green, blue = red * shown[0], green * shown[1], blue * shown[2]
            line.emission[x, 0] = np.float32(red)
            line.emission[x, 1] = np.float32(green)
            line.emission[x, 2] = np.float32(blue)
        line.barycentric[x, 0], line.barycentric[x, 1] = np.float32(u), np.float32(v)
        if len(mesh.coordinates) > 0:
            line.uv[x, 0] = np.float32(w * a[_UV] + u * b[_UV] + v * c[_UV])
            line.uv[x, 1] = np.float32(w * a[_UV + 1] + u * b[_UV + 1] + v * c[_UV + 1])
        line.object[x], line.triangle[x] = sight.object[triangle], sight.triangle[triangle]
        line.part[x], line.material[x] = face[PART], face[MATERIAL] + np.uint32(1)
        if count > 0:
            line.joint[x] = joint if joint > np.uint32(0) else _strongest_joint(patch, count, w, u, v)
        if has_moved:
            qx, qy, qz = _at(a, b, c, w, u, v, _WAS)
            across, down = _motion(sight, px, py, pz, qx, qy, qz, width=len(screen.across), height=len(screen.down))
            line.motion[x, 0], line.motion[x, 1] = np.float32(across), np.float32(down)


@inlined
def _at(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    w: float,
    u: float,
    v: float,
    column: Index,
) -> tuple[float, float, float]:
    """Interpolate three columns of the corners."""
    x = float(w * a[column] + u * b[column] + v * c[column])
    y = float(w * a[column + 1] + u * b[column + 1] + v * c[column + 1])
    z = float(w * a[column + 2] + u * b[column + 2] + v * c[column + 2])
    return x, y, z


@inlined
def _write_corners(sight: Sight, face: NDArray[np.uint32], patch: Patch) -> bool:
    """Write what the corners of a triangle are, and say whether its pixels may have moved."""
    mesh, has_moved = sight.world.mesh, sight.camera_has_moved
    for corner in range(3):
        vertex, columns = face[corner], patch.corners[corner]
        for column in range(VERTEX_COLUMNS):
            columns[column] = mesh.vertices[vertex, column]
        for axis in range(3):
            columns[_BEFORE + axis] = sight.movement.previous[vertex, axis]
            has_moved |= columns[_BEFORE + axis] != columns[axis]
        if len(mesh.coordinates) > 0:
            for axis in range(2):
                columns[_UV + axis] = mesh.coordinates[0, vertex, axis]
    return has_moved


@inlined
def _write_holders(face: NDArray[np.uint32], movement: Movement, patch: Patch) -> tuple[np.uint32, Index]:
    """Write which joints hold a triangle; return the one that holds all of it, 0 where that depends on the point, and
    how many there are.
    """
    influences, count, least = movement.joints.shape[1], 0, 1.0
    for corner in range(3):
        vertex, most = face[corner], 0.0
        for number in range(influences):
            joint, place = movement.joints[vertex, number], 0
            patch.holders[corner, number] = -1
            if joint == np.uint32(0):
                continue
            while place < count and patch.joints[place] != joint:
                place += 1
            if place == count:
                patch.joints[place] = joint
                count += 1
            patch.holders[corner, number], patch.weights[corner, number] = place, movement.weights[vertex, number]
            most = max(most, patch.weights[corner, number])
        least = min(least, most)
    if count == 1 and least > _SURELY_HELD:
        return patch.joints[0], count
    return np.uint32(0), count


_SURELY_HELD: Final = 2.0**-20
"""Weight at all corners from which on a point between them is held, however rounding may move it."""


@inlined
def _strongest_joint(patch: Patch, count: Index, w: float, u: float, v: float) -> np.uint32:
    """Return the joint with the largest interpolated weight, the smaller id where two are equal; 0 where there is
    none."""
    for place in range(count):
        patch.shares[place] = 0.0
    for corner in range(3):
        share = w if corner == 0 else (u if corner == 1 else v)
        for number in range(patch.holders.shape[1]):
            place = patch.holders[corner, number]
            if place >= 0:
                patch.shares[place] += share * patch.weights[corner, number]
    best, best_share = np.uint32(0), 0.0
    for place in range(count):
        if patch.shares[place] > best_share or (patch.shares[place] == best_share and patch.joints[place] < best):
            best, best_share = patch.joints[place], patch.shares[place]
    return best


@inlined
def _motion(
    sight: Sight, x: float, y: float, z: float, was_x: float, was_y: float, was_z: float, width: int, height: int
) -> tuple[float, float]:
    """Return where a surface point is now minus where it was, in pixels; zero where it was not before the camera."""
    now_x, now_y, is_before = project(sight.camera, x, y, z, width, height)
    other_x, other_y, was_before = project(sight.camera_before, was_x, was_y, was_z, width, height)
    if not (is_before and was_before):
        return 0.0, 0.0
    return now_x - other_x, now_y - other_y
