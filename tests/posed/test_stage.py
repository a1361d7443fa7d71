"""The stage: scene and snapshot as static triangles."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from posed.baking import bake
from posed.errors import PoseError
from posed.fixtures.png import write_png
from posed.scene.description import Scene
from posed.scene.load import load
from posed.stage import Stage, part_matrices, scene_at, stage, stage_camera
from posed.still import still_posed
from posed.tracing import trace
from posed.world import World
from tests.gltf_literals import Literal, two_joint_skin
from tests.gltf_rigs import HALF, animate, limb

SCENE = """\
format = 1
[camera]
position = [0, 0, 4]
[[light]]
kind = "point"
position = [1, 2, 3]
[environment]
gradient = [[0, 0, 0], [1, 2, 3]]
intensity = 0.5
[meshes.box]
shape = "box"
[meshes.plane]
shape = "plane"
[[object]]
name = "a"
mesh = "box"
[[object]]
name = "b"
mesh = "plane"
position = [0, 0, 5]
"""


def scene(folder: Path, text: str = SCENE) -> Scene:
    (folder / "x.toml").write_text(text)
    return load(folder / "x.toml")


def test_parts_lie_one_after_the_other_with_their_ids(tmp_path: Path) -> None:
    one = scene(tmp_path)
    staged = stage(one, still_posed(one, 0))
    assert (len(staged.positions), len(staged.triangles)) == (24 + 4, 12 + 2)
    assert staged.object.tolist() == staged.part.tolist() == [1] * 12 + [2] * 2
    assert staged.triangle.tolist() == [*range(1, 13), 1, 2]
    assert staged.triangles[12:].min() == 24
    assert (staged.positions[24:, 2] + staged.origin[2]).tolist() == [4.5, 4.5, 5.5, 5.5]
    assert staged.normals[24:].tolist() == [[0, 1, 0]] * 4


def test_what_is_invisible_is_left_out_and_keeps_its_ids(tmp_path: Path) -> None:
    one = scene(tmp_path, SCENE.replace('name = "a"', 'name = "a"\nvisible = false'))
    staged = stage(one, still_posed(one, 0))
    assert staged.object.tolist() == staged.part.tolist() == [2, 2]


def test_an_empty_scene_can_be_staged(tmp_path: Path) -> None:
    one = scene(tmp_path, SCENE[: SCENE.index("[meshes")])
    assert stage(one, still_posed(one, 0)).triangles.shape == (0, 3)


def test_the_environments_image_comes_with_its_intensity_and_its_irradiance(tmp_path: Path) -> None:
    (tmp_path / "sky.png").write_bytes(write_png(np.full((2, 4, 3), 255, np.uint8)))
    text = SCENE.replace("gradient = [[0, 0, 0], [1, 2, 3]]", 'image = "sky.png"')
    one = scene(tmp_path, text)
    environment = stage(one, still_posed(one, 0)).environment
    assert environment.image is not None
    assert environment.irradiance is not None
    assert (environment.image == 0.5).all()
    np.testing.assert_allclose(environment.irradiance[0], np.pi / 2, rtol=1e-12)
    for integrator in ("direct", "path"):
        frame = trace(one, still_posed(one, 0), size=(4, 4), samples=1, integrator=integrator, layers=("color",))
        assert frame["color"][0, 0].tolist() == [0.5, 0.5, 0.5, 0.0]


def test_the_environments_intensity_is_in_its_colors(tmp_path: Path) -> None:
    one = scene(tmp_path)
    environment = stage(one, still_posed(one, 0)).environment
    assert (environment.bottom, environment.top) == ((0, 0, 0), (0.5, 1.0, 1.5))


def test_far_from_the_origin_the_stage_is_near_the_camera(tmp_path: Path) -> None:
    """A box at 1e6 + 0.3: float32 steps there are 1/16, here the corners are exact to 1e-7."""
    far = 1e6 + 0.3
    text = SCENE.replace("[0, 0, 4]", f"[{far}, 0, 4]").replace("[1, 2, 3]\n[env", f"[{far}, 2, 3]\n[env")
    one = scene(tmp_path, text.replace('mesh = "box"', f'mesh = "box"\nposition = [{far}, 0, 0]').replace("5]", "0]"))
    posed = still_posed(one, 0)
    staged = stage(one, replace(posed, visible={"b": False}))
    step = 2.0  # the power of two above the box's diagonal, sqrt(3)
    assert staged.origin.tolist() == [round(far / step) * step, 0.0, 4.0]
    corners = np.unique(staged.positions[:, 0].astype(np.float64) + staged.origin[0] - far)
    assert corners == pytest.approx([-0.5, 0.5], abs=1e-7)
    assert posed.camera is not None
    assert stage_camera(posed.camera, staged.origin).matrix[:3, 3] == pytest.approx((far - staged.origin[0], 0, 0))
    assert staged.lights[0].position == pytest.approx((far - staged.origin[0], 2.0, -1.0))


def test_something_far_away_does_not_move_the_origin_from_the_camera(tmp_path: Path) -> None:
    """Two boxes a million kilometres apart: float32 steps around the camera stay below a 10,000th of a metre."""
    far = 1e9
    text = SCENE.replace("[0, 0, 5]", f"[{far}, 0, 5]")
    one = scene(tmp_path, text)
    posed = still_posed(one, 0)
    assert posed.camera is not None
    for x in (0.3, far + 0.3):
        matrix = np.array(posed.camera.matrix)
        matrix[0, 3] = x
        staged = stage(one, posed, replace(posed.camera, matrix=matrix))
        assert abs(staged.origin[0] - x) <= 512.0
        assert float(np.spacing(np.float32(np.abs(staged.origin[0] - x)))) < 1e-4


def test_the_origin_stays_put_while_the_camera_moves_a_little(tmp_path: Path) -> None:
    one = scene(tmp_path)
    posed = still_posed(one, 0)
    assert posed.camera is not None
    origins = set()
    for x in (-3.9, -0.1, 0.0, 3.9):
        matrix = np.array(posed.camera.matrix)
        matrix[0, 3] = x
        origins.add(tuple(stage(one, posed, replace(posed.camera, matrix=matrix)).origin.tolist()))
    assert origins == {(0.0, 0.0, 8.0)}


def test_a_mirrored_object_has_its_front_on_the_other_side(tmp_path: Path) -> None:
    one = scene(tmp_path, SCENE.replace('name = "a"', 'name = "a"\nscale = [-1, 1, 1]'))
    facing = stage(one, still_posed(one, 0)).facing
    assert facing.tolist() == [-1] * 12 + [1] * 2


def test_a_skinned_part_follows_its_palette_and_its_object(tmp_path: Path) -> None:
    """Both joints moved by 1 along y; the object doubled and moved by 10 along x."""
    (tmp_path / "a.glb").write_bytes(two_joint_skin().glb())
    text = SCENE[: SCENE.index("[meshes")] + '[meshes.a]\nfile = "a.glb"\n[[object]]\nname = "a"\nmesh = "a"\n'
    one = scene(tmp_path, text + "position = [10, 0, 0]\nscale = 2\n")
    posed = still_posed(one, 0)
    ((node, palette),) = posed.palettes["a"].items()
    lifted = palette.copy()
    lifted[:, 1, 3] += 1
    before, after = stage(one, posed), stage(one, replace(posed, palettes={"a": {node: lifted}}))
    assert (before.origin == after.origin).all()
    assert (after.positions - before.positions).tolist() == [[0.0, 2.0, 0.0]] * len(before.positions)


def test_a_vertex_posed_to_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.glb").write_bytes(two_joint_skin().glb())
    one = load(tmp_path / "a.glb")
    posed = still_posed(one, 0)
    ((node, palette),) = posed.palettes["a"].items()
    broken = palette.copy()
    broken[:] = np.float32(3e38)
    with np.errstate(all="ignore"), pytest.raises(PoseError, match=r'object "a", mesh "", primitive 0: vertex \d+ is'):
        stage(one, replace(posed, palettes={"a": {node: broken}}))


def test_one_stage_serves_many_snapshots(tmp_path: Path) -> None:
    one = scene(tmp_path)
    shared = Stage(one)
    posed = still_posed(one, 0)
    hidden = replace(posed, visible={"a": False, "b": True})
    for snapshot in (posed, hidden, posed):
        mine, fresh = shared.at(snapshot), stage(one, snapshot)
        assert (mine.positions == fresh.positions).all()
        assert (mine.object == fresh.object).all()


def test_part_matrices_are_the_nodes_in_the_world(tmp_path: Path) -> None:
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(children=[1], translation=[1, 0, 0])
    file.node(mesh=file.mesh(), translation=[0, 2, 0])
    (tmp_path / "a.glb").write_bytes(file.glb())
    text = SCENE[: SCENE.index("[meshes")] + '[meshes.a]\nfile = "a.glb"\n[[object]]\nname = "a"\nmesh = "a"\n'
    one = scene(tmp_path, text + "scale = 3\n")
    (matrix,) = part_matrices(one, still_posed(one, 0))
    assert matrix.tolist() == [[3, 0, 0, 3], [0, 3, 0, 6], [0, 0, 3, 0], [0, 0, 0, 1]]


def test_movers_are_followed_by_a_snapshot_without_matrices(tmp_path: Path) -> None:
    motion = "[object.motion]\ntimes = [0, 1]\npositions = [[0, 0, 5], [6, 0, 5]]\n"
    one = scene(tmp_path, SCENE + motion)
    bare = replace(still_posed(one, 0), models={}, tick=30, rate=Fraction(60))
    assert stage(one, bare).positions[24:, 0].tolist() == [2.5, 3.5, 2.5, 3.5]


def test_a_scene_at_a_time_has_its_movers_there(tmp_path: Path) -> None:
    """Half a second into a way of 6 in a second."""
    motion = "[object.motion]\ntimes = [0, 1]\npositions = [[0, 0, 5], [6, 0, 5]]\n"
    staged = scene_at(scene(tmp_path, SCENE + motion), 16 / 9, 0.5)
    assert staged.aspect == 16 / 9
    assert staged.scene.positions[24:, 0].tolist() == [2.5, 3.5, 2.5, 3.5]
    assert staged.camera.matrix[:3, 3].tolist() == [0.0, 0.0, 4.0 - staged.scene.origin[2]]
    with pytest.raises(PoseError, match="the aspect is 0: expected width over height"):
        scene_at(scene(tmp_path), 0, 0.5)


def instanced(folder: Path) -> Path:
    """A triangle, morphed half a metre along z, on a node one metre up, twice: at 0, and mirrored in x at 3."""
    literal = Literal(extensionsUsed=["EXT_mesh_gpu_instancing"])
    places = {
        "TRANSLATION": literal.accessor([[0, 0, 0], [3, 0, 0]]),
        "SCALE": literal.accessor([[1, 1, 1], [-1, 1, 1]]),
    }
    primitive = literal.primitive()
    primitive["targets"] = [{"POSITION": literal.accessor([[0, 0, 1]] * 3)}]
    literal.node(
        mesh=literal.mesh(primitive, weights=[0.5]),
        translation=[0, 1, 0],
        extensions={"EXT_mesh_gpu_instancing": {"attributes": places}},
    )
    return literal.write(folder)


def test_instances_share_a_parts_ids_and_lie_where_a_bake_puts_them(tmp_path: Path) -> None:
    one = load(instanced(tmp_path))
    staged = stage(one, still_posed(one, 0))
    assert staged.part.tolist() == staged.object.tolist() == staged.triangle.tolist() == [1, 1]
    assert staged.triangles.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert staged.facing.tolist() == [1, -1]
    places = staged.positions + staged.origin
    assert places.tolist() == [[0, 1, 0.5], [1, 1, 0.5], [0, 2, 0.5], [3, 1, 0.5], [2, 1, 0.5], [3, 2, 0.5]]
    assert places.tolist() == np.concatenate([mesh.positions for mesh in bake(one.objects[0].model)]).tolist()


def test_joints_have_the_scenes_ids_and_what_moved_was_elsewhere(tmp_path: Path) -> None:
    """Two copies of one figure: the second's joints are 3 and 4. It has moved by 1 along y since the tick before."""
    (tmp_path / "a.glb").write_bytes(two_joint_skin().glb())
    text = SCENE[: SCENE.index("[meshes")] + '[meshes.a]\nfile = "a.glb"\n'
    text += '[[object]]\nname = "a"\nmesh = "a"\n[[object]]\nname = "b"\nmesh = "a"\n'
    one = scene(tmp_path, text + '[meshes.box]\nshape = "box"\n[[object]]\nname = "c"\nmesh = "box"\n')
    posed = still_posed(one, 1)
    lifted = np.array(posed.models["b"])
    lifted[1, 3] = 1.0
    moving = replace(posed, models={**posed.models, "b": lifted}, previous=posed)
    staged = stage(one, moving)
    assert staged.joints is not None
    assert staged.weights is not None
    assert staged.previous is not None
    count = len(one.parts[0].primitive.positions)
    assert set(staged.joints[:count].ravel().tolist()) <= {0, 1, 2}
    assert set(staged.joints[count : 2 * count].ravel().tolist()) <= {0, 3, 4}
    assert not staged.weights[2 * count :].any()
    steps = staged.positions - staged.previous
    assert np.unique(steps[count : 2 * count], axis=0).tolist() == [[0, 1, 0]]
    assert not steps[:count].any()
    assert stage(one, posed).previous is None


