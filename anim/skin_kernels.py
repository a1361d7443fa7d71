"""The loops of skinning: blended matrices a block at a time, and the points, normals and tangents they move."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel

Reals = NDArray[Any]

BLOCK = 128
"""Vertices worked on together: their matrices lie lane by lane, so that the compiler may take several at once."""

SHORTEST = 1.1754943508222875e-38
"""The smallest normal float32: a direction with no larger component has none."""

# Unsigned indices, for which the compiler need not look out for negative ones and so takes several lanes at once.
U0, U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12 = map(np.uint64, range(13))

CHUNK = 64 * BLOCK
"""Vertices a thread takes at a time."""


@kernel(parallel=True)
def skin_all(
    palette: Reals,
    joints: NDArray[np.uint32],
    weights: Reals,
    positions: Reals,
    normals: Reals,
    tangents: Reals,
    out_positions: Reals,
    out_normals: Reals,
    out_tangents: Reals,
    out_signs: NDArray[np.int8],
) -> None:
    """Skin all vertices, chunk by chunk on numba's threads; arguments as in `skin_range`."""
    count = len(joints)
    for chunk in numba.prange((count + CHUNK - 1) // CHUNK):
        skin_range(
            chunk * CHUNK,
            min((chunk + 1) * CHUNK, count),
            palette,
            joints,
            weights,
            positions,
            normals,
            tangents,
            out_positions,
            out_normals,
            out_tangents,
            out_signs,
        )


@kernel
def skin_range(
    begin: int,
    end: int,
    palette: Reals,
    joints: NDArray[np.uint32],
    weights: Reals,
    positions: Reals,
    normals: Reals,
    tangents: Reals,
    out_positions: Reals,
    out_normals: Reals,
    out_tangents: Reals,
    out_signs: NDArray[np.int8],
) -> None:
    """Skin the vertices from begin to end.

    The palette is (J, 12), the upper rows; positions, normals and tangents are flat (3 V,), (3 V,) and (4 V,), of
    length 0 where there are none.
    """
    matrices = np.empty((12, BLOCK), palette.dtype)
    signs = np.empty(BLOCK, palette.dtype)
    for start in range(begin, end, BLOCK):
        first, count = np.uint64(start), np.uint64(min(BLOCK, end - start))
        blend_matrices(palette, joints, weights, first, count, matrices)
        set_signs(matrices, count, signs)
        for i in range(count):
            out_signs[first + i] = np.int8(signs[i])
        place_points(matrices, positions, first, count, out_positions)
        if len(normals):
            turn_normals(matrices, signs, normals, first, count, out_normals)
        if len(tangents):
            turn_tangents(matrices, signs, tangents, first, count, out_tangents)


@kernel
def blend_matrices(
    palette: Reals, joints: NDArray[np.uint32], weights: Reals, first: np.uint64, count: np.uint64, out: Reals
) -> None:
    """Write the blended matrix of each of some vertices into a lane of out (12, BLOCK)."""
    zero = palette.dtype.type(0)
    influences = np.uint64(joints.shape[1])
    if influences == U4:  # the usual count, without a loop
        for i in range(count):
            v = first + i
            j0, j1, j2, j3 = joints[v, U0], joints[v, U1], joints[v, U2], joints[v, U3]
            w0, w1, w2, w3 = weights[v, U0], weights[v, U1], weights[v, U2], weights[v, U3]
            for c in range(U12):
                out[c, i] = zero + w0 * palette[j0, c] + w1 * palette[j1, c] + w2 * palette[j2, c] + w3 * palette[j3, c]
        return
    for i in range(count):
        v = first + i
        for c in range(U12):
            total = zero
            for k in range(influences):
                total += weights[v, k] * palette[joints[v, k], c]
            out[c, i] = total


@kernel
def set_signs(matrices: Reals, count: np.uint64, out: Reals) -> None:
    """Write -1 for each lane whose matrix has a negative determinant, 1 for the others."""
    one = out.dtype.type(1)
    zero = out.dtype.type(0)
    for i in range(count):
        a, b, c = matrices[U0, i], matrices[U1, i], matrices[U2, i]
        d, e, f = matrices[U4, i], matrices[U5, i], matrices[U6, i]
        g, h, k = matrices[U8, i], matrices[U9, i], matrices[U10, i]
        determinant = a * (e * k - f * h) + b * (f * g - d * k) + c * (d * h - e * g)
        out[i] = -one if determinant < zero else one


@kernel
def place_points(matrices: Reals, points: Reals, first: np.uint64, count: np.uint64, out: Reals) -> None:
    """Multiply each point by its lane's matrix."""
    for i in range(count):
        at = U3 * (first + i)
        x, y, z = points[at], points[at + U1], points[at + U2]
        out[at] = matrices[U0, i] * x + matrices[U1, i] * y + matrices[U2, i] * z + matrices[U3, i]
        out[at + U1] = matrices[U4, i] * x + matrices[U5, i] * y + matrices[U6, i] * z + matrices[U7, i]
        out[at + U2] = matrices[U8, i] * x + matrices[U9, i] * y + matrices[U10, i] * z + matrices[U11, i]


@kernel
def turn_normals(matrices: Reals, signs: Reals, normals: Reals, first: np.uint64, count: np.uint64, out: Reals) -> None:
    """Turn each normal by the cofactors of its lane's matrix, times its sign, to unit length."""
    for i in range(count):
        a, b, c = matrices[U0, i], matrices[U1, i], matrices[U2, i]
        d, e, f = matrices[U4, i], matrices[U5, i], matrices[U6, i]
        g, h, k = matrices[U8, i], matrices[U9, i], matrices[U10, i]
        at = U3 * (first + i)
        x, y, z = normals[at], normals[at + U1], normals[at + U2]
        s = signs[i]
        nx = s * ((e * k - f * h) * x + (f * g - d * k) * y + (d * h - e * g) * z)
        ny = s * ((h * c - k * b) * x + (k * a - g * c) * y + (g * b - h * a) * z)
        nz = s * ((b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z)
        set_unit(out, at, nx, ny, nz, x, y, z)


@kernel
def turn_tangents(
    matrices: Reals, signs: Reals, tangents: Reals, first: np.uint64, count: np.uint64, out: Reals
) -> None:
    """Turn each tangent by its lane's matrix, to unit length, and flip its w where the matrix mirrors."""
    for i in range(count):
        at = U4 * (first + i)
        x, y, z = tangents[at], tangents[at + U1], tangents[at + U2]
        tx = matrices[U0, i] * x + matrices[U1, i] * y + matrices[U2, i] * z
        ty = matrices[U4, i] * x + matrices[U5, i] * y + matrices[U6, i] * z
        tz = matrices[U8, i] * x + matrices[U9, i] * y + matrices[U10, i] * z
        set_unit(out, at, tx, ty, tz, x, y, z)
        out[at + U3] = tangents[at + U3] * signs[i]


@kernel
def set_unit(
    out: Reals,
    at: np.uint64,
    x: np.floating[Any],
    y: np.floating[Any],
    z: np.floating[Any],
    spare_x: np.floating[Any],
    spare_y: np.floating[Any],
    spare_z: np.floating[Any],
) -> None:
    """Write a direction at unit length; for one too short or too long to tell, the spare one, which may be zero."""
    one = out.dtype.type(1)
    zero = out.dtype.type(0)
    size = max(abs(x), abs(y), abs(z))
    # Of a matrix whose products leave the type's range, a part may be infinite or no number.
    tells = size > out.dtype.type(SHORTEST) and abs(x) + abs(y) + abs(z) < out.dtype.type(np.inf)
    # Divided by the largest first: no square then leaves the range of the type.
    scale = one / (size if tells else one)
    ux = x * scale if tells else spare_x
    uy = y * scale if tells else spare_y
    uz = z * scale if tells else spare_z
    length = np.sqrt(ux * ux + uy * uy + uz * uz)
    over = one / (length if length > zero else one)
    out[at] = ux * over
    out[at + U1] = uy * over
    out[at + U2] = uz * over


@kernel
def first_without_place(positions: Reals) -> int:
    """Return the first row (V, 3) with a number that is not finite, -1 where all are."""
    for v in range(len(positions)):
        if not (np.isfinite(positions[v, 0]) and np.isfinite(positions[v, 1]) and np.isfinite(positions[v, 2])):
            return v
    return -1
