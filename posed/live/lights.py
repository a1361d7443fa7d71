"""What shines on a frame as a record: punctual lights, the environment's irradiance, and the shadow maps."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.errors import PosedError
from posed.live import layout
from posed.scene.lights import Environment, Light

KINDS = ("sun", "point", "spot")
"""A light's kind to its number in light.wgsl."""

LEAST_EDGE = 0.001
"""Difference of cosines over which a spot's cone fades at least (KHR_lights_punctual, its reference code)."""


def pack_shine(lights: Sequence[Light], environment: Environment, origin: Float64) -> AnyArray:
    """Return the lights and the environment as a (1,) `layout.SHINE` without shadow maps.

    Parameters
    ----------
    lights, environment
        What shines, in world space.
    origin
        (3,) float64, what the frame's positions are relative to.

    Raises
    ------
    PosedError
        There are more lights than a frame takes.
    """
    if len(lights) > layout.MOST_LIGHTS:
        raise PosedError(f"{len(lights)} lights shine at once: the live renderer draws {layout.MOST_LIGHTS}")
    shine = np.zeros(1, layout.SHINE)
    bottom, top = (np.array(one) * environment.intensity for one in (environment.bottom, environment.top))
    shine["bottom"][0, :3], shine["top"][0, :3] = bottom, top
    shine["irradiance"][0, :, :3] = environment.irradiance * (environment.intensity / math.pi)
    shine["lights"], shine["has_panorama"] = len(lights), environment.image is not None
    for one, record in zip(lights, shine["light"][0], strict=False):
        record["kind"] = KINDS.index(one.kind)
        record["color"] = np.array(one.color) * one.intensity
        record["position"] = np.array(one.position) - origin
        record["fading"] = 0.0 if math.isinf(one.range) else 1.0 / one.range
        record["direction"] = direction_of(one)
        edge = max(LEAST_EDGE, math.cos(one.inner) - math.cos(one.outer))
        record["cone_scale"], record["cone_offset"] = 1.0 / edge, -math.cos(one.outer) / edge
    return shine


def direction_of(light: Light) -> Float64:
    """Return the way a light travels, (3,) float64 of unit length."""
    direction = np.array(light.direction, np.float64)
    direction /= np.abs(direction).max()
    unit: Float64 = direction / math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2)
    return unit
