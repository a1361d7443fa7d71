"""What poses a part's vertices: which joint leads each, and where the blended matrix flattens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.scene.description import Object
from posed.snapshot import Posed
from posed.verify.object_vertices import places
from posed.verify.vertices import Place


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


def skinned_parts(objects: Mapping[str, Object], pose: Posed) -> dict[Place, Skinned]:
    """Return what poses each skinned part of some objects; `pose` fits their scene."""
    found = {}
    for name, one in objects.items():
        for place, primitive in places(one):
            skin = one.model.nodes[place.node].skin
            if skin is None or primitive.joints is None or primitive.weights is None:
                continue
            names = tuple(one.model.nodes[joint].name for joint in one.model.skins[skin].joints)
            found[place] = Skinned(primitive.joints, primitive.weights, pose.palettes[name][place.node], names)
    return found
