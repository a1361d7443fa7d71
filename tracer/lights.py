"""What shines: punctual lights in the units of `KHR_lights_punctual`, and the environment around the scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tracer.errors import SceneError

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Light:
    """A sun, a point light or a spot light.

    Attributes
    ----------
    kind
        ``"sun"``, ``"point"`` or ``"spot"``.
    color
        Linear red, green, blue; times the intensity.
    intensity
        Lux (irradiance on a surface that faces it) for a sun, candela for the others.
    position
        Metres, relative to the scene's origin; a sun has none.
    direction
        The way the light travels, any length but 0; a point light has none.
    range
        Metres at which a point or spot light has faded to nothing; infinite: only the inverse square.
    inner, outer
        Cosines of a spot's half angles, ``inner > outer``: full light inside, none outside.
    angle
        Angular diameter of the sun in radians. `direct` uses the sun's centre.
    """

    kind: Literal["sun", "point", "spot"]
    color: Vector = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    position: Vector = (0.0, 0.0, 0.0)
    direction: Vector = (0.0, 0.0, -1.0)
    range: float = math.inf
    inner: float = 1.0
    outer: float = math.sqrt(0.5)
    angle: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in ("sun", "point", "spot"):
            raise SceneError(f"light kind must be sun, point or spot, found {self.kind!r}")
        if self.kind != "point" and not sum(abs(c) for c in self.direction) > 0.0:
            raise SceneError(f"a {self.kind} needs a direction other than zero, found {self.direction}")
        if not self.intensity >= 0.0:
            raise SceneError(f"light intensity must be 0 or more, found {self.intensity}")
        if not self.range > 0.0:
            raise SceneError(f"light range must be above 0, found {self.range}; infinity means no limit")
        if self.kind == "spot" and not -1.0 <= self.outer < self.inner <= 1.0:
            raise SceneError(
                f"a spot's cosines must be -1 <= outer < inner <= 1, found outer {self.outer}, inner {self.inner}"
            )


@dataclass(frozen=True, eq=False, slots=True)
class Environment:
    """Radiance from every direction: an image, a vertical gradient, or one color where both ends are equal.

    Attributes
    ----------
    bottom, top
        In direction ``d`` the gradient is ``lerp(bottom, top, (d.y + 1) / 2)``.
    image
        (H, W, 3) float32 linear radiance, 0 or more, in place of the gradient: equirectangular, row 0 around +Y, its
        centre along -Z, its right half toward +X. None: the gradient.
    irradiance
        (9, 3) float64, by which `direct` takes the ambient light of an image: with a unit normal (x, y, z), each
        channel's irradiance is the sum of the coefficients times 1, x, y, z, xy, yz, zx, 3yy - 1, xx - zz, at least 0.
        None: that of the gradient; `direct` refuses an image without.
    """

    bottom: Vector = (0.0, 0.0, 0.0)
    top: Vector = (0.0, 0.0, 0.0)
    image: NDArray[np.float32] | None = None
    irradiance: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        irradiance: Any = self.irradiance
        if irradiance is not None and not (np.shape(irradiance) == (9, 3) and np.isfinite(irradiance).all()):
            raise SceneError(f"environment irradiance must be nine finite numbers a channel, found {irradiance!r}")
        image: Any = self.image
        if image is None:
            return
        if not isinstance(image, np.ndarray) or image.dtype != np.float32 or image.ndim != 3 or image.shape[2] != 3:
            found = f"{image.dtype} {image.shape}" if isinstance(image, np.ndarray) else type(image).__name__
            raise SceneError(f"environment image must be (H, W, 3) float32, found {found}")
        if image.size == 0:
            raise SceneError(f"an environment image needs at least one texel, found shape {image.shape}")
        if not (np.isfinite(image) & (image >= 0.0)).all():
            raise SceneError("environment image must be finite and 0 or more in every texel")
