"""`explain`: the story of a pixel, told from the layers of a traced frame and a snapshot's sources."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posed.camera import Camera
from posed.errors import PosedError, PoseError
from posed.fitting import fit
from posed.frame import Frame
from posed.scene.description import Object, Part, Scene
from posed.snapshot import Posed
from posed.verify.explaining.bones import bones_of, disagreements
from posed.verify.explaining.explanation import Explanation, Layer, Mix, Surface, Vector
from posed.verify.explaining.keys import moves_of
from posed.verify.explaining.sprites import sprite_of_pixel
from posed.verify.explaining.vertices import instance_at, joint_shares, vertices_of
from posed.verify.played import Played, played_of

NEEDED = ("part", "triangle", "depth", "position", "normal", "barycentric", "uv")
"""Layers of a traced frame that a story begins with."""


def explain(
    scene: Scene,
    pose: Posed,
    x: int,
    y: int,
    *,
    size: tuple[int, int] = (960, 540),
    camera: Camera | None = None,
    frame: Frame | None = None,
    backend: str | None = None,
) -> Explanation:
    """Return the story of a pixel of `scene` as `pose` freezes it.

    Parameters
    ----------
    scene, pose
        What is seen. What the snapshot leaves out is at rest. Clips and keys are told from its `sources`; without them
        the story ends at the joints' matrices and says so.
    x, y
        Column and row of the pixel, from the upper left, counted from 0.
    size, camera, backend
        Of the picture; see `posed.trace`.
    frame
        A traced frame of this very snapshot, in place of tracing one: its size and camera count then.

    Raises
    ------
    PosedError
        The pixel lies outside the picture, or the frame is of another snapshot or lacks a layer of `NEEDED`.
    PoseError
        The snapshot does not fit the scene.
    """
    width, height = size if frame is None else frame.size
    if not (0 <= x < width and 0 <= y < height):
        raise PosedError(
            f"pixel {x}, {y} lies outside the picture of {width}x{height}: give a column from 0 to {width - 1} and a "
            f"row from 0 to {height - 1}"
        )
    whole = fit(scene, pose)
    if frame is None:
        from posed.tracing import trace

        frame = trace(scene, pose, size=size, integrator="aov", layers=NEEDED, camera=camera, backend=backend)
    else:
        _check_frame(frame, pose)
    story = Explanation(x, y, (width, height), pose.tick, pose.alpha, None)
    part = int(frame["part"][y, x])
    return story if part == 0 else _told(story, whole, scene.parts[part - 1], frame)


def _check_frame(frame: Frame, pose: Posed) -> None:
    lacking = [name for name in NEEDED if name not in frame]
    if lacking:
        raise PosedError(f"the frame has no {' or '.join(lacking)} layer: trace one with {', '.join(NEEDED)}")
    if frame.provenance.posed not in ("", pose.digest):
        raise PosedError(f"the frame shows snapshot {frame.provenance.posed}, this one is {pose.digest}: trace it anew")


def _told(story: Explanation, posed: Posed, part: Part, frame: Frame) -> Explanation:
    """Return the story of a pixel that shows `part`."""
    notes: list[str] = []
    surface = _surface(story, posed, part, frame)
    corners = part.primitive.triangles[surface.triangle - 1]
    played = _played(posed, part.object, notes)
    shares = joint_shares(part, corners, surface.barycentric)
    if played is not None:
        notes += disagreements(part, posed, played, shares)
    moves = () if played is None else moves_of(played, part.node)
    return replace(
        story,
        surface=surface,
        vertices=vertices_of(part, posed, corners, surface),
        bones=bones_of(part, posed, played, shares),
        morph_moves=tuple(move for move in moves if move.path == "weights"),
        mixes=None if played is None else _mixes(played),
        sprite=sprite_of_pixel(posed, part, surface, notes),
        notes=tuple(notes),
    )


def _played(posed: Posed, one: Object, notes: list[str]) -> Played | None:
    """Return what poses an object, None with a note where something can and the snapshot does not say."""
    if not one.model.clips or (one.animation is not None and one.animation.sprite is not None):
        return None
    try:
        played = played_of(posed, one)
    except PoseError as error:
        notes.append(str(error))
        return None
    if played is None:
        notes.append(
            "the snapshot does not say what plays, so the story ends at the joints' matrices: snapshots of a "
            "posed.World have sources"
        )
    return played


def _surface(story: Explanation, posed: Posed, part: Part, frame: Frame) -> Surface:
    def at(layer: str) -> Vector:
        return tuple(np.atleast_1d(frame[layer][story.y, story.x]).astype(np.float64).tolist())

    model, node = part.object.model, part.object.model.nodes[part.node]
    assert node.mesh is not None
    u, v = at("barycentric")
    triangle = int(frame["triangle"][story.y, story.x])
    position, shares = at("position"), (1.0 - u - v, u, v)
    return Surface(
        object=part.object.name,
        part=part.id,
        node=part.node,
        node_name=node.name,
        mesh=model.meshes[node.mesh].name,
        primitive=part.primitive.index,
        material=part.material.name,
        triangle=triangle,
        instance=instance_at(part, posed, part.primitive.triangles[triangle - 1], shares, position),
        depth=at("depth")[0],
        position=position,
        normal=at("normal"),
        barycentric=shares,
        uv=at("uv"),
    )


def _mixes(played: Played) -> tuple[Mix, ...]:
    return tuple(
        Mix(
            mix.weight,
            tuple(
                Layer(one.clip, one.time, one.weight, one.kind.name.lower(), one.playback.name.lower())
                for one in mix.layers
            ),
        )
        for mix in played.mixes
    )
