"""Rigs about keys: how a clip is sampled between them, before the first and after the last."""

from __future__ import annotations

import math

import numpy as np

from posed.conform.figure import BODY, HIP, SHIN, Channel, Figure, limb, moved, turn
from posed.conform.rig import Rig


def _moving(*channels: Channel) -> bytes:
    figure = Figure()
    limb(figure)
    figure.clip(*channels)
    return figure.glb(BODY, HIP)


def _linear() -> bytes:
    return _moving(
        moved(HIP, "translation", "LINEAR", (0.0, 1.0), [[0.0, 0.0, 0.0], [0.4, 0.0, 0.0]]),
        moved(SHIN, "rotation", "LINEAR", (0.0, 1.0), [turn("z", 0.0), turn("z", 60.0)]),
        moved(SHIN, "scale", "LINEAR", (0.0, 1.0), [[1.0, 1.0, 1.0], [1.0, 1.5, 1.0]]),
    )


def _step() -> bytes:
    return _moving(
        moved(HIP, "translation", "STEP", (0.0, 0.5, 1.0), [[0.0, 0.0, 0.0], [0.4, 0.0, 0.0], [-0.4, 0.0, 0.0]]),
        moved(SHIN, "rotation", "STEP", (0.0, 0.5, 1.0), [turn("z", angle) for angle in (0.0, 40.0, -40.0)]),
    )


def _cubic() -> bytes:
    still, slope = [0.0, 0.0, 0.0], [0.5, 0.25, 0.0]
    spin = [0.0, 0.0, 0.4, 0.0]
    return _moving(
        moved(
            HIP,
            "translation",
            "CUBICSPLINE",
            (0.0, 2.0),
            [still, still, slope, [0.0, -0.5, 0.0], [0.3, 0.0, 0.0], still],
        ),
        moved(
            SHIN,
            "rotation",
            "CUBICSPLINE",
            (0.0, 2.0),
            [[0.0] * 4, turn("z", 0.0), spin, spin, turn("z", 50.0), [0.0] * 4],
        ),
    )


def _short_way() -> bytes:
    far = [-number for number in turn("z", 50.0)]
    return _moving(moved(SHIN, "rotation", "LINEAR", (0.0, 1.0), [turn("z", -10.0), far]))


def _arc() -> bytes:
    return _moving(moved(SHIN, "rotation", "LINEAR", (0.0, 1.0), [turn("z", -75.0), turn("z", 75.0)]))


def _late() -> bytes:
    return _moving(moved(SHIN, "rotation", "LINEAR", (0.5, 1.0), [turn("z", 40.0), turn("z", -20.0)]))


def _bend() -> bytes:
    return _moving(moved(SHIN, "rotation", "LINEAR", (0.0, 1.0), [turn("z", 0.0), turn("z", 60.0)]))


def _one_key() -> bytes:
    return _moving(moved(SHIN, "rotation", "LINEAR", (0.0,), [turn("z", 35.0)]))


def _shorts() -> bytes:
    keys = np.array([turn("z", 0.0), turn("z", 60.0)])
    stored = np.floor(keys * 32767.0 + 0.5).astype(np.int16)
    figure = Figure()
    limb(figure)
    figure.clip(Channel(SHIN, "rotation", "LINEAR", (0.0, 1.0), stored))
    output = figure.writer.document["animations"][0]["samplers"][0]["output"]
    figure.writer.document["accessors"][output]["normalized"] = True
    return figure.glb(BODY, HIP)


def _untouched() -> bytes:
    figure = Figure()
    limb(figure, shin={"rotation": turn("z", 30.0), "scale": [1.0, 1.25, 1.0]})
    figure.clip(moved(SHIN, "translation", "LINEAR", (0.0, 1.0), [[0.0, 1.0, 0.0], [0.0, 1.0, math.sqrt(0.25)]]))
    return figure.glb(BODY, HIP)


RIGS = (
    Rig(
        "linear_keys", "LINEAR keys: translation and scale on the line, rotation on the arc", _linear, (15, 45), "once"
    ),
    Rig("step_keys", "STEP keys hold until the next one, at whose time that one counts", _step, (29, 30, 59), "once"),
    Rig("cubic_keys", "CUBICSPLINE tangents are scaled by the two seconds between the keys", _cubic, (30, 90), "once"),
    Rig("short_way", "a rotation takes the shorter way, whatever the signs of its keys", _short_way, (30,), "once"),
    Rig("arc", "a wide turn goes at an even pace along the arc (slerp, not nlerp)", _arc, (15,), "once"),
    Rig("late_start", "before its first key a clip shows the value of that key", _late, (15, 45), "once"),
    Rig("hold", "played once, a clip holds its last key after the end", _bend, (90,), "once"),
    Rig("loop", "looped, a clip begins again after its last key", _bend, (90, 195), "loop"),
    Rig("one_key", "a clip of one key is a constant", _one_key, (0, 30), "once"),
    Rig("short_rotations", "rotations stored as normalized 16-bit integers", _shorts, (30,), "once"),
    Rig("untouched", "what no channel moves keeps the node's own rotation and scale", _untouched, (30,), "once"),
)
