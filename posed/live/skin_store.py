"""What poses instances, on the device: palettes and morph weights of all of them, each in one buffer."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.live import store
from posed.live.device import Gpu
from posed.live.store import Span, Store

JOINT = 48
"""Bytes of the upper three rows of a joint's matrix, of which the last is 0 0 0 1."""


class Rows:
    """Rows of a store that are written anew from time to time, elsewhere where they are not as many as before."""

    def __init__(self, kept: Store) -> None:
        self._store = kept
        self._span: Span | None = None

    def write(self, rows: AnyArray) -> int:
        """Write `rows` in place of those before and return where the first one is.

        Raises
        ------
        PosedError
            They pass what a binding holds.
        """
        if self._span is None or self._span.count != len(rows):
            self._span = None
            self._span = self._store.take(len(rows))
        if self._span is None:
            raise PosedError(
                f"palettes or morph weights of {rows.nbytes} bytes do not fit the {store.LIMIT} of a binding beside "
                "those that are there: draw fewer objects at once"
            )
        self._store.write(self._span, rows)
        return self._span.first

    @property
    def first(self) -> int:
        """Where the first row is; 0 before any is written."""
        return 0 if self._span is None else self._span.first


class SkinStore:
    """Palettes, (3, 4) float32 a joint row by row, and morph weights, float32, of everything that poses instances.

    Instances that nothing poses share runs of identities and of zeros.
    """

    def __init__(self, gpu: Gpu) -> None:
        import wgpu

        self.palettes = Store(gpu, JOINT, wgpu.BufferUsage.STORAGE)
        self.morphs = Store(gpu, 4, wgpu.BufferUsage.STORAGE)
        self._identities: dict[int, Rows] = {}
        self._zeros: dict[int, Rows] = {}

    def bind_pose(self, joints: int) -> int:
        """Return the first row of a palette of `joints` identities, which stays there."""
        size = _rounded(joints)
        if size not in self._identities:
            self._identities[size] = Rows(self.palettes)
            self._identities[size].write(np.tile(np.eye(3, 4, dtype=np.float32), (size, 1, 1)))
        return self._identities[size].first

    def unmorphed(self, targets: int) -> int:
        """Return where `targets` weights of 0 begin, which stay there."""
        size = _rounded(targets)
        if size not in self._zeros:
            self._zeros[size] = Rows(self.morphs)
            self._zeros[size].write(np.zeros(size, np.float32))
        return self._zeros[size].first


def _rounded(count: int) -> int:
    """Return the power of two that is not below `count`, so that few runs serve all counts."""
    return 1 << max(count - 1, 0).bit_length()
