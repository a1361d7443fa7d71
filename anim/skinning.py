"""Linear blend skinning on the CPU: morph deltas first, then the blended matrix of every vertex, as a GPU does it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from anim.errors import AnimError
from anim.kernel import kernel, parallel_lock

Reals = NDArray[Any]

BLOCK = 128
"""Vertices worked on together: their matrices lie lane by lane, so that the compiler may take several at once."""

SHORTEST = 1.1754943508222875e-38
"""The smallest normal float32: a direction with no larger component has none."""

CHUNK = 64 * BLOCK
"""Vertices a thread takes at a time."""


class MorphTarget(NamedTuple):
    """What one morph target adds at weight 1, to each attribute that it has."""

    positions: ArrayLike | None = None
    """(V, 3)."""
    normals: ArrayLike | None = None
    """(V, 3)."""
    tangents: ArrayLike | None = None
    """(V, 3): a tangent's w never changes."""


class Skinned(NamedTuple):
    """Posed vertices, in the palette's space."""

    positions: Reals
    """(V, 3)."""
    normals: Reals | None
    """(V, 3), unit length."""
    tangents: Reals | None
    """(V, 4), unit length, w 1 or -1."""
    signs: NDArray[np.int8]
    """(V,): -1 where the vertex's matrix mirrors, else 1. A triangle faces as its first vertex says."""


def skin(
    positions: ArrayLike,
    normals: ArrayLike | None,
    tangents: ArrayLike | None,
    joints: ArrayLike | None,
    weights: ArrayLike | None,
    palette: ArrayLike,
    *,
    targets: Sequence[MorphTarget] = (),
    morph_weights: Sequence[float] | Reals = (),
    dtype: DTypeLike = np.float32,
    parallel: bool = False,
) -> Skinned:
    """Return vertices as a palette poses them.

    A position is `sum_i w_i palette[j_i] @ p`, the sum of matrices accumulated from zero in the order of the
    influences. A normal takes the cofactors of that matrix, times the sign of its determinant; a tangent takes its
    3x3, and its w flips with the sign. Where the matrix flattens a normal or tangent to nothing, the unposed direction
    stays.

    Parameters
    ----------
    positions : (V, 3)
    normals : (V, 3) or None
    tangents : (V, 4) or None
    joints : (V, K) of unsigned integers, or None
        Rows of the palette, any number of influences; None: every vertex follows `palette[0]`.
    weights : (V, K) or None
        Used as they are; normalize them where they are loaded.
    palette : (J, 4, 4)
        Affine.
    targets
        Morph targets; their deltas are added first, in order.
    morph_weights : (M,)
        One a target.
    dtype
        float32, or float64 for reference values.
    parallel
        Use numba's threads. The bits are the same.

    Raises
    ------
    AnimError
        For shapes that disagree, a joint past the palette, or a vertex that is posed to no finite place (its index is
        named).
    """
    real = np.dtype(dtype)
    if real not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise AnimError(f"dtype is {real}; expected float32 or float64")
    if len(targets) != len(morph_weights):
        raise AnimError(f"{len(morph_weights)} morph weights for {len(targets)} targets; expected one each")
    count = np.shape(positions)[0] if np.ndim(positions) else 0
    base = _morphed("positions", positions, (count, 3), real, [t.positions for t in targets], morph_weights)
    assert base is not None
    normal = _morphed("normals", normals, (count, 3), real, [t.normals for t in targets], morph_weights)
    tangent = _morphed("tangents", tangents, (count, 4), real, [t.tangents for t in targets], morph_weights)
    matrices = _array("palette", palette, (-1, 4, 4), real)
    rows = _array("palette", matrices[:, :3].reshape(-1, 12), (-1, 12), real)
    if joints is None or weights is None:
        joints, weights = np.zeros((count, 1), np.uint32), np.ones((count, 1), real)
    influences = _array("joints", joints, (count, -1), np.dtype(np.uint32))
    shares = _array("weights", weights, influences.shape, real)
    if influences.size and int(influences.max()) >= len(rows):
        vertex = int((influences >= len(rows)).any(axis=1).argmax())
        raise AnimError(f"vertex {vertex} has joint {influences[vertex].max()}; the palette has {len(rows)}")
    out = Skinned(
        np.empty_like(base),
        None if normal is None else np.empty_like(normal),
        None if tangent is None else np.empty_like(tangent),
        np.empty(count, np.int8),
    )
    none = np.empty((0, 4), real)
    absent = _array("none", none, (0, 4), real)
    arrays = (
        rows,
        influences,
        shares,
        base,
        absent if normal is None else normal,
        absent if tangent is None else tangent,
        out.positions,
        none if out.normals is None else out.normals,
        none if out.tangents is None else out.tangents,
        out.signs,
    )
    if parallel:
        with parallel_lock():
            skin_all(*arrays)
    else:
        skin_range(0, count, *arrays)
    vertex = first_without_place(out.positions)
    if vertex >= 0:
        raise AnimError(f"vertex {vertex} is posed to {out.positions[vertex].tolist()}, which is no finite place")
    return out


