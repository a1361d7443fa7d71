"""Where shadow maps lie: one for what some objects cast by a light, or one a side where the light is among them.

A map is fitted to its casters, since only they are looked for in it: what receives may lie anywhere, on them, behind
them or beside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.live.lights import direction_of
from posed.scene.lights import Light

MARGIN = 1.0
"""Texels between the outermost caster and a map's border: an edge is rounded to a texel at most."""

BIAS = 2.0
"""Texels that a surface must be nearer to the light to cast: two facets that meet in a valley would shade each other
where a texel reaches over the edge between them."""

NEAREST = 2.0**-20
"""Share of the farthest caster's distance from a lamp from which on surfaces cast."""


@dataclass(frozen=True, eq=False)
class ShadowMap:
    """A map of one light.

    `rows` (4, 4) float64 take the world, homogeneous, to texels across and down, reversed depth, and what divides them.
    `texel` is the longer side of a texel, in metres for a sun, else in metres a metre from the lamp; `bias` and
    `bias_share` the depth, and the share of its own depth, by which a surface must be nearer to the light to cast.
    """

    rows: Float64
    texel: float
    bias: float
    bias_share: float


def fit_maps(light: Light, low: Float64, high: Float64, texels: int) -> list[ShadowMap]:
    """Return the maps of what casts within boxes, from their `low` to their `high` corners, (N, 3) float64 each.

    Parameters
    ----------
    light
        The light.
    low, high
        Boxes in the world.
    texels
        The sides of a map.
    """
    corners = _corners(low, high)
    if light.kind == "sun":
        return [_sun_map(direction_of(light), corners, texels)]
    corners -= np.array(light.position)
    if light.kind == "point":
        return _lamp_maps(light, np.eye(3), corners, texels, math.inf)
    cosine = math.cos(light.outer)
    slope = math.sqrt(max(1.0 - cosine * cosine, 0.0)) / cosine if cosine > 1e-3 else math.inf
    return _lamp_maps(light, _axes(direction_of(light)), corners, texels, slope)


def _corners(low: Float64, high: Float64) -> Float64:
    """Return the corners of boxes, (N, 8, 3)."""
    return np.stack([np.where([i >> axis & 1 for axis in range(3)], high, low) for i in range(8)], axis=1)


def _axes(forward: Float64) -> Float64:
    """Return right, up and backward, (3, 3) float64 rows, of one who looks along `forward`, upright where that is
    possible."""
    up = np.array([0.0, 1.0, 0.0]) if abs(forward[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    right = _crossed(forward, up)
    right /= math.sqrt(right[0] ** 2 + right[1] ** 2 + right[2] ** 2)
    return np.stack([right, _crossed(right, forward), -forward])


def _crossed(a: Float64, b: Float64) -> Float64:
    """Return the cross product of two (3,); NumPy's own takes ten times as long for one."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def _along(vectors: Float64, axis: Float64) -> Float64:
    along: Float64 = vectors[..., 0] * axis[0] + vectors[..., 1] * axis[1] + vectors[..., 2] * axis[2]
    return along


def _sun_map(direction: Float64, corners: Float64, texels: int) -> ShadowMap:
    axes = _axes(direction)
    spans = [(float(values.min()), float(values.max())) for values in (_along(corners, axis) for axis in axes)]
    largest = max(high - low for low, high in spans) or 1.0
    sides = []
    rows = np.zeros((4, 4))
    for row, ((low, high), sign) in enumerate(zip(spans[:2], (1.0, -1.0), strict=True)):
        sides.append(max(high - low, largest * 2.0**-10) / (texels - 2.0 * MARGIN))
        begin = low if sign > 0.0 else high
        rows[row, :3], rows[row, 3] = sign * axes[row] / sides[row], MARGIN - sign * begin / sides[row]
    texel = max(sides)
    # Two texels of depth are spare at either end, so that rounding clips nothing.
    low, high = spans[2][0] - 2.0 * texel, spans[2][1] + 2.0 * texel
    rows[2, :3], rows[2, 3] = axes[2] / (high - low), -low / (high - low)
    rows[3, 3] = 1.0
    return ShadowMap(rows, texel, BIAS * texel / (high - low), 0.0)


def _lamp_maps(light: Light, axes: Float64, corners: Float64, texels: int, slope: float) -> list[ShadowMap]:
    """Return a map a side of a cube about the lamp, each cut down to what lies in it.

    `corners` (N, 8, 3) are relative to the lamp; `slope` is the tangent of half the angle that it shines into, about
    the way against the third of `axes`.
    """
    maps = []
    farthest = float(np.sqrt((corners * corners).sum(axis=-1)).max())
    for side in range(6 if slope > 1.0 else 1):
        right, up, backward = _side(axes, side)
        most = min(slope, 1.0) if side == 0 else 1.0
        window = _window(_along(corners, right), _along(corners, up), -_along(corners, backward), most)
        if window is not None:
            maps.append(_lamp_map(light, (right, up, backward), window, farthest, texels))
    return maps


def _side(axes: Float64, side: int) -> tuple[Float64, Float64, Float64]:
    """Return right, up and backward of a side of the cube: ahead, back, right, left, up, down."""
    right, up, backward = axes
    return (
        (right, up, backward),
        (-right, up, -backward),
        (backward, up, -right),
        (-backward, up, right),
        (right, backward, -up),
        (right, -backward, up),
    )[side]


def _window(x: Float64, y: Float64, depth: Float64, most: float) -> tuple[float, float, float, float] | None:
    """Return left, right, bottom and top, over depth, of the boxes whose corners, (N, 8), are seen within `most`.

    A box that reaches behind the lamp may lie anywhere in what the side sees.
    """
    outside = (depth <= 0.0).all(axis=1)
    for across in (x, -x, y, -y):
        outside |= (across > most * depth).all(axis=1)
    seen = ~outside
    if not seen.any():
        return None
    before = (depth[seen] > 0.0).all(axis=1)
    if not before.all():
        return -most, most, -most, most
    spans = [values[seen] / depth[seen] for values in (x, y)]
    left, right, bottom, top = (
        min(max(float(value), -most), most) for span in spans for value in (span.min(), span.max())
    )
    return left, right, bottom, top


def _lamp_map(
    light: Light,
    axes: tuple[Float64, Float64, Float64],
    window: tuple[float, float, float, float],
    farthest: float,
    texels: int,
) -> ShadowMap:
    right, up, backward = axes
    rows = np.zeros((4, 4))
    sides = []
    for row, (axis, low, high, sign) in enumerate(((right, *window[:2], 1.0), (up, *window[2:], -1.0))):
        sides.append(max(high - low, 2.0**-10) / (texels - 2.0 * MARGIN))
        begin = low if sign > 0.0 else high
        # What is divided by the depth, which is minus what lies backward.
        rows[row, :3] = sign * axis / sides[row] - (MARGIN - sign * begin / sides[row]) * backward
    rows[2, 3] = NEAREST * farthest
    rows[3, :3] = -backward
    lamp = np.array(light.position)
    for row in (0, 1, 3):
        rows[row, 3] = -float(_along(lamp, rows[row, :3]))
    return ShadowMap(rows, max(sides), 0.0, BIAS * max(sides))


def group_casters(objects: Sequence[int] | AnyArray, most: int) -> AnyArray:
    """Return the group, (N,) intp from 0 on, of each of N casters, from the ids of their objects.

    Each object has a group of its own, unless there are more than `most`: then objects of neighbouring ids share one.
    """
    names, places = np.unique(np.asarray(objects), return_inverse=True)
    if len(names) <= most:
        return places
    return places * most // len(names)
