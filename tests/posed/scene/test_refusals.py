"""Faults of scene files, each with the whole sentence that answers it, at its line and key."""

from pathlib import Path

import pytest

from posed.errors import PosedError, SceneError
from posed.fixtures import atlas_png
from posed.scene.ids import IdTable
from posed.scene.load import load
from posed.world import World
from tests.gltf_literals import Literal
from tests.gltf_rigs import limb

HEAD = 'format = 1\n[camera]\n[meshes.limb]\nfile = "limb.glb"\n[meshes.card]\nshape = "card"\n'
OBJECT = '[[object]]\nname = "a"\nmesh = "card"\n'
SPRITE = OBJECT + 'material = "m"\n[object.animation]\natlas = "atlas.png"\n'
MATERIAL = "[materials.m]\ncontent = true\n"


def refused(folder: Path, text: str) -> str:
    """Return what the scene file is refused with, after its own name."""
    limb().write(folder, "limb.glb")
    (folder / "atlas.png").write_bytes(atlas_png(4, 2))
    path = folder / "x.toml"
    path.write_text(text)
    with pytest.raises(SceneError) as caught:
        load(path)
    return str(caught.value).removeprefix(f"{path}:")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('format = 1\nrate = "x"\n[camera]\n', '2: rate: expected an integer or a text such as "30000/1001", found "x"'),
        ("format = 1\nrate = true\n[camera]\n", '2: rate: expected an integer or a text such as "30000/1001", found true'),
        ("format = 1\nrate = 0\n[camera]\n", "2: rate: the rate is 0 ticks a second; expected one above 0, up to 1,000,000"),
        ("format = 1\ncamera = 4\n", "2: camera: expected a table, found 4"),
        ("format = 1\n[camera]\nposition = { x = 1 }\n", "3: camera.position: expected 3 numbers, found a table"),
        ('format = 1\n[camera]\nnode = "a/b"\nfov = 40\n', "2: camera: a camera taken from a node brings its own fov: leave them out"),
        ("format = 1\n[camera]\ntarget = [0, 0, 1]\nrotation = [0, 0, 0, 1]\n", "2: camera: give target or rotation, not both"),
        (HEAD + "[environment]\ncolor = [1, 1, 1]\ngradient = [[1, 1, 1], [1, 1, 1]]\n", "7: environment: give one of color, gradient and image, found color and gradient"),
        (HEAD + "[environment]\ncolor = [1, 1, -1]\n", "8: environment.color: expected 3 numbers of 0 or more, found [1.0, 1.0, -1.0]"),
        (HEAD + '[[light]]\nkind = "sun"\ndirection = [0, -1, 0]\nrange = 3\n', "7: light: a sun takes no range"),
        (HEAD + '[[light]]\nkind = "spot"\nposition = [0, 1, 0]\n', "7: light: a spot needs direction"),
        (HEAD + '[[light]]\nkind = "sun"\ndirection = [0, 0, 0]\n', "7: light: direction is zero: give the way the light travels"),
        (
            HEAD + '[[light]]\nkind = "spot"\nposition = [0, 1, 0]\ndirection = [0, -1, 0]\ninner = 30\nouter = 20\n',
            "7: light: inner is 30 and outer 20: inner lies below outer",
        ),
        ('format = 1\n[camera]\n[meshes.a]\nfile = "a.glb"\nsize = 2\n', "3: meshes.a: size belongs to a shape: scale the object instead"),
        ('format = 1\n[camera]\n[meshes.a]\nshape = "box"\nsize = [1, 2]\n', "3: meshes.a: the size of a box is a number or a list of 3, found 2"),
        ('format = 1\n[camera]\n[meshes.a]\nshape = "box"\nsize = [1, 2, 0]\n', "5: meshes.a.size: expected numbers above 0, found [1.0, 2.0, 0.0]"),
        (
            HEAD + '[materials.m]\ncontent = true\ncolor_texture = "atlas.png"\n',
            "7: materials.m: a content material shows its object's picture: give content or color_texture, not both",
        ),
        (HEAD + MATERIAL + SPRITE + 'clip = "x"\n', "13: object.animation: a sprite needs grid or rects, one of the two"),
        (
            HEAD + MATERIAL + SPRITE + 'clip = "x"\ngrid = [4, 2]\n',
            "13: object.animation: a sprite needs clips: [object.animation.clips.NAME] with from and to",
        ),
        (HEAD + OBJECT + '[object.animation]\nclip = "x"\n', '10: object.animation: mesh "card" has no clips to play'),
        (HEAD + OBJECT + "[object.motion]\ntimes = [0, 0]\npositions = [[0, 0, 0], [1, 0, 0]]\n", "10: object.motion: times increase from key to key"),
        (HEAD + OBJECT + "[object.motion]\ntimes = [0, 1]\n", "10: object.motion: a path needs positions, rotations or scales"),
        (
            HEAD + OBJECT + "[object.motion]\ntimes = [0, 1]\npositions = [[0, 0, 0]]\n",
            "10: object.motion: positions and times have 1 and 2 keys: give as many",
        ),
        (
            HEAD + OBJECT + "[object.motion]\ntimes = [0, 1e-13]\npositions = [[0, 0, 0], [1, 0, 0]]\n",
            "11: object.motion.times: expected a number between 1e-12 and 1e12 in size, found 1E-13",
        ),
        (HEAD + OBJECT + "rotation = [0, 0, 0, 1]\neuler = [0, 0, 0]\n", "7: object: give rotation or euler, not both"),
        (
            HEAD + OBJECT + "scale = 2\nmatrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]\n",
            "7: object: a matrix stands in place of scale: give one or the other",
        ),
        (
            HEAD + OBJECT + "matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]\n",
            "7: object: the last four numbers of a matrix are 0, 0, 0, 1: it is written row by row",
        ),
        (
            HEAD + OBJECT + "matrix = [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]\n"
            "[object.motion]\ntimes = [0]\npositions = [[0, 0, 0]]\n",
            "11: object.motion: an object placed by a matrix cannot move: give its parts",
        ),
        (
            HEAD + OBJECT + 'attach = "b/hip"\n[[object]]\nname = "b"\nmesh = "limb"\n',
            '10: object.attach: "b" has to stand above "a" in the file',
        ),
        (HEAD + OBJECT + 'attach = "a"\n', '10: object.attach: "a" names no object and node: expected one of "a/..."'),
    ],
)  # fmt: skip
def test_a_fault_is_answered_with_its_whole_sentence(tmp_path: Path, text: str, said: str) -> None:
    assert refused(tmp_path, text) == said


