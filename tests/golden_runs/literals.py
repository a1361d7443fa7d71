"""A rig, a mesh and a sprite sheet from literals and whole-number arithmetic: their numbers are the same everywhere."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from anim import (
    Atlas,
    Channel,
    Clip,
    ClipEvent,
    FrameEvent,
    Interpolation,
    Path,
    Rig,
    Skeleton,
    SpriteClip,
    SpriteSheet,
    Transform,
)

RATE = 60

BONES = 11
MORPHS = {3: (0.25, 0.0, -0.5), 8: (0.125,)}
PARENTS = (-1, 0, 1, 2, 2, 4, 5, 2, 7, 8, 0)

_TURNS = (
    (1 / 11, 2 / 11, 4 / 11, 10 / 11),
    (2 / 9, 4 / 9, 5 / 9, 6 / 9),
    (1 / 6, 3 / 6, 5 / 6, 1 / 6),
    (0.0, 0.0, 3 / 5, 4 / 5),
    (0.5, -0.5, 0.5, 0.5),
)
"""Unit quaternions of rational parts."""


def numbers(seed: int) -> Iterator[float]:
    """Yield numbers in [-1, 1) without end: a linear congruence in integers, divided by a power of two."""
    state = seed
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state / 2**30 - 1.0


def array(seed: int, *shape: int) -> NDArray[np.float64]:
    """Return an array of `numbers`."""
    source = numbers(seed)
    count = 1
    for length in shape:
        count *= length
    return np.array([next(source) for _ in range(count)]).reshape(shape)


@cache
def rig() -> Rig:
    """Return eleven bones under four clips: every path and interpolation, shear, mirrors, marks, ends between ticks."""
    places, scales = array(1, BONES, 3).tolist(), array(2, BONES, 3).tolist()
    sheared = [[1.0, 0.5, 0.0, 0.25], [0.0, 1.0, 0.125, 0.5], [0.0, 0.0, -1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    binds = np.tile(np.eye(4), (8, 1, 1))
    binds[:, :3] += array(3, 8, 3, 4) / 4
    skeleton = Skeleton(
        names=[f"bone{bone}" for bone in range(BONES)],
        parents=PARENTS,
        rest=[
            Transform(tuple(place), _TURNS[bone % len(_TURNS)], tuple(1.0 + part / 4 for part in scale))
            for bone, (place, scale) in enumerate(zip(places, scales, strict=True))
        ],
        matrices={10: sheared},
        joints=(9, 3, 0, 6, 10, 5, 2, 6),
        inverse_bind=binds,
        morphs=MORPHS,
    )
    return Rig(skeleton, (_stroll(), _reach(), _pulse(), _nod()))


def _stroll() -> Clip:
    """Every bone turns, the root moves; 2/3 of a second, which no float32 holds."""
    times = [float(np.float32(k / 12)) for k in range(9)]
    turns = [Channel(bone, Path.ROTATION, Interpolation.LINEAR, times, array(10 + bone, 9, 4)) for bone in range(BONES)]
    way = Channel(0, Path.TRANSLATION, Interpolation.LINEAR, times, array(30, 9, 3))
    return Clip("stroll", [*turns, way], [ClipEvent("left", 0.0), ClipEvent("right", 0.3), ClipEvent("end", times[-1])])


def _reach() -> Clip:
    """Splines on a few bones, for 1.37 seconds from 0.11 on."""
    times = [0.11, 0.4, 0.41, 0.9, 1.37]
    kinds = ((Path.ROTATION, 4), (Path.TRANSLATION, 3), (Path.SCALE, 3))
    spline = Interpolation.CUBICSPLINE
    channels = [
        Channel(bone, path, spline, times, array(40 + 3 * bone + path, 15, width))
        for bone in (1, 4, 5, 9)
        for path, width in kinds
    ]
    weights = Channel(3, Path.WEIGHTS, spline, times, array(90, 15, 3))
    return Clip("reach", [*channels, weights], [ClipEvent("touch", 0.7)])


def _pulse() -> Clip:
    """Steps, lines and morph weights over half a second; the keys of one channel end before the others."""
    channels = [
        Channel(3, Path.WEIGHTS, Interpolation.STEP, [0.0, 0.15, 0.3], array(100, 3, 3)),
        Channel(8, Path.WEIGHTS, Interpolation.LINEAR, [0.0, 0.5], array(101, 2, 1)),
        Channel(2, Path.SCALE, Interpolation.LINEAR, [0.0, 0.2, 0.5], 1.0 + array(102, 3, 3) / 2),
        Channel(7, Path.ROTATION, Interpolation.STEP, [0.0, 0.25], array(103, 2, 4)),
        Channel(6, Path.TRANSLATION, Interpolation.LINEAR, [0.25], array(104, 1, 3)),
    ]
    return Clip("pulse", channels, [ClipEvent("beat", 0.25), ClipEvent("beat", 0.5)])


def _nod() -> Clip:
    """What is added: turns, moves and scales of three bones, never scaled by zero."""
    times = [0.0, 0.35, 0.8]
    channels = [
        channel
        for bone in (2, 7, 8)
        for channel in (
            Channel(bone, Path.ROTATION, Interpolation.LINEAR, times, array(110 + bone, 3, 4)),
            Channel(bone, Path.TRANSLATION, Interpolation.LINEAR, times, array(120 + bone, 3, 3)),
            Channel(bone, Path.SCALE, Interpolation.LINEAR, times, 1.5 + array(130 + bone, 3, 3) / 4),
        )
    ]
    return Clip("nod", channels, [ClipEvent("down", 0.35)])


@cache
def sheet() -> SpriteSheet:
    """Return a sheet of three clips whose rates divide no tick."""
    return SpriteSheet(
        Atlas.grid((64, 32), (8, 8)),
        (
            SpriteClip.span("run", 3, 12, Fraction(30000, 1001), [FrameEvent("step", 2), FrameEvent("step", 7)]),
            SpriteClip("blink", (0, 1, 2, 1, 20), 0.3, [FrameEvent("shut", 2)]),
            SpriteClip("spark", (21, 22), 144, [FrameEvent("on", 0)]),
        ),
    )
