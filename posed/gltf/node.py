"""Nodes: the transform hierarchy of a glTF file (glTF 2.0, section 3.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posed.arrays import Float64
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record
from posed.gltf.instancing import read_instances

LARGEST_PROJECTION = 1e-5
"""How far the last row of a matrix may be from 0 0 0 1: noise of an exporter, which is dropped."""

LARGEST_ENTRY = 1e38
"""Of a matrix: what a float32 holds, so that its columns have a length."""


@dataclass(frozen=True, eq=False)
class Node:
    """One node.

    `index` is its place in the file, `parent` its parent's index or -1. A node has either a transform in three parts
    (translation in metres, rotation as unit x, y, z, w, scale) or a `matrix`; then the three hold their defaults and
    the matrix, (4, 4) on column vectors, is the whole local transform. `mesh`, `skin`, `camera` and `light` are indices
    or None. `weights` are the node's own morph weights or None. `visible` is the node's own flag; a node below an
    invisible one is not seen either. `instances` are matrices, (N, 4, 4) float64 in the node's space, that its mesh
    is repeated under; None for one copy at the node itself.
    """

    index: int
    name: str
    parent: int
    children: tuple[int, ...]
    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    matrix: Float64 | None = None
    mesh: int | None = None
    skin: int | None = None
    camera: int | None = None
    light: int | None = None
    weights: tuple[float, ...] | None = None
    visible: bool = True
    instances: Float64 | None = None


@dataclass(frozen=True)
class Counts:
    """How many meshes, skins, cameras and lights the file has: what a node's indices must stay below."""

    meshes: int
    skins: int
    cameras: int
    lights: int


def read_nodes(document: Record, accessors: Accessors, counts: Counts, notes: list[str]) -> tuple[Node, ...]:
    """Return the file's nodes; what was read with a reservation is added to `notes`.

    Raises
    ------
    AssetError
        An index is out of range, a node has two parents or lies below itself, a matrix is no affine transform.
    """
    records = document.records("nodes")
    children = [record.indices("children", len(records), "nodes") for record in records]
    parents = _parents(records, children)
    return tuple(
        _read_node(index, record, parents[index], children[index], accessors, counts, notes)
        for index, record in enumerate(records)
    )


def affine(rows: Float64) -> bool:
    """Return whether (..., 4, 4) matrices end in 0 0 0 1 within `LARGEST_PROJECTION`."""
    return bool((np.abs(rows[..., 3, :] - (0.0, 0.0, 0.0, 1.0)) <= LARGEST_PROJECTION).all())


def _parents(records: Sequence[Record], children: Sequence[tuple[int, ...]]) -> list[int]:
    parents = [-1] * len(records)
    for node, below in enumerate(children):
        for position, child in enumerate(below):
            if parents[child] != -1:
                raise records[node].error(
                    f"node {child} is already a child of node {parents[child]}: expected one parent, list it once",
                    "children",
                    position,
                )
            parents[child] = node
    reached = [False] * len(records)
    waiting = [node for node, parent in enumerate(parents) if parent == -1]
    while waiting:
        node = waiting.pop()
        reached[node] = True
        waiting.extend(children[node])
    if not all(reached):
        first = reached.index(False)
        raise records[first].error("the node lies below itself: expected a tree, break the cycle", "children")
    return parents


def _read_node(
    index: int,
    record: Record,
    parent: int,
    children: tuple[int, ...],
    accessors: Accessors,
    counts: Counts,
    notes: list[str],
) -> Node:
    data = record.data
    if not data:
        return Node(index, "", parent, children)
    translation, rotation, scale, matrix = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0), None
    if "matrix" in data:
        matrix = _read_matrix(record)
    else:
        translation = record.numbers("translation", 3, translation)  # type: ignore[assignment]
        scale = record.numbers("scale", 3, scale)  # type: ignore[assignment]
        if "rotation" in data:
            rotation = _read_rotation(record, notes)
    light, visible, instances = None, True, None
    if "extensions" in data:
        punctual = record.extension("KHR_lights_punctual")
        light = None if punctual is None else punctual.required_index("light", counts.lights, "lights")
        visibility = record.extension("KHR_node_visibility")
        visible = visibility is None or visibility.boolean("visible", True)
        instances = read_instances(record, accessors)
    return Node(
        index,
        record.text("name", ""),
        parent,
        children,
        translation,
        rotation,
        scale,
        matrix,
        mesh=record.index("mesh", counts.meshes, "meshes"),
        skin=record.index("skin", counts.skins, "skins"),
        camera=record.index("camera", counts.cameras, "cameras"),
        light=light,
        weights=record.numbers("weights") if "weights" in data else None,
        visible=visible,
        instances=instances,
    )


def _read_matrix(record: Record) -> Float64:
    matrix = np.array(record.numbers("matrix", 16), np.float64).reshape(4, 4).T.copy()
    if np.abs(matrix).max() > LARGEST_ENTRY:
        raise record.error(f"expected numbers up to {LARGEST_ENTRY:g}, found larger ones: scale the model", "matrix")
    if not affine(matrix):
        raise record.error(
            "expected an affine matrix, found one whose last row is not 0 0 0 1: correct it or export the file again",
            "matrix",
        )
    matrix[3] = (0.0, 0.0, 0.0, 1.0)
    matrix.flags.writeable = False
    return matrix


def _read_rotation(record: Record, notes: list[str]) -> tuple[float, float, float, float]:
    x, y, z, w = record.numbers("rotation", 4)
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if length == 0.0 or math.isinf(length):
        notes.append(f"{record.place('rotation')}: a rotation of no length is taken as none")
        return 0.0, 0.0, 0.0, 1.0
    if length == 1.0:
        return x, y, z, w
    return x / length, y / length, z / length, w / length
