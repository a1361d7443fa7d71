"""Affine 4x4 matrices of float64, acting on column vectors: translation in `M[:3, 3]`, last row 0 0 0 1.

Sums run in a fixed order; nothing here calls BLAS, whose bits depend on the processor.
"""

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel

Floats = NDArray[np.float64]


@kernel
def set_identity(out: Floats) -> None:
    """Write the identity into out (4,4)."""
    for row in range(4):
        for column in range(4):
            out[row, column] = 1.0 if row == column else 0.0


@kernel
def copy_matrix(m: Floats, out: Floats) -> None:
    """Write m into out (4,4). Assigning slices would have numba compile the text of an error that cannot happen."""
    for row in range(4):
        for column in range(4):
            out[row, column] = m[row, column]


@kernel
def set_transform(
    translation: Floats,
    rotation: Floats,
    scale: Floats,
    out: Floats,
) -> None:
    """Write the matrix that scales, then turns, then moves into out (4,4).

    Translation (3,), rotation (4,), scale (3,).
    """
    x, y, z, w = rotation[0], rotation[1], rotation[2], rotation[3]
    sx, sy, sz = scale[0], scale[1], scale[2]
    out[0, 0] = (1.0 - 2.0 * (y * y + z * z)) * sx
    out[1, 0] = (2.0 * (x * y + w * z)) * sx
    out[2, 0] = (2.0 * (x * z - w * y)) * sx
    out[0, 1] = (2.0 * (x * y - w * z)) * sy
    out[1, 1] = (1.0 - 2.0 * (x * x + z * z)) * sy
    out[2, 1] = (2.0 * (y * z + w * x)) * sy
    out[0, 2] = (2.0 * (x * z + w * y)) * sz
    out[1, 2] = (2.0 * (y * z - w * x)) * sz
    out[2, 2] = (1.0 - 2.0 * (x * x + y * y)) * sz
    for row in range(3):
        out[row, 3] = translation[row]
        out[3, row] = 0.0
    out[3, 3] = 1.0


@kernel
def multiply_affine(a: Floats, b: Floats, out: Floats) -> None:
    """Write a times b into out (4,4), which may be of float32 and must be neither a nor b."""
    for row in range(3):
        x, y, z = a[row, 0], a[row, 1], a[row, 2]
        for column in range(3):
            out[row, column] = x * b[0, column] + y * b[1, column] + z * b[2, column]
        out[row, 3] = x * b[0, 3] + y * b[1, 3] + z * b[2, 3] + a[row, 3]
    out[3, 0] = 0.0
    out[3, 1] = 0.0
    out[3, 2] = 0.0
    out[3, 3] = 1.0


@kernel
def determinant(m: Floats) -> float:
    """Return the determinant of the upper left 3x3."""
    value: float = (
        m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
        - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
        + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
    )
    return value


@kernel
def set_cofactor(m: Floats, out: Floats) -> None:
    """Write the cofactors of m's upper left 3x3 into out's: the matrix of normals, up to a positive factor and a sign.

    It is the inverse transpose times the determinant, and finite where that is 0.
    """
    for row in range(3):
        r1, r2 = (row + 1) % 3, (row + 2) % 3
        for column in range(3):
            c1, c2 = (column + 1) % 3, (column + 2) % 3
            out[row, column] = m[r1, c1] * m[r2, c2] - m[r1, c2] * m[r2, c1]


@kernel
def invert_affine(m: Floats, out: Floats) -> bool:
    """Write the inverse of m into out (4,4), another array, and return True; where m is singular, return False."""
    set_cofactor(m, out)
    size = m[0, 0] * out[0, 0] + m[0, 1] * out[0, 1] + m[0, 2] * out[0, 2]
    if size == 0.0 or not np.isfinite(size):
        return False
    # The inverse is the transposed cofactors over the determinant.
    for row in range(3):
        out[row, row] /= size
        for column in range(row):
            upper, lower = out[row, column], out[column, row]
            out[row, column] = lower / size
            out[column, row] = upper / size
    for row in range(3):
        out[row, 3] = -(out[row, 0] * m[0, 3] + out[row, 1] * m[1, 3] + out[row, 2] * m[2, 3])
        out[3, row] = 0.0
    out[3, 3] = 1.0
    return True