@pytest.mark.parametrize("sets", [0, 1])
def test_a_texture_whose_coordinates_are_missing_shows_its_first_texel(tmp_path: Path, sets: int) -> None:
    """Coordinates of a set that the primitive has not are 0, whether it has others or none."""
    texels = np.full((2, 2, 4), 255, np.uint8)
    texels[0, 0] = (255, 0, 0, 255)
    literal = Literal()
    part = literal.primitive(**({"TEXCOORD_0": literal.accessor([[0.9, 0.9]] * 3)} if sets else {}))
    part["material"] = 0
    literal.node(mesh=literal.mesh(part))
    literal.root["images"] = [{"bufferView": literal.view(write_png(texels)), "mimeType": "image/png"}]
    literal.root["textures"] = [{"source": 0, "sampler": 0}]
    literal.root["samplers"] = [{"magFilter": 9728}]
    surface = {"baseColorTexture": {"index": 0, "texCoord": 3}, "metallicFactor": 0}
    literal.root["materials"] = [{"pbrMetallicRoughness": surface}]
    one = load(literal.write(tmp_path))
    frame = trace(one, still_posed(one, 0), size=(8, 8), integrator="aov")
    seen = frame["albedo"][frame["object"] == 1]
    assert len(seen)
    assert (seen == (1, 0, 0)).all()


def test_a_bent_mesh_without_normals_is_shaded_by_its_posed_faces(tmp_path: Path) -> None:
    """Bent by a quarter about x its upper vertices are at (0.25 or -0.25, 1, 1): both faces look down by half a right
    angle, where those of the bind pose look straight ahead.
    """
    file = limb()
    del file.root["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]
    file.root["animations"].clear()
    animate(file, (2, "rotation", (0, 1), [[0, 0, 0, 1], [HALF, 0, 0, HALF]], "LINEAR"))
    one = load(file.write(tmp_path, "limb.glb"))
    world = World(one)
    world.animate("limb", 0).once()
    world.advance(60)
    frame = trace(one, world.posed(), size=(32, 32), samples="center", layers=["normal", "object"])
    seen = frame["normal"][frame["object"] > 0]
    assert len(seen) > 30
    assert seen == pytest.approx(np.broadcast_to((0.0, -HALF, HALF), seen.shape), abs=1e-6)
