"""Linear blend skinning on the CPU: morph deltas first, then the blended matrix of every vertex, as a GPU does it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from anim.errors import AnimError
from anim.kernel import parallel_lock
from anim.skin_kernels import first_without_place, skin_all, skin_range

Reals = NDArray[Any]


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


class Skinning:
    """Vertices checked and laid out once, to be skinned again and again.

    Parameters
    ----------
    positions : (V, 3)
    normals : (V, 3) or None
    tangents : (V, 4) or None
    joints : (V, K) of unsigned integers, or None
        Rows of the palette, any number of influences; None: every vertex follows `palette[0]`.
    weights : (V, K) or None
        Used as they are; normalize them where they are loaded.
    targets
        Morph targets; their deltas are added first, in order.
    dtype
        float32, or float64 for reference values.

    Raises
    ------
    AnimError
        For shapes that disagree.
    """

    def __init__(
        self,
        positions: ArrayLike,
        normals: ArrayLike | None,
        tangents: ArrayLike | None,
        joints: ArrayLike | None,
        weights: ArrayLike | None,
        *,
        targets: Sequence[MorphTarget] = (),
        dtype: DTypeLike = np.float32,
    ) -> None:
        real = self._real = np.dtype(dtype)
        if real not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise AnimError(f"dtype is {real}; expected float32 or float64")
        self._targets = len(targets)
        count = np.shape(positions)[0] if np.ndim(positions) else 0
        self._positions = _Attribute("positions", positions, (count, 3), real, [t.positions for t in targets])
        self._normals = _Attribute("normals", normals, (count, 3), real, [t.normals for t in targets])
        self._tangents = _Attribute("tangents", tangents, (count, 4), real, [t.tangents for t in targets])
        if joints is None or weights is None:
            joints, weights = np.zeros((count, 1), np.uint32), np.ones((count, 1), real)
        self._joints = _array("joints", joints, (count, -1), np.dtype(np.uint32))
        self._weights = _array("weights", weights, self._joints.shape, real)
        self._last_joint = int(self._joints.max()) if self._joints.size else -1

    def pose(
        self, palette: ArrayLike, morph_weights: Sequence[float] | Reals = (), *, parallel: bool = False
    ) -> Skinned:
        """Return the vertices as a palette poses them; see `skin`.

        Parameters
        ----------
        palette : (J, 4, 4)
            Affine.
        morph_weights : (M,)
            One a target.
        parallel
            Use numba's threads. The bits are the same.

        Raises
        ------
        AnimError
            For shapes that disagree, a joint past the palette, or a vertex that is posed to no finite place (its
            index is named).
        """
        if self._targets != len(morph_weights):
            raise AnimError(f"{len(morph_weights)} morph weights for {self._targets} targets; expected one each")
        matrices = _array("palette", palette, (-1, 4, 4), self._real)
        rows = _array("palette", matrices[:, :3].reshape(-1, 12), (-1, 12), self._real)
        if self._last_joint >= len(rows):
            vertex = int((self._joints >= len(rows)).any(axis=1).argmax())
            raise AnimError(f"vertex {vertex} has joint {self._joints[vertex].max()}; the palette has {len(rows)}")
        given = [one.morphed(morph_weights) for one in (self._positions, self._normals, self._tangents)]
        written = [np.empty_like(values) for values in given]
        signs = np.empty(len(self._joints), np.int8)
        arrays = (rows, self._joints, self._weights, *given, *written, signs)
        if parallel:
            with parallel_lock():
                skin_all(*arrays)
        else:
            skin_range(0, len(self._joints), *arrays)
        out = Skinned(
            written[0].reshape(-1, 3),
            None if self._normals.is_absent else written[1].reshape(-1, 3),
            None if self._tangents.is_absent else written[2].reshape(-1, 4),
            signs,
        )
        vertex = first_without_place(out.positions)
        if vertex >= 0:
            raise AnimError(f"vertex {vertex} is posed to {out.positions[vertex].tolist()}, which is no finite place")
        return out


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
    positions, normals, tangents, joints, weights, targets, dtype
        See `Skinning`.
    palette, morph_weights, parallel
        See `Skinning.pose`.

    Raises
    ------
    AnimError
        For shapes that disagree, a joint past the palette, or a vertex that is posed to no finite place (its index is
        named).
    """
    skinning = Skinning(positions, normals, tangents, joints, weights, targets=targets, dtype=dtype)
    return skinning.pose(palette, morph_weights, parallel=parallel)


class _Attribute:
    """One attribute of all vertices and what each morph target adds to it; deltas of tangents have three numbers."""

    def __init__(
        self,
        name: str,
        values: ArrayLike | None,
        shape: tuple[int, int],
        real: np.dtype[Any],
        deltas: Sequence[ArrayLike | None],
    ) -> None:
        self.is_absent = values is None
        count, width = (0 if values is None else shape[0]), shape[1]
        self._base = _array(name, np.empty((0, width)) if values is None else values, (count, width), real)
        self._flat = _array(name, self._base.reshape(-1), (-1,), real)
        self._deltas = [
            None if delta is None or self.is_absent else _array(f"targets[{index}].{name}", delta, (shape[0], 3), real)
            for index, delta in enumerate(deltas)
        ]

    def morphed(self, weights: Sequence[float] | Reals) -> Reals:
        """Return the numbers of all vertices, flat, with the targets' deltas added in order; none where absent."""
        out: Reals | None = None
        for delta, weight in zip(self._deltas, weights, strict=True):
            if delta is not None and weight != 0.0:
                out = self._base.copy() if out is None else out
                out[:, :3] += delta * self._base.dtype.type(weight)
        return self._flat if out is None else _array("morphed", out.reshape(-1), (-1,), out.dtype)


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
