"""One scene file with every key of the format."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from posed.gltf.material import AlphaMode, Wrap
from posed.scene.kinds import Table
from posed.scene.load import load
from posed.scene.schema import SceneTable
from posed.scene.toml import read_toml
from tests.posed.scene.literals import walker, write

EVERY_KEY = """\
format = 1
rate = 30
[camera]
position = [0, 0, 4]
rotation = [0, 0, 0, 1]
height = 2
near = 0.5
far = 9
[environment]
color = [0.5, 0.5, 0.5]
intensity = 2
[[light]]
kind = "sun"
direction = [0, -2, 0]
color = [1, 0.5, 1]
intensity = 3
angle = 0.53
[[light]]
kind = "point"
position = [1, 2, 3]
range = 10
[[light]]
kind = "spot"
position = [1, 2, 3]
direction = [0, -1, 0]
inner = 20
outer = 30
[meshes.walker]
file = "walker.glb"
[meshes.card]
shape = "card"
size = 2
[materials.picture]
content = true
color = [1, 1, 1, 0.5]
alpha = "blend"
alpha_cutoff = 0.25
unlit = true
metallic = 0.125
roughness = 0.75
specular = 0.5
emission = [1, 2, 3]
emission_strength = 2
transmission = 0.5
ior = 1.25
double_sided = true
metallic_roughness_texture = { file = "a.png", wrap = "mirror", filter = "nearest", uv = 1 }
normal_texture = "a.png"
emission_texture = "a.png"
[materials.plain]
color_texture = "a.png"
[[object]]
name = "walker"
mesh = "walker"
material = "plain"
position = [1, 2, 3]
rotation = [0, 0, 0, 1]
scale = [1, 2, 3]
visible = false
[object.animation]
blend = [{ clip = "Walk", weight = 0.5 }, { clip = 1, weight = 0 }]
speed = -0.5
playback = "ping_pong"
start = 0.25
root_motion = true
events = [{ name = "step", clip = "Walk", time = 0.5 }]
[object.motion]
times = [0, 2]
positions = [[0, 0, 0], [0, 1, 0]]
rotations = [[0, 0, 0, 1], [0, 1, 0, 0]]
scales = [[1, 1, 1], [2, 2, 2]]
interpolation = "step"
playback = "once"
[[object]]
name = "shown"
mesh = "card"
material = "picture"
content = "a.png"
attach = "walker/body"
euler = [0, 0, 90]
[[object]]
name = "sprite"
mesh = "card"
material = "picture"
matrix = [1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1]
face_camera = true
[object.animation]
atlas = "a.png"
rects = [[0, 0, 2, 2], [2, 0, 1, 2]]
fps = 6
clip = "both"
events = [{ name = "turn", clip = "both", frame = 1 }]
[object.animation.clips.both]
from = 0
to = 1
fps = 3
"""

ELSEWHERE = {("CameraTable", key) for key in ("target", "up", "fov", "node")} | {
    ("EnvironmentTable", "gradient"),
    ("EnvironmentTable", "image"),
    ("AnimationTable", "grid"),
}
"""Keys that exclude others of this file: other tests give them."""


def test_every_key_of_the_format_is_taken(tmp_path: Path) -> None:
    walker(tmp_path)
    PIL.Image.new("RGB", (4, 2)).save(tmp_path / "a.png")
    scene = load(write(tmp_path, EVERY_KEY))
    assert _unset([SceneTable.model_validate(read_toml(tmp_path / "x.toml").data)]) == ELSEWHERE
    figure, shown, sprite = scene.objects
    assert (scene.camera.ymag, scene.camera.zfar, scene.environment.intensity) == (1.0, 9.0, 2.0)
    assert [(light.kind, light.range) for light in scene.lights] == [
        ("sun", math.inf), ("point", 10.0), ("spot", math.inf)
    ]  # fmt: skip
    assert scene.lights[0].angle == pytest.approx(math.radians(0.53))
    material = shown.material
    assert material is not None
    assert (material.alpha_mode, material.alpha_cutoff, material.metallic, material.roughness, material.specular) == (
        AlphaMode.BLEND, 0.25, 0.125, 0.75, 0.5
    )  # fmt: skip
    assert (material.emission, material.transmission, material.ior, material.double_sided, material.unlit) == (
        (2, 4, 6), 0.5, 1.25, True, True
    )  # fmt: skip
    roughness = material.metallic_roughness_texture
    assert roughness is not None
    assert (roughness.uv, roughness.wrap_s, roughness.linear) == (1, Wrap.MIRROR, False)
    played = figure.animation
    assert played is not None
    assert (played.blend, played.speed, played.playback, played.start, played.root_motion) == (
        (("Walk", 0.5), (1, 0.0)), Fraction(-1, 2), "ping_pong", Fraction(1, 4), True
    )  # fmt: skip
    assert (figure.visible, shown.attach, sprite.face_camera) == (False, ("walker", 0), True)
    assert shown.matrix == pytest.approx(np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), abs=1e-15)
    assert sprite.matrix[:3, 3].tolist() == [5, 6, 7]
    assert figure.motion is not None
    assert (figure.motion.playback, len(figure.motion.clip.channels)) == ("once", 3)


def _unset(tables: list[Table]) -> set[tuple[str, str]]:
    """Return the keys, by kind of table, that no table of the kind gives, with those of the tables within."""
    given: dict[type[Table], set[str]] = {}
    while tables:
        table = tables.pop()
        given.setdefault(type(table), set()).update(table.model_fields_set)
        for value in (getattr(table, key) for key in table.model_fields_set):
            inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]
            tables += [one for one in inside if isinstance(one, Table)]
    return {(kind.__name__, key) for kind, keys in given.items() for key in kind.model_fields.keys() - keys}
