"""Findings on skins: how meshes are bound to joints, and where both stand at rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import Float64
from posed.gltf.document import Record
from posed.lint.asset import Asset, called, listed
from posed.lint.finding import Finding
from posed.model_pose import rest_pose
from posed.skinning import posed_vertices

SINGULAR_WITHIN = 1e-9
"""Volume of a matrix's axes over the product of their lengths, below which it flattens space."""

FAR = 0.5
"""Share of a mesh's diagonal: a vertex that rests farther from its place leaves the bounds of the stored mesh."""

_AT_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
_IDENTITY = tuple(float(i % 5 == 0) for i in range(16))


def check_skins(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about skinned nodes, joints, inverse bind matrices and the rest pose."""
    yield from _skinned_nodes(asset)
    for index, record in enumerate(asset.records["skins"]):
        with asset.tolerant():
            yield from _skin(asset, index, record)
    yield from _resting(asset)


def _skinned_nodes(asset: Asset) -> Iterator[Finding]:
    jointed = {part.mesh for part in asset.parts if "JOINTS_0" in part.attributes}
    for index, record in enumerate(asset.records["nodes"]):
        name = called(record, "node", index)
        with asset.tolerant():
            mesh = record.index("mesh", len(asset.records["meshes"]), "meshes")
            if "skin" not in record:
                if mesh in jointed:
                    yield asset.finding("P310", record.pointer, f"{name} has no skin, its mesh {mesh} has joints")
                continue
            if mesh is None:
                yield asset.finding("P310", record.place("skin"), f"{name} has a skin and no mesh")
            elif mesh not in jointed:
                yield asset.finding("P310", record.place("skin"), f"{name} has a skin, its mesh {mesh} has no joints")
            moved = [key for key, rest in _AT_REST.items() if record.numbers(key, len(rest), rest) != rest]
            if record.numbers("matrix", 16, _IDENTITY) != _IDENTITY:
                moved.append("matrix")
            if moved:
                yield asset.finding("P301", record.pointer, f"{name} is skinned, its own {' and '.join(moved)} ignored")
            if asset.parents[index] != -1:
                yield asset.finding(
                    "P302", record.pointer, f"{name} is skinned and stands below node {asset.parents[index]}"
                )


def _skin(asset: Asset, index: int, record: Record) -> Iterator[Finding]:
    nodes, name = asset.records["nodes"], called(record, "skin", index)
    joints = record.indices("joints", len(nodes), "nodes")
    twice = sorted({joint for joint in joints if joints.count(joint) > 1}) if len(set(joints)) < len(joints) else []
    if twice:
        yield asset.finding("P308", record.place("joints"), f"{name} lists the joints {listed(twice)} more than once")
    outside = [joint for joint in joints if joint not in asset.shown]
    if outside:
        yield asset.finding(
            "P305", record.place("joints"), f"{name} has joints that are not in the scene: nodes {listed(outside)}"
        )
    accessor = record.index("inverseBindMatrices", len(asset.accessors), "accessors")
    if accessor is None:
        yield asset.finding("P303", record.pointer, f"{name} has no inverse bind matrices for its {len(joints)} joints")
        return
    matrices = asset.accessors.floats(accessor, ("MAT4",), np.float64, record, "inverseBindMatrices")
    place = record.place("inverseBindMatrices")
    if len(matrices) > len(joints):
        yield asset.finding("P304", place, f"{name} has {len(matrices)} inverse bind matrices for {len(joints)} joints")
    singular, mirrored = _kinds(matrices[: len(joints)])
    for numbers, what in ((singular, "singular"), (mirrored, "mirroring")):
        if numbers:
            yield asset.finding("P304", place, f"{name} has {what} inverse bind matrices, at joints {listed(numbers)}")


def _resting(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about the rest pose, of a file that loads."""
    model = asset.model
    if model is None or not model.skins:
        return
    rest, skeleton = rest_pose(model), model.node_rig().skeleton
    for skin in model.skins:
        record = asset.records["skins"][skin.index]
        name = called(record, "skin", skin.index)
        bones = [skeleton.bone_of_node(joint) for joint in skin.joints]
        singular, mirrored = _kinds(rest.globals[bones])
        for code, rows, what in (("P306", singular, "flatten space"), ("P307", mirrored, "mirror")):
            if rows:
                nodes = listed([skin.joints[row] for row in rows])
                yield asset.finding(
                    code, record.place("joints"), f"{name} has joints that {what} at rest: nodes {nodes}"
                )
    for node, palette in rest.palettes.items():
        mesh = model.nodes[node].mesh
        assert mesh is not None
        worst = (0.0, 0, 0)
        for primitive in model.meshes[mesh].primitives:
            if primitive.joints is None or len(primitive.positions) < 2:
                continue
            bound = primitive.positions.astype(np.float64)
            diagonal = _length((bound.max(axis=0) - bound.min(axis=0))[None])[0]
            off = _length(posed_vertices(primitive, palette=palette, dtype=np.float64).positions - bound)
            if diagonal > 0.0:
                worst = max(worst, (float(off.max()) / diagonal, primitive.index, int(off.argmax())))
        if worst[0] > FAR:
            share, primitive_index, vertex = worst
            yield asset.finding(
                "P309",
                f"/nodes/{node}",
                f"{called(asset.records['nodes'][node], 'node', node)}: vertex {vertex} of primitive {primitive_index} "
                f"rests {share:.3g} of its mesh's diagonals from where it was bound",
            )


def _kinds(matrices: Float64) -> tuple[list[int], list[int]]:
    """Return which of the matrices, (N, 4, 4), flatten space and which mirror it."""
    x, y, z = (matrices[:, :3, column] for column in range(3))
    volume = (np.cross(x, y) * z).sum(axis=1)
    sides = _length(x) * _length(y) * _length(z)
    singular = ~(np.abs(volume) > SINGULAR_WITHIN * sides)
    return np.flatnonzero(singular).tolist(), np.flatnonzero(~singular & (volume < 0.0)).tolist()


def _length(vectors: Float64) -> Float64:
    length: Float64 = np.sqrt((vectors * vectors).sum(axis=1))
    return length
