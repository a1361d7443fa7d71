"""Where a picture is taken from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tracer.errors import SceneError


@dataclass(frozen=True, eq=False, slots=True)
class Camera:
    """A perspective or an orthographic camera that looks along its own -Z, with +Y up.

    Attributes
    ----------
    matrix
        (4, 4) float64, camera to world, acting on column vectors, relative to the scene's origin. The axes' lengths
        are not read: a scaled camera sees what an unscaled one does.
    yfov
        Vertical field of view in radians, in (0, pi); None for an orthographic camera.
    ymag
        Half the height of the picture in metres; None for a perspective camera.
    znear, zfar
        Metres along the forward axis; nothing nearer or farther is seen. `zfar` may be infinite.
    """

    matrix: NDArray[np.float64]
    yfov: float | None = None
    ymag: float | None = None
    znear: float = 0.01
    zfar: float = math.inf

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, np.float64)
        if matrix.shape != (4, 4) or not np.isfinite(matrix).all():
            raise SceneError(f"camera matrix must be (4, 4) and finite, found {matrix.tolist()}")
        if (np.abs(matrix[:3, :3]).max(axis=0) == 0.0).any():
            raise SceneError("camera matrix has an axis of length 0: give it a rotation and no zero scale")
        if (self.yfov is None) == (self.ymag is None):
            raise SceneError(f"a camera has yfov or ymag, one of the two; found yfov {self.yfov}, ymag {self.ymag}")
        if self.yfov is not None and not 0.0 < self.yfov < math.pi:
            raise SceneError(f"camera yfov must lie in (0, pi) radians, found {self.yfov}")
        if self.ymag is not None and not 0.0 < abs(self.ymag) < math.inf:
            raise SceneError(f"camera ymag must be finite and not 0, found {self.ymag}")
        if not 0.0 <= self.znear < self.zfar:
            raise SceneError(f"camera needs 0 <= znear < zfar, found znear {self.znear}, zfar {self.zfar}")
        matrix.setflags(write=False)
        object.__setattr__(self, "matrix", matrix)
