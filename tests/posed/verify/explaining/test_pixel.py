"""Stories of pixels: a triangle on two joints with numbers worked out by hand, and everything else that can be seen."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

import posed
from posed.errors import PosedError
from posed.verify.explaining.pixel import NEEDED
from tests.gltf_literals import Literal

SIZE = (101, 101)
MIDDLE = (50, 50)
CAMERA = "format = 1\n[camera]\nposition = [0, 1, 5]\ntarget = [0, 1, 0]\nfov = 60\n"


def limb(folder: Path) -> posed.Scene:
    """A triangle: A on the hip, B half on each, C on the knee, one metre above the hip, which a clip lifts by a metre
    in a second.

    At half a second A is at (-1, 0, 0), B at (1, 0.25, 0), C at (0, 2.5, 0). The middle of the picture is (0, 1, 0):
    6/19 A + 6/19 B + 7/19 C.
    """
    literal = Literal()
    primitive = literal.primitive(
        [[-1, 0, 0], [1, 0, 0], [0, 2, 0]],
        JOINTS_0=literal.accessor([[0, 1, 0, 0]] * 3, np.uint8),
        WEIGHTS_0=literal.accessor([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]]),
    )
    literal.node(mesh=literal.mesh(primitive, name="limb"), skin=0, name="shown")
    literal.node(name="hip", children=[2])
    literal.node(name="knee", translation=[0, 1, 0])
    bind = np.stack([np.eye(4), np.eye(4)])
    bind[1, 1, 3] = -1.0
    literal.root["skins"] = [{"joints": [1, 2], "inverseBindMatrices": literal.accessor(bind)}]
    literal.animation((2, "translation", [0.0, 1.0], [[0, 1, 0], [0, 2, 0]], "LINEAR"), name="lift")
    literal.write(folder, "limb.glb")
    text = '[meshes.limb]\nfile = "limb.glb"\n[[object]]\nname = "limb"\nmesh = "limb"\n'
    text += '[object.animation]\nclip = "lift"\n'
    (folder / "limb.toml").write_text(CAMERA + text)
    return posed.load(folder / "limb.toml")


def at_tick(scene: posed.Scene, tick: int) -> posed.Posed:
    world = posed.World(scene)
    world.advance(tick)
    return world.posed()


def test_a_skinned_pixel_goes_back_to_its_keys(tmp_path: Path) -> None:
    scene = limb(tmp_path)
    story = posed.explain(scene, at_tick(scene, 30), *MIDDLE, size=SIZE)
    seen = story.surface
    assert seen is not None
    assert (seen.object, seen.mesh, seen.primitive, seen.triangle, seen.instance) == ("limb", "limb", 0, 1, 0)
    assert seen.depth == pytest.approx(5.0, abs=1e-6)
    assert seen.position == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)
    assert seen.barycentric == pytest.approx((6 / 19, 6 / 19, 7 / 19), abs=1e-6)
    a, b, c = story.vertices
    assert [one.index for one in story.vertices] == [0, 1, 2]
    assert (a.bind, b.bind, c.bind) == ((-1, 0, 0), (1, 0, 0), (0, 2, 0))
    assert (a.position, b.position, c.position) == ((-1, 0, 0), (1, 0.25, 0), (0, 2.5, 0))
    assert [(one.name, one.weight) for one in b.influences] == [("hip", 0.5), ("knee", 0.5)]
    hip, knee = story.bones
    assert (hip.node, hip.parent, hip.joint, hip.moves) == (1, None, 0, ())
    assert (knee.node, knee.parent, knee.joint, knee.position) == (2, 1, 1, (0.0, 1.5, 0.0))
    # The hip pulls all of A and half of B, the knee the rest.
    assert (hip.share, knee.share) == (pytest.approx(9 / 19, abs=1e-6), pytest.approx(10 / 19, abs=1e-6))
    assert knee.translation == (0.0, 1.5, 0.0)
    (move,) = knee.moves
    assert (move.clip, move.path, move.interpolation, move.share) == ("lift", "translation", "linear", 0.5)
    assert [(key.number, key.time, key.value) for key in move.keys] == [(0, 0.0, (0, 1, 0)), (1, 1.0, (0, 2, 0))]
    assert move.value == (0.0, 1.5, 0.0)
    assert story.mixes is not None
    assert [(one.clip, one.time, one.weight) for mix in story.mixes for one in mix.layers] == [("lift", 0.5, 1.0)]
    assert story.notes == ()


def test_without_sources_it_ends_at_the_joints_matrices_and_says_so(tmp_path: Path) -> None:
    scene = limb(tmp_path)
    dump = replace(at_tick(scene, 30), sources={})
    story = posed.explain(scene, dump, *MIDDLE, size=SIZE)
    (note,) = story.notes
    assert note.startswith("the snapshot does not say what plays, so the story ends at the joints' matrices")
    assert story.mixes is None
    assert [(bone.name, bone.position, bone.translation, bone.moves) for bone in story.bones] == [
        ("hip", (0.0, 0.0, 0.0), None, ()),
        ("knee", (0.0, 1.5, 0.0), None, ()),
    ]


def test_a_snapshot_that_its_sources_do_not_make_is_named(tmp_path: Path) -> None:
    scene = limb(tmp_path)
    pose = at_tick(scene, 30)
    moved = pose.palettes["limb"][0].copy()
    moved[1, 0, 3] = 0.25
    story = posed.explain(scene, replace(pose, palettes={"limb": {0: moved}}), *MIDDLE, size=SIZE)
    assert story.notes == ('the snapshot\'s matrix of joint "knee" is not what its sources make: they differ by 0.25',)
    unreadable = replace(pose, sources={"limb": {"mixes": 3}})
    story = posed.explain(scene, unreadable, *MIDDLE, size=SIZE)
    assert story.notes[0].startswith('sources: object "limb": its mixes cannot be read')
    unknown = {"mixes": [{"weight": 1.0, "layers": [{"clip": "x", "index": 7, "weight": 1.0, "time": 0.0}]}]}
    story = posed.explain(scene, replace(pose, sources={"limb": unknown}), *MIDDLE, size=SIZE)
    assert story.notes[0] == "sources: object \"limb\": the rig has no clip 7; it has 'lift'"


def test_the_background_has_no_story(tmp_path: Path) -> None:
    scene = limb(tmp_path)
    story = posed.explain(scene, at_tick(scene, 0), 0, 0, size=SIZE)
    assert story.surface is None
    assert (story.vertices, story.bones, story.mixes) == ((), (), None)
    assert "nothing is seen here but the background" in str(story)


@pytest.mark.parametrize("pixel", [(101, 0), (0, 101), (-1, 0)])
def test_a_pixel_outside_is_refused(tmp_path: Path, pixel: tuple[int, int]) -> None:
    scene = limb(tmp_path)
    with pytest.raises(PosedError, match=r"lies outside the picture of 101x101: give a column from 0 to 100 and a row"):
        posed.explain(scene, at_tick(scene, 0), *pixel, size=SIZE)


def test_a_traced_frame_spares_the_trace_and_must_be_of_the_snapshot(tmp_path: Path) -> None:
    scene = limb(tmp_path)
    pose = at_tick(scene, 30)
    frame = posed.trace(scene, pose, size=SIZE, integrator="aov", layers=NEEDED)
    assert posed.explain(scene, pose, *MIDDLE, frame=frame) == posed.explain(scene, pose, *MIDDLE, size=SIZE)
    with pytest.raises(PosedError, match=r"the frame shows snapshot [0-9a-f]{32}, this one is [0-9a-f]{32}: trace it"):
        posed.explain(scene, at_tick(scene, 31), *MIDDLE, frame=frame)
    bare = posed.trace(scene, pose, size=SIZE, integrator="aov", layers=("part", "triangle", "depth"))
    with pytest.raises(PosedError, match=r"the frame has no position or normal or barycentric or uv layer: trace one"):
        posed.explain(scene, pose, *MIDDLE, frame=bare)


def test_a_part_placed_by_its_node_is_told_by_its_copy(tmp_path: Path) -> None:
    """Two copies of a triangle, two metres to the left and in the middle; the node is lifted by a clip."""
    literal = Literal()
    moved = literal.accessor([[-2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    literal.node(
        name="flag",
        mesh=literal.mesh(literal.primitive([[-1, 0, 0], [1, 0, 0], [0, 2, 0]])),
        extensions={"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": moved}}},
    )
    literal.root["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    literal.animation((0, "translation", [0.0], [[0, 0.5, 0]], "STEP"), name="up")
    literal.write(tmp_path, "flag.glb")
    text = (
        '[meshes.flag]\nfile = "flag.glb"\n[[object]]\nname = "flag"\nmesh = "flag"\n[object.animation]\nclip = "up"\n'
    )
    (tmp_path / "flag.toml").write_text(CAMERA + text)
    scene = posed.load(tmp_path / "flag.toml")
    story = posed.explain(scene, at_tick(scene, 3), *MIDDLE, size=SIZE)
    assert story.surface is not None
    assert story.surface.instance == 1
    assert [one.position for one in story.vertices] == [(-1, 0.5, 0), (1, 0.5, 0), (0, 2.5, 0)]
    assert all(one.influences == () for one in story.vertices)
    (bone,) = story.bones
    assert (bone.name, bone.joint, bone.share, bone.position) == ("flag", None, 1.0, (0.0, 0.5, 0.0))
    (move,) = bone.moves
    assert (move.interpolation, move.share, [key.number for key in move.keys]) == ("step", 0.0, [0])
    assert "flag 0 places the part, at (0.0000, 0.5000, 0.0000)" in str(story)


def test_morph_targets_that_count_are_named(tmp_path: Path) -> None:
    """Two targets: one of weight 0, one at a quarter that lifts C by two metres."""
    literal = Literal()
    primitive = literal.primitive([[-1, 0, 0], [1, 0, 0], [0, 2, 0]])
    primitive["targets"] = [
        {"POSITION": literal.accessor([[0, 0, 9]] * 3)},
        {"POSITION": literal.accessor([[0, 0, 0], [0, 0, 0], [0, 2, 0]])},
    ]
    literal.node(mesh=literal.mesh(primitive, extras={"targetNames": ["far", "tall"]}))
    literal.animation((0, "weights", [0.0, 1.0], [0.0, 0.0, 0.0, 0.5], "LINEAR"), name="grow")
    path = literal.write(tmp_path, "face.glb")
    scene = posed.load(path)
    world = posed.World(scene)
    world.animate(path.stem, "grow")
    world.advance(30)
    camera = posed.load(_camera_only(tmp_path)).camera
    story = posed.explain(scene, world.posed(), *MIDDLE, size=SIZE, camera=camera)
    assert [len(one.morphs) for one in story.vertices] == [0, 0, 1]
    (morph,) = story.vertices[2].morphs
    assert (morph.target, morph.name, morph.weight, morph.delta) == (1, "tall", 0.25, (0.0, 2.0, 0.0))
    assert story.vertices[2].position == (0.0, 2.5, 0.0)
    (move,) = story.morph_moves
    assert (move.path, move.value) == ("weights", (0.0, 0.25))


def _camera_only(folder: Path) -> Path:
    (folder / "camera.toml").write_text(CAMERA)
    return folder / "camera.toml"


def test_a_sprite_is_told_to_its_texel(tmp_path: Path) -> None:
    """An atlas of two frames of 4 x 4 texels on a card of two metres around (0.1, 0.9, 0): the middle of the picture,
    (0, 1, 0), lies at 0.9 metres from its left and from its top, in the second column and row of the frame.
    """
    texels = np.zeros((4, 8, 4), np.uint8)
    texels[..., 0], texels[..., 1], texels[..., 3] = np.arange(8), 10 * np.arange(4)[:, None], 255
    PIL.Image.fromarray(texels).save(tmp_path / "atlas.png")
    text = (
        '[meshes.card]\nshape = "card"\nsize = [2.0, 2.0]\n[materials.sprite]\ncontent = true\nunlit = true\n'
        '[[object]]\nname = "hero"\nmesh = "card"\nmaterial = "sprite"\nposition = [0.1, 0.9, 0]\n'
        '[object.animation]\natlas = "atlas.png"\ngrid = [2, 1]\nfps = 10\nclip = "run"\nplayback = "ping_pong"\n'
        "[object.animation.clips.run]\nfrom = 0\nto = 1\n"
    )
    (tmp_path / "sprite.toml").write_text(CAMERA + text)
    scene = posed.load(tmp_path / "sprite.toml")
    pose = at_tick(scene, 7)  # 10 frames a second at 60 ticks: six ticks a frame
    story = posed.explain(scene, pose, *MIDDLE, size=SIZE)
    sprite = story.sprite
    assert sprite is not None
    assert (sprite.clip, sprite.step, sprite.playback, sprite.frame) == ("run", 1, "ping_pong", 1)
    assert sprite.rectangle == (4, 0, 4, 4)
    assert story.surface is not None
    assert story.surface.uv == pytest.approx((0.45, 0.45), abs=1e-6)
    assert sprite.texel == (5, 1)
    assert sprite.color == (5, 10, 0, 255)
    wrong = posed.explain(scene, replace(pose, sprites={"hero": 0}), *MIDDLE, size=SIZE)
    assert wrong.notes == ("the snapshot shows frame 0 and its sources say frame 1",)
    untold = posed.explain(scene, replace(pose, sources={}), *MIDDLE, size=SIZE)
    assert untold.sprite is not None
    assert (untold.sprite.clip, untold.sprite.frame) == (None, 1)


def test_the_story_is_data_and_a_tree(tmp_path: Path) -> None:
    scene = limb(tmp_path)
    story = posed.explain(scene, at_tick(scene, 30), *MIDDLE, size=SIZE)
    data: dict[str, Any] = json.loads(json.dumps(story.to_dict()))
    assert data["surface"]["object"] == "limb"
    assert data["bones"][1]["moves"][0]["keys"][1]["value"] == [0, 2, 0]
    text = str(story)
    for words in (
        "pixel 50, 50 of 101x101, tick 30",
        'object "limb", part limb/0 (node 0 "shown", material "default"), triangle 1',
        "5 m away",
        "vertex 1 31.6%: bound at (1.0000, 0.0000, 0.0000), posed to (1.0000, 0.2500, 0.0000)",
        "hip 0.500, knee 0.500",
        'share "lift" 1.000 at 0.5000 s, loop',
        "knee 2 joint 1 pulls 52.6%, at (0.0000, 1.5000, 0.0000)",
        "of lift at 0.5000 s: linear, keys 0 (0.0000 s) to 1 (1.0000 s), 50.0% of the way",
    ):
        assert words in " ".join(text.split()), words
