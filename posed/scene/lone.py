"""A lone model as a scene: at rest, under its own lights and camera, or under ones that show it well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

import anim
from posed.arrays import Float64, read_only
from posed.baking import bake
from posed.camera import Camera
from posed.errors import PoseError
from posed.gltf.model import Model
from posed.scene.description import Object, Scene
from posed.scene.lights import Environment, Light, Vector
from posed.scene.notes import model_notes
from posed.scene.placement import DEGREE, looking

RATE = Fraction(60)
FOV = 40.0 * DEGREE
VIEW = (0.5, 0.25, 1.0)
"""From the model toward the camera: glTF's models look along +Z, so this is their front, from a little above."""

MARGIN = 1.08
"""Share by which the camera stands farther off than it must."""

LARGEST = 1e15
"""Metres: a pose that throws vertices farther off is broken, and no picture holds it and the model's rest too."""

SAMPLES = 5
"""Poses of each clip that the framing looks at."""

SUN = Light("sun", intensity=3.0, direction=(-0.48, -0.8, -0.36))
SKY = Environment(bottom=(0.24, 0.22, 0.2), top=(0.62, 0.7, 0.82))


def lone_scene(model: Model) -> Scene:
    """Return `model` as a scene at 60 ticks a second of one object named after the file, in its rest pose.

    The camera is the file's first one in the shown scene, else one that frames the posed bounds over all clips; the
    lights are the file's, else a sun; the sky is always there. A note lists the clips.
    """
    identity = read_only([[float(i == j) for j in range(4)] for i in range(4)])
    one = Object(model.name, model, identity)
    camera, node = _camera(model)
    resting = rest_note(model)
    notes = model_notes(model, model.path.name) + ([resting] if resting else [])
    return Scene(
        path=model.path,
        rate=RATE,
        camera=camera,
        environment=SKY,
        lights=_lights(model) or (SUN,),
        objects=(one,),
        camera_node=None if node is None else (model.name, node),
        notes=tuple(notes),
    )


def rest_note(model: Model) -> str | None:
    """Return the note that lists the clips of a lone model, which rests until one is chosen; None where it has none."""
    if not model.clips:
        return None
    names = ", ".join(clip.name or f"#{index}" for index, clip in enumerate(model.clips))
    return f"{model.path.name} is shown in its rest pose; it has the clips {names}: choose one with --clip"


def _camera(model: Model) -> tuple[Camera, int | None]:
    for node in sorted(model.walked):
        number = model.nodes[node].camera
        if number is not None:
            lens = model.cameras[number]
            identity = read_only([[float(i == j) for j in range(4)] for i in range(4)])
            return Camera(identity, lens.yfov, lens.ymag, lens.znear, lens.zfar), node
    low, high = posed_bounds(model)
    center = [(a + b) / 2.0 for a, b in zip(low, high, strict=True)]
    distance = MARGIN * _distance([(b - a) / 2.0 for a, b in zip(low, high, strict=True)])
    position = [center[i] + VIEW[i] / _length(VIEW) * distance for i in range(3)]
    return Camera(looking(position, center, (0.0, 1.0, 0.0)), yfov=FOV, znear=distance / 100.0), None


def _distance(half: list[float]) -> float:
    """Return from how far a camera sees all of a box in a square picture; `half` are the box's half sides."""
    from anim.scalar import cos, sin

    axes = looking(VIEW, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))[:3, :3].T.tolist()
    slope = float(sin(FOV / 2.0) / cos(FOV / 2.0))
    farthest = _length(half) / 4.0 or 1.0
    for corner in range(8):
        point = [half[i] if corner >> i & 1 else -half[i] for i in range(3)]
        across, up, toward = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2] for axis in axes)
        farthest = max(farthest, toward + abs(across) / slope, toward + abs(up) / slope)
    return farthest


def posed_bounds(model: Model) -> tuple[list[float], list[float]]:
    """Return the least and largest corner of the posed vertices, at rest and over `SAMPLES` poses of every clip.

    Poses that reach beyond `LARGEST`, or past all numbers, do not count.
    """
    poses: list[tuple[int | None, float]] = [(None, 0.0)]
    for index, clip in enumerate(model.clips):
        poses.extend((index, clip.duration * step / (SAMPLES - 1)) for step in range(SAMPLES))
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for clip_index, time in poses:
        try:
            found = [mesh.positions for mesh in bake(model, clip=clip_index, time=time) if len(mesh.positions)]
        except PoseError:  # it is refused by name where that pose is to be drawn
            continue
        if all(float(np.abs(positions).max()) <= LARGEST for positions in found):
            for positions in found:
                low, high = np.minimum(low, positions.min(axis=0)), np.maximum(high, positions.max(axis=0))
    if not np.isfinite(low).all():
        return [-1.0] * 3, [1.0] * 3
    return low.tolist(), high.tolist()


def _lights(model: Model) -> tuple[Light, ...]:
    carriers = [node for node in sorted(model.walked) if model.nodes[node].light is not None]
    if not carriers:
        return ()
    rig = model.node_rig()
    globals_ = anim.sample(rig, None, 0.0).globals()
    lights = []
    for node in carriers:
        number = model.nodes[node].light
        assert number is not None
        light, matrix = model.lights[number], globals_[rig.skeleton.bone_of_node(node)]
        lights.append(
            Light(
                kind=light.kind,
                color=light.color,
                intensity=light.intensity,
                position=_column(matrix, 3, 1.0),
                direction=_direction(matrix),
                range=light.range,
                inner=light.inner,
                outer=light.outer,
                source=(model.name, number),
            )
        )
    return tuple(lights)


def _column(matrix: Float64, column: int, factor: float) -> Vector:
    x, y, z = (float(matrix[row, column]) * factor for row in range(3))
    return x, y, z


def _direction(matrix: Float64) -> Vector:
    x, y, z = _column(matrix, 2, -1.0)
    length = _length((x, y, z))
    return (x / length, y / length, z / length) if length > 0.0 else (0.0, 0.0, -1.0)


def _length(vector: Sequence[float]) -> float:
    x, y, z = vector
    return math.sqrt(x * x + y * y + z * z)
