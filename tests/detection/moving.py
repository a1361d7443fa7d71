"""A joint of a golden scene turned or displaced by an amount, with all that hangs on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

import posed
from posed.arrays import Float64
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.verify.object_vertices import object_vertices

GOLDEN = Path(__file__).resolve().parents[2] / "golden/scenes"


@dataclass(frozen=True, eq=False)
class Subject:
    """A joint of an object of a golden scene at a tick."""

    name: str
    tick: int
    object_name: str
    joint: str

    @cached_property
    def scene(self) -> Scene:
        """The scene."""
        return posed.load(GOLDEN / f"{self.name}.toml")

    @cached_property
    def truth(self) -> Posed:
        """The snapshot at the tick."""
        world = posed.World(self.scene)
        world.advance(self.tick)
        return world.posed()

    @property
    def object(self) -> Object:
        """Whose joint it is."""
        return self.scene.object(self.object_name)

    @cached_property
    def diagonal(self) -> float:
        """The diagonal of the object's box as it is posed, metres in its own space."""
        points = np.concatenate([part.positions for part in object_vertices(self.object, self.truth).values()])
        return float(np.sqrt(((points.max(axis=0) - points.min(axis=0)).astype(np.float64) ** 2).sum()))

    def turned(self, degrees: float) -> Posed:
        """Return the snapshot with the joint turned about the line of sight through it."""
        angle, axis = math.radians(degrees), self._seen_axis(2)
        cross = np.cross(np.eye(3), axis)
        half = math.sin(angle / 2.0)
        turn = np.eye(3) - math.sin(angle) * cross + 2.0 * half * half * _product(cross, cross)
        matrix = np.eye(4)
        matrix[:3, :3] = turn
        matrix[:3, 3] = self._place - (turn * self._place).sum(axis=1)
        return self._moved(matrix)

    def displaced(self, share: float) -> Posed:
        """Return the snapshot with the joint displaced to the picture's right by a share of the diagonal."""
        matrix = np.eye(4)
        matrix[:3, 3] = self._seen_axis(0) * share * self.diagonal
        return self._moved(matrix)

    def pixels(self, height: int) -> float:
        """Return how many pixels the whole diagonal is long, across the picture at the joint's depth."""
        camera = self.truth.camera
        assert camera is not None
        assert camera.yfov is not None
        model = self.truth.models[self.object_name]
        away = (model[:3, :3] * self._place).sum(axis=1) + model[:3, 3] - camera.matrix[:3, 3]
        depth = -float((away * camera.matrix[:3, 2]).sum())
        return self.diagonal * height / (2.0 * math.tan(camera.yfov / 2.0) * depth)

    @cached_property
    def _rows(self) -> list[int]:
        """The palette rows of the joint, first, and of the joints below it."""
        model = self.object.model
        joints = model.skins[0].joints
        below = [next(one for one in joints if model.nodes[one].name == self.joint)]
        for one in below:
            below.extend(model.nodes[one].children)
        return [joints.index(one) for one in below if one in joints]

    @cached_property
    def _place(self) -> Float64:
        """Where the joint is, in the object's space."""
        palette = next(iter(self.truth.palettes[self.object_name].values()))[self._rows[0]].astype(np.float64)
        bind = np.linalg.inv(self.object.model.skins[0].inverse_bind[self._rows[0]].astype(np.float64))[:3, 3]
        place: Float64 = (palette[:3, :3] * bind).sum(axis=1) + palette[:3, 3]
        return place

    def _seen_axis(self, axis: int) -> Float64:
        """Return an axis of the camera in the object's space, which is turned against the world but not scaled."""
        camera = self.truth.camera
        assert camera is not None
        model = self.truth.models[self.object_name][:3, :3]
        return np.asarray((model * camera.matrix[:3, axis][:, None]).sum(axis=0))

    def _moved(self, matrix: Float64) -> Posed:
        palettes = {}
        for node, palette in self.truth.palettes[self.object_name].items():
            moved = palette.astype(np.float64)
            for row in self._rows:
                moved[row] = _product(matrix, moved[row])
            palettes[node] = moved.astype(np.float32)
        return replace(self.truth, palettes={**self.truth.palettes, self.object_name: palettes})


SUBJECTS = (Subject("walker", 42, "walker", "forearm_L"), Subject("column", 25, "bending", "joint_2"))

MOVES: dict[str, Callable[[Subject, float], Posed]] = {"turn": Subject.turned, "displacement": Subject.displaced}


def _product(a: Float64, b: Float64) -> Float64:
    product: Float64 = (a[:, :, None] * b[None, :, :]).sum(axis=1)
    return product
