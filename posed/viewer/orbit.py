"""A camera on a sphere around a pivot: turned, shifted and brought nearer by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from posed.arrays import Float64, read_only
from posed.camera import Camera

STEEPEST = math.radians(89.0)
"""How far up or down the camera may look: at the pole itself there is no right and left."""

NEAREST, FARTHEST = 1e-4, 1e6
"""Metres from the pivot."""


@dataclass(frozen=True)
class Orbit:
    """Where the camera is: `distance` metres from `pivot`, turned by `yaw` about +Y and `pitch` up, radians.

    Its lens is that of `lens`; an orthographic one shows half of `ymag` x distance / `begun` metres above and below.
    """

    pivot: tuple[float, float, float]
    distance: float
    yaw: float
    pitch: float
    lens: Camera
    begun: float

    @classmethod
    def around(cls, camera: Camera, middle: Float64) -> Orbit:
        """Return the orbit that a camera stands on, about the point of its axis nearest to `middle`, (3,)."""
        eye, back = camera.matrix[:3, 3], camera.matrix[:3, 2]
        ahead = float(((eye - middle) * back).sum())
        distance = ahead if ahead > NEAREST else 1.0
        x, y, z = (float(value) for value in eye - back * distance)
        pitch = math.asin(max(-1.0, min(1.0, float(back[1]))))
        yaw = math.atan2(float(back[0]), float(back[2]))
        return cls((x, y, z), distance, yaw, max(-STEEPEST, min(STEEPEST, pitch)), camera, distance)

    def turned(self, right: float, up: float) -> Orbit:
        """Return it moved around the pivot by angles in radians."""
        pitch = max(-STEEPEST, min(STEEPEST, self.pitch + up))
        return replace(self, yaw=self.yaw + right, pitch=pitch)

    def shifted(self, right: float, up: float) -> Orbit:
        """Return it moved sideways by shares of the picture's height at the pivot."""
        frame, height = self._frame(), self._height()
        x, y, z = (float(value) for value in np.array(self.pivot) + (frame[:, 0] * right + frame[:, 1] * up) * height)
        return replace(self, pivot=(x, y, z))

    def nearer(self, factor: float) -> Orbit:
        """Return it with its distance divided by `factor`."""
        return replace(self, distance=max(NEAREST, min(FARTHEST, self.distance / factor)))

    def camera(self) -> Camera:
        """Return the camera there."""
        matrix = np.eye(4)
        matrix[:3, :3] = self._frame()
        matrix[:3, 3] = np.array(self.pivot) + matrix[:3, 2] * self.distance
        near = min(self.lens.znear, self.distance / 100.0)
        far = max(self.lens.zfar, self.distance * 100.0)
        ymag = None if self.lens.ymag is None else self.lens.ymag * self.distance / self.begun
        return Camera(read_only(matrix), yfov=self.lens.yfov, ymag=ymag, znear=near, zfar=far)

    def _frame(self) -> Float64:
        """Return right, up and back as columns, (3, 3)."""
        sine, cosine = math.sin(self.yaw), math.cos(self.yaw)
        rise, run = math.sin(self.pitch), math.cos(self.pitch)
        right = (cosine, 0.0, -sine)
        up = (-rise * sine, run, -rise * cosine)
        back = (run * sine, rise, run * cosine)
        return np.array([right, up, back]).T

    def _height(self) -> float:
        """Return the metres that the picture is high at the pivot."""
        if self.lens.ymag is not None:
            return 2.0 * self.lens.ymag * self.distance / self.begun
        return 2.0 * self.distance * math.tan((self.lens.yfov or 1.0) / 2.0)
