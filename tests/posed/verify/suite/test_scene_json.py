"""What a renderer's command is told of a frame."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.camera import Camera
from posed.data import demo_scene
from posed.fixtures import atlas_png
from posed.verify.suite.scene_json import camera_json, projection, scene_json, view, write_scene_json
from tests.posed.live.literals import translation


def clip(matrix: Any, depth: float) -> float:
    x, y, z, w = matrix @ [0.0, 0.0, -depth, 1.0]
    assert (x, y) == (0.0, 0.0)
    return float(z / w)


@pytest.mark.parametrize("nearest", [-1.0, 0.0])
def test_depth_runs_from_the_near_to_the_far_plane(nearest: float) -> None:
    looking = Camera(np.eye(4), yfov=1.0, znear=0.5, zfar=10.0)
    flat = Camera(np.eye(4), ymag=2.0, znear=0.5, zfar=10.0)
    endless = Camera(np.eye(4), yfov=1.0, znear=0.5)
    for camera in (looking, flat):
        matrix = projection(camera, 2.0, nearest=nearest)
        assert clip(matrix, 0.5) == pytest.approx(nearest, abs=1e-12)
        assert clip(matrix, 10.0) == pytest.approx(1.0)
    matrix = projection(endless, 2.0, nearest=nearest)
    assert clip(matrix, 0.5) == pytest.approx(nearest, abs=1e-12)
    assert clip(matrix, 1e9) == pytest.approx(1.0)


def test_the_picture_s_edges_lie_at_half_the_angle() -> None:
    matrix = projection(Camera(np.eye(4), yfov=2 * np.arctan(0.5)), 1.5, nearest=0.0)
    x, y, _, w = matrix @ [1.5, 1.0, -2.0, 1.0]
    np.testing.assert_allclose([x / w, y / w], [1.0, 1.0])
    x, y, _, w = projection(Camera(np.eye(4), ymag=2.0, zfar=9.0), 1.5, nearest=0.0) @ [3.0, 2.0, -2.0, 1.0]
    np.testing.assert_allclose([x / w, y / w], [1.0, 1.0])


def test_the_view_undoes_the_camera() -> None:
    matrix = np.eye(4)
    matrix[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    matrix[:3, 3] = 1, 2, 3
    np.testing.assert_array_equal(view(Camera(matrix, yfov=1.0)) @ matrix, np.eye(4))
    told = camera_json(Camera(translation(0, 0, 5), yfov=1.0), (4, 2))
    assert told["view"][12:15] == [0.0, 0.0, -5.0], "column by column"
    assert (told["aspect"], told["zfar"]) == (2.0, None)


def test_the_walker_is_told_whole(tmp_path: Path) -> None:
    scene = posed.load(demo_scene())
    world = posed.World(scene)
    world.advance(42)
    told = json.loads(write_scene_json(scene, world.posed(), (96, 54), tmp_path).read_text())
    assert (told["tick"], told["rate"], told["time"], told["size"]) == (42, "60", 0.7, [96, 54])
    assert told["ids"]["objects"] == [one.name for one in scene.objects]
    by_name = {one["name"]: one for one in told["objects"]}
    walker, ground = by_name["walker"], by_name["ground"]
    assert Path(walker["file"]) == scene.object("walker").model.path.resolve()
    assert walker["clips"] == [
        {"clip": "Walk", "index": 0, "time": 0.7, "unwrapped": 0.7, "playback": "loop", "weight": 1.0}
    ]
    assert walker["material"] is None
    shape = posed.load_gltf(ground["file"])
    assert len(shape.meshes[0].primitives[0].positions) == len(
        scene.object("ground").model.meshes[0].primitives[0].positions
    )
    assert Path(ground["material"]["color_texture"]["file"]).is_file()
    (sun,) = told["lights"]
    assert (sun["kind"], sun["intensity"], sun["range"]) == ("sun", 3.9, None)
    assert told["environment"]["image"] is None
    assert told["camera"]["zfar"] == 200.0


def test_sprites_and_what_is_played_beyond_shares_of_clips(tmp_path: Path) -> None:
    (tmp_path / "hero.png").write_bytes(atlas_png(8, 4))
    (tmp_path / "x.toml").write_text(
        """
format = 1
[camera]
position = [0, 0, 4]
[meshes.card]
shape = "card"
[materials.sprite]
content = true
unlit = true
[[object]]
name = "hero"
mesh = "card"
material = "sprite"
[object.animation]
atlas = "hero.png"
grid = [8, 4]
fps = 60
clip = "idle"
[object.animation.clips.idle]
from = 2
to = 5
"""
    )
    scene = posed.load(tmp_path / "x.toml")
    world = posed.World(scene)
    world.advance(1)
    (hero,) = scene_json(scene, world.posed(), (8, 8), tmp_path)["objects"]
    assert hero["sprite"]["frame"] == 3
    assert hero["sprite"]["atlas"] == str((tmp_path / "hero.png").resolve())
    assert hero["sprite"]["uv"] == pytest.approx([3 / 8, 0, 4 / 8, 1 / 4])
    assert hero["material"]["unlit"]
    walker = posed.load(demo_scene())
    faded = posed.World(walker)
    faded.animate("walker", 1).fade(0.5).done()
    faded.advance(10)
    told = scene_json(walker, faded.posed(), (8, 8), tmp_path)
    assert next(one for one in told["objects"] if one["name"] == "walker")["clips"] is None
