"""What a pixel shows, by name."""

import gc

import numpy as np
import pytest

from posed.errors import PosedError
from posed.gltf.material import AlphaMode, Material
from posed.live import FlatScene, FlatSprites, InstancePose, MeshData, Renderer, SkinData
from posed.live.flat import Color, Draw, Image
from tests.posed.live.literals import QUAD, camera, model, posed, primitive, rectangle, scene, translation


@pytest.fixture
def own(renderer: Renderer) -> Renderer:
    return Renderer(renderer.adapter.name)


def test_a_scene_s_pixel_has_an_object_a_part_a_triangle_and_a_joint(own: Renderer) -> None:
    weights = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
    strip = primitive(rectangle(-1, -2, 1, 2, -4), joints=np.array([[0, 1]] * 4, np.uint32), weights=weights)
    plain = primitive(rectangle(2, -4, 4, 4, -4))
    drawn = scene(model(strip, joints=2), model(plain))
    own.render(drawn, posed(), size=(8, 8), layers=["depth"])
    pick = own.pick(4, 5)
    assert (pick.x, pick.y, pick.object, pick.part, pick.triangle) == (4, 5, "a", "a/mesh/0", 1)
    assert pick.joint == "a/joint1"
    assert own.pick(3, 2).joint == "a/joint2"
    assert own.pick(3, 2).triangle == 2
    other = own.pick(7, 5)
    assert (other.object, other.part, other.joint, other.instance, other.flat) == ("b", "b/mesh/0", "", None, None)
    nothing = own.pick(0, 0)
    assert (nothing.object, nothing.part, nothing.triangle, nothing.joint) == ("", "", 0, "")


def test_picks_follow_the_pose(own: Renderer) -> None:
    mesh = own.upload_skinned_mesh(
        MeshData(np.array(rectangle(-1, -1, 1, 1, -4)), np.array(QUAD)), SkinData(np.ones((4, 1), int), np.ones((4, 1)))
    )
    one, other = own.add(mesh), own.add(mesh, translation(0, 0, -1))
    own.draw(camera(), size=(8, 8), layers=[])
    assert own.pick(4, 4).instance is one
    own.set_poses([InstancePose(one, np.array([np.eye(4), translation(3, 0, 0)]))])
    assert own.pick(4, 4).instance is other
    moved = own.pick(6, 4)
    assert (moved.object, moved.joint, moved.instance) == ("instance 1", "joint 1", one)
    own.set_poses([])
    assert own.pick(6, 4).instance is None


def test_a_hole_is_seen_through(own: Renderer) -> None:
    gone = Material(alpha_mode=AlphaMode.MASK, base_color=(1, 1, 1, 0.25))
    card = MeshData(np.array(rectangle(-1, -1, 1, 1, -2)), np.array(QUAD))
    mesh = own.upload_mesh(card)
    own.add(mesh, material=gone)
    behind = own.add(mesh, translation(0, 0, -1))
    own.draw(camera(), size=(4, 4), layers=[])
    seen = own.pick(2, 2)
    assert (seen.instance, seen.joint) == (behind, "")


def test_flat_draws_are_picked_on_top_of_what_has_depth(own: Renderer) -> None:
    sprites = FlatSprites(Image(np.full((1, 1, 4), 255, np.uint8)))
    sprites.set([(1.5, 1.5), (2.5, 1.5)], (1, 1))
    glass = Draw.rectangle((4, 4), (8, 8), Color(1, 1, 1, 0.25))
    wall = scene(model(primitive(rectangle(-9, -9, 0, 9, -1))))
    own.render(wall, posed(), size=(8, 8), layers=["color"], flat=FlatScene([glass, sprites]))
    assert own.pick(1, 1).flat == (1, 0)
    assert own.pick(2, 1).flat == (1, 1)
    assert own.pick(2, 1).object == "a"
    assert own.pick(3, 1).flat is None  # glass is less than half there
    own.render(wall, posed(), size=(8, 8), layers=["color"])
    assert own.pick(1, 1).flat is None


def test_there_must_be_something_to_pick_from(own: Renderer) -> None:
    with pytest.raises(PosedError, match="nothing to pick from: draw a frame first"):
        own.pick(0, 0)
    passing = scene(model(primitive(rectangle(-9, -9, 0, 9, -1))))
    own.render(passing, posed(), size=(8, 6))
    for x, y in ((-1, 0), (8, 0), (0, 6)):
        with pytest.raises(PosedError, match=r"lies outside of the picture, which is 8 x 6"):
            own.pick(x, y)
    del passing
    gc.collect()
    with pytest.raises(PosedError, match="and keep its scene"):
        own.pick(0, 0)
