"""Rigs about morph targets and sparse accessors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posed.arrays import Float32
from posed.conform.figure import BODY, HIP, Channel, Figure, limb, moved, ridge, turn
from posed.conform.rig import Rig

WIDE, LEAN = 0, 1
"""The targets of most rigs here: one widens the upper half, the other leans it."""


def _deltas() -> tuple[Float32, Float32]:
    positions = ridge().positions
    wide, lean = np.zeros_like(positions), np.zeros_like(positions)
    upper = positions[:, 1] > 1.0
    wide[upper, 0] = positions[upper, 0]
    lean[upper, 2] = 0.5 * (positions[upper, 1] - 1.0)
    return wide, lean


def _target(figure: Figure, positions: Float32, normals: Float32 | None = None) -> dict[str, int]:
    found = {"POSITION": figure.writer.attribute(positions, bounds=True)}
    return found if normals is None else found | {"NORMAL": figure.writer.attribute(normals)}


def _placed(
    *channels: Channel, targets: int = 2, mesh: dict[str, Any] | None = None, node: dict[str, Any] | None = None
) -> bytes:
    """A ridge without a skin, its mesh on node 0, with the first of the two targets or both."""
    figure = Figure()
    deltas = [_target(figure, one) for one in _deltas()[:targets]]
    figure.node(
        "face", mesh=figure.mesh("ridge", figure.primitive(ridge(), targets=deltas), **(mesh or {})), **(node or {})
    )
    if channels:
        figure.clip(*channels)
    return figure.glb(0)


def _weights(interpolation: str, times: tuple[float, ...], values: list[float]) -> Channel:
    return moved(0, "weights", interpolation, times, values)


def _linear() -> bytes:
    return _placed(_weights("LINEAR", (0.0, 1.0), [0.0, 1.0, 1.0, 0.0]))


def _step() -> bytes:
    return _placed(_weights("STEP", (0.0, 0.5), [0.0, 1.0, 1.0, 0.0]))


def _cubic() -> bytes:
    first = [0.0, 0.0, 0.0, 0.5, 1.5, -0.5]  # in-tangents of both targets, their values, their out-tangents
    last = [0.5, 0.25, 1.0, 0.25, 0.0, 0.0]
    return _placed(_weights("CUBICSPLINE", (0.0, 1.0), first + last))


def _node_weights() -> bytes:
    return _placed(mesh={"weights": [1.0, 0.0]}, node={"weights": [0.0, 0.75]})


def _mesh_weights() -> bytes:
    return _placed(mesh={"weights": [0.5, 1.0]})


def _before_skin() -> bytes:
    figure = Figure()
    wide, _ = _deltas()
    limb(figure, shin={"rotation": turn("z", 70.0)}, body={"weights": [1.0]}, targets=[_target(figure, wide)])
    return figure.glb(BODY, HIP)


def _normals() -> bytes:
    flat, deep = ridge(depth=0.05), ridge(depth=0.45)
    figure = Figure()
    target = _target(figure, deep.positions - flat.positions, deep.normals - flat.normals)
    figure.node("face", mesh=figure.mesh("ridge", figure.primitive(flat, targets=[target])), weights=[1.0])
    return figure.glb(0)


def _ten_targets() -> bytes:
    figure = Figure()
    positions = ridge().positions
    targets = []
    for number in range(10):
        delta = np.zeros_like(positions)
        row = 4 * (number % 5)
        delta[row : row + 4, number // 5] = 0.05 * (1 + number % 3)
        targets.append(_target(figure, delta))
    figure.node("face", mesh=figure.mesh("ridge", figure.primitive(ridge(), targets=targets)), weights=[1.0] * 10)
    return figure.glb(0)


def _upper(positions: Float32) -> NDArray[np.uint16]:
    return np.flatnonzero(positions[:, 1] > 1.0).astype(np.uint16)


def _sparse() -> bytes:
    figure = Figure()
    shape = ridge()
    held = np.array(shape.positions)
    rows = _upper(held)
    held[rows, 0] += 0.5
    primitive = figure.primitive(shape)
    base = primitive["attributes"]["POSITION"]
    primitive["attributes"]["POSITION"] = figure.writer.sparse(held, rows, base=base)
    figure.node("body", mesh=figure.mesh("ridge", primitive))
    return figure.glb(0)


def _sparse_alone() -> bytes:
    figure = Figure()
    _, lean = _deltas()
    target = {"POSITION": figure.writer.sparse(lean, _upper(ridge().positions))}
    figure.node("face", mesh=figure.mesh("ridge", figure.primitive(ridge(), targets=[target])), weights=[1.0])
    return figure.glb(0)


RIGS = (
    Rig("morph_weights", "LINEAR weights of two targets, in turn for each key", _linear, (15,), "once"),
    Rig("morph_step", "STEP weights hold until the next key", _step, (29, 30), "once"),
    Rig(
        "morph_cubic",
        "CUBICSPLINE weights: of each key all in-tangents, all values, all out-tangents",
        _cubic,
        (15, 45),
        "once",
    ),
    Rig("mesh_weights", "at rest, targets count by the weights of the mesh", _mesh_weights),
    Rig("node_weights", "a node's weights go before those of its mesh", _node_weights),
    Rig("morph_before_skin", "morph targets move vertices before joints do", _before_skin, drawn=True),
    Rig("morph_normals", "a target's normals are added to the mesh's", _normals, normals=True, drawn=True),
    Rig("ten_targets", "ten targets count at once", _ten_targets, drawn=True),
    Rig("sparse", "a sparse accessor changes some rows of another", _sparse, drawn=True),
    Rig(
        "sparse_alone", "a sparse accessor without a buffer view changes some rows of zeros", _sparse_alone, drawn=True
    ),
)
