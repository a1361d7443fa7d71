"""Movers: the keyed path of a whole object, as a clip of a rig with one bone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import anim
from posed.arrays import Float64
from posed.scene.description import Motion

if TYPE_CHECKING:
    from posed.scene.schema import MotionTable

_KINDS = {
    "linear": anim.Interpolation.LINEAR,
    "step": anim.Interpolation.STEP,
    "cubic": anim.Interpolation.CUBICSPLINE,
}


def read_motion(table: MotionTable, rest: anim.Transform) -> Motion:
    """Return the path in a checked `[object.motion]`; what it does not key stays as in `rest`.

    A cubic path passes through its keys with the slope between the two neighbours of each (of its one neighbour at
    the ends), by time.
    """
    tracks: tuple[tuple[anim.Path, Sequence[Sequence[float]] | None], ...] = (
        (anim.Path.TRANSLATION, table.positions),
        (anim.Path.ROTATION, table.rotations),
        (anim.Path.SCALE, table.scales),
    )
    times = np.array([float(time) for time in table.times])
    kind = _KINDS[table.interpolation]
    channels = []
    for path, keys in tracks:
        if keys is None:
            continue
        values = np.array(keys, np.float64)
        if path is anim.Path.ROTATION:
            values = _same_hemisphere(values)
        if kind is anim.Interpolation.CUBICSPLINE:
            slopes = _slopes(times, values)
            values = np.stack([slopes, values, slopes], axis=1).reshape(-1, values.shape[1])
        channels.append(anim.Channel(0, path, kind, times, values))
    clip = anim.Clip("motion", tuple(channels))
    skeleton = anim.Skeleton(names=("object",), parents=np.array([-1], np.int32), rest=(rest,))
    return Motion(anim.Rig(skeleton, (clip,)), clip, table.playback)


def _slopes(times: Float64, values: Float64) -> Float64:
    if len(times) == 1:
        return np.zeros_like(values)
    before = np.maximum(np.arange(len(times)) - 1, 0)
    after = np.minimum(np.arange(len(times)) + 1, len(times) - 1)
    slopes: Float64 = (values[after] - values[before]) / (times[after] - times[before])[:, None]
    return slopes


def _same_hemisphere(rotations: Float64) -> Float64:
    """Flip quaternions so that each is the nearer of the two to the one before: q and -q are one rotation."""
    out = rotations.copy()
    for key in range(1, len(out)):
        a, b = out[key - 1], out[key]
        if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0:
            out[key] = -b
    return out