def _morphed(
    name: str,
    values: ArrayLike | None,
    shape: tuple[int, ...],
    real: np.dtype[Any],
    deltas: Sequence[ArrayLike | None],
    weights: Sequence[float] | Reals,
) -> Reals | None:
    """Return an attribute with the targets' deltas added in order; those of tangents have three numbers."""
    if values is None:
        return None
    out = _array(name, values, shape, real)
    for index, (delta, weight) in enumerate(zip(deltas, weights, strict=True)):
        if delta is None or weight == 0.0:
            continue
        added = _array(f"targets[{index}].{name}", delta, (shape[0], 3), real)
        morphed = out.copy()
        morphed[:, :3] += added * real.type(weight)
        out = _array(name, morphed, shape, real)
    return out


def _array(name: str, values: ArrayLike, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Reals:
    """Return values as a contiguous array of a dtype; -1 in the shape allows any length.

    It is a read-only view, so that kernels are compiled for one kind of array whoever owns it.
    """
    out = np.ascontiguousarray(values, dtype).view()
    out.flags.writeable = False
    if out.ndim != len(shape) or any(e not in (-1, g) for e, g in zip(shape, out.shape, strict=True)):
        expected = ", ".join("any" if length < 0 else str(length) for length in shape)
        raise AnimError(f"{name} has shape {out.shape}; expected ({expected})")
    return out


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
    count = len(positions)
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
    """Skin the vertices from begin to end; the palette is (J, 12), the upper rows; absent attributes have length 0."""
    matrices = np.zeros((12, BLOCK), palette.dtype)
    vectors = np.zeros((4, BLOCK), palette.dtype)
    signs = np.zeros(BLOCK, palette.dtype)
    for first in range(begin, end, BLOCK):
        count = min(BLOCK, end - first)
        blend_matrices(palette, joints, weights, first, count, matrices)
        load(positions, first, count, vectors)
        place_points(matrices, vectors)
        store(vectors, out_positions, first, count)
        set_signs(matrices, signs)
        for i in range(count):
            out_signs[first + i] = np.int8(signs[i])
        if len(normals):
            load(normals, first, count, vectors)
            turn_normals(matrices, signs, vectors)
            store(vectors, out_normals, first, count)
        if len(tangents):
            load(tangents, first, count, vectors)
            turn_tangents(matrices, signs, vectors)
            store(vectors, out_tangents, first, count)


@kernel
def blend_matrices(
    palette: Reals, joints: NDArray[np.uint32], weights: Reals, first: int, count: int, out: Reals
) -> None:
    """Write the blended matrix of each of some vertices into a lane of out (12, BLOCK)."""
    zero = palette.dtype.type(0)
    influences = joints.shape[1]
    if influences == 4:  # the usual count, without a loop
        for i in range(count):
            v = first + i
            j0, j1, j2, j3 = joints[v, 0], joints[v, 1], joints[v, 2], joints[v, 3]
            w0, w1, w2, w3 = weights[v, 0], weights[v, 1], weights[v, 2], weights[v, 3]
            for c in range(12):
                out[c, i] = zero + w0 * palette[j0, c] + w1 * palette[j1, c] + w2 * palette[j2, c] + w3 * palette[j3, c]
        return
    for i in range(count):
        v = first + i
        for c in range(12):
            total = zero
            for k in range(influences):
                total += weights[v, k] * palette[joints[v, k], c]
            out[c, i] = total


@kernel
def load(rows: Reals, first: int, count: int, out: Reals) -> None:
    """Copy some of the rows (V, 3) or (V, 4) into lanes (4, BLOCK)."""
    for i in range(count):
        for c in range(rows.shape[1]):
            out[c, i] = rows[first + i, c]


@kernel
def store(lanes: Reals, out: Reals, first: int, count: int) -> None:
    """Copy lanes (4, BLOCK) into some of the rows (V, 3) or (V, 4)."""
    for i in range(count):
        for c in range(out.shape[1]):
            out[first + i, c] = lanes[c, i]


@kernel
def place_points(matrices: Reals, points: Reals) -> None:
    """Multiply each lane's point by its matrix."""
    for i in range(BLOCK):
        x, y, z = points[0, i], points[1, i], points[2, i]
        points[0, i] = matrices[0, i] * x + matrices[1, i] * y + matrices[2, i] * z + matrices[3, i]
        points[1, i] = matrices[4, i] * x + matrices[5, i] * y + matrices[6, i] * z + matrices[7, i]
        points[2, i] = matrices[8, i] * x + matrices[9, i] * y + matrices[10, i] * z + matrices[11, i]


@kernel
def set_signs(matrices: Reals, out: Reals) -> None:
    """Write -1 for each lane whose matrix has a negative determinant, 1 for the others."""
    one = out.dtype.type(1)
    zero = out.dtype.type(0)
    for i in range(BLOCK):
        a, b, c = matrices[0, i], matrices[1, i], matrices[2, i]
        d, e, f = matrices[4, i], matrices[5, i], matrices[6, i]
        g, h, k = matrices[8, i], matrices[9, i], matrices[10, i]
        determinant = a * (e * k - f * h) + b * (f * g - d * k) + c * (d * h - e * g)
        out[i] = -one if determinant < zero else one


@kernel
def turn_normals(matrices: Reals, signs: Reals, normals: Reals) -> None:
    """Turn each lane's normal by the cofactors of its matrix, times its sign, to unit length."""
    for i in range(BLOCK):
        a, b, c = matrices[0, i], matrices[1, i], matrices[2, i]
        d, e, f = matrices[4, i], matrices[5, i], matrices[6, i]
        g, h, k = matrices[8, i], matrices[9, i], matrices[10, i]
        x, y, z = normals[0, i], normals[1, i], normals[2, i]
        s = signs[i]
        nx = s * ((e * k - f * h) * x + (f * g - d * k) * y + (d * h - e * g) * z)
        ny = s * ((h * c - k * b) * x + (k * a - g * c) * y + (g * b - h * a) * z)
        nz = s * ((b * f - c * e) * x + (c * d - a * f) * y + (a * e - b * d) * z)
        set_unit(normals, i, nx, ny, nz)


@kernel
def turn_tangents(matrices: Reals, signs: Reals, tangents: Reals) -> None:
    """Turn each lane's tangent by its matrix, to unit length, and flip its w where the matrix mirrors."""
    for i in range(BLOCK):
        x, y, z = tangents[0, i], tangents[1, i], tangents[2, i]
        tx = matrices[0, i] * x + matrices[1, i] * y + matrices[2, i] * z
        ty = matrices[4, i] * x + matrices[5, i] * y + matrices[6, i] * z
        tz = matrices[8, i] * x + matrices[9, i] * y + matrices[10, i] * z
        set_unit(tangents, i, tx, ty, tz)
        tangents[3, i] *= signs[i]


@kernel
def set_unit(vectors: Reals, i: int, x: np.floating[Any], y: np.floating[Any], z: np.floating[Any]) -> None:
    """Put a direction at unit length into a lane; one too short to tell leaves the lane's own, at unit length."""
    one = vectors.dtype.type(1)
    zero = vectors.dtype.type(0)
    size = max(abs(x), abs(y), abs(z))
    tells = size > vectors.dtype.type(SHORTEST)
    # Divided by the largest first: no square then leaves the range of the type.
    scale = one / (size if tells else one)
    ux = x * scale if tells else vectors[0, i]
    uy = y * scale if tells else vectors[1, i]
    uz = z * scale if tells else vectors[2, i]
    length = np.sqrt(ux * ux + uy * uy + uz * uz)
    over = one / (length if length > zero else one)
    vectors[0, i] = ux * over
    vectors[1, i] = uy * over
    vectors[2, i] = uz * over


@kernel
def first_without_place(positions: Reals) -> int:
    """Return the first row (V, 3) with a number that is not finite, -1 where all are."""
    for v in range(len(positions)):
        if not (np.isfinite(positions[v, 0]) and np.isfinite(positions[v, 1]) and np.isfinite(positions[v, 2])):
            return v
    return -1
