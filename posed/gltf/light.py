"""Punctual lights of a glTF file (KHR_lights_punctual)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FileLight:
    """A light in its node's space: `kind` is sun, point or spot; it shines along the node's -Z.

    `color` is linear, `intensity` in lux for a sun and candela otherwise, `range` in metres or infinite, `inner` and
    `outer` half angles in radians.
    """

    index: int
    name: str
    kind: str
    color: tuple[float, float, float]
    intensity: float
    range: float
    inner: float
    outer: float
