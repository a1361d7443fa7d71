"""Where a scene's objects and its camera stand, given what each object's rig and mover do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posed.arrays import Float64, read_only
from posed.camera import Camera
from posed.errors import PoseError
from posed.matrices import multiply
from posed.model_pose import ModelPose
from posed.properties import moved_lens
from posed.scene.description import Scene
from posed.scene.placement import rigid


def arranged(
    scene: Scene, matrices: Mapping[str, Float64], poses: Mapping[str, ModelPose]
) -> tuple[dict[str, Float64], Camera]:
    """Return the world matrix of every object, and the camera.

    Parameters
    ----------
    scene
        Its attachments, its camera's node and its `face_camera` objects are applied.
    matrices
        Object to where its mover, or else its description, puts it, (4, 4) float64.
    poses
        Object to its model's pose, for what hangs on a joint.
    """
    models: dict[str, Float64] = {}
    for one in scene.objects:
        matrix = matrices[one.name]
        if one.attach is not None:
            matrix = multiply(_joint(scene, *one.attach, models, poses), matrix)
        models[one.name] = read_only(matrix)
    camera = scene.camera
    if scene.camera_node is not None:
        name, node = scene.camera_node
        place, number = _joint(scene, name, node, models, poses), scene.object(name).model.nodes[node].camera
        try:
            camera = replace(camera, matrix=rigid(place))
            if number is not None:
                camera = moved_lens(camera, number, poses[name].properties)
        except ValueError as error:
            raise PoseError(f'camera "{"/".join(map(str, scene.camera_node))}": {error}') from error
    for one in scene.objects:
        if one.face_camera:
            models[one.name] = _facing(models[one.name], camera)
    return models, camera


def _joint(
    scene: Scene, name: str, node: int, models: Mapping[str, Float64], poses: Mapping[str, ModelPose]
) -> Float64:
    """Return the world matrix of a node of an object."""
    bone = scene.object(name).model.node_rig().skeleton.bone_of_node(node)
    return multiply(models[name], poses[name].globals[bone])


def _facing(matrix: Float64, camera: Camera) -> Float64:
    """Return `matrix` with its axes turned parallel to the camera's, their lengths and the position kept."""
    squares = matrix[:3, :3] * matrix[:3, :3]
    turned = np.array(matrix)
    turned[:3, :3] = camera.matrix[:3, :3] * np.sqrt(squares[0] + squares[1] + squares[2])
    return read_only(turned)
