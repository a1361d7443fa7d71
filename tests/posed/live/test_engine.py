"""The renderer as an engine has it: meshes, instances and poses that stay until they are changed."""

import numpy as np
import pytest

from posed.errors import PosedError, PoseError
from posed.gltf.material import Material
from posed.gltf.mesh import MorphTarget
from posed.live import LAST, CrowdPose, InstancePose, Lighting, MeshData, Renderer, SkinData
from tests.posed.live.literals import QUAD, camera, picture, rectangle, translation

CARD = MeshData(np.array(rectangle(-1, -1, 1, 1, -4)), np.array(QUAD))
"""Two metres wide; at 8 x 8 pixels a metre is one."""

ALL_ON_JOINT_1 = SkinData(np.ones((4, 1), int), np.ones((4, 1)))


def palette(*shifts: float) -> np.ndarray:
    """A joint a shift along x."""
    return np.array([translation(shift, 0, 0) for shift in shifts], np.float32)


def columns(renderer: Renderer, layer: str = "object") -> list[int]:
    return [int(value) for value in renderer.draw(camera(), size=(8, 8), layers=[layer])[layer][4]]


@pytest.fixture
def own(renderer: Renderer) -> Renderer:
    """A renderer without instances."""
    return Renderer(renderer.adapter.name)


def test_instances_are_drawn_where_they_stand_until_they_are_removed(own: Renderer) -> None:
    mesh = own.upload_mesh(CARD)
    left, right = own.add(mesh, translation(-3, 0, 0)), own.add(mesh, translation(2, 0, 0))
    assert columns(own) == [1, 1, 0, 0, 0, 2, 2, 0]
    left.place(translation(-2, 0, 0))
    assert columns(own) == [0, 1, 1, 0, 0, 2, 2, 0]
    right.visible = False
    assert columns(own) == [0, 1, 1, 0, 0, 0, 0, 0]
    own.remove(left)
    right.visible = True
    third = own.add(mesh)
    assert columns(own) == [0, 0, 0, 1, 1, 2, 2, 0]
    assert (third.object_id, third.name) == (1, "instance 1")
    with pytest.raises(PosedError, match="instance 1 was removed, or is another renderer's: add it again"):
        own.remove(left)


def test_a_place_is_a_matrix(own: Renderer) -> None:
    mesh = own.upload_mesh(CARD)
    for bad in (np.eye(3), np.full((4, 4), np.nan)):
        with pytest.raises(PosedError, match=r"a place is \(.*\): expected a matrix, \(4, 4\), of finite numbers"):
            own.add(mesh, bad)
    assert not own.draw(camera(), size=(8, 8))["object"].any()


def test_a_frame_names_its_instances(own: Renderer) -> None:
    mesh = own.upload_mesh(CARD)
    own.add(mesh)
    frame = own.draw(camera(), size=(8, 8))
    assert frame.ids.name("object", 1) == "instance 1"
    assert frame.provenance.adapter == own.adapter.name
    assert frame.provenance.driver == own.adapter.driver
    assert frame.provenance.scene == ""


def test_a_sun_and_a_sky_shine_unless_other_light_is_given(own: Renderer) -> None:
    data = MeshData(CARD.positions, CARD.triangles)
    own.add(own.upload_mesh(data), material=Material(metallic=0.0))
    seen = own.draw(camera(), size=(8, 8), layers=["color"])["color"]
    assert (seen[4, 4, :3] > 0.1).all()
    assert (seen[0, 0, :3] > 0.1).all()
    dark = own.draw(camera(), size=(8, 8), layers=["color"], lighting=Lighting())["color"]
    assert not dark[..., :3].any()


def test_instances_of_one_material_share_it_and_it_leaves_with_the_last(own: Renderer) -> None:
    mesh, paint = own.upload_mesh(CARD), Material()
    crowd = [own.add(mesh, material=paint) for _ in range(5)]
    assert len({one.surface.index for one in crowd}) == 1
    own.add(mesh, material=Material())
    assert own._surfaces._pages[0].records._list.used == 2
    for one in crowd:
        own.remove(one)
    crowd.clear()
    del one
    assert not own._surfaces._pages[0].records.empty
    assert own._surfaces._pages[0].records._list.used == 1


