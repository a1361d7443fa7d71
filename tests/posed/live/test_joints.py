"""The joint layer: the joint that moves a surface point most."""

import numpy as np

from posed.live import Renderer
from tests.posed.live.literals import model, posed, primitive, rectangle, scene

LEFT, RIGHT = [1.0, 0.0], [0.0, 1.0]


def band(weights: list[list[float]], joints: list[list[int]], z: float = -1.0) -> object:
    return primitive(
        rectangle(-1, -1, 1, 1, z), joints=np.array(joints, np.uint32), weights=np.array(weights, np.float32)
    )


def test_the_largest_interpolated_weight_wins(renderer: Renderer) -> None:
    drawn = scene(model(band([LEFT, RIGHT, RIGHT, LEFT], [[0, 1]] * 4), joints=2))
    frame = renderer.render(drawn, posed(), size=(8, 2), layers=["joint", "object"])
    # 2 metres of 8 are the picture's width at depth 1: only the middle columns see the band.
    assert frame["object"][0].tolist() == [0, 0, 0, 1, 1, 0, 0, 0]
    assert frame["joint"].tolist() == [[0, 0, 0, 1, 2, 0, 0, 0]] * 2
    assert drawn.ids.name("joint", 2) == "a/joint2"


def test_a_joint_listed_twice_adds_up_and_the_smaller_id_wins_a_tie(renderer: Renderer) -> None:
    twice = band([[0.4, 0.3, 0.3]] * 4, [[0, 1, 1]] * 4)
    tied = band([[0.5, 0.5]] * 4, [[1, 0]] * 4)
    for part, expected in ((twice, 2), (tied, 1)):
        frame = renderer.render(scene(model(part, joints=2)), posed(), size=(2, 2), layers=["joint"])
        assert (frame["joint"] == expected).all()


def test_ids_go_on_from_object_to_object_and_unskinned_parts_have_none(renderer: Renderer) -> None:
    left = model(band([[1.0]] * 4, [[2]] * 4, z=-9.0), joints=3)
    right = model(band([[1.0]] * 4, [[0]] * 4), joints=1)
    plain = model(primitive(rectangle(-20, -20, 20, 20, -10)))
    frame = renderer.render(scene(left, right, plain), posed(), size=(6, 2), layers=["joint", "object"])
    assert frame["joint"][0, 2:4].tolist() == [4, 4]
    assert (frame["joint"][frame["object"] == 3] == 0).all()
    alone = renderer.render(scene(left), posed(), size=(18, 18), layers=["joint"])["joint"]
    assert set(np.unique(alone)) == {0, 3}
