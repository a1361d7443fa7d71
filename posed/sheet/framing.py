"""Framing: one orthographic camera that holds every pose of a clip, from every direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import anim
from anim.scalar import cos, sin
from posed.arrays import Float64, read_only
from posed.baking import bake
from posed.camera import Camera
from posed.gltf.model import Model
from posed.scene.placement import DEGREE

MARGIN = 1
"""Pixels between the model and the edge of its cell, so that an antialiased outline is not cut."""


@dataclass(frozen=True)
class Framing:
    """What a cell shows, in metres: `center` (x, y) of its middle, `width` and `height`, and `near` and `far`.

    `near` and `far` are the z, toward the viewer, of the nearest and the farthest vertex.
    """

    center: tuple[float, float]
    width: float
    height: float
    near: float
    far: float

    def camera(self) -> Camera:
        """Return the orthographic camera that looks along -Z and sees this."""
        depth = max(self.near - self.far, self.height)
        matrix = np.eye(4)
        matrix[:3, 3] = (*self.center, self.near + depth)
        return Camera(read_only(matrix), ymag=self.height / 2.0, znear=depth / 2.0, zfar=depth * 4.0)


def turned(direction: int, directions: int) -> Float64:
    """Return the matrix, (4, 4), of a model turned about +Y by `direction` of `directions` shares of a whole turn.

    A model that faces the viewer faces the right of the picture after a quarter of the turn.
    """
    half = 180.0 * direction / directions * DEGREE
    return read_only(anim.Transform(rotation=(0.0, float(sin(half)), 0.0, float(cos(half)))).matrix())


def framing(model: Model, clip: int, times: Sequence[float], directions: int, cell: tuple[int, int]) -> Framing:
    """Return the smallest framing, of the shape of `cell` (W, H) pixels, that holds the model in every cell.

    Judged by the posed vertices at each of `times`, in seconds, turned to each of `directions`.
    """
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    turns = [turned(direction, directions)[:3, :3] for direction in range(directions)]
    for time in times:
        for mesh in bake(model, clip=clip, time=time):
            for turn in turns if len(mesh.positions) else ():
                seen = (mesh.positions[:, None, :].astype(np.float64) * turn).sum(axis=2)
                low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
    if not np.isfinite(low).all():
        low, high = np.full(3, -1.0), np.ones(3)
    width, height = cell
    extent = (high - low).tolist()
    pixel = max(extent[0] / (width - 2 * MARGIN), extent[1] / (height - 2 * MARGIN)) or 1.0 / height
    x, y, _ = ((high + low) / 2.0).tolist()
    return Framing((_short(x), _short(y)), pixel * width, pixel * height, float(high[2]), float(low[2]))


def _short(number: float) -> float:
    """Return a number that people will read without what rounding left in its last digits."""
    return round(number, 9) + 0.0
