"""Vertices under one affine matrix: computed in float64 and rounded once, as a node or an object places its mesh."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.errors import AnimError
from anim.kernel import kernel
from anim.skin_kernels import SHORTEST

Reals = NDArray[Any]


class Vertices(NamedTuple):
    """What a matrix places: contiguous arrays, all of float32 or all of float64."""

    positions: Reals
    """(V, 3)."""
    normals: Reals | None = None
    """(V, 3)."""
    tangents: Reals | None = None
    """(V, 4), the handedness in w."""


def place(given: Vertices, matrix: NDArray[np.float64], *, out: Vertices) -> int:
    """Write vertices as a matrix places them; return -1 where it mirrors, else 1.

    Normals take the cofactors of its 3x3 times the sign of the determinant, tangents the 3x3 itself, both at unit
    length; the w of a tangent flips with the sign. What the matrix flattens to nothing keeps its direction.

    Parameters
    ----------
    given
        The vertices.
    matrix
        (4, 4) float64, affine.
    out
        Written: arrays like those of `given`; rows of larger ones will do.

    Raises
    ------
    AnimError
        A vertex is placed where its type has no number; its index is named.
    """
    rows = _read_only(np.ascontiguousarray(matrix[:3], np.float64))
    dtype = given.positions.dtype
    none = np.empty(0, dtype)
    pairs = [(none, none) if a is None or b is None else (a, b) for a, b in zip(given, out, strict=True)]
    arrays = [_read_only(values) for values, _ in pairs] + [values.reshape(-1) for _, values in pairs]
    sign, vertex = place_vertices(rows, float(np.finfo(dtype).max), *arrays)
    if vertex >= 0:
        x, y, z = given.positions[vertex].tolist()
        found = [a * x + b * y + c * z + d for a, b, c, d in matrix[:3].tolist()]
        raise AnimError(f"vertex {vertex} is posed to {found}, which is no finite place in {dtype}")
    return int(sign)


def _read_only(values: Reals) -> Reals:
    """Return a flat view for reading, so that kernels are compiled for one kind of array whoever owns it."""
    view = values.reshape(-1)
    view.flags.writeable = False
    return view


@kernel
def place_vertices(
    matrix: NDArray[np.float64],
    largest: float,
    positions: Reals,
    normals: Reals,
    tangents: Reals,
    out_positions: Reals,
    out_normals: Reals,
    out_tangents: Reals,
) -> tuple[int, int]:
    """Write the vertices; return the matrix's sign and the first vertex past `largest`, -1 where there is none.

    The matrix is its twelve upper numbers row by row; all else is flat, of length 0 where there is none.
    """
    a, b, c, d = matrix[0], matrix[1], matrix[2], matrix[3]
    e, f, g, h = matrix[4], matrix[5], matrix[6], matrix[7]
    i, j, k, m = matrix[8], matrix[9], matrix[10], matrix[11]
    # The cross products of the columns: column y by z, z by x, x by y.
    ax, ay, az = f * k - j * g, j * c - b * k, b * g - f * c
    bx, by, bz = g * i - k * e, k * a - c * i, c * e - g * a
    cx, cy, cz = e * j - i * f, i * b - a * j, a * f - e * b
    sign = -1 if a * ax + e * ay + i * az < 0.0 else 1
    real = out_positions.dtype.type
    for v in range(len(positions) // 3):
        x, y, z = np.float64(positions[3 * v]), np.float64(positions[3 * v + 1]), np.float64(positions[3 * v + 2])
        px, py, pz = a * x + b * y + c * z + d, e * x + f * y + g * z + h, i * x + j * y + k * z + m
        if not (abs(px) <= largest and abs(py) <= largest and abs(pz) <= largest):
            return sign, v
        out_positions[3 * v], out_positions[3 * v + 1], out_positions[3 * v + 2] = real(px), real(py), real(pz)
    turn = np.float64(sign)
    for v in range(len(normals) // 3):
        x, y, z = np.float64(normals[3 * v]), np.float64(normals[3 * v + 1]), np.float64(normals[3 * v + 2])
        nx, ny, nz = (
            (x * ax + y * bx + z * cx) * turn,
            (x * ay + y * by + z * cy) * turn,
            (x * az + y * bz + z * cz) * turn,
        )
        nx, ny, nz = unit(nx, ny, nz, x, y, z)
        out_normals[3 * v], out_normals[3 * v + 1], out_normals[3 * v + 2] = real(nx), real(ny), real(nz)
    for v in range(len(tangents) // 4):
        x, y, z = np.float64(tangents[4 * v]), np.float64(tangents[4 * v + 1]), np.float64(tangents[4 * v + 2])
        tx, ty, tz = unit(x * a + y * b + z * c, x * e + y * f + z * g, x * i + y * j + z * k, x, y, z)
        out_tangents[4 * v], out_tangents[4 * v + 1], out_tangents[4 * v + 2] = real(tx), real(ty), real(tz)
        out_tangents[4 * v + 3] = real(np.float64(tangents[4 * v + 3]) * turn)
    return sign, -1


@kernel
def unit(x: float, y: float, z: float, spare_x: float, spare_y: float, spare_z: float) -> tuple[float, float, float]:
    """Return a direction at unit length; for one too short to tell, the spare one, which stays zero where it is."""
    size = max(abs(x), abs(y), abs(z))
    if not size > SHORTEST:
        x, y, z = spare_x, spare_y, spare_z
        size = max(abs(x), abs(y), abs(z))
    # Divided by the largest first, so that no square underflows.
    over = max(size, SHORTEST)
    x, y, z = x / over, y / over, z / over
    length = math.sqrt(x * x + y * y + z * z)
    if not length > 0.0:
        length = 1.0
    return x / length, y / length, z / length


@kernel
def write_bounds(positions: Reals, out: NDArray[np.float64]) -> None:
    """Write the least and the largest x, y, z of positions (V, 3), V at least 1, to out (6,)."""
    for axis in range(3):
        out[axis] = out[3 + axis] = np.float64(positions[0, axis])
    for v in range(1, len(positions)):
        for axis in range(3):
            number = np.float64(positions[v, axis])
            out[axis], out[3 + axis] = min(out[axis], number), max(out[3 + axis], number)


@kernel
def widen_bounds(box: NDArray[np.float64], matrix: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Widen the bounds out (6,) by the corners of a box (6,), placed by a matrix (4, 4); lower numbers come first."""
    for corner in range(8):
        x, y, z = box[3 * (corner & 1)], box[1 + 3 * (corner >> 1 & 1)], box[2 + 3 * (corner >> 2)]
        for axis in range(3):
            number = matrix[axis, 0] * x + matrix[axis, 1] * y + matrix[axis, 2] * z + matrix[axis, 3]
            out[axis], out[3 + axis] = min(out[axis], number), max(out[3 + axis], number)
