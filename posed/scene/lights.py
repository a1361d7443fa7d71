"""Lights and the environment of a scene, in world space and linear color."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from posed.digest import NO_DIGEST
from posed.gltf.image import Image

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

    A single color has `bottom == top`. An `image` is equirectangular with its centre along -Z and replaces both.
    """

    bottom: Vector = (0.0, 0.0, 0.0)
    top: Vector = (0.0, 0.0, 0.0)
    intensity: float = 1.0
    image: Image | None = None
