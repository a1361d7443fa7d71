"""Instances: one mesh repeated under many transforms of one node (EXT_mesh_gpu_instancing)."""

from __future__ import annotations

import numpy as np

from posed.arrays import Float64
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record

NAME = "EXT_mesh_gpu_instancing"
_COMPONENTS = {"TRANSLATION": 3, "ROTATION": 4, "SCALE": 3}


def read_instances(node: Record, accessors: Accessors) -> Float64 | None:
    """Return the instances' matrices in the node's space, (N, 4, 4) float64 and read-only, or None without any.

    Raises
    ------
    AssetError
        The attributes differ in length, or a number is not finite.
    """
    extension = node.extension(NAME)
    if extension is None:
        return None
    attributes = extension.required_record("attributes")
    parts: dict[str, Float64] = {}
    for name, width in _COMPONENTS.items():
        accessor = attributes.index(name, len(accessors), "accessors")
        if accessor is not None:
            parts[name] = accessors.floats(accessor, (f"VEC{width}",), np.float64, attributes, name)
    if not parts:
        return None
    count = len(next(iter(parts.values())))
    for name, values in parts.items():
        if len(values) != count or not np.isfinite(values).all():
            raise attributes.error(
                f"expected {count} rows of finite numbers, one an instance, found {len(values)} rows or another "
                "number: export the file again",
                name,
            )
    return _matrices(
        parts.get("TRANSLATION", np.zeros((count, 3))),
        parts.get("ROTATION", np.broadcast_to((0.0, 0.0, 0.0, 1.0), (count, 4))),
        parts.get("SCALE", np.ones((count, 3))),
    )


def _matrices(translation: Float64, rotation: Float64, scale: Float64) -> Float64:
    """Return the matrices that scale, turn and move, (N, 4, 4); a rotation of no length turns nothing."""
    x, y, z, w = rotation.T
    square = x * x + y * y + z * z + w * w
    twice = np.where(square > 0.0, 2.0 / np.where(square > 0.0, square, 1.0), 0.0)
    matrices = np.zeros((len(translation), 4, 4))
    matrices[:, 0, 0] = 1.0 - twice * (y * y + z * z)
    matrices[:, 0, 1] = twice * (x * y - w * z)
    matrices[:, 0, 2] = twice * (x * z + w * y)
    matrices[:, 1, 0] = twice * (x * y + w * z)
    matrices[:, 1, 1] = 1.0 - twice * (x * x + z * z)
    matrices[:, 1, 2] = twice * (y * z - w * x)
    matrices[:, 2, 0] = twice * (x * z - w * y)
    matrices[:, 2, 1] = twice * (y * z + w * x)
    matrices[:, 2, 2] = 1.0 - twice * (x * x + y * y)
    matrices[:, :3, :3] *= scale[:, None, :]
    matrices[:, :3, 3] = translation
    matrices[:, 3, 3] = 1.0
    matrices.flags.writeable = False
    return matrices
