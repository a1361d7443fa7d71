"""Values that show themselves, small: a limb that bends, in a scene of its own."""

from pathlib import Path

import pytest

import anim
import posed
from posed.snapshot import Posed
from tests.gltf_rigs import limb

SCENE = """\
format = 1
[camera]
position = [0, 1, 5]
height = 4
[environment]
color = [0.5, 0.5, 0.5]
[[light]]
kind = "sun"
direction = [0.3, -0.6, -1]
intensity = 3.0
[meshes.limb]
file = "limb.glb"
[[object]]
name = "limb & <b>co"
mesh = "limb"
[object.animation]
clip = "Bend"
"""


@pytest.fixture
def scene(tmp_path: Path) -> posed.Scene:
    """A scene whose object's name would be HTML."""
    limb().write(tmp_path, "limb.glb")
    (tmp_path / "x.toml").write_text(SCENE)
    return posed.load(tmp_path / "x.toml")


@pytest.fixture
def pose(scene: posed.Scene) -> Posed:
    world = posed.World(scene)
    world.advance(30)
    return world.posed()


@pytest.fixture
def values(scene: posed.Scene, pose: Posed) -> dict[str, object]:
    """One of each type."""
    (one,) = scene.objects
    frames = [posed.trace(scene, pose, size=(32, 32), samples="center") for _ in range(2)]
    rig: anim.Rig = one.model.rig(0).rig
    return {
        "Scene": scene,
        "Model": one.model,
        "Rig": rig,
        "Clip": one.model.clips[0],
        "Posed": pose,
        "Frame": frames[0],
        "Verdict": posed.compare(*frames),
        "Explanation": posed.explain(scene, pose, 16, 20, size=(32, 32)),
    }
