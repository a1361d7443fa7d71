"""A pose of a model's rig as what its mesh nodes need: matrices, palettes and morph weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import anim
from posed.arrays import Float32, Float64, read_only
from posed.gltf.model import Model


@dataclass(frozen=True, eq=False)
class ModelPose:
    """By mesh node: `nodes` the global matrix of one that carries unskinned primitives, (4, 4) float64; `palettes` the
    palette of one that carries skinned ones, (J, 4, 4) float32; `morphs` the weights of its targets, (M,) float64.

    All in the file's scene space; `globals` are those of all bones, (B, 4, 4) float64. `properties` are the numbers of
    what clips move by pointer, (N,) float64 each.
    """

    nodes: Mapping[int, Float64]
    palettes: Mapping[int, Float32]
    morphs: Mapping[int, Float64]
    globals: Float64
    properties: Mapping[str, Float64]


def model_pose(model: Model, pose: anim.Pose) -> ModelPose:
    """Return what `pose`, a pose of `model.node_rig()`, does to the model's mesh nodes."""
    skeleton = pose.skeleton
    transforms = pose.globals()
    nodes: dict[int, Float64] = {}
    palettes: dict[int, Float32] = {}
    morphs: dict[int, Float64] = {}
    for index in model.mesh_nodes:
        node, bone = model.nodes[index], skeleton.bone_of_node(index)
        assert node.mesh is not None
        primitives = model.meshes[node.mesh].primitives
        skin = None if node.skin is None else model.skins[node.skin]
        if skin is None or any(primitive.joints is None for primitive in primitives):
            nodes[index] = read_only(transforms[bone])
        if skin is not None and any(primitive.joints is not None for primitive in primitives):
            palettes[index] = anim.joint_palette(
                transforms, skeleton.node_to_bone[list(skin.joints)], skin.inverse_bind
            )
            palettes[index].flags.writeable = False
        if any(primitive.targets for primitive in primitives):
            morphs[index] = read_only(pose.weights[skeleton.morph_slice(bone)])
    first = len(model.nodes)
    properties = {
        one.pointer: read_only(pose.weights[skeleton.morph_slice(first + index)])
        for index, one in enumerate(model.properties)
    }
    return ModelPose(nodes, palettes, morphs, transforms, properties)


_rest: WeakKeyDictionary[Model, ModelPose] = WeakKeyDictionary()


def rest_pose(model: Model) -> ModelPose:
    """Return what the model's nodes do as the file places them; computed once a model."""
    if model not in _rest:
        _rest[model] = model_pose(model, anim.Pose(model.node_rig().skeleton))
    return _rest[model]
