"""Boxes around posed geometry, and the origin that a frame puts near its camera."""

import numpy as np
import pytest

from posed.gltf.mesh import MorphTarget
from posed.live.bounds import frame_origin, posed_box, rest_bounds
from posed.live.mesh_data import MeshData, SkinData
from tests.posed.live.literals import primitive, rectangle, translation

IDENTITY = np.eye(4)


def test_a_placed_part_s_box_is_that_of_its_vertices() -> None:
    bounds = rest_bounds(MeshData.of(primitive(rectangle(-1, -2, 3, 4, 5))), None)
    turn = np.array([[0, -1, 0, 10], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], np.float64)
    low, high = posed_box(bounds, IDENTITY[None], turn, np.zeros(0))
    assert low.tolist() == [6, -1, 5]
    assert high.tolist() == [12, 3, 5]


def test_each_joint_moves_the_vertices_it_binds_and_no_others() -> None:
    part = primitive(
        rectangle(0, 0, 1, 1, 0),
        joints=np.array([[0, 2]] * 4, np.uint32),
        weights=np.array([[1, 0], [1, 0], [0, 1], [0.5, 0.5]], np.float32),
    )
    bounds = rest_bounds(MeshData.of(part), SkinData.of(part))
    assert bounds.joints.tolist() == [0, 2]
    matrices = np.stack([IDENTITY, translation(0, 1e6, 0), translation(0, 7, 0)])
    low, high = posed_box(bounds, matrices, IDENTITY, np.zeros(0))
    assert low.tolist() == [0, 0, 0]
    assert high.tolist() == [1, 8, 0]


def test_morph_targets_widen_the_box_by_what_they_may_move() -> None:
    part = primitive(
        rectangle(0, 0, 1, 1, 0),
        targets=(MorphTarget(positions=np.full((4, 3), (0, -2, 0), np.float32)), MorphTarget()),
    )
    low, high = posed_box(rest_bounds(MeshData.of(part), None), IDENTITY[None], IDENTITY, np.array([-0.5, 9.0]))
    assert low.tolist() == [0, -1, 0]
    assert high.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("eye", "origin"),
    [
        ((3, 4, 5), (0, 8, 8)),
        ((1e6, 0, 0), (1e6, 0, 0)),
        ((1e6 + 1, 3.9, 4), (1e6, 0, 8)),
        ((-4.1, -3.9, 0), (-8, 0, 0)),
    ],
)
def test_the_origin_is_the_eye_rounded_to_the_power_of_two_above_the_diagonal(
    eye: tuple[float, ...], origin: tuple[float, ...]
) -> None:
    # A diagonal of 5: multiples of 8.
    found = frame_origin(np.array(eye, np.float64), np.zeros(3), np.array([3.0, 4.0, 0.0]))
    assert found.tolist() == list(origin)


def test_a_scene_without_size_has_its_origin_at_the_world_s() -> None:
    for size in (0.0, np.inf, np.nan):
        assert frame_origin(np.full(3, 1e9), np.zeros(3), np.full(3, size)).tolist() == [0, 0, 0]
