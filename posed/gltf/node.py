"""Nodes: the transform hierarchy of a glTF file (glTF 2.0, section 3.5)."""

from __future__ import annotations

from dataclasses import dataclass

from posed.arrays import Float64


@dataclass(frozen=True, eq=False)
class Node:
    """One node.

    `index` is its place in the file, `parent` its parent's index or -1. A node has either a transform in three parts
    (translation in metres, rotation as unit x, y, z, w, scale) or a `matrix`; then the three hold their defaults and
    the matrix, (4, 4) on column vectors, is the whole local transform. `mesh`, `skin`, `camera` and `light` are indices
    or None. `weights` are the node's own morph weights or None.
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
