"""Skins: which nodes are joints and how the mesh was bound to them (glTF 2.0, section 3.7.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import Float64
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record
from posed.gltf.node import affine


@dataclass(frozen=True, eq=False)
class Skin:
    """Joints as node indices in the file's order, and one inverse bind matrix each, (J, 4, 4) float64.

    `skeleton` is the node that the file names as the root of the joints, or None; it changes nothing.
    """

    index: int
    name: str
    joints: tuple[int, ...]
    inverse_bind: Float64
    skeleton: int | None = None


def read_skins(document: Record, accessors: Accessors, node_count: int) -> tuple[Skin, ...]:
    """Return the file's skins.

    Raises
    ------
    AssetError
        A skin has no joints, names no node of the file, or has fewer inverse bind matrices than joints or ones that are
        not finite and affine.
    """
    return tuple(
        _read_skin(index, record, accessors, node_count) for index, record in enumerate(document.records("skins"))
    )


def _read_skin(index: int, record: Record, accessors: Accessors, node_count: int) -> Skin:
    joints = record.indices("joints", node_count, "nodes")
    if not joints:
        record.refuse("an array of one joint or more", "joints")
    accessor = record.index("inverseBindMatrices", len(accessors), "accessors")
    if accessor is None:
        inverse_bind = np.broadcast_to(np.eye(4), (len(joints), 4, 4)).copy()
    else:
        inverse_bind = accessors.floats(accessor, ("MAT4",), np.float64, record, "inverseBindMatrices")
        if len(inverse_bind) < len(joints):
            raise record.error(
                f"expected {len(joints)} matrices, one a joint, found {len(inverse_bind)}: export the file again",
                "inverseBindMatrices",
            )
        inverse_bind = inverse_bind[: len(joints)].copy()
        for joint, matrix in enumerate(inverse_bind):
            if not np.isfinite(matrix).all() or not affine(matrix):
                raise record.error(
                    f"expected finite affine matrices, found joint {joint} with another: bind the mesh again",
                    "inverseBindMatrices",
                )
        inverse_bind[:, 3] = (0.0, 0.0, 0.0, 1.0)
    inverse_bind.flags.writeable = False
    skeleton = record.index("skeleton", node_count, "nodes")
    return Skin(index, record.text("name", ""), joints, inverse_bind, skeleton)