def test_a_pose_holds_until_the_next_call_and_without_one_there_is_the_bind_pose(own: Renderer) -> None:
    mesh = own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1)
    one, other = own.add(mesh), own.add(mesh, translation(0, 0, -0.5))
    bind = [0, 0, 0, 1, 1, 0, 0, 0]
    assert columns(own) == bind
    own.set_poses([InstancePose(one, palette(100, 2)), InstancePose(other, palette(100, -3))])
    moved = [2, 2, 0, 0, 0, 1, 1, 0]
    assert columns(own) == moved
    assert columns(own) == moved
    own.set_poses([InstancePose(other, palette(100, -3))])
    assert columns(own) == [2, 2, 0, 1, 1, 0, 0, 0]
    own.set_poses([])
    assert columns(own) == bind


def test_setting_poses_counts_as_a_change(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1))
    columns(own)
    before = own.changes
    columns(own)
    assert own.changes == before
    own.set_poses([InstancePose(one, palette(0, 0))])
    assert own.changes > before


def test_the_previous_palette_gives_the_motion(own: Renderer) -> None:
    mesh = own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1)
    moving, still = own.add(mesh), own.add(mesh, translation(-3, 0, 0))
    own.set_poses([InstancePose(moving, palette(0, 2), previous=palette(0, 1)), InstancePose(still, palette(0, 0))])
    frame = own.draw(camera(), size=(8, 8), layers=["motion"])
    np.testing.assert_allclose(frame["motion"][4, 5:7], [[1, 0]] * 2, atol=1e-5)
    np.testing.assert_array_equal(frame["motion"][4, 0:3], np.zeros((3, 2)))


def test_the_palette_of_the_call_before_may_stay_the_previous_one(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1))
    other = own.add(one.mesh, translation(-3, 0, 0))

    def motion(column: int) -> float:
        return float(own.draw(camera(), size=(8, 8), layers=["motion"])["motion"][4, column, 0])

    shared = palette(0, 1)
    own.set_poses([InstancePose(one, shared, previous=LAST), InstancePose(other, palette(0, 0))])
    assert (motion(4), motion(1)) == (0, 0)  # there was none before
    shared[1] = translation(2, 0, 0)  # what was given is kept by value
    own.set_poses([InstancePose(other, palette(0, 0), LAST), InstancePose(one, shared, LAST)])
    assert motion(5) == pytest.approx(1, abs=1e-5)
    assert motion(1) == 0
    own.set_poses([InstancePose(one, palette(0, 3), LAST), InstancePose(other, palette(0, 1), LAST)])
    assert motion(7) == pytest.approx(1, abs=1e-5)
    assert motion(2) == pytest.approx(1, abs=1e-5)
    own.set_poses([InstancePose(other, palette(0, 0))])
    own.set_poses([InstancePose(one, palette(0, 1), LAST)])
    assert motion(5) == 0
    assert repr(LAST) == "LAST"


def test_a_crowd_is_posed_as_its_instances_are_one_by_one(own: Renderer) -> None:
    rng = np.random.default_rng(2)
    target = MorphTarget(positions=np.full((4, 3), (0, 1, 0), np.float32))
    data = MeshData(CARD.positions, CARD.triangles, targets=(target,))
    mesh = own.upload_skinned_mesh(data, ALL_ON_JOINT_1)
    crowd = [own.add(mesh, translation(*rng.uniform(-3, 3, 2), -i / 10)) for i in range(12)]
    now, before = (np.tile(np.eye(4, dtype=np.float32), (12, 2, 1, 1)) for _ in range(2))
    now[:, 1, :2, 3], before[:, 1, :2, 3] = rng.uniform(-2, 2, (2, 12, 2))
    weights, old_weights = rng.uniform(-1, 1, (2, 12, 1))
    layers = ["object", "motion"]
    own.set_poses([InstancePose(one, *of) for one, *of in zip(crowd, now, before, weights, old_weights, strict=True)])
    expected = own.draw(camera(), size=(32, 32), layers=layers)
    own.set_poses([])
    alone = InstancePose(crowd[3], now[3], before[3], weights[3], old_weights[3])
    rest = [i for i in range(12) if i != 3]
    own.set_poses([CrowdPose([crowd[i] for i in rest], *(a[rest] for a in (now, before, weights, old_weights))), alone])
    found = own.draw(camera(), size=(32, 32), layers=layers)
    for layer in layers:
        np.testing.assert_array_equal(found[layer], expected[layer])
    assert len(np.unique(expected["object"])) > 6
    own.set_poses([CrowdPose(crowd, before, None, old_weights)])
    own.set_poses([CrowdPose(crowd, now, LAST, weights, old_weights)])
    np.testing.assert_array_equal(own.draw(camera(), size=(32, 32), layers=layers)["motion"], expected["motion"])


