"""Snapshots changed as mistakes change them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from posed.arrays import AnyArray, Float64, read_only
from posed.gltf.skin import Skin
from posed.matrices import multiply
from posed.model_pose import ModelPose, model_pose
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.still import mover_matrix
from posed.verify.played import Played

POSED = ("models", "nodes", "palettes", "morphs", "properties", "sprites", "visible")
"""The fields of a snapshot that are by object."""


def is_skinned(one: Object) -> bool:
    """Return whether a palette moves any part of an object."""
    return any(
        one.model.nodes[node].skin is not None and any(p.joints is not None for p in _primitives(one, node))
        for node in one.model.mesh_nodes
    )


def is_morphed(one: Object) -> bool:
    """Return whether any part of an object has morph targets."""
    return any(primitive.targets for node in one.model.mesh_nodes for primitive in _primitives(one, node))


def _primitives(one: Object, node: int) -> Sequence[Any]:
    mesh = one.model.nodes[node].mesh
    return () if mesh is None else one.model.meshes[mesh].primitives


def with_values(posed: Posed, **fields: Mapping[str, Any]) -> Posed:
    """Return a snapshot with some objects' values of some fields in place of its own: `nodes={"walker": {...}}`."""
    changed: dict[str, Any] = {field: {**getattr(posed, field), **values} for field, values in fields.items()}
    return replace(posed, **changed)


def with_palettes(
    posed: Posed, objects: Collection[Object], change: Callable[[Object, int, Skin, AnyArray], AnyArray]
) -> Posed:
    """Return a snapshot whose objects have other palettes.

    `change` gets the object, the skinned node, its skin and its palette (J, 4, 4); it returns the one that is drawn.
    """
    palettes: dict[str, dict[int, AnyArray]] = {}
    for one in objects:
        own = posed.palettes.get(one.name, {})
        palettes[one.name] = {}
        for node, palette in own.items():
            number = one.model.nodes[node].skin
            assert number is not None
            changed = change(one, node, one.model.skins[number], palette)
            palettes[one.name][node] = read_only(changed, np.float32)
    return with_values(posed, palettes=palettes)


def spliced(posed: Posed, other: Posed, names: Collection[str]) -> Posed:
    """Return a snapshot in which some objects are as another one has them."""
    return with_values(
        posed,
        **{field: {name: values for name, values in getattr(other, field).items() if name in names} for field in POSED},
    )


def reposed(scene: Scene, posed: Posed, poses: Mapping[str, Played]) -> Posed:
    """Return a snapshot in which some objects take other poses; what hangs on their joints follows."""
    made = {name: model_pose(scene.object(name).model, played.pose) for name, played in poses.items()}
    changed = with_values(
        posed,
        nodes={name: pose.nodes for name, pose in made.items()},
        palettes={name: pose.palettes for name, pose in made.items()},
        morphs={name: pose.morphs for name, pose in made.items()},
        properties={name: pose.properties for name, pose in made.items()},
    )
    return _followed(scene, changed, made)


def _followed(scene: Scene, posed: Posed, made: Mapping[str, ModelPose]) -> Posed:
    models = dict(posed.models)
    for one in scene.objects:  # an object stands after what it hangs on
        if one.attach is None or one.attach[0] not in made:
            continue
        owner, node = one.attach
        bone = scene.object(owner).model.node_rig().skeleton.bone_of_node(node)
        place = multiply(models[owner], made[owner].globals[bone])
        models[one.name] = read_only(multiply(place, mover_matrix(one, scene.rate, posed.tick, posed.alpha)))
    return replace(posed, models=models)


def products(matrices: AnyArray, others: AnyArray) -> Float64:
    """Return each of some matrices times its partner, (J, 4, 4) float64."""
    found: Float64 = np.matmul(matrices.astype(np.float64), others.astype(np.float64))
    return found


def inverses(matrices: AnyArray) -> Float64 | None:
    """Return the inverses of matrices (J, 4, 4), None where one has none."""
    try:
        found: Float64 = np.linalg.inv(matrices.astype(np.float64))
    except np.linalg.LinAlgError:
        return None
    return found if np.isfinite(found).all() else None
