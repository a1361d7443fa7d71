"""Rough boxes hold the exact ones, and a crowd is drawn by them."""

import numpy as np
import pytest

from posed.errors import PoseError
from posed.gltf.mesh import MorphTarget
from posed.live import CrowdPose, MeshData, Renderer, SkinData
from posed.live.bounds import rest_bounds
from posed.live.boxes import BoundsTable, posed_boxes
from posed.live.rough import MANY, rough_boxes
from posed.live.spans import write_crowd
from tests.posed.live.literals import QUAD, camera, rectangle, translation

CARD = MeshData(np.array(rectangle(-1, -1, 1, 1, -4)), np.array(QUAD))


def test_a_box_between_two_matrices_by_hand() -> None:
    # x from -1 to 1 is moved by 0 and 3, or doubled: -2 to 2 and then at most 3 farther.
    bounds = rest_bounds(CARD, SkinData(np.array([[0, 1]] * 4), np.full((4, 2), 0.5)))
    palettes = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    palettes[0, 0, 3], palettes[1, 0, 0] = 3.0, 2.0
    place = np.diag([1.0, -1.0, 1.0, 1.0])
    place[:3, 3] = 10.0, 0.0, 0.0
    nothing = np.zeros(0, np.float32)
    low, high, reach = rough_boxes(
        BoundsTable.of([bounds]), np.zeros(1, int), place[None], palettes, np.zeros(1, int), nothing, np.array([-1])
    )
    assert (low.tolist(), high.tolist()) == ([[8.0, -1.0, -4.0]], [[15.0, 1.0, -4.0]])
    assert reach.tolist() == [15.0]


@pytest.mark.parametrize("seed", range(5))
def test_they_hold_the_exact_boxes_and_reaches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bounds = []
    for vertices, targets in ((20, 0), (30, 2)):
        deltas = tuple(MorphTarget(rng.normal(size=(vertices, 3)).astype(np.float32)) for _ in range(targets))
        data = MeshData(rng.normal(1.0, 2.0, (vertices, 3)), np.array([[0, 1, 2]]), targets=deltas)
        weights = rng.uniform(0.1, 1.0, (vertices, 3))
        skin = SkinData(rng.integers(0, 5, (vertices, 3)), weights / weights.sum(axis=1, keepdims=True))
        bounds += [rest_bounds(data, skin), rest_bounds(data, None)]
    table, meshes = BoundsTable.of(bounds), rng.integers(0, 4, 40)
    places = np.tile(np.eye(4), (40, 1, 1))
    places[:, :3] = rng.normal(size=(40, 3, 4))
    palettes = rng.normal(size=(40 * 5, 4, 4)).astype(np.float32)
    rows = np.where(meshes % 2 == 0, 5 * np.arange(40), -1)
    arguments = (table, meshes, places, palettes, rows, rng.normal(size=80).astype(np.float32), 2 * np.arange(40))
    (low, high, reach), (rough_low, rough_high, rough_reach) = posed_boxes(*arguments), rough_boxes(*arguments)
    rounding = 1e-12 * np.abs(high - low).max()
    assert (rough_low <= low + rounding).all()
    assert (rough_high >= high - rounding).all()
    assert (rough_reach >= reach - rounding).all()
    assert (rough_high - rough_low < 20.0 * (high - low).max()).all()


def test_a_crowd_s_palettes_are_copied_and_lie_between_their_spans() -> None:
    given = np.random.default_rng(3).normal(size=(3, 5, 4, 4)).astype(np.float32)
    given[1, 4, 2, 0] = np.inf
    palettes, spans = np.zeros((15, 3, 4), np.float32), np.zeros((3, 2, 3, 4), np.float32)
    write_crowd(given, np.arange(5), palettes, spans)
    assert np.array_equal(palettes, given[:, :, :3].reshape(15, 3, 4))
    for n in (0, 2):
        assert np.array_equal(spans[n], [given[n, :, :3].min(axis=0), given[n, :, :3].max(axis=0)])
    assert np.isnan(spans[1, 0, 0, 0])


def test_an_instance_that_replaces_one_of_a_crowd_stands_in_its_bind_pose(renderer: Renderer) -> None:
    own = Renderer(renderer.adapter.name)
    mesh = own.upload_skinned_mesh(CARD, SkinData(np.array([[0, 1]] * 4), np.full((4, 2), 0.5)))
    crowd = [own.add(mesh, translation(0.0, 0.0, -0.001 * i)) for i in range(MANY // 2)]
    away = np.tile(translation(0.0, 500.0, 0.0).astype(np.float32), (len(crowd), 2, 1, 1))
    own.set_poses([CrowdPose(crowd, away)])
    assert not own.draw(camera(), size=(8, 8), layers=["object"])["object"].any()
    own.remove(crowd[7])
    own.add(mesh)
    # A card of 2 by 2 metres, 4 away: of 8 the middle ones.
    assert (own.draw(camera(), size=(8, 8), layers=["object"])["object"][2:6, 2:6] == 8).sum() >= 4


def test_a_crowd_is_drawn_by_rough_boxes_where_it_stands(renderer: Renderer) -> None:
    own = Renderer(renderer.adapter.name)
    skin = SkinData(np.array([[0, 1]] * 4), np.full((4, 2), 0.5))
    mesh = own.upload_skinned_mesh(CARD, skin)
    crowd = [own.add(mesh, translation(-300.0 + i, 0.0, 0.0)) for i in range(MANY // 2)]
    palettes = np.tile(np.eye(4, dtype=np.float32), (len(crowd), 2, 1, 1))
    palettes[:, 1, 1, 3] = 2.0
    own.set_poses([CrowdPose(crowd, palettes)])
    frame = own.draw(camera(), size=(8, 8), layers=["object"])
    # A metre up; of cards that overlap each other's halves the first one is on top.
    assert frame["object"][2].tolist() == frame["object"][3].tolist() == list(range(297, 305))
    assert not frame["object"][[0, 1, 4, 5, 6, 7]].any()
    shown = own._instances.frame(camera())
    assert own._instances._ordered().many
    low, high = shown.tight()
    assert (low >= shown.low).all()
    assert (high <= shown.high).all()
    palettes[700, 1, 0, 0] = np.nan
    own.set_poses([CrowdPose(crowd, palettes)])
    with pytest.raises(PoseError, match="instance 701 is posed to where no number is"):
        own.draw(camera(), size=(8, 8), layers=["object"])