def test_a_crowd_in_another_order_is_another(own: Renderer) -> None:
    mesh = own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1)
    left, right = own.add(mesh, translation(-3, 0, 0)), own.add(mesh, translation(1, 0, 0))
    joints = np.stack([palette(0, 0), palette(0, 2)])
    for crowd, shown in (
        ([left, right], [1, 1, 0, 0, 0, 0, 2, 2]),
        ([right, left], [0, 0, 1, 1, 2, 2, 0, 0]),
        ((left, right), [1, 1, 0, 0, 0, 0, 2, 2]),
        ([right, left], [0, 0, 1, 1, 2, 2, 0, 0]),
    ):
        own.set_poses([CrowdPose(crowd, joints)])
        assert columns(own) == shown


def test_a_crowd_s_arrays_have_a_row_an_instance(own: Renderer) -> None:
    mesh = own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1)
    crowd = [own.add(mesh) for _ in range(3)]
    good = np.tile(np.eye(4, dtype=np.float32), (3, 2, 1, 1))
    for joints in (good[:2], good[0], good[..., :3]):
        with pytest.raises(PosedError, match=r"3 instances are posed by .*: palettes are \(3, J, 4, 4\)"):
            own.set_poses([CrowdPose(crowd, joints)])
    with pytest.raises(PosedError, match=r"morph weights are \(3, M\)"):
        own.set_poses([CrowdPose(crowd, good, morph_weights=np.zeros(3))])
    with pytest.raises(PosedError, match="instance 2 is posed twice in one call"):
        own.set_poses([CrowdPose(crowd, good), InstancePose(crowd[1], good[1])])
    own.remove(crowd[2])
    with pytest.raises(PosedError, match="instance 3 was removed"):
        own.set_poses([CrowdPose(crowd, good)])


def test_morph_weights_come_with_the_pose(own: Renderer) -> None:
    target = MorphTarget(positions=np.full((4, 3), (1, 0, 0), np.float32))
    morphing = MeshData(CARD.positions, CARD.triangles, targets=(target, target))
    one = own.add(own.upload_mesh(morphing))
    assert columns(own) == [0, 0, 0, 1, 1, 0, 0, 0]
    own.set_poses([InstancePose(one, morph_weights=[3.0, -1.0], previous_morph_weights=())])
    frame = own.draw(camera(), size=(8, 8), layers=["object", "motion"])
    assert frame["object"][4].tolist() == [0, 0, 0, 0, 0, 1, 1, 0]
    np.testing.assert_allclose(frame["motion"][4, 5:7], [[2, 0]] * 2, atol=1e-5)


def test_a_pose_that_is_too_small_for_its_mesh_is_refused_when_it_is_drawn(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1))
    own.set_poses([InstancePose(one, palette(0))])
    with pytest.raises(PoseError, match="instance 1: its pose has 1 joint, its mesh names 2: pose all of them"):
        columns(own)
    own.set_poses([InstancePose(one, palette(0, 0), previous=palette(0))])
    with pytest.raises(PoseError, match="its pose has 1 joint, its mesh names 2"):
        columns(own)
    own.set_poses([InstancePose(one, palette(0, 2, 77))])
    assert columns(own) == [0, 0, 0, 0, 0, 1, 1, 0]
    target = MorphTarget(positions=CARD.positions)
    own.replace_mesh(one.mesh, MeshData(CARD.positions, CARD.triangles, targets=(target, target)), ALL_ON_JOINT_1)
    own.set_poses([InstancePose(one, palette(0, 0), morph_weights=[1.0])])
    with pytest.raises(PoseError, match="its pose has 1 morph weight, its mesh names 2"):
        columns(own)


def test_poses_that_are_none_are_refused_when_they_are_set(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1))
    for joints in (np.eye(4), np.zeros((2, 3, 3))):
        with pytest.raises(PosedError, match=r"instance 1 is posed by .*: a palette is \(J, 4, 4\)"):
            own.set_poses([InstancePose(one, joints)])
    with pytest.raises(PosedError, match=r"morph weights are \(M,\)"):
        own.set_poses([InstancePose(one, palette(0, 0), morph_weights=np.zeros((2, 2)))])
    with pytest.raises(PosedError, match="instance 1 is posed twice in one call"):
        own.set_poses([InstancePose(one, palette(0, 0))] * 2)
    stranger = Renderer()
    with pytest.raises(PosedError, match="instance 1 was removed, or is another renderer's"):
        stranger.set_poses([InstancePose(one, palette(0, 0))])