def test_clips_and_nodes_of_one_name_cannot_be_named(tmp_path: Path) -> None:
    file = limb()
    file.root["animations"] *= 2
    file.root["nodes"][2]["name"] = "hip"
    file.write(tmp_path, "limb.glb")
    path = tmp_path / "x.toml"
    head = 'format = 1\n[camera]\n[meshes.limb]\nfile = "limb.glb"\n[[object]]\nname = "b"\nmesh = "limb"\n'
    path.write_text(head + '[object.animation]\nclip = "Bend"\n')
    with pytest.raises(SceneError) as clips:
        load(path)
    assert str(clips.value) == (
        f'{path}:9: object.animation.clip: mesh "limb" has several clips "Bend", at 0 and 1: give the index'
    )
    path.write_text(head + '[[object]]\nname = "c"\nmesh = "limb"\nattach = "b/hip"\n')
    with pytest.raises(SceneError) as nodes:
        load(path)
    assert str(nodes.value) == f'{path}:11: object.attach: 2 nodes are called "hip" in limb.glb: one has to be'


def test_a_scene_file_has_no_scene_or_variant_to_choose(tmp_path: Path) -> None:
    for chosen in ({"scene": 1}, {"variant": "night"}):
        with pytest.raises(SceneError) as caught:
            load(tmp_path / "x.toml", **chosen)
        assert str(caught.value) == (
            f"{tmp_path}/x.toml: a scene file shows its meshes' own scenes and materials: choose of a .glb or .gltf"
        )


def test_a_camera_on_a_flat_node_sees_nothing(tmp_path: Path) -> None:
    file = Literal(cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}])
    file.node(name="eye", camera=0, scale=[1, 0, 1])
    scene = load(file.write(tmp_path, "a.glb"))
    with pytest.raises(PosedError) as caught:
        World(scene).posed()
    assert str(caught.value) == 'camera "a/0": the camera\'s node is scaled to nothing'


def test_ids_of_another_layer_have_no_names() -> None:
    with pytest.raises(ValueError, match="holds no named ids: they are in object, part, material and joint"):
        IdTable().name("triangle", 1)
