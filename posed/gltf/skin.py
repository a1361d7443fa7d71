"""Skins: which nodes are joints and how the mesh was bound to them (glTF 2.0, section 3.7.3)."""

from __future__ import annotations

from dataclasses import dataclass

from posed.arrays import Float64


@dataclass(frozen=True, eq=False)
class Skin:
    """Joints as node indices in the file's order, and one inverse bind matrix each, (J, 4, 4) float64."""

    index: int
    name: str
    joints: tuple[int, ...]
    inverse_bind: Float64
