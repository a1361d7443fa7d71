"""Models without a scene file: their names, cameras, lights, and how they are framed."""

from pathlib import Path

import numpy as np
import pytest

from posed.errors import AssetError
from posed.scene.load import load
from tests.gltf_literals import Literal, two_joint_skin
from tests.gltf_rigs import limb
from tests.posed.scene.literals import walker


def test_a_lone_model_is_a_scene_named_after_its_file(tmp_path: Path) -> None:
    walker(tmp_path)
    scene = load(tmp_path / "walker.glb")
    assert (scene.rate, scene.ids.objects) == (60, ("walker",))
    assert len(scene.lights) == 1
    assert scene.notes == ("walker.glb is shown in its rest pose; it has the clips Walk, Run: choose one with --clip",)


def test_a_lone_model_is_framed_over_all_its_clips(tmp_path: Path) -> None:
    """At rest it lies in 0..1; `Walk` takes it to x = 2. All of it is seen, in a square picture too, and fills most."""
    walker(tmp_path)
    camera = load(tmp_path / "walker.glb").camera
    assert camera.yfov == pytest.approx(np.radians(40.0))
    to_camera = np.linalg.inv(camera.matrix)
    corners = np.array([[x, y, 0.0, 1.0] for x in (0.0, 2.0) for y in (0.0, 1.0)])
    seen = corners @ to_camera.T
    screen = np.abs(seen[:, :2] / -seen[:, 2:3]) / np.tan(np.radians(20.0))
    assert 0.9 < screen.max() < 1.0
    assert camera.znear < -seen[:, 2].max()


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ((4, 4), []),
        ((5, 1), ["a.glb: 1 of 2 parts is points or lines, which no picture shows"]),
        ((4, 0, 2), ["a.glb: 2 of 3 parts are points or lines, which no picture shows"]),
        ((0, 3), ["a.glb: its scene has nothing but points and lines: no picture shows anything of it"]),
        ((), ["a.glb: its scene has no visible triangle: no picture shows anything of it"]),
    ],
)
def test_what_no_picture_shows_is_said(modes: tuple[int, ...], expected: list[str], tmp_path: Path) -> None:
    file = Literal()
    parts = [{**file.primitive(), "mode": mode} for mode in modes]
    file.node(**({"mesh": file.mesh(*parts)} if parts else {}))
    assert load(file.write(tmp_path, "a.glb")).notes == tuple(expected)
    (tmp_path / "x.toml").write_text('format = 1\n[camera]\n[meshes.a]\nfile = "a.glb"\n')
    assert load(tmp_path / "x.toml").notes == tuple(expected)


def test_a_joint_scaled_by_fifty_is_in_the_picture(tmp_path: Path) -> None:
    """Bound in 0..2, its upper vertices rest at x = +-12.5, y = 51."""
    file = limb()
    file.root["nodes"][2]["scale"] = [50, 50, 50]
    camera = load(file.write(tmp_path)).camera
    seen = np.array([[x, 51.0, 0.0, 1.0] for x in (-12.5, 12.5)]) @ np.linalg.inv(camera.matrix).T
    assert 0.8 < (np.abs(seen[:, :2] / -seen[:, 2:3]) / np.tan(np.radians(20.0))).max() < 1.0


def test_a_lone_model_brings_its_camera_and_lights(tmp_path: Path) -> None:
    file = Literal(
        scenes=[{"nodes": [0, 1]}],
        cameras=[{"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1, "znear": 0.5, "zfar": 9}}],
        extensionsUsed=["KHR_lights_punctual"],
        extensions={"KHR_lights_punctual": {"lights": [{"type": "directional", "intensity": 2.0}]}},
    )
    file.node(camera=0, translation=[0, 0, 5], scale=[3, 3, 3])
    file.node(rotation=[1, 0, 0, 0], extensions={"KHR_lights_punctual": {"light": 0}})
    (tmp_path / "a.glb").write_bytes(file.glb())
    scene = load(tmp_path / "a.glb")
    assert (scene.camera.ymag, scene.camera.znear, scene.camera.zfar) == (1.0, 0.5, 9.0)
    assert scene.camera_node == ("a", 0)
    assert [(light.kind, light.intensity, light.direction) for light in scene.lights] == [("sun", 2.0, (0, 0, 1))]


def test_a_broken_model_is_refused_at_its_own_pointer(tmp_path: Path) -> None:
    file = two_joint_skin()
    file.root["nodes"][0]["mesh"] = 7
    (tmp_path / "a.glb").write_bytes(file.glb())
    with pytest.raises(AssetError, match="a.glb: /nodes/0/mesh"):
        load(tmp_path / "a.glb")
