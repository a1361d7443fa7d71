"""Boxes around posed instances, without posing a vertex."""

import numpy as np
import pytest

from posed.gltf.mesh import MorphTarget
from posed.live import MeshData, SkinData
from posed.live.bounds import RestBounds, rest_bounds
from posed.live.boxes import BoundsTable, posed_boxes
from tests.posed.live.literals import QUAD, rectangle, translation

IDENTITY = np.eye(4)
SQUARE = MeshData(np.array(rectangle(0, 0, 1, 1, 0)), np.array(QUAD))


def box(
    bounds: RestBounds,
    place: np.ndarray = IDENTITY,
    palette: np.ndarray | None = None,
    weights: tuple[float, ...] = (),
) -> tuple[list[float], list[float]]:
    """The corners of one instance's box; a palette and weights lie behind others, to be found there."""
    none = np.full((1, 4, 4), np.nan, np.float32)
    low, high, _ = posed_boxes(
        BoundsTable.of([rest_bounds(SQUARE, None), bounds]),
        np.array([1]),
        place[None],
        none if palette is None else np.concatenate([none, palette.astype(np.float32)]),
        np.array([-1 if palette is None else 1]),
        np.array([np.nan, *weights], np.float32),
        np.array([1 if weights else -1]),
    )
    return low[0].tolist(), high[0].tolist()


def test_a_placed_part_s_box_is_that_of_its_vertices() -> None:
    bounds = rest_bounds(MeshData(np.array(rectangle(-1, -2, 3, 4, 5)), np.array(QUAD)), None)
    turn = np.array([[0, -1, 0, 10], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], np.float64)
    assert box(bounds, turn) == ([6, -1, 5], [12, 3, 5])


def test_each_joint_moves_the_vertices_it_binds_and_no_others() -> None:
    skin = SkinData(np.array([[0, 2]] * 4), np.array([[1, 0], [1, 0], [0, 1], [0.5, 0.5]]))
    bounds = rest_bounds(SQUARE, skin)
    assert bounds.joints.tolist() == [0, 2]
    palette = np.stack([IDENTITY, translation(0, 1e6, 0), translation(0, 7, 0)])
    assert box(bounds, palette=palette) == ([0, 0, 0], [1, 8, 0])
    assert box(bounds, translation(10, 0, 0), palette) == ([10, 0, 0], [11, 8, 0])
    assert box(bounds) == ([0, 0, 0], [1, 1, 0])


def test_a_joint_that_scales_widens_the_box() -> None:
    bounds = rest_bounds(SQUARE, SkinData(np.zeros((4, 1), int), np.ones((4, 1))))
    assert box(bounds, palette=np.diag([50, -50, 1, 1.0])[None]) == ([0, -50, 0], [50, 0, 0])


def test_morph_targets_widen_the_box_by_what_they_may_move() -> None:
    targets = (MorphTarget(positions=np.full((4, 3), (0, -2, 0), np.float32)), MorphTarget())
    bounds = rest_bounds(MeshData(SQUARE.positions, SQUARE.triangles, targets=targets), None)
    assert box(bounds, weights=(-0.5, 9.0)) == ([0, -1, 0], [1, 2, 0])
    assert box(bounds) == ([0, 0, 0], [1, 1, 0])


@pytest.mark.parametrize("joint", [0, 2])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_matrix_that_leads_nowhere_is_told_wherever_it_stands(joint: int, value: float) -> None:
    skin = SkinData(np.array([[0, 2]] * 4), np.array([[1, 0], [1, 0], [0, 1], [0.5, 0.5]]))
    palette = np.stack([IDENTITY] * 3)
    palette[joint, 1, 0] = value
    assert np.isnan(box(rest_bounds(SQUARE, skin), palette=palette)[0][0])


@pytest.mark.parametrize("seed", range(5))
def test_no_posed_vertex_lies_outside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (200, 3)).astype(np.float32)
    joints, weights = rng.integers(0, 9, (200, 3)), rng.uniform(0, 1, (200, 3)).astype(np.float32)
    weights /= weights.sum(axis=1, keepdims=True)
    palette = np.tile(IDENTITY, (9, 1, 1))
    palette[:, :3] += rng.uniform(-1, 1, (9, 3, 4))
    place = np.eye(4)
    place[:3] += rng.uniform(-2, 2, (3, 4))
    bounds = rest_bounds(MeshData(points, np.array([[0, 1, 2]])), SkinData(joints, weights))
    low, high = box(bounds, place, palette)
    blended = (weights[..., None, None] * palette[joints]).sum(axis=1)
    spread = np.concatenate([points, np.ones((200, 1))], axis=1)
    posed = np.einsum("ij,vjk,vk->vi", place, blended, spread)[:, :3]
    assert (posed >= np.array(low) - 1e-5).all()
    assert (posed <= np.array(high) + 1e-5).all()