def test_a_pose_that_leads_nowhere_is_refused(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1))
    own.set_poses([InstancePose(one, palette(0, np.nan))])
    with pytest.raises(PoseError, match="instance 1 is posed to where no number is"):
        columns(own)


def test_what_a_pose_moves_far_away_or_blows_up_is_not_cut_by_the_bind_pose_s_bounds(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1))
    parallel = camera(yfov=None, ymag=100.0, znear=0.0)
    for joint, depth in ((translation(0, 0, -1000), 1004.0), (np.diag([50.0, 50.0, 50.0, 1.0]), 200.0)):
        own.set_poses([InstancePose(one, np.array([np.eye(4), joint], np.float32))])
        frame = own.draw(parallel, size=(201, 201), layers=["depth", "object"])
        assert frame["object"][100, 100] == 1
        assert frame["depth"][100, 100] == pytest.approx(depth, rel=1e-4)
    # The second one is 100 metres wide, half of the picture.
    assert frame["object"][100].sum() == pytest.approx(101, abs=1)


def test_a_skinned_mesh_may_be_replaced_and_its_instances_follow(own: Renderer) -> None:
    mesh = own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1)
    one = own.add(mesh)
    own.set_poses([InstancePose(one, palette(0, 2))])
    assert columns(own) == [0, 0, 0, 0, 0, 1, 1, 0]
    narrow = MeshData(np.array(rectangle(-1, -1, 0, 1, -4)), np.array(QUAD))
    own.replace_mesh(mesh, narrow, ALL_ON_JOINT_1)
    assert columns(own) == [0, 0, 0, 0, 0, 1, 0, 0]
    own.replace_mesh(mesh, narrow)
    assert columns(own) == [0, 0, 0, 1, 0, 0, 0, 0]
    with pytest.raises(PosedError, match="the mesh: 3 vertices are bound, there are 4"):
        own.replace_mesh(mesh, CARD, SkinData(np.zeros((3, 1), int), np.ones((3, 1))))
    assert columns(own) == [0, 0, 0, 1, 0, 0, 0, 0]


def test_a_replaced_mesh_gives_its_place_back(own: Renderer) -> None:
    mesh = own.upload_mesh(CARD)
    own.add(mesh)
    for _ in range(50):
        own.replace_mesh(mesh, CARD)
    assert mesh.index <= 1


def test_vertices_of_an_instance_are_read_back(own: Renderer) -> None:
    one = own.add(own.upload_skinned_mesh(CARD, ALL_ON_JOINT_1), translation(50, 0, 0))
    own.set_poses([InstancePose(one, palette(0, 2))])
    found = own.read_vertices(one)
    np.testing.assert_array_equal(found.positions, CARD.positions + np.array([2, 0, 0], np.float32))
    one.visible = False
    with pytest.raises(PosedError, match="instance 1 is not visible"):
        own.read_vertices(one)


def test_stopping_clears_the_poses_and_puts_the_staged_surfaces_back(own: Renderer) -> None:
    halves = picture([[[255, 0, 0, 255], [0, 255, 0, 255]]], linear=False)
    data = MeshData(CARD.positions, CARD.triangles, uvs=(np.array([(0, 1), (1, 1), (1, 0), (0, 0)]),))
    atlas = Material(color_texture=halves, unlit=True)
    one = own.add(own.upload_skinned_mesh(data, ALL_ON_JOINT_1), material=atlas)

    def color() -> list[list[float]]:
        shown = own.draw(camera(), size=(8, 8), layers=["color"], lighting=Lighting())["color"]
        return [pixel[:3].tolist() for pixel in shown[4, 3:7]]

    black, red, green, blue = [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]
    staged = color()
    assert staged == [red, green, black, black]
    one.show((0.5, 0.0, 1.0, 1.0))
    assert color() == [green, green, black, black]
    own.set_poses([InstancePose(one, palette(0, 2))])
    assert color() == [black, black, green, green]
    own.set_material(one, Material(base_color=(0, 0, 1, 1), unlit=True))
    assert color() == [black, black, blue, blue]
    one.place(translation(1, 0, 0))
    before = own.changes
    own.stop()
    assert own.changes > before
    assert color() == [black, red, green, black]
    own.remove(one)
    with pytest.raises(PosedError, match="instance 1 was removed"):
        own.set_material(one, atlas)
