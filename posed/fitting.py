"""Making a snapshot whole: what it leaves out is filled in, and what does not fit its scene is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from posed.arrays import Float32, Float64, read_only
from posed.errors import PoseError
from posed.matrices import multiply
from posed.model_pose import rest_pose
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.still import still_posed


def fit(scene: Scene, posed: Posed) -> Posed:
    """Return `posed` with the camera and every object's matrix, nodes, palettes, weights, properties and sprite frame.

    Absent matrices are those of the movers at the snapshot's tick, absent nodes, palettes and weights the rest pose,
    an absent sprite its still frame. Palettes in mesh space are taken to scene space by the skinned node's global: the
    one in the snapshot's `nodes` where it is there, else the one at rest. A snapshot that is whole comes back as it is.

    Raises
    ------
    PoseError
        It was taken of another scene, names an object or node that the scene has not, or has another count of joints,
        weights or frames.
    """
    if posed.scene and posed.scene != scene.digest:
        raise PoseError(
            f"the snapshot was taken of scene {posed.scene}, {scene.path.name} is {scene.digest}: give the scene that "
            "it was taken of, or pose it again"
        )
    _known_objects(scene, posed)
    if posed.space == "scene" and _is_whole(scene, posed):
        return posed
    still = still_posed(scene, posed.tick, posed.alpha)
    if posed.space == "mesh":
        posed = _to_scene(scene, posed)
    fields: dict[str, Any] = {}
    for name in ("nodes", "palettes", "morphs", "properties"):
        given = getattr(posed, name)
        filled = {
            one.name: _filled(one, name, given.get(one.name, {}), getattr(rest_pose(one.model), name))
            for one in scene.objects
        }
        fields[name] = {owner: values for owner, values in filled.items() if values}
    return replace(
        posed,
        models={**still.models, **posed.models},
        sprites={**still.sprites, **posed.sprites},
        visible={**still.visible, **posed.visible},
        camera=posed.camera or still.camera,
        **fields,
    )


def _known_objects(scene: Scene, posed: Posed) -> None:
    names = {one.name for one in scene.objects}
    for field in ("models", "nodes", "palettes", "morphs", "properties", "sprites", "visible"):
        for name in getattr(posed, field):
            if name not in names:
                have = ", ".join(sorted(names)) or "none"
                raise PoseError(f'{field}: the scene has no object "{name}" (it has {have})')
    for name, frame in posed.sprites.items():
        animation = scene.object(name).animation
        if animation is None or animation.sprite is None:
            raise PoseError(f'sprites: "{name}" is no sprite')
        count = len(animation.sprite.atlas.frames)
        if frame >= count:
            raise PoseError(f'sprites: "{name}" is at frame {frame}, its atlas has {count}')


def _is_whole(scene: Scene, posed: Posed) -> bool:
    """Return whether nothing is left out, counts checked on the way."""
    whole = posed.camera is not None
    for one in scene.objects:
        rest = rest_pose(one.model)
        for field in ("nodes", "palettes", "morphs", "properties"):
            mine, needed = getattr(posed, field).get(one.name, {}), getattr(rest, field)
            _filled(one, field, mine, needed)
            whole = whole and len(mine) == len(needed)
        whole = whole and one.name in posed.models
        whole = whole and (one.animation is None or one.animation.sprite is None or one.name in posed.sprites)
    return whole


_Key = TypeVar("_Key", int, str)


def _filled(one: Object, field: str, given: Mapping[_Key, Any], rest: Mapping[_Key, Any]) -> dict[_Key, Any]:
    """Return `rest` with what is given in its place, refusing other nodes or pointers and other shapes."""
    for node, value in given.items():
        place = f"node {node}" if isinstance(node, int) else node
        if node not in rest:
            have = ", ".join(map(str, rest)) or "none"
            raise PoseError(f'{field}: object "{one.name}" takes none at {place} (it takes them at {have})')
        if value.shape != rest[node].shape:
            raise PoseError(
                f'{field}: object "{one.name}", {place} has {len(value)} entries of shape {value.shape[1:]}: '
                f"expected {len(rest[node])} of {rest[node].shape[1:]}"
            )
    return {**rest, **given}


def _to_scene(scene: Scene, posed: Posed) -> Posed:
    """Return `posed` with its palettes in scene space; globals of skinned nodes have served and are left out."""
    nodes: dict[str, dict[int, Float64]] = {}
    palettes: dict[str, dict[int, Float32]] = {}
    for one in scene.objects:
        rest, skeleton = rest_pose(one.model), one.model.node_rig().skeleton
        given = posed.nodes.get(one.name, {})
        nodes[one.name] = {node: matrix for node, matrix in given.items() if node not in rest.palettes}
        palettes[one.name] = {}
        for node, palette in posed.palettes.get(one.name, {}).items():
            place = given[node] if node in given else rest.globals[skeleton.bone_of_node(node)]
            rows = [multiply(place, matrix.astype(np.float64)) for matrix in palette]
            palettes[one.name][node] = read_only(rows, np.float32)
    return replace(posed, nodes=nodes, palettes=palettes, space="scene")
