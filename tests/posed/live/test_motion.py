"""Motion vectors: where a surface point is now minus where it was a tick before, in pixels."""

from dataclasses import replace

import numpy as np

from posed.gltf.mesh import MorphTarget
from posed.live import Renderer
from tests.posed.live.literals import camera, model, posed, primitive, rectangle, scene, translation

WALL = rectangle(-9, -9, 9, 9, -2)
"""At depth 2, 8 pixels show 4 metres: 2 pixels a metre."""


def motion(renderer: Renderer, drawn: object, now: object, before: object) -> np.ndarray:
    pose = replace(now, previous=before)
    frame = renderer.render(drawn, pose, size=(8, 8), layers=["object", "motion"])
    assert frame["object"].all()
    return frame["motion"]


def test_what_stands_still_has_none_and_neither_has_the_first_tick(renderer: Renderer) -> None:
    wall = scene(model(primitive(WALL)))
    still = posed(models={"a": translation(0.3, 0.1, -0.2)})
    assert not motion(renderer, wall, still, still).any()
    assert not renderer.render(wall, still, size=(8, 8), layers=["motion"])["motion"].any()


def test_an_object_a_node_a_joint_and_a_morph_move_right_and_down(renderer: Renderer) -> None:
    moved = translation(0.5, -0.25, 0)
    joints = {"joints": np.zeros((4, 1), np.uint32), "weights": np.ones((4, 1), np.float32)}
    target = (MorphTarget(positions=np.full((4, 3), (0.5, -0.25, 0), np.float32)),)
    plain = scene(model(primitive(WALL)))
    skinned = scene(model(primitive(WALL, **joints), joints=1))
    morphing = scene(model(primitive(WALL, targets=target)))
    palette = moved.astype(np.float32)[None]
    for drawn, now, before in (
        (plain, posed(models={"a": moved}), posed()),
        (plain, posed(nodes={"a": {0: moved}}), posed()),
        (skinned, posed(palettes={"a": {0: palette}}), posed()),
        (morphing, posed(morphs={"a": {0: np.array([1.0])}}), posed()),
    ):
        found = motion(renderer, drawn, now, before)
        np.testing.assert_allclose(found, np.broadcast_to([1.0, 0.5], (8, 8, 2)), atol=1e-4)
        np.testing.assert_allclose(motion(renderer, drawn, before, now), -found, atol=1e-4)


def test_the_camera_s_motion_counts(renderer: Renderer) -> None:
    wall = scene(model(primitive(WALL)))
    aside = posed(camera=camera(matrix=translation(0.5, 0, 0)))
    found = motion(renderer, wall, aside, posed(camera=camera()))
    np.testing.assert_allclose(found, np.broadcast_to([-1.0, 0.0], (8, 8, 2)), atol=1e-4)
    # The same camera for both, given by the call, has none.
    pose = replace(aside, previous=posed(camera=camera()))
    frame = renderer.render(wall, pose, size=(8, 8), camera=camera(), layers=["motion"])
    assert not frame["motion"].any()


def test_what_was_behind_the_camera_has_none(renderer: Renderer) -> None:
    wall = scene(model(primitive(WALL)))
    assert not motion(renderer, wall, posed(), posed(models={"a": translation(0, 0, 5)})).any()
