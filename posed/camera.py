"""The camera of a snapshot: where it stands, how it projects and what it cuts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from posed.arrays import Float64, read_only


@dataclass(frozen=True, eq=False)
class Camera:
    """A camera as data; each renderer derives its own matrices from it.

    `matrix` is camera to world, (4, 4) float64, rigid; the camera looks along its -Z with +Y up. Exactly one of `yfov`
    (full vertical angle, radians) and `ymag` (half the visible height, metres) is set. Hits nearer than `znear` or
    farther than `zfar` metres along the forward axis are cut; `zfar` may be infinite.
    """

    matrix: Float64
    yfov: float | None = None
    ymag: float | None = None
    znear: float = 0.1
    zfar: float = math.inf

    def to_json(self) -> dict[str, object]:
        """Return the camera as JSON values: its matrix column by column, an infinite far plane as None."""
        lens = {"yfov": self.yfov} if self.ymag is None else {"ymag": self.ymag}
        zfar = None if math.isinf(self.zfar) else self.zfar
        return {"matrix": self.matrix.T.ravel().tolist(), **lens, "znear": self.znear, "zfar": zfar}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Camera:
        """Return the camera that `to_json` wrote.

        Raises
        ------
        ValueError, KeyError, TypeError
            The values are not those of a camera.
        """
        matrix = np.array(data["matrix"], np.float64)
        if matrix.shape != (16,) or not np.isfinite(matrix).all():
            raise ValueError("a camera's matrix has 16 finite numbers, column by column")
        if ("yfov" in data) == ("ymag" in data):
            raise ValueError("a camera has yfov or ymag, one of the two")
        lens = {name: float(data[name]) for name in ("yfov", "ymag") if name in data}
        zfar = data.get("zfar")
        znear, zfar = float(data.get("znear", 0.1)), math.inf if zfar is None else float(zfar)
        if not (0.0 <= znear < zfar and all(value > 0.0 for value in lens.values())):
            raise ValueError("a camera's yfov or ymag is above 0 and its znear lies before its zfar")
        if lens.get("yfov", 0.0) >= math.pi or not (matrix.reshape(4, 4)[:3, :3] != 0.0).any(axis=1).all():
            raise ValueError("a camera's yfov lies below pi, and no axis of its matrix has length 0")
        return cls(read_only(matrix.reshape(4, 4).T), **lens, znear=znear, zfar=zfar)
