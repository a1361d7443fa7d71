"""Cameras drawn by lot around what a snapshot shows: before it, far off, inside it, along its surface."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.random import Generator

from posed.arrays import Float64
from posed.camera import Camera
from posed.scene.description import Scene
from posed.scene.placement import looking
from posed.snapshot import Posed
from posed.stage import stage

OWN_SHARE = 0.2
"""How often the scene's own camera looks."""


class Surface:
    """The triangles of one object of a snapshot in the world, (F, 3, 3) float64, and how large they are together."""

    def __init__(self, scene: Scene, pose: Posed, generator: Generator) -> None:
        staged = stage(scene, pose, Camera(np.eye(4), yfov=1.0))
        number = generator.choice(np.unique(staged.object))
        corners = staged.positions[staged.triangles[staged.object == number]]
        self.triangles: Float64 = corners.astype(np.float64) + staged.origin
        low, high = self.triangles.min(axis=(0, 1)), self.triangles.max(axis=(0, 1))
        self.middle: Float64 = (low + high) / 2.0
        self.reach = max(float(np.sqrt(((high - low) ** 2).sum())) / 2.0, 1e-3)

    def point(self, generator: Generator) -> Float64:
        """Return a point of some triangle."""
        weights = generator.dirichlet(np.ones(3))
        point: Float64 = (generator.choice(self.triangles) * weights[:, None]).sum(axis=0)
        return point

    def edge(self, generator: Generator) -> Float64:
        """Return a direction of unit length along some triangle, or any where that has no size."""
        triangle = generator.choice(self.triangles)
        return _unit(triangle[1] - triangle[0]) if (triangle[1] != triangle[0]).any() else _direction(generator)


class Placing(Protocol):
    """Where a camera stands around a surface, and where it looks."""

    def __call__(self, surface: Surface, generator: Generator) -> tuple[Float64, Float64]:
        """Return the eye and what it looks at, (3,) each."""
        ...


def near(surface: Surface, generator: Generator) -> tuple[Float64, Float64]:
    """Stand within a tenth of the object's reach of a point of it."""
    target = surface.point(generator)
    return target + _direction(generator) * surface.reach * generator.uniform(0.02, 0.1), target


def around(surface: Surface, generator: Generator) -> tuple[Float64, Float64]:
    """Stand so far off that the whole object is about as large as the picture."""
    eye = surface.middle + _direction(generator) * surface.reach * generator.uniform(1.2, 4.0)
    return eye, surface.point(generator)


def far(surface: Surface, generator: Generator) -> tuple[Float64, Float64]:
    """Stand up to sixty times its reach away."""
    eye = surface.middle + _direction(generator) * surface.reach * generator.uniform(10.0, 60.0)
    return eye, surface.middle


def inside(surface: Surface, generator: Generator) -> tuple[Float64, Float64]:
    """Stand between three points of the object."""
    eye = (surface.point(generator) + surface.point(generator) + surface.point(generator)) / 3.0
    return eye, eye + _direction(generator)


def grazing(surface: Surface, generator: Generator) -> tuple[Float64, Float64]:
    """Look along a triangle's edge, next to its plane."""
    target = surface.point(generator)
    lift = _direction(generator) * surface.reach * 10.0 ** generator.uniform(-4.0, -1.0)
    return target + surface.edge(generator) * surface.reach * generator.uniform(0.5, 2.0) + lift, target


PLACINGS: Mapping[str, Placing] = {
    "around": around,
    "near": near,
    "far": far,
    "inside": inside,
    "grazing": grazing,
}


def draw_camera(scene: Scene, pose: Posed, generator: Generator) -> tuple[str, Camera | None]:
    """Return a camera in words and as a value; None is the snapshot's own."""
    if generator.random() < OWN_SHARE:
        return "own camera", None
    surface = Surface(scene, pose, generator)
    name = str(generator.choice(list(PLACINGS)))
    eye, target = PLACINGS[name](surface, generator)
    if not (eye != target).any():
        target = eye + _direction(generator)
    distance = float(np.sqrt(((target - eye) ** 2).sum()))
    up = _direction(generator) if generator.random() < 0.3 else np.array([1e-3, 1.0, 2e-3])
    matrix = looking(eye.tolist(), target.tolist(), up.tolist())
    if generator.random() < 0.25:
        camera = Camera(matrix, ymag=surface.reach * 10.0 ** generator.uniform(-1.5, 0.3), znear=0.0)
        return f"{name}, orthographic", replace(camera, zfar=_far(distance, generator))
    fov = math.radians(generator.uniform(2.0, 8.0) if name == "far" else generator.uniform(15.0, 110.0))
    camera = Camera(matrix, yfov=fov, znear=distance * 10.0 ** generator.uniform(-3.0, -0.3))
    return name, replace(camera, zfar=_far(distance, generator))


def _far(distance: float, generator: Generator) -> float:
    """Return a far plane: mostly none, else one that cuts what lies a little behind the target."""
    return distance * generator.uniform(1.05, 3.0) if generator.random() < 0.3 else math.inf


def _direction(generator: Generator) -> Float64:
    return _unit(generator.normal(size=3))


def _unit(vector: Float64) -> Float64:
    unit: Float64 = vector / np.sqrt((vector * vector).sum())
    return unit
