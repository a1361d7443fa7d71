"""Where faults are planted: a scene at a tick, its truth, and the built-in renderer to draw something else with."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

import posed
from posed.camera import Camera
from posed.fixtures.png import write_png
from posed.frame import Frame
from posed.live import render
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify import Side, expected_vertices

GOLDEN = Path(__file__).resolve().parents[2] / "golden/scenes"

LAYERS = ("object", "part", "triangle", "depth", "normal", "motion", "joint", "color")

TICKS: Mapping[str, int] = {"walker": 42, "column": 25, "flag": 50, "sprites": 25, "props": 42}
"""The scenes by name, and the tick at which each is looked at."""

PROPS = """
format = 1
rate = 60

[camera]
position = [1.9, 1.1, 2.9]
target = [0.1, 0.8, 0.1]
fov = 34.0

[[light]]
kind = "sun"
direction = [-0.55, -1.0, -0.6]
intensity = 3.0

[meshes.walker]
file = "walker.glb"

[meshes.box]
shape = "box"
size = 0.16

[meshes.ball]
shape = "sphere"
size = 0.5

[meshes.card]
shape = "card"
size = 0.8

[materials.brass]
color = [0.7, 0.5, 0.2, 1.0]

[materials.leaf]
color_texture = "leaf.png"
alpha = "mask"
alpha_cutoff = 0.5
double_sided = true

[[object]]
name = "walker"
mesh = "walker"

[object.animation]
clip = "Walk"

[[object]]
name = "lantern"
mesh = "box"
material = "brass"
position = [0.0, 0.12, 0.0]
attach = "walker/hand_L"

[[object]]
name = "leaf"
mesh = "card"
material = "leaf"
position = [0.95, 0.7, 0.6]

[[object]]
name = "egg"
mesh = "ball"
material = "brass"
position = [-0.75, 0.5, 0.3]
scale = [1.0, 1.7, 0.8]
"""
"""The golden walker with a lantern in its hand, between a leaf that its alpha cuts out and a stretched egg."""


@dataclass(frozen=True, eq=False)
class Stage:
    """A scene at a tick, seen in a picture of `size` pixels; `shaded`: color is drawn and traced too."""

    scene: Scene
    tick: int
    size: tuple[int, int]
    shaded: bool = True

    @cached_property
    def pose(self) -> Posed:
        """The snapshot of the tick."""
        return self.at(self.tick)

    def at(self, tick: int) -> Posed:
        """Return the snapshot of another tick."""
        world = posed.World(self.scene)
        world.advance(tick)
        return world.posed()

    @property
    def camera(self) -> Camera:
        """What looks."""
        assert self.pose.camera is not None
        return self.pose.camera

    @cached_property
    def truth(self) -> Side:
        """The snapshot, its vertices and its trace."""
        integrator = "direct" if self.shaded else "aov"
        frame = posed.trace(self.scene, self.pose, size=self.size, integrator=integrator, samples="center")
        return Side("the truth", frame, self.pose, expected_vertices(self.scene, self.pose))

    def draw(self, pose: Posed | None = None, *, scene: Scene | None = None, camera: Camera | None = None) -> Frame:
        """Return what the built-in renderer draws of the snapshot, or of another one, another scene, another camera."""
        pose = pose or self.pose
        if scene is not None:
            pose = replace(pose, scene="", previous=None if pose.previous is None else replace(pose.previous, scene=""))
        layers = LAYERS if self.shaded else LAYERS[:-1]
        return render(scene or self.scene, pose, size=self.size, camera=camera, layers=layers)


@cache
def stage_of(name: str, size: tuple[int, int], *, shaded: bool = True) -> Stage:
    """Return the scene called `name` at its tick."""
    return Stage(_scene(name), TICKS[name], size, shaded)


@cache
def _scene(name: str) -> Scene:
    return _props() if name == "props" else posed.load(GOLDEN / f"{name}.toml")


def _props() -> Scene:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "props.toml").write_text(PROPS)
        (folder / "walker.glb").write_bytes((GOLDEN / "walker.glb").read_bytes())
        (folder / "leaf.png").write_bytes(write_png(_leaf()))
        return posed.load(folder / "props.toml")


def _leaf(side: int = 32) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a green picture whose alpha falls linearly from its middle to its border."""
    across = np.abs((np.arange(side) + 0.5) / side * 2.0 - 1.0)
    alpha = 1.0 - np.maximum(across[:, None], across[None, :])
    picture = np.zeros((side, side, 4), np.uint8)
    picture[..., :3] = (60, 140, 50)
    picture[..., 3] = np.round(255.0 * alpha)
    return picture
