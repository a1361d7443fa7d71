"""Strokes: tapered lines as antialiased pixels with depths, all of them at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.overlay.view import View

LONGEST = 1 << 15
"""Pixels of a stroke at most, along it: what leaves the picture by more is cut."""


@dataclass(frozen=True, eq=False)
class Strokes:
    """N lines in the world from `a` to `b`, (N, 3), metres.

    `widths` are half widths at either end, (N, 2) pixels: a stroke of no length is a disc. `colors` are linear with
    alpha at either end, (N, 2, 4).
    """

    a: AnyArray
    b: AnyArray
    widths: AnyArray
    colors: AnyArray

    @classmethod
    def of(cls, a: AnyArray, b: AnyArray, *, width: AnyArray | float, color: AnyArray) -> Strokes:
        """Return strokes of even half width, one for all or (N,), and of even color, (4,) or (N, 4)."""
        count = len(a)
        widths = np.broadcast_to(np.reshape(width, (-1, 1)), (count, 2))
        colors = np.broadcast_to(np.reshape(np.asarray(color, np.float64), (-1, 1, 4)), (count, 2, 4))
        return cls(np.asarray(a, np.float64), np.asarray(b, np.float64), widths, colors)

    @classmethod
    def joined(cls, several: list[Strokes]) -> Strokes:
        """Return all of some strokes as one."""
        return cls(
            *(np.concatenate([getattr(one, name) for one in several]) for name in ("a", "b", "widths", "colors"))
        )


@dataclass(frozen=True, eq=False)
class Marks:
    """What strokes do to pixels, sample by sample.

    `pixel` is row * W + column, `depth` metres along the camera's forward axis, `color` linear, (N, 3), and `alpha`
    how much of the pixel it covers.
    """

    pixel: AnyArray
    depth: AnyArray
    color: AnyArray
    alpha: AnyArray


def rasterized(strokes: Strokes, view: View) -> Marks:
    """Return the pixels that strokes cover within the picture."""
    a, b, za, zb, kept = _before_the_camera(strokes, view)
    widths, colors = strokes.widths[kept], strokes.colors[kept]
    width, height = view.size
    along = b - a
    steep = np.abs(along[:, 1]) > np.abs(along[:, 0])
    lead = np.where(steep, 1, 0)
    reach = widths.max(axis=1, initial=0.0) + 1.0
    ends = np.stack([np.take_along_axis(one, lead[:, None], 1)[:, 0] for one in (a, b)], axis=1)
    limit = np.where(steep, height, width)
    first = np.clip(np.floor(ends.min(axis=1) - reach), 0, limit).astype(np.int64)
    last = np.clip(np.floor(ends.max(axis=1) + reach), -1, limit - 1).astype(np.int64)
    steps = np.maximum(last - first + 1, 0)
    # A slanted line is up to the root of two wider across its lesser axis than it is thick.
    across = np.ceil(reach * np.sqrt(2.0)).astype(np.int64) * 2 + 1
    stroke = np.repeat(np.arange(len(a)), steps * across)
    place = np.arange(len(stroke)) - np.repeat(np.cumsum(steps * across) - steps * across, steps * across)
    main = first[stroke] + place // across[stroke] + 0.5
    share = (main - ends[stroke, 0]) / _safe(ends[:, 1] - ends[:, 0])[stroke]
    other = 1 - lead
    start = np.take_along_axis(a, other[:, None], 1)[:, 0]
    slope = np.take_along_axis(along, other[:, None], 1)[:, 0]
    middle = start[stroke] + np.clip(share, 0.0, 1.0) * slope[stroke]
    minor = np.floor(middle) + (place % across[stroke]) - across[stroke] // 2 + 0.5
    turned = steep[stroke]
    x, y = np.where(turned, minor, main), np.where(turned, main, minor)
    inside = (x > 0) & (x < width) & (y > 0) & (y < height)
    x, y, stroke = x[inside], y[inside], stroke[inside]
    d = along[stroke]
    t = np.clip(((x - a[stroke, 0]) * d[:, 0] + (y - a[stroke, 1]) * d[:, 1]) / _safe((d * d).sum(axis=1)), 0.0, 1.0)
    off = np.hypot(x - a[stroke, 0] - t * d[:, 0], y - a[stroke, 1] - t * d[:, 1])
    half = widths[stroke, 0] + t * (widths[stroke, 1] - widths[stroke, 0])
    # Thinner than a pixel, a line covers less of it; it never covers more than all.
    cover = np.clip(half + 0.5 - off, 0.0, np.minimum(1.0, 2.0 * half))
    hit = cover > 0.0
    t, stroke = t[hit], stroke[hit]
    depth = za[stroke] + t * (zb - za)[stroke] if view.parallel else 1.0 / ((1.0 - t) / za[stroke] + t / zb[stroke])
    shade = colors[stroke, 0] + t[:, None] * (colors[stroke, 1] - colors[stroke, 0])
    pixel = np.floor(y[hit]).astype(np.int64) * width + np.floor(x[hit]).astype(np.int64)
    return Marks(pixel, depth, shade[:, :3], shade[:, 3] * cover[hit])


def _before_the_camera(strokes: Strokes, view: View) -> tuple[Float64, Float64, Float64, Float64, AnyArray]:
    """Return ends in pixels, (N, 2), their depths, and which strokes are left, cut at the near plane."""
    _, za = view.project(strokes.a)
    _, zb = view.project(strokes.b)
    near = view.near
    kept = np.flatnonzero((za > near) | (zb > near))
    a, b, za, zb = strokes.a[kept], strokes.b[kept], za[kept], zb[kept]
    for one, other, z, far in ((a, b, za, zb), (b, a, zb, za)):
        short = z < near
        t = np.where(short, (near - z) / _safe(far - z), 0.0)[:, None]
        one[short] = (one + t * (other - one))[short]
    pa, za = view.project(a)
    pb, zb = view.project(b)
    middle, size = np.array(view.size) / 2.0, float(max(view.size))
    near_enough = (np.abs(pa - middle).max(axis=1, initial=0.0) < LONGEST * size) & (
        np.abs(pb - middle).max(axis=1, initial=0.0) < LONGEST * size
    )
    found = np.flatnonzero(near_enough)
    return pa[found], pb[found], np.maximum(za[found], near), np.maximum(zb[found], near), kept[found]


def _safe(values: AnyArray) -> AnyArray:
    """Return divisors, those that are 0 replaced by one that leaves the quotient's clip alone."""
    return np.where(values == 0.0, 1.0, values)
