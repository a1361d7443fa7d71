"""The kinds of files that are fuzzed: a whole one of each, how it is mutated, and all that is done with it."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import PIL.Image

import posed
from posed.baking import bake
from posed.fixtures.png import write_png
from posed.frame import Frame
from posed.gltf import load as load_model
from posed.gltf.image import Image
from posed.inspection import inspection
from posed.lint import lint
from posed.scene.load import load as load_scene
from posed.snapshot import Posed
from posed.still import still_posed
from posed.world import World
from tests.posed.fuzz import mutations
from tests.posed.fuzz.packed import packed_file
from tests.posed.gltf.test_fuzz import seed_file

SCENE = """\
format = 1
rate = 30
[camera]
position = [0.0, 1.0, 4.0]
target = [0.0, 0.5, 0.0]
fov = 40.0
near = 0.1
far = 100.0
[environment]
gradient = [[0.1, 0.2, 0.3], [0.6, 0.7, 0.9]]
[[light]]
kind = "spot"
position = [0.0, 3.0, 0.0]
direction = [0.0, -1.0, 0.0]
inner = 20.0
outer = 30.0
[meshes.model]
file = "model.glb"
[meshes.card]
shape = "card"
size = [1.0, 2.0]
[materials.sprite]
alpha = "mask"
content = true
unlit = true
[[object]]
name = "model"
mesh = "model"
euler = [0.0, 90.0, 0.0]
scale = 1.5
[object.animation]
blend = [{ clip = "Bend", weight = 0.7 }]
speed = 0.5
playback = "ping_pong"
events = [{ name = "step", clip = "Bend", time = 0.4 }]
[[object]]
name = "hero"
mesh = "card"
material = "sprite"
attach = "model/knee"
face_camera = true
[object.animation]
atlas = "atlas.png"
grid = [4, 2]
fps = 12.0
clip = "idle"
[object.animation.clips.idle]
from = 0
to = 3
[[object]]
name = "box"
mesh = "card"
[object.motion]
times = [0.0, 2.0]
positions = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
interpolation = "linear"
playback = "loop"
"""


@dataclass(frozen=True)
class Kind:
    """`name` is the file's name; `mutated` and `use` are what is done to it and with it."""

    name: str
    mutated: Callable[[bytes, random.Random], bytes]
    use: Callable[[Path], None]


def use_model(path: Path) -> None:
    """Load, inspect, lint, bake, play and trace a model."""
    model = load_model(path)
    inspection(model)
    for clip in (None, *range(len(model.clips))):
        bake(model, clip=clip, time=0.5)
    lint(path)
    use_scene(path)


def use_scene(path: Path) -> None:
    """Load a scene, play two ticks of it and trace four pixels."""
    scene = load_scene(path)
    world = World(scene)
    world.advance(2)
    posed.trace(scene, world.posed(), size=(2, 2), samples="center")


def use_frame(path: Path) -> None:
    """Read a frame."""
    Frame.load(path)


def use_atlas(path: Path) -> None:
    """Read a picture as a frame, and as the atlas of a sprite in a scene that is traced."""
    Frame.load(path)
    use_scene(path.parent / "scene.toml")


def use_texture(path: Path) -> None:
    """Decode a picture as the texture of a model."""
    assert Image(path.name, path.read_bytes(), str(path)).texels.shape[2] == 4


def use_snapshot(path: Path) -> None:
    """Read a snapshot and stage its scene."""
    scene = load_scene(path.parent / "scene.toml")
    snapshot = Posed.load(path)
    bake(scene.objects[0].model, posed=replace(snapshot, space="scene"))
    posed.trace(scene, snapshot, size=(2, 2), samples="center")


def write_whole(folder: Path) -> None:
    """Write a whole file of every kind into `folder`."""
    atlas = write_png(np.arange(16 * 8 * 4, dtype=np.uint8).reshape(8, 16, 4))
    literal = seed_file()
    literal.root["images"] = [{"bufferView": literal.view(atlas), "mimeType": "image/png"}]
    (folder / "model.glb").write_bytes(literal.glb())
    (folder / "model.gltf").write_bytes(literal.gltf())
    (folder / "atlas.png").write_bytes(atlas)
    (folder / "scene.toml").write_text(SCENE)
    scene = load_scene(folder / "scene.toml")
    world = World(scene)
    world.advance(1)
    snapshot = replace(world.posed(), scene="", previous=still_posed(scene, 0))
    snapshot.save(folder / "snapshot.posed.npz")
    snapshot.save(folder / "snapshot.posed.json")
    (folder / "packed.glb").write_bytes(packed_file().glb())
    picture = PIL.Image.fromarray(np.arange(48 * 48 * 3, dtype=np.uint8).reshape(48, 48, 3))
    picture.save(folder / "texture.jpg")
    picture.save(folder / "texture.webp")
    frame = posed.trace(scene, snapshot, size=(6, 4), samples="center")
    frame.save(folder / "frame.npz")
    frame.save(folder / "frame.exr")
    assert snapshot.rate == Fraction(30)


KINDS = (
    Kind("model.glb", mutations.mutated_glb, use_model),
    Kind("model.gltf", mutations.mutated_json, use_model),
    Kind("packed.glb", mutations.mutated_glb, use_model),
    Kind("scene.toml", mutations.mutated_toml, use_scene),
    Kind("atlas.png", mutations.mutated_png, use_atlas),
    Kind("texture.jpg", mutations.mutated_bytes, use_texture),
    Kind("texture.webp", mutations.mutated_bytes, use_texture),
    Kind("frame.npz", mutations.mutated_npz, use_frame),
    Kind("frame.exr", mutations.mutated_bytes, use_frame),
    Kind("snapshot.posed.npz", mutations.mutated_npz, use_snapshot),
    Kind("snapshot.posed.json", mutations.mutated_json, use_snapshot),
)
