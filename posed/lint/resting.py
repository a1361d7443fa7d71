"""Findings on the rest pose of a file that loads: joints that flatten or mirror, vertices far from their places or from
all numbers.

Plain float64 sums: a diagnosis needs no bit of the animator's, and no kernel to load.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import Float64
from posed.gltf.mesh import Primitive
from posed.gltf.model import Model
from posed.gltf.node import Node
from posed.lint.asset import Asset, called
from posed.lint.finding import Finding
from posed.words import listed, noun

SINGULAR_WITHIN = 1e-9
"""Volume of a matrix's axes over the product of their lengths, below which it flattens space."""

FAR = 0.5
"""Share of a mesh's diagonal: a vertex that rests farther from its place leaves the bounds of the stored mesh."""


LARGEST = float(np.finfo(np.float32).max)
"""Metres: what a posed vertex can hold."""


def check_rest(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about joints and meshes where no clip plays."""
    model = asset.model
    if model is None:
        return
    with np.errstate(over="ignore", invalid="ignore"):  # what leaves the numbers is a finding
        placed = rest_globals(model)
        yield from _joints(asset, model, placed)
        for index in model.mesh_nodes:
            yield from _vertices(asset, model, index, placed)


def _joints(asset: Asset, model: Model, placed: Float64) -> Iterator[Finding]:
    for skin in model.skins:
        record = asset.records["skins"][skin.index]
        singular, mirrored = flattening_and_mirroring(placed[list(skin.joints)])
        for code, rows, one, several in (
            ("P306", singular, "a joint that flattens space", "joints that flatten space"),
            ("P307", mirrored, "a joint that mirrors", "joints that mirror"),
        ):
            if rows:
                nodes = listed([skin.joints[row] for row in rows], "node")
                name = called(record, "skin", skin.index)
                yield asset.finding(
                    code, record.place("joints"), f"{name} has {noun(len(rows), one, several)} at rest: {nodes}"
                )


def _vertices(asset: Asset, model: Model, index: int, placed: Float64) -> Iterator[Finding]:
    node = model.nodes[index]
    assert node.mesh is not None
    skin = None if node.skin is None else model.skins[node.skin]
    palette = None if skin is None else placed[list(skin.joints)] @ skin.inverse_bind
    name = called(asset.records["nodes"][index], "node", index)
    worst = (0.0, 0, 0)
    for primitive in model.meshes[node.mesh].primitives:
        if not len(primitive.positions):
            continue
        bound = primitive.positions.astype(np.float64)
        skinned = palette is not None and primitive.joints is not None
        rested = _skinned(primitive, bound, palette) if skinned else _moved(placed[index][None], bound)
        lost = ~(np.abs(rested) <= LARGEST).all(axis=1)
        if lost.any():
            what = f"{name}: vertex {int(lost.argmax())} of primitive {primitive.index} rests past all float32"
            yield asset.finding("P204", f"/nodes/{index}", what)
            return
        diagonal = float(lengths(bound.max(axis=0) - bound.min(axis=0)))
        if skinned and diagonal > 0.0:
            off = lengths(rested - bound)
            worst = max(worst, (float(off.max()) / diagonal, primitive.index, int(off.argmax())))
    if worst[0] > FAR:
        yield asset.finding(
            "P309",
            f"/nodes/{index}",
            f"{name}: vertex {worst[2]} of primitive {worst[1]} rests {worst[0]:.3g} diagonals of the primitive away "
            "from where it was bound",
        )


def rest_globals(model: Model) -> Float64:
    """Return the matrix of every node in the file's scene space, (N, 4, 4), as the file places it."""
    placed = np.empty((len(model.nodes), 4, 4))
    for index in model.bones:
        node = model.nodes[index]
        local = _local(node) if node.matrix is None else node.matrix
        placed[index] = local if node.parent == -1 else placed[node.parent] @ local
    return placed


def _local(node: Node) -> Float64:
    x, y, z, w = node.rotation
    turn = np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )
    local = np.eye(4)
    local[:3, :3] = turn * node.scale
    local[:3, 3] = node.translation
    return local


def _skinned(primitive: Primitive, bound: Float64, palette: Float64 | None) -> Float64:
    """Return vertices (V, 3) under a palette (J, 4, 4)."""
    assert palette is not None
    assert primitive.joints is not None
    assert primitive.weights is not None
    rested = np.zeros_like(bound)
    for joints, weights in zip(primitive.joints.T, primitive.weights.T, strict=True):
        rested += weights[:, None] * _moved(palette[joints], bound)
    return rested


def _moved(matrices: Float64, points: Float64) -> Float64:
    """Return points (V, 3), each under its matrix or all under the only one, (V or 1, 4, 4)."""
    moved: Float64 = (matrices[:, :3, :3] * points[:, None, :]).sum(axis=2) + matrices[:, :3, 3]
    return moved


def flattening_and_mirroring(matrices: Float64) -> tuple[list[int], list[int]]:
    """Return which of the matrices, (N, 4, 4), flatten space and which mirror it."""
    x, y, z = (matrices[:, :3, column] for column in range(3))
    volume = (np.cross(x, y) * z).sum(axis=1)
    singular = ~(np.abs(volume) > SINGULAR_WITHIN * lengths(x) * lengths(y) * lengths(z))
    return np.flatnonzero(singular).tolist(), np.flatnonzero(~singular & (volume < 0.0)).tolist()


def lengths(vectors: Float64) -> Float64:
    """Return the length of each vector along the last axis."""
    found: Float64 = np.sqrt((vectors * vectors).sum(axis=-1))
    return found
