"""Scene files: what they give, and what each fault is answered with."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from posed.errors import SceneError
from posed.gltf.material import AlphaMode, Wrap
from posed.scene.load import load
from posed.world import World
from tests.gltf_literals import Literal
from tests.posed.scene.literals import CAMERA, HEAD, walker, write


def test_a_whole_scene(tmp_path: Path) -> None:
    walker(tmp_path)
    scene = load(
        write(
            tmp_path,
            """\
format = 1
rate = "30000/1001"
[camera]
position = [0, 1, 4]
target = [0, 1, 0]
fov = 90
near = 0.5
far = 50
[environment]
gradient = [[0, 0, 0], [1, 2, 3]]
intensity = 0.5
[[light]]
kind = "spot"
position = [1, 2, 3]
direction = [0, -2, 0]
inner = 20
outer = 30
[meshes.walker]
file = "walker.glb"
[meshes.ground]
shape = "plane"
size = [4, 2]
[materials.ground]
color = [0.5, 0.25, 0.125]
alpha = "mask"
emission = [1, 1, 1]
emission_strength = 2
[[object]]
name = "ground"
mesh = "ground"
material = "ground"
[[object]]
name = "walker"
mesh = "walker"
position = [1, 2, 3]
euler = [0, 90, 0]
scale = 2
[object.animation]
clip = "Walk"
speed = 0.1
events = [{ name = "step", clip = "Walk", time = 0.4 }, { name = "never", clip = "Walk", time = 1.5 }]
""",
        )
    )
    assert scene.rate == Fraction(30000, 1001)
    assert scene.camera.matrix.tolist() == [[1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 4], [0, 0, 0, 1]]
    assert (scene.camera.yfov, scene.camera.znear, scene.camera.zfar) == (math.pi / 2, 0.5, 50.0)
    assert (scene.environment.bottom, scene.environment.top) == ((0, 0, 0), (1, 2, 3))
    light = scene.lights[0]
    assert (light.kind, light.direction, light.range) == ("spot", (0, -1, 0), math.inf)
    assert (light.inner, light.outer) == pytest.approx((math.pi / 9, math.pi / 6))
    ground, figure = scene.objects
    assert ground.material is not None
    assert ground.material.base_color == (0.5, 0.25, 0.125, 1.0)
    assert (ground.material.alpha_mode, ground.material.emission) == (AlphaMode.MASK, (2, 2, 2))
    assert ground.model.meshes[0].primitives[0].positions.max(axis=0).tolist() == [2.0, 0.0, 1.0]
    assert figure.matrix == pytest.approx(
        np.array([[0, 0, 2, 1], [0, 2, 0, 2], [-2, 0, 0, 3], [0, 0, 0, 1]]), abs=1e-15
    )
    assert figure.animation is not None
    assert figure.animation.speed == Fraction(1, 10)
    assert figure.animation.rig is not None
    assert [(event.name, event.time) for event in figure.animation.rig.clips[0].events] == [("step", 0.4)]
    assert scene.notes == (f'{tmp_path}/x.toml:41: the mark "never" at 1.5 s never comes: clip "Walk" ends at 1 s',)
    assert [(part.id, part.object_id, part.material_id) for part in scene.parts] == [(1, 1, 1), (2, 2, 2)]
    assert scene.ids.objects == ("ground", "walker")
    assert scene.animations == {"walker": figure.animation}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("format = 1", "format = 2"), "1: format: expected 1, found 2"),
        (("format = 1\n", ""), "1: format: is missing"),
        ((CAMERA, ""), "1: camera: is missing"),
        (("[camera]", "[camer]"), '2: camer: unknown key; did you mean "camera"?'),
        (("position = [0, 0, 4]", "position = [0, 0]"), "3: camera.position: expected 3 numbers, found a list of 2"),
        (("position = [0, 0, 4]", "position = 4"), "3: camera.position: expected 3 numbers, found 4"),
        (("position = [0, 0, 4]", "far = inf"), "3: camera.far: expected a finite number below 1e300, found Infinity"),
        (("position = [0, 0, 4]", "fov = 180"), "3: camera.fov: expected a number below 180, found 180"),
        (("position = [0, 0, 4]", "fov = 40\nheight = 2"), "2: camera: give fov (perspective) or height (orthographic)"),
        (("position = [0, 0, 4]", "near = 2\nfar = 1"), "2: camera: far is 1 and near 2: far lies beyond near"),
        (("position = [0, 0, 4]", "target = [0, 0, 0]"), "2: camera: target is the camera's position"),
        (("position = [0, 0, 4]", "target = [0, 1, 0]"), "2: camera.up: up lies along the line of sight"),
        (("position = [0, 0, 4]", "rotation = [0, 0, 0, 2]"), "3: camera.rotation: a rotation is a quaternion"),
        (("position = [0, 0, 4]", 'node = "walker"'), '3: camera.node: "walker" names no object and node'),
        (("position = [0, 0, 4]", 'node = "walker/body"'), '3: camera.node: "walker/body" carries no camera'),
        (("position = [0, 0, 4]", 'node = "walker/head"'), '3: camera.node: no node is called "head" in walker.glb'),
        (("walker.glb", "../walker.glb"), '5: meshes.walker.file: "../walker.glb" lies outside the scene\'s folder'),
        (("walker.glb", "%2e%2e/walker.glb"), '5: meshes.walker.file: "%2e%2e/walker.glb" lies outside'),
        (("walker.glb", "runner.glb"), '5: meshes.walker.file: "runner.glb" beside the scene: there is no such file: check the path'),
        (("walker.glb", "x.toml"), "5: meshes.walker.file: "),
        (('file = "walker.glb"', 'shape = "cone"'), '5: meshes.walker.shape: expected "plane", "box", "sphere" or "card"'),
        (('file = "walker.glb"', 'shape = "box"\nsize = [1, 2]'), "4: meshes.walker: the size of a box is a number or"),
        (('file = "walker.glb"', "size = 2"), "4: meshes.walker: give file or shape, one of the two"),
        (('mesh = "walker"', 'mesh = "worker"'), "8: object.mesh: there is no [meshes.worker] (there is walker)"),
        (('mesh = "walker"', 'mesh = "walker"\nscale = "big"'), '9: object.scale: expected a number, found "big"'),
        (('mesh = "walker"', 'mesh = "walker"\nsale = 2'), '9: object.sale: unknown key; did you mean "scale"?'),
        (('mesh = "walker"', 'mesh = "walker"\nmaterial = "m"'), "9: object.material: there is no [materials.m]"),
        (('mesh = "walker"', 'mesh = "walker"\nvisible = 1'), "9: object.visible: expected boolean, found 1"),
        (('name = "walker"', 'name = "a/b"'), '7: object.name: expected'),
        (('clip = "Walk"', 'clip = "Jog"'), '10: object.animation.clip: mesh "walker" has no clip "Jog" (it has Walk, Run)'),
        (('clip = "Walk"', "clip = 2"), '10: object.animation.clip: mesh "walker" has no clip 2 (it has Walk, Run)'),
        (('clip = "Walk"', 'blend = [{ clip = "Walk", weight = 0 }]'), "10: object.animation.blend: the weights of a blend"),
        (('clip = "Walk"', 'blend = [{ clip = "W", weight = 1 }]'), '10: object.animation.blend.clip: mesh "walker" has no'),
        (('clip = "Walk"', 'blend = [{ clip = "Run", weight = -1 }]'), "10: object.animation.blend.weight: expected a number not below 0"),
        (('clip = "Walk"', 'clip = "Walk"\nblend = [{ clip = "Run", weight = 1 }]'), "9: object.animation: give clip or blend, not both"),
        (('clip = "Walk"', 'clip = "Walk"\nplayback = "bounce"'), '11: object.animation.playback: expected "loop", "once" or "ping_pong"'),
        (('clip = "Walk"', 'events = [{ name = "a", clip = "Walk", frame = 1 }]'), "10: object.animation.events: a mark on a mesh's"),
        (('clip = "Walk"', 'events = [{ name = "a", clip = "Hop", time = 1 }]'), '10: object.animation.events.clip: mesh "walker" has no'),
        (('clip = "Walk"', "grid = [1, 1]"), "9: object.animation: grid belong to a sprite"),
    ],
)  # fmt: skip
def test_each_fault_is_answered_at_its_line_and_key(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    walker(tmp_path)
    text = HEAD + '[meshes.walker]\nfile = "walker.glb"\n[[object]]\nname = "walker"\nmesh = "walker"\n'
    text += '[object.animation]\nclip = "Walk"\n'
    assert change[0] in text
    with pytest.raises(SceneError) as caught:
        load(write(tmp_path, text.replace(*change)))
    assert str(caught.value).startswith(f"{tmp_path}/x.toml:{message}"), caught.value


def test_names_are_unique(tmp_path: Path) -> None:
    one = '[[object]]\nname = "a"\nmesh = "m"\n'
    with pytest.raises(SceneError, match=r'x.toml:10: object.name: "a" names the object at line 7 too'):
        load(write(tmp_path, HEAD + '[meshes.m]\nshape = "box"\n' + one + one))


def test_a_file_outside_the_folder_can_be_allowed(tmp_path: Path) -> None:
    walker(tmp_path)
    (tmp_path / "in").mkdir()
    text = HEAD + '[meshes.walker]\nfile = "../walker.glb"\n'
    assert load(write(tmp_path / "in", text), allow_outside=True).objects == ()


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    walker(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "walker.glb").symlink_to(tmp_path / "walker.glb")
    with pytest.raises(SceneError, match="lies outside the scene's folder"):
        load(write(tmp_path / "in", HEAD + '[meshes.walker]\nfile = "walker.glb"\n'))


def test_textures_say_how_they_are_read(tmp_path: Path) -> None:
    PIL.Image.new("RGB", (3, 2), (10, 20, 30)).save(tmp_path / "a.png")
    text = '[materials.m]\ncolor_texture = { file = "a.png", wrap = "clamp", filter = "nearest" }\nnormal_texture = "a.png"\n'
    shape = '[meshes.m]\nshape = "box"\n[[object]]\nname = "a"\nmesh = "m"\nmaterial = "m"\n'
    material = load(write(tmp_path, HEAD + text + shape)).objects[0].material
    assert material is not None
    assert material.color_texture is not None
    assert material.normal_texture is not None
    assert (material.color_texture.wrap_s, material.color_texture.linear) == (Wrap.CLAMP, False)
    assert (material.normal_texture.wrap_s, material.normal_texture.linear) == (Wrap.REPEAT, True)
    assert material.color_texture.image.texels.tolist() == [[[10, 20, 30, 255]] * 3] * 2


def test_an_environment_s_image(tmp_path: Path) -> None:
    head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n"
    (tmp_path / "sky.hdr").write_bytes(head + bytes([128, 64, 32, 130]))
    environment = load(write(tmp_path, HEAD + '[environment]\nimage = "sky.hdr"\nintensity = 3\n')).environment
    assert environment.image is not None
    assert environment.image.texels.tolist() == [[[2.0, 1.0, 0.5]]]
    assert environment.radiance.tolist() == [[[6.0, 3.0, 1.5]]]
    assert environment.irradiance[0] == pytest.approx([2 * math.pi, math.pi, math.pi / 2])


def test_an_environment_s_image_counts_in_the_digest(tmp_path: Path) -> None:
    digests = set()
    for color in (10, 20):
        PIL.Image.new("RGB", (2, 1), (color, 0, 0)).save(tmp_path / "sky.png")
        digests.add(load(write(tmp_path, HEAD + '[environment]\nimage = "sky.png"\n')).digest)
    assert len(digests) == 2


def test_an_environment_s_image_that_is_none_is_refused_at_its_key(tmp_path: Path) -> None:
    (tmp_path / "sky.hdr").write_text("#?RADIANCE\n")
    text = HEAD + '[environment]\nimage = "sky.hdr"\n'
    with pytest.raises(
        SceneError, match=r"x.toml:5: environment.image: .*not a Radiance picture .*its head does not end"
    ):
        load(write(tmp_path, text))
    with pytest.raises(SceneError, match=r'x.toml:5: environment.image: "sky.exr" beside the scene: there is no such'):
        load(write(tmp_path, text.replace("hdr", "exr")))


def test_a_texture_that_is_no_image_is_refused_at_its_key(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("not an image")
    with pytest.raises(SceneError, match=r"x.toml:5: materials.m.color_texture: .*a.png: not a readable PNG"):
        load(write(tmp_path, HEAD + '[materials.m]\ncolor_texture = "a.png"\n'))


def test_content_without_a_material_that_shows_it_is_refused(tmp_path: Path) -> None:
    PIL.Image.new("RGB", (3, 2)).save(tmp_path / "a.png")
    text = '[meshes.m]\nshape = "card"\n[[object]]\nname = "a"\nmesh = "m"\ncontent = "a.png"\n'
    with pytest.raises(SceneError, match="no material of this object has content = true"):
        load(write(tmp_path, HEAD + text))


def test_the_digest_is_of_the_content_not_of_the_place(tmp_path: Path) -> None:
    digests = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        walker(tmp_path / name)
        text = HEAD + '[meshes.w]\nfile = "walker.glb"\n[[object]]\nname = "w"\nmesh = "w"\n'
        digests.add(load(write(tmp_path / name, text)).digest)
    digests.add(load(write(tmp_path / "b", text + "position = [0, 0, 1]\n")).digest)
    assert len(digests) == 2


@pytest.mark.parametrize("size", ["1e-320", "1e200"])
def test_a_direction_whose_square_no_float_holds(tmp_path: Path, size: str) -> None:
    text = f'format = 1\n[camera]\nposition = [0, 0, 1]\n[[light]]\nkind = "sun"\ndirection = [0, -{size}, 0]\n'
    (tmp_path / "x.toml").write_text(text)
    assert load(tmp_path / "x.toml").lights[0].direction == (0.0, -1.0, 0.0)


def test_a_mark_at_the_decimal_of_a_clips_float32_end_is_kept(tmp_path: Path) -> None:
    """float32(0.7) lies below 0.7; both are 42 ticks at 60 a second."""
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh())
    file.animation((0, "translation", (0.0, 0.7), ((0, 0, 0), (1, 0, 0)), "LINEAR"), name="Walk")
    (tmp_path / "walker.glb").write_bytes(file.glb())
    text = HEAD + '[meshes.w]\nfile = "walker.glb"\n[[object]]\nname = "w"\nmesh = "w"\n[object.animation]\n'
    text += 'clip = "Walk"\nevents = [{ name = "end", clip = "Walk", time = 0.7 }]\n'
    scene = load(write(tmp_path, text))
    assert scene.notes == ()
    assert [(event.tick, event.event) for event in World(scene).advance(90)] == [(42, "end"), (84, "end")]
