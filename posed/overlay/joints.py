"""Where a snapshot has the joints of its skins: their matrices in the world, told from palettes and bindings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anim.matrix import invert_affine
from posed.arrays import Float64
from posed.matrices import multiply
from posed.model_pose import rest_pose
from posed.scene.description import Object, Scene
from posed.snapshot import Posed


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint or a placed node in the world.

    `node` is its index in the object's file, `parent` that of the nearest joint above it, or -1; `matrix`, (4, 4)
    float64, is its global transform in the world.
    """

    object: str
    node: int
    name: str
    parent: int
    matrix: Float64

    @property
    def position(self) -> Float64:
        """(3,) metres."""
        return self.matrix[:3, 3]


def joints_of(scene: Scene, posed: Posed, objects: frozenset[str]) -> Iterator[Joint]:
    """Yield the joints of some objects, each node once; of an object without skins, the nodes that place its meshes.

    What is neither skinned nor has clips, such as a ground, has no joints.
    """
    for one in scene.objects:
        if one.name in objects:
            places = _skinned(one, posed) or _placed(one, posed)
            place = posed.models[one.name]
            for node, matrix in places.items():
                above = one.model.nodes[node].parent
                while above != -1 and above not in places:
                    above = one.model.nodes[above].parent
                yield Joint(one.name, node, one.model.nodes[node].name, above, multiply(place, matrix))


def _skinned(one: Object, posed: Posed) -> dict[int, Float64]:
    """Return the global matrices of the joints that palettes move, by node: palette x the inverse of the binding.

    A binding that flattens space says nothing of its joint, which then stands where it rests.
    """
    found: dict[int, Float64] = {}
    for node, palette in posed.palettes.get(one.name, {}).items():
        number = one.model.nodes[node].skin
        assert number is not None
        skin = one.model.skins[number]
        bind = np.empty((4, 4))
        for row, joint in enumerate(skin.joints):
            if joint not in found:
                bound = invert_affine(skin.inverse_bind[row], bind)
                found[joint] = multiply(palette[row].astype(np.float64), bind) if bound else _rest(one, joint)
    return found


def _placed(one: Object, posed: Posed) -> dict[int, Float64]:
    return dict(posed.nodes.get(one.name, {})) if one.model.clips else {}


def _rest(one: Object, node: int) -> Float64:
    place: Float64 = rest_pose(one.model).globals[one.model.node_rig().skeleton.bone_of_node(node)]
    return place
