"""Lights and the environment of a scene, in world space and linear color."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from posed.arrays import Float32, Float64, read_only
from posed.digest import NO_DIGEST
from posed.errors import AssetError
from posed.scene.panorama import Panorama

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Light:
    """A sun, point or spot light.

    `direction` is the way the light travels, unit length (sun, spot); `position` in metres (point, spot). `intensity`
    is in lux for a sun, in candela otherwise. `range` in metres may be infinite; `inner` and `outer` are half angles
    and `angle` a sun's angular size, in radians. `source` names the object and the number of the light in its file that
    this is, whose properties clips may move; None for one of the scene's own.
    """

    kind: Literal["sun", "point", "spot"]
    color: Vector = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    position: Vector = (0.0, 0.0, 0.0)
    direction: Vector = (0.0, -1.0, 0.0)
    range: float = math.inf
    inner: float = 0.0
    outer: float = math.pi / 4
    angle: float = 0.0
    source: tuple[str, int] | None = field(default=None, metadata=NO_DIGEST)


@dataclass(frozen=True, eq=False)
class Environment:
    """Light from everywhere: radiance `lerp(bottom, top, (d.y + 1) / 2)` in direction d, times `intensity`.

    A single color has `bottom == top`. An `image` is equirectangular, its middle along -Z, and replaces both.
    """

    bottom: Vector = (0.0, 0.0, 0.0)
    top: Vector = (0.0, 0.0, 0.0)
    intensity: float = 1.0
    image: Panorama | None = None

    @cached_property
    def radiance(self) -> Float32:
        """(H, W, 3) float32, read-only: the image's radiance times `intensity`; no texels where there is no image.

        Raises
        ------
        AssetError
            The image cannot be decoded, or the product leaves what float32 holds.
        """
        if self.image is None:
            return read_only(np.zeros((0, 0, 3)), np.float32)
        texels, most = self.image.texels, float(np.finfo(np.float32).max)
        largest = float(texels.max())
        if largest * self.intensity > most:
            message = (
                f"its brightest texel, {largest:g}, times an intensity of {self.intensity:g} leaves what float32 holds"
            )
            raise AssetError(self.image.source, "", f"{message}: lower the intensity")
        return read_only(texels * np.float32(min(self.intensity, most)), np.float32)

    @cached_property
    def irradiance(self) -> Float64:
        """(9, 3) float64, read-only: what all of it adds up to on a unit normal n, before `intensity`.

        `E(n) = c0 + c1 x + c2 y + c3 z + c4 x y + c5 y z + c6 z x + c7 (3 y y - 1) + c8 (x x - z z)` for each channel,
        where that is above 0, else 0. Exact for a color and a gradient; of an image, spherical harmonics up to the
        second order (`posed.scene.irradiance`). Both renderers read it, and its bits are the same everywhere.

        Raises
        ------
        AssetError
            The image cannot be decoded.
        """
        from posed.scene.irradiance import gradient_irradiance, image_irradiance

        if self.image is None:
            return gradient_irradiance(self.bottom, self.top)
        return image_irradiance(self.image.texels)
