"""The camera of a snapshot: where it stands, how it projects and what it cuts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from posed.arrays import Float64


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
