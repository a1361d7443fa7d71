"""What poses a part's vertices: which joint leads each, and where the blended matrix flattens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.gltf.mesh import Primitive
from posed.scene.description import Object


@dataclass(frozen=True, eq=False)
class Skinned:
    """What poses a part: each vertex's joints and weights, (V, K) both, the palette (J, 4, 4) and the joints' names."""

    joints: AnyArray
    weights: AnyArray
    palette: AnyArray
    names: tuple[str, ...]

    def joint_of(self, vertex: int) -> str:
        """Return the name of the joint with the largest weight at a vertex."""
        return self.names[int(self.joints[vertex, int(self.weights[vertex].argmax())])]

    def stretches(self, chosen: AnyArray) -> Float64:
        """Return the singular values of the blended 3x3 at some vertices, (N, 3), the largest first."""
        rows = self.palette[self.joints[chosen], :3, :3].astype(np.float64)
        blended = (self.weights[chosen][..., None, None] * rows).sum(axis=1)
        stretches: Float64 = np.linalg.svd(blended, compute_uv=False)
        return stretches


def skinned_by(one: Object, node: int, primitive: Primitive, palette: AnyArray) -> Skinned:
    """Return what poses a primitive with joints on a skinned node of an object."""
    skin = one.model.nodes[node].skin
    assert skin is not None
    assert primitive.joints is not None
    assert primitive.weights is not None
    names = tuple(f"{one.name}/{one.model.nodes[joint].name}" for joint in one.model.skins[skin].joints)
    return Skinned(primitive.joints, primitive.weights, palette, names)
