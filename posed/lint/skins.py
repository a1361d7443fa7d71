"""Findings on skins: the nodes that use them, their joints and inverse bind matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.gltf.document import Record
from posed.lint.asset import Asset, called
from posed.lint.finding import Finding
from posed.lint.resting import flattening_and_mirroring
from posed.words import counted, listed, noun

_AT_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
_IDENTITY = tuple(float(i % 5 == 0) for i in range(16))


def check_skins(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about skinned nodes, joints and inverse bind matrices."""
    yield from _skinned_nodes(asset)
    for index, record in enumerate(asset.records["skins"]):
        with asset.tolerant():
            yield from _skin(asset, index, record)


def _skinned_nodes(asset: Asset) -> Iterator[Finding]:
    jointed = {part.mesh for part in asset.parts if "JOINTS_0" in part.attributes}
    below: list[int] = []
    for index, record in enumerate(asset.records["nodes"]):
        name = called(record, "node", index)
        with asset.tolerant():
            mesh = record.index("mesh", len(asset.records["meshes"]), "meshes")
            if "skin" not in record:
                if mesh in jointed:
                    yield asset.finding("P310", record.pointer, f"{name} has no skin, but its mesh {mesh} has joints")
                continue
            if mesh is None:
                yield asset.finding("P310", record.place("skin"), f"{name} has a skin and no mesh")
            elif mesh not in jointed:
                yield asset.finding(
                    "P310", record.place("skin"), f"{name} has a skin, but its mesh {mesh} has no joints"
                )
            moved = [key for key, rest in _AT_REST.items() if record.numbers(key, len(rest), rest) != rest]
            if record.numbers("matrix", 16, _IDENTITY) != _IDENTITY:
                moved.append("matrix")
            if moved:
                what = f"{' and '.join(moved)} {noun(len(moved), 'is', 'are')}"
                yield asset.finding("P301", record.pointer, f"{name} is skinned: its own {what} ignored")
            if asset.parents[index] != -1:
                below.append(index)
    if below:
        record = asset.records["nodes"][below[0]]
        name, parent = called(record, "node", below[0]), asset.parents[below[0]]
        others = counted(len(below) - 1, "other skinned node stands", "other skinned nodes stand")
        more = f"; {others} below one too" if len(below) > 1 else ""
        yield asset.finding("P302", record.pointer, f"{name} is skinned and stands below node {parent}{more}")


def _skin(asset: Asset, index: int, record: Record) -> Iterator[Finding]:
    nodes, name = asset.records["nodes"], called(record, "skin", index)
    joints = record.indices("joints", len(nodes), "nodes")
    twice = sorted({joint for joint in joints if joints.count(joint) > 1}) if len(set(joints)) < len(joints) else []
    if twice:
        yield asset.finding("P308", record.place("joints"), f"{name} lists {listed(twice, 'node')} more than once")
    outside = [joint for joint in joints if joint not in asset.shown]
    if outside:
        joint = noun(len(outside), "a joint that is", "joints that are")
        what = f"{name} has {joint} not in the scene: {listed(outside, 'node')}"
        yield asset.finding("P305", record.place("joints"), what)
    accessor = record.index("inverseBindMatrices", len(asset.accessors), "accessors")
    if accessor is None:
        count = counted(len(joints), "joint")
        yield asset.finding("P303", record.pointer, f"{name} has no inverse bind matrices for its {count}")
        return
    matrices = asset.accessors.floats(accessor, ("MAT4",), np.float64, record, "inverseBindMatrices")
    place = record.place("inverseBindMatrices")
    if len(matrices) > len(joints):
        count = counted(len(joints), "joint")
        yield asset.finding("P304", place, f"{name} has {len(matrices)} inverse bind matrices for {count}")
    singular, mirrored = flattening_and_mirroring(matrices[: len(joints)])
    for numbers, what in ((singular, "singular"), (mirrored, "mirroring")):
        if numbers:
            matrix = noun(len(numbers), f"a {what} inverse bind matrix", f"{what} inverse bind matrices")
            yield asset.finding("P304", place, f"{name} has {matrix}, at {listed(numbers, 'joint')}")
