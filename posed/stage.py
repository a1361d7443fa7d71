"""The stage: a scene and a snapshot as the static triangles that the tracer sees.

Topology, texture coordinates, materials and textures are laid out once; each snapshot brings positions, normals and
tangents, skinned on the CPU. The tracer's space has its origin near the camera, so that float32 holds a scene that
stands far from the world's origin.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import tracer
from anim.rational import Number
from posed.arrays import Float64
from posed.camera import Camera
from posed.errors import PoseError
from posed.fitting import fit
from posed.matrices import moved
from posed.properties import shown_lights, shown_materials, shown_parts
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.stage_layout import Layout, Surfaces, environment, lights
from posed.stage_vertices import StageVertices, part_matrix


def stage(scene: Scene, posed: Posed, camera: Camera | None = None) -> tracer.Scene:
    """Return `scene` as `posed` freezes it, with its origin near `camera` (the snapshot's own unless given).

    Raises
    ------
    PoseError
        The snapshot does not fit the scene, or a vertex is posed to where no number is.
    """
    return Stage(scene).at(posed, camera)


def stage_camera(camera: Camera, origin: Float64) -> tracer.Camera:
    """Return `camera` in the space of a stage with `origin`."""
    return tracer.Camera(moved(camera.matrix, origin), camera.yfov, camera.ymag, camera.znear, camera.zfar)


class Staged(NamedTuple):
    """A scene and the camera it is seen by, in the tracer's terms, and the picture's width over its height."""

    scene: tracer.Scene
    camera: tracer.Camera
    aspect: float


def scene_posed(scene: Scene, aspect: float, posed: Posed) -> Staged:
    """Return `scene` as `posed` freezes it, seen by the snapshot's camera; what the snapshot leaves out is filled in.

    Raises
    ------
    PoseError
        As `stage`, or `aspect` is not above 0.
    """
    if not 0.0 < aspect < math.inf:
        raise PoseError(f"the aspect is {aspect}: expected width over height, above 0")
    whole = fit(scene, posed)
    camera = whole.camera or scene.camera
    staged = stage(scene, whole, camera)
    return Staged(staged, stage_camera(camera, staged.origin), float(aspect))


def scene_at(scene: Scene, aspect: float, time: Number) -> Staged:
    """Return `scene` at a time in seconds with nothing playing but its movers; see `scene_posed`."""
    return scene_posed(scene, aspect, Posed.at(time, rate=scene.rate))


def part_matrices(scene: Scene, posed: Posed) -> list[Float64]:
    """Return the world matrix of each part in id order: of its node where it is placed, of its object where skinned.

    Instances of a part lie under this matrix times their own.
    """
    posed = fit(scene, posed)
    return [part_matrix(part, posed) for part in scene.parts]


class Stage:
    """A scene laid out for the tracer, posed again and again."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._surfaces, self._environment = Surfaces(scene), environment(scene.environment)
        self._first_joints = scene.ids.first_joints()
        self._layouts: dict[tuple[int, ...], tuple[Layout, StageVertices]] = {}

    def at(self, posed: Posed, camera: Camera | None = None, *, motion: bool = True) -> tracer.Scene:
        """Return the scene as `posed` freezes it; see `stage`. `motion`: with the vertices of the snapshot before."""
        posed = fit(self.scene, posed)
        camera = camera or posed.camera or self.scene.camera
        layout, vertices = self._layout(posed)
        local = vertices.local(posed)
        origin = _origin(camera, vertices.diagonal(posed, local))
        placed = vertices.placed(posed, local, origin)
        # What has no snapshot before it has not moved.
        before = None if posed.previous is None or not motion else fit(self.scene, posed.previous)
        materials, textures = self._surfaces.at(posed.sprites, shown_materials(self.scene, posed))
        return tracer.Scene(
            positions=placed.positions,
            normals=placed.normals,
            tangents=placed.tangents,
            facing=placed.facing,
            triangles=layout.triangles,
            flat=layout.flat,
            object=layout.object,
            part=layout.part,
            triangle=layout.triangle,
            material=layout.material,
            uvs=layout.uvs,
            colors=layout.colors,
            joints=layout.joints,
            weights=layout.weights,
            previous=None if before is None else vertices.places(before, origin),
            origin=origin,
            materials=materials,
            textures=textures,
            lights=lights(shown_lights(self.scene, posed), origin),
            environment=self._environment,
        )

    def _layout(self, posed: Posed) -> tuple[Layout, StageVertices]:
        parts = shown_parts(self.scene, posed)
        key = tuple(part.id for part in parts)
        if key not in self._layouts:
            repeated = [part for part in parts for _ in range(part.copies)]
            layout = Layout(repeated, self._first_joints)
            self._layouts[key] = layout, StageVertices(repeated, has_tangents=layout.has_tangents)
        return self._layouts[key]


COARSEST = 1024.0
"""Metres between origins at most: what is near the camera keeps float32 steps of a 30,000th of a metre or less,
however far away something else is."""


def _origin(camera: Camera, diagonal: float) -> Float64:
    """Return the camera's position rounded to a multiple of the power of two above `diagonal`, of `COARSEST` at most:
    it stays put while the camera moves a little, and float32 steps around it are small against what is seen.
    """
    step = min(math.ldexp(1.0, math.frexp(diagonal)[1]), COARSEST) if diagonal > 0.0 else 1.0
    rounded: Float64 = np.floor(camera.matrix[:3, 3] / step + 0.5) * step
    return rounded
