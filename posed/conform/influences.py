"""Rigs about influences: how many joints pull a vertex, and how their weights are stored."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from posed.conform.figure import BODY, HEIGHTS, HIP, Figure, influences, lifted, limb, moved, ridge, turn
from posed.conform.rig import Rig

EVEN = ({0: 1.0}, {0: 0.75, 1: 0.25}, {0: 0.5, 1: 0.5}, {0: 0.25, 1: 0.75}, {1: 1.0})
"""A limb that bends along its whole length."""


def _fan(shares: tuple[float, ...]) -> bytes:
    """A ridge whose upper rows follow several joints at once, each of which leans another way."""
    figure = Figure()
    pulled = dict(enumerate(shares, 1))
    rows = [{0: 1.0}, {0: 1.0}, pulled, pulled, pulled]
    mesh = figure.mesh("ridge", figure.primitive(ridge(HEIGHTS), figure.bound(rows)))
    figure.node("body", mesh=mesh, skin=0)
    count = len(shares)
    root = figure.node("root", children=list(range(2, 2 + count)))
    for number in range(count):
        figure.node(f"pull_{number}")
    figure.skin(range(root, root + 1 + count), [lifted(0.0)] * (1 + count))
    channels = [
        moved(
            root + 1 + number, "translation", "LINEAR", (0.0, 1.0), [[0.0] * 3, [0.2 * number, 0.0, 0.3 * (number % 3)]]
        )
        for number in range(count)
    ]
    figure.clip(*channels)
    return figure.glb(0, root)


def _integer_weights(joints_kind: DTypeLike, kind: DTypeLike) -> bytes:
    figure = Figure()
    joints, weights = influences(EVEN)
    most = np.iinfo(kind).max
    stored = np.floor(weights * most + 0.5).astype(np.int64)
    stored[:, 0] = most - stored[:, 1]
    bound = {
        "JOINTS_0": figure.writer.attribute(joints.astype(joints_kind)),
        "WEIGHTS_0": figure.writer.attribute(stored.astype(kind), normalized=True),
    }
    limb(figure, bound, shin={"rotation": turn("z", 50.0)})
    return figure.glb(BODY, HIP)


def _interleaved() -> bytes:
    figure = Figure()
    shape, (joints, weights) = ridge(), influences(EVEN)
    limb(figure, {"JOINTS_0": figure.writer.attribute(joints.astype(np.uint16))}, shin={"rotation": turn("z", 50.0)})
    stored = figure.writer.interleaved(shape.positions, shape.normals, weights)
    (primitive,) = figure.writer.document["meshes"][0]["primitives"]
    primitive["attributes"] |= zip(("POSITION", "NORMAL", "WEIGHTS_0"), stored, strict=True)
    return figure.glb(BODY, HIP)


RIGS = (
    Rig(
        "four_influences",
        "four joints pull a vertex by different weights",
        lambda: _fan((0.4, 0.3, 0.2, 0.1)),
        (60,),
        "once",
        drawn=True,
    ),
    Rig(
        "eight_influences",
        "eight joints pull a vertex, in two sets of four",
        lambda: _fan((0.05, 0.05, 0.05, 0.05, 0.1, 0.2, 0.2, 0.3)),
        (60,),
        "once",
        drawn=True,
    ),
    Rig(
        "byte_weights",
        "weights are stored as normalized bytes",
        lambda: _integer_weights(np.uint8, np.uint8),
        drawn=True,
    ),
    Rig(
        "short_weights",
        "weights are stored as normalized 16-bit integers, joints as such",
        lambda: _integer_weights(np.uint16, np.uint16),
        drawn=True,
    ),
    Rig(
        "interleaved",
        "positions, normals and weights lie in one buffer view, vertex by vertex",
        _interleaved,
        drawn=True,
    ),
)
