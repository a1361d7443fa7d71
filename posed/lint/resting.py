"""Findings on the rest pose of a file that loads: joints that flatten or mirror, vertices far from their places.

Plain float64 sums: a diagnosis needs no bit of the animator's, and no kernel to load.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import Float64
from posed.gltf.mesh import Mesh
from posed.gltf.model import Model
from posed.gltf.node import Node
from posed.lint.asset import Asset, called, listed
from posed.lint.finding import Finding

SINGULAR_WITHIN = 1e-9
"""Volume of a matrix's axes over the product of their lengths, below which it flattens space."""

FAR = 0.5
"""Share of a mesh's diagonal: a vertex that rests farther from its place leaves the bounds of the stored mesh."""


def check_rest(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about joints and skinned meshes where no clip plays."""
    model = asset.model
    if model is None or not model.skins:
        return
    placed = rest_globals(model)
    for skin in model.skins:
        record = asset.records["skins"][skin.index]
        singular, mirrored = flattening_and_mirroring(placed[list(skin.joints)])
        for code, rows, what in (("P306", singular, "flatten space"), ("P307", mirrored, "mirror")):
            if rows:
                nodes = listed([skin.joints[row] for row in rows])
                name = called(record, "skin", skin.index)
                yield asset.finding(
                    code, record.place("joints"), f"{name} has joints that {what} at rest: nodes {nodes}"
                )
    for index in model.mesh_nodes:
        node = model.nodes[index]
        if node.mesh is None or node.skin is None:
            continue
        skin = model.skins[node.skin]
        share, primitive, vertex = _farthest(model.meshes[node.mesh], placed[list(skin.joints)] @ skin.inverse_bind)
        if share > FAR:
            name = called(asset.records["nodes"][index], "node", index)
            yield asset.finding(
                "P309",
                f"/nodes/{index}",
                f"{name}: vertex {vertex} of primitive {primitive} rests {share:.3g} of its mesh's diagonals from "
                "where it was bound",
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


def _farthest(mesh: Mesh, palette: Float64) -> tuple[float, int, int]:
    """Return the longest way from a bound vertex to the same at rest, as a share of its primitive's diagonal.

    With the primitive and the vertex; (0, 0, 0) where nothing is skinned.
    """
    worst = (0.0, 0, 0)
    for primitive in mesh.primitives:
        if primitive.joints is None or primitive.weights is None or len(primitive.positions) < 2:
            continue
        bound = primitive.positions.astype(np.float64)
        rested = np.zeros_like(bound)
        for joints, weights in zip(primitive.joints.T, primitive.weights.T, strict=True):
            pulled = (palette[joints, :3, :3] * bound[:, None, :]).sum(axis=2) + palette[joints, :3, 3]
            rested += weights[:, None] * pulled
        diagonal = float(lengths(bound.max(axis=0) - bound.min(axis=0)))
        off = lengths(rested - bound)
        if diagonal > 0.0:
            worst = max(worst, (float(off.max()) / diagonal, primitive.index, int(off.argmax())))
    return worst


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
