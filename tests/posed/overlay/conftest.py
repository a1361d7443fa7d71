"""A limb before an orthographic camera, 16 pixels a metre: x = 0 is column 32, y = 0 row 48."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.overlay.view import View
from posed.snapshot import Posed
from tests.gltf_rigs import limb

SCENE = """\
format = 1
[camera]
position = [0, 1, 5]
height = 4
[environment]
color = [0.5, 0.5, 0.5]
[meshes.limb]
file = "limb.glb"
[meshes.card]
shape = "card"
[[object]]
name = "limb"
mesh = "limb"
[object.animation]
clip = "Bend"
playback = "once"
"""
WALL = '[[object]]\nname = "wall"\nmesh = "card"\nposition = [0, 0.4, 1]\nscale = [4, 1, 1]\n'
"""A card four metres wide that stands a metre before the lower part of the limb: from row 33.6 to 49.6."""


@dataclass(frozen=True)
class Stand:
    """A scene, its snapshots by tick, and how it is traced."""

    scene: posed.Scene
    poses: tuple[Posed, ...]

    def frame(self, tick: int, *overlays: object, size: tuple[int, int] = (64, 64)) -> posed.Frame:
        """Return the frame of a tick with overlays in it."""
        return posed.trace(self.scene, self.poses[tick], size=size, samples="center", overlays=overlays)

    def changed(self, tick: int, *overlays: object, size: tuple[int, int] = (64, 64)) -> np.ndarray:
        """Return where overlays change the color, (H, W)."""
        plain, drawn = (self.frame(tick, *drawn, size=size)["color"] for drawn in ((), overlays))
        return np.abs(plain - drawn).max(axis=2) > 1e-6

    def view(self, tick: int) -> View:
        """Return what an overlay sees of a tick."""
        frame = self.frame(tick)
        staged, camera = frame.staged

        def unused(*_: object) -> object:
            raise AssertionError

        return View(self.scene, self.poses[tick], frame.layers, staged, camera, (64, 64), unused, unused)  # type: ignore[arg-type]


def stand(folder: Path, text: str = SCENE) -> Stand:
    limb().write(folder, "limb.glb")
    (folder / "x.toml").write_text(text)
    scene = posed.load(folder / "x.toml")
    world = posed.World(scene)
    poses = []
    for tick in range(61):
        world.advance(tick)
        poses.append(world.posed())
    return Stand(scene, tuple(poses))


@pytest.fixture
def bare(tmp_path: Path) -> Stand:
    """The limb alone."""
    return stand(tmp_path)


@pytest.fixture
def walled(tmp_path: Path) -> Stand:
    """The limb behind a wall up to y = 0.9."""
    return stand(tmp_path, SCENE + WALL)
