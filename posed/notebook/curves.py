"""Curves of a channel as small drawings: how far its numbers go from where they begin, a dot a key."""

from __future__ import annotations

import numpy as np

import anim
from posed.arrays import Float64
from posed.overlay.ramps import hue

WIDTH, HEIGHT, MARGIN = 260, 34, 3
"""Of a drawing, in the page's pixels."""

POINTS = 48
"""Places in time at which a channel is sampled, beside its keys."""

DOTS = 24
"""Keys that are shown as dots at most: more would be a line."""

LINES = 8
"""Numbers of a value that are drawn, of many morph weights the first."""

STILL = 1e-9
"""Of a change that counts as none."""

COLORS = tuple("#{:02x}{:02x}{:02x}".format(*hue(degrees, 0.66)) for degrees in (25.0, 145.0, 255.0, 305.0))
"""Of x, y and z; further numbers begin again."""


def sampled(channel: anim.Channel, duration: float) -> tuple[Float64, Float64]:
    """Return times, (N,), from 0 to `duration` with all keys among them, and the channel's values, (N, C)."""
    times = np.union1d(np.linspace(0.0, max(duration, 0.0), POINTS), channel.times)
    values = [[anim.sample_component(channel, c, float(t)) for c in range(channel.components)] for t in times]
    return times, np.array(values, np.float64).reshape(len(times), channel.components)


def changes(channel: anim.Channel, values: Float64) -> Float64:
    """Return values, (N, C), from the first of them: of rotations the turn from there in degrees about x, y, z."""
    rotates = channel.path is anim.Path.ROTATION
    changed: Float64 = np.degrees(turns(values, values[0])) if rotates else values - values[0]
    return changed


def turns(rotations: Float64, start: Float64) -> Float64:
    """Return the turns, (N, 3) radians times axis, that take a unit quaternion to others, (N, 4), the shorter way."""
    x, y, z, w = -start[0], -start[1], -start[2], start[3]
    a, b, c, d = rotations.T
    vector = np.stack([d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w], 1)
    scalar = d * w - a * x - b * y - c * z
    vector = np.where(scalar[:, None] < 0.0, -vector, vector)
    sine = np.sqrt((vector * vector).sum(axis=1))
    angle = 2.0 * np.arctan2(sine, np.abs(scalar))
    turned: Float64 = vector * (angle / np.where(sine > 0.0, sine, 1.0))[:, None]
    return turned


def reach(channel: anim.Channel, changed: Float64) -> str:
    """Say how far the farthest of the changes goes, in the unit that they have."""
    farthest = float(np.sqrt((changed * changed).sum(axis=1)).max(initial=0.0))
    unit = {anim.Path.ROTATION: "\u00b0", anim.Path.TRANSLATION: " m"}.get(channel.path, "")
    return f"{farthest if farthest > STILL else 0.0:.3g}{unit}"


def curve(channel: anim.Channel, duration: float) -> tuple[str, str]:
    """Return how far a channel goes, in words, and its curve as an SVG drawing."""
    times, values = sampled(channel, duration)
    changed = changes(channel, values)
    low, high = min(float(changed.min()), 0.0), max(float(changed.max()), 0.0)
    if high - low < 1e-9:
        low, high = -0.5, 0.5
    x = MARGIN + (WIDTH - 2 * MARGIN) * times / (duration or 1.0)
    y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (changed - low) / (high - low)
    keys = np.isin(times, channel.times) if len(channel.times) <= DOTS else np.zeros(len(times), np.bool_)
    parts = []
    for component in range(min(changed.shape[1], LINES)):
        color, height = COLORS[component % len(COLORS)], y[:, component]
        line = " ".join(f"{x[i]:.1f},{height[i]:.1f}" for i in _bends(height))
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.3" points="{line}"/>')
        for i in np.flatnonzero(keys).tolist():
            parts.append(f'<circle cx="{x[i]:.1f}" cy="{height[i]:.1f}" r="1.5" fill="{color}"/>')
    frame = f'<rect width="{WIDTH}" height="{HEIGHT}" rx="3" fill="currentColor" fill-opacity=".06"/>'
    svg = f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">{frame}{"".join(parts)}</svg>'
    return reach(channel, changed), svg


def _bends(values: Float64) -> list[int]:
    """Return which points of a line are needed: its ends, and all that do not lie level with both neighbours."""
    rounded = np.round(values, 1)
    level = (rounded[1:-1] == rounded[:-2]) & (rounded[1:-1] == rounded[2:])
    return [0, *(np.flatnonzero(~level) + 1).tolist(), len(values) - 1] if len(values) > 1 else [0]
