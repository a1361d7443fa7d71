"""The skinned column through the renderer's own instances, against its twin that the CPU has skinned."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anim
from posed.camera import Camera
from posed.fixtures import skinned_column
from posed.gltf import load
from posed.gltf.material import Material
from posed.gltf.model import Model
from posed.live import InstancePose, Lighting, MeshData, Renderer, SkinData
from posed.model_pose import model_pose
from posed.scene.lights import Environment, Light
from posed.skinning import posed_vertices
from tests.posed.live.literals import QUAD, translation

SIZE = (160, 120)
LAYERS = ("color", "object", "triangle", "depth", "normal", "motion", "joint")
SUNNY = Lighting(
    (Light("sun", intensity=3.0, direction=(0.48, -0.64, -0.6)),), Environment((0.2, 0.2, 0.2), (0.5, 0.6, 0.8))
)
GROUND = MeshData(
    np.array([(-3, 0, 3), (3, 0, 3), (3, 0, -3), (-3, 0, -3)]), np.array(QUAD), normals=np.tile([0, 1, 0], (4, 1))
)
STEP = 1 / 255


def watching() -> Camera:
    """From above and before, so that the column and its shadow on the ground are seen."""
    tilt = -0.35
    matrix = translation(0.3, 2.4, 4.4)
    matrix[1:3, 1:3] = [[math.cos(tilt), -math.sin(tilt)], [math.sin(tilt), math.cos(tilt)]]
    return Camera(matrix, yfov=0.8, znear=0.1)


@pytest.fixture
def column(tmp_path: Path) -> Model:
    (tmp_path / "column.glb").write_bytes(skinned_column())
    return load(tmp_path / "column.glb")


def palette(model: Model, clip: str, time: float) -> np.ndarray[Any, Any]:
    pose = anim.sample(model.node_rig(), clip, time)
    return next(iter(model_pose(model, pose).palettes.values()))


def stage(renderer: Renderer, mesh: Any) -> Any:
    """The ground, and the mesh on it."""
    renderer.add(renderer.upload_mesh(GROUND), material=Material(metallic=0.0, base_color=(0.7, 0.7, 0.7, 1)))
    return renderer.add(mesh, translation(-0.2, 0, 0.1), material=Material(metallic=0.0, base_color=(0.8, 0.3, 0.1, 1)))


def edges(color: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where a pixel of the 3 x 3 around differs."""
    padded = np.pad(color, ((1, 1), (1, 1), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(0, 1))
    spread: np.ndarray[Any, Any] = windows.max(axis=(-2, -1)) - windows.min(axis=(-2, -1))
    return spread.max(axis=-1) > 2 * STEP


@pytest.mark.parametrize(("clip", "time"), [("step", 0.75), ("linear", 0.5), ("cubic", 0.5), ("slerp", 0.8)])
def test_it_is_drawn_as_its_twin_with_its_shadow_and_ids(
    renderer: Renderer, column: Model, clip: str, time: float
) -> None:
    part = column.meshes[0].primitives[0]
    joints = palette(column, clip, time)
    skinned, plain = Renderer(renderer.adapter.name), Renderer(renderer.adapter.name)
    one = stage(skinned, skinned.upload_skinned_mesh(MeshData.of(part), SkinData.of(part)))
    skinned.set_poses([InstancePose(one, joints)])
    twin = posed_vertices(part, palette=joints)
    stage(plain, plain.upload_mesh(MeshData(twin.positions, part.triangles, twin.normals)))
    found = skinned.draw(watching(), size=SIZE, layers=LAYERS, lighting=SUNNY)
    expected = plain.draw(watching(), size=SIZE, layers=LAYERS, lighting=SUNNY)
    for layer in ("object", "triangle"):
        # Vertices may differ by a float32 step, and a pixel at an edge with them.
        assert (found[layer] != expected[layer]).sum() <= 2
    same = (found["triangle"] == expected["triangle"]) & (found["object"] == expected["object"])
    wrong = same & (np.abs(found["color"] - expected["color"]).max(axis=-1) > STEP)
    # A shadow map is fitted to the caster's box, which is looser where joints give it: edges lie a texel elsewhere.
    assert not (wrong & ~edges(expected["color"]) & ~edges(found["color"])).any()
    assert wrong.sum() <= 16
    assert set(np.unique(found["object"])) == {0, 1, 2}
    # The shadow is there: the ground has lit and unlit pixels, and without the column none of the latter.
    ground = found["color"][..., 1][found["object"] == 1]
    assert ground.min() < 0.5 * np.median(ground)
    dark = np.count_nonzero(ground < 0.5 * np.median(ground))
    assert 150 < dark < 0.25 * ground.size


def test_without_a_pose_it_stands_as_it_was_bound(renderer: Renderer, column: Model) -> None:
    part = column.meshes[0].primitives[0]
    skinned, plain = Renderer(renderer.adapter.name), Renderer(renderer.adapter.name)
    one = stage(skinned, skinned.upload_skinned_mesh(MeshData.of(part), SkinData.of(part)))
    stage(plain, plain.upload_mesh(MeshData(part.positions, part.triangles, part.normals)))
    expected = plain.draw(watching(), size=SIZE, layers=LAYERS, lighting=SUNNY)
    for poses in ([], [InstancePose(one)], [InstancePose(one, np.tile(np.eye(4), (4, 1, 1)))]):
        skinned.set_poses(poses)
        found = skinned.draw(watching(), size=SIZE, layers=LAYERS, lighting=SUNNY)
        assert (found["triangle"] != expected["triangle"]).sum() <= 2
        same = found["triangle"] == expected["triangle"]
        assert (np.abs(found["color"] - expected["color"]).max(axis=-1)[same] > STEP).sum() <= 2
    skinned.set_poses([InstancePose(one, palette(column, "slerp", 0.8))])
    moved = skinned.draw(watching(), size=SIZE, layers=LAYERS, lighting=SUNNY)
    assert (moved["triangle"] != expected["triangle"]).sum() > 300


def test_a_moving_joint_writes_its_motion_and_a_still_one_none(renderer: Renderer, column: Model) -> None:
    """Joint 3 alone moves, by 0.1 m along x: what joints 0 and 1 hold stands still."""
    part = column.meshes[0].primitives[0]
    own = Renderer(renderer.adapter.name)
    one = stage(own, own.upload_skinned_mesh(MeshData.of(part), SkinData.of(part)))
    still = np.tile(np.eye(4, dtype=np.float32), (4, 1, 1))
    moved = still.copy()
    moved[3, 0, 3] = 0.1
    own.set_poses([InstancePose(one, moved, previous=still)])
    frame = own.draw(watching(), size=SIZE, layers=LAYERS)
    weights = np.zeros(4)
    for joint in range(4):
        seen = frame["joint"] == joint + 1
        assert seen.sum() > 20
        weights[joint] = np.abs(frame["motion"][seen]).max()
    assert (weights[:2] == 0.0).all()
    # A metre at the column's distance of some 4.5 metres is 120 / (2 tan 0.4) / 4.5 pixels: 3 of them for 0.1 m.
    whole = frame["motion"][(frame["joint"] == 4) & (frame["motion"][..., 0] > 0)]
    assert whole[:, 0].max() == pytest.approx(120 / (2 * math.tan(0.4)) / 4.5 * 0.1, rel=0.15)
    assert not frame["motion"][frame["object"] == 1].any()
    own.set_poses([InstancePose(one, moved)])
    assert not own.draw(watching(), size=SIZE, layers=["motion"])["motion"].any()


def test_picks_and_shadows_follow_the_pose(renderer: Renderer, column: Model) -> None:
    part = column.meshes[0].primitives[0]
    own = Renderer(renderer.adapter.name)
    one = stage(own, own.upload_skinned_mesh(MeshData.of(part), SkinData.of(part)))

    def shadow() -> np.ndarray[Any, Any]:
        frame = own.draw(watching(), size=SIZE, layers=["color", "object"], lighting=SUNNY)
        green = frame["color"][..., 1]
        return (frame["object"] == 1) & (green < 0.5 * np.median(green[frame["object"] == 1]))

    upright = shadow()
    away = np.tile(translation(1.0, 0, 0.5), (4, 1, 1))
    own.set_poses([InstancePose(one, away)])
    moved = shadow()
    rows, columns = np.nonzero(upright)
    moved_rows, moved_columns = np.nonzero(moved)
    assert moved_columns.mean() > columns.mean() + 15
    assert moved_rows.mean() > rows.mean()
    seen = own.draw(watching(), size=SIZE, layers=["object"])["object"]
    y, x = (int(value.mean()) for value in np.nonzero(seen == 2))
    assert own.pick(x, y).instance is one
    assert own.pick(x, y).joint.startswith("joint ")
