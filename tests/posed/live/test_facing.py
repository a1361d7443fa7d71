"""Which side of posed triangles is the front: told only where it holds of every vertex, and then no pixel shows it."""

import math
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from posed.camera import Camera
from posed.live import ALL_LAYERS, InstancePose, MeshData, Renderer, SkinData, instances
from posed.live.draws import hide_backs
from posed.live.facing import MOST_JOINTS, UNKNOWN, FacingTable, blends_of, facings
from tests.bench.live import tube

STILL = np.eye(4)


def skin(joints: Any, weights: Any) -> SkinData:
    return SkinData(np.array(joints), np.array(weights, np.float32))


PAIR = skin([[0, 1], [1, 0]], [[0.6, 0.4], [1, 0]])


def turned(degrees: float, axis: int = 2) -> np.ndarray:
    matrix, (a, b) = np.eye(4), ((1, 2), (2, 0), (0, 1))[axis]
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix[a, a] = matrix[b, b] = cosine
    matrix[b, a], matrix[a, b] = sine, -sine
    return matrix


def told(skinned: SkinData, *joints: np.ndarray) -> int:
    """The facing of one instance; its palette lies behind another matrix, to be found there."""
    table = FacingTable.of([blends_of(None), blends_of(skinned)])
    palette = np.stack([np.full((4, 4), np.nan), *joints]).astype(np.float32)
    return int(facings(table, np.array([1]), np.array([True]), palette, np.array([1]))[0])


def test_joints_lead_the_vertices_that_they_weigh_most_in() -> None:
    blends = blends_of(skin([[0, 1, 2], [2, 1, 4], [2, 2, 2]], [[0.5, 0.2, 0.3], [0.6, 0.4, 0], [1, 0, 0]]))
    assert blends.leaders.tolist() == [0, 2]
    assert blends.starts.tolist() == [0, 3, 5]
    assert blends.others.tolist() == [0, 1, 2, 1, 2]


def test_nothing_is_told_where_weights_are_negative_or_joints_too_many() -> None:
    assert blends_of(PAIR).told
    assert blends_of(None).told
    assert not blends_of(skin([[0, 1]], [[1.5, -0.5]])).told
    assert not blends_of(skin([[0, MOST_JOINTS]], [[0.5, 0.5]])).told
    assert not blends_of(skin([list(range(17))], [[1.0] * 17])).told


def test_what_is_not_posed_is_as_it_was_modelled() -> None:
    table = FacingTable.of([blends_of(None), blends_of(PAIR)])
    none, known = np.zeros((0, 4, 4), np.float32), np.array([True, False, True])
    assert facings(table, np.array([0, 0, 1]), known, none, np.array([-1, -1, -1])).tolist() == [1, UNKNOWN, 1]


def test_joints_that_turn_alike_face_as_each_of_them_does() -> None:
    mirror = np.diag([-1.0, 1, 1, 1])
    assert told(PAIR, STILL, STILL) == 1
    assert told(PAIR, turned(170), turned(110)) == 1
    assert told(PAIR, mirror, mirror @ turned(60)) == -1


@pytest.mark.parametrize(
    "joints",
    [
        (STILL, turned(180)),
        (STILL, turned(80)),
        (STILL, np.diag([-1.0, 1, 1, 1])),
        (STILL, np.diag([0.0, 1, 1, 1])),
        (np.diag([0.01, 1, 1, 1]), np.diag([0.01, 1, 1, 1])),
        (1e-7 * STILL, 1e-7 * STILL),
        (1e7 * STILL, 1e7 * STILL),
        (STILL, np.full((4, 4), np.nan)),
        (np.full((4, 4), np.inf), STILL),
    ],
)
def test_nothing_is_told_of_joints_that_turn_away_from_each_other_or_flatten(joints: tuple[np.ndarray, ...]) -> None:
    assert told(PAIR, *joints) == UNKNOWN


def test_leaders_that_face_differently_are_nothing_in_common() -> None:
    apart = skin([[0], [1]], [[1], [1]])
    assert told(apart, STILL, turned(180)) == 1
    assert told(apart, STILL, np.diag([1.0, -1, 1, 1])) == UNKNOWN


def test_what_is_told_holds_of_every_blended_matrix() -> None:
    """Random skins and palettes, from joints that hardly differ to such that turn anywhere and stretch."""
    random = np.random.default_rng(4)
    seen = {-1: 0, 0: 0, 1: 0}
    for _ in range(300):
        joints = random.integers(0, 4, (40, 3))
        weights = random.dirichlet([0.5] * 3, 40).astype(np.float32)
        spread, side = random.choice([0.05, 0.2, 1.0]), random.choice([-1.0, 1.0])
        palette = np.tile(random.normal(size=(4, 4)) if spread < 1.0 else STILL, (4, 1, 1))
        palette = (palette + spread * random.normal(size=(4, 4, 4))).astype(np.float32)
        palette[:, 0] *= np.float32(side)
        facing = told(skin(joints, weights), *palette)
        seen[facing] += 1
        if facing != UNKNOWN:
            blended = (weights[..., None, None] * palette[joints][..., :3, :3]).sum(axis=1, dtype=np.float32)
            crossed = np.cross(blended[:, 1], blended[:, 2]).astype(np.float32)
            signs = np.sign((blended[:, 0] * crossed).sum(axis=1, dtype=np.float32))
            assert set(signs.tolist()) == {facing}
    assert min(seen.values()) > 20


def test_what_is_hidden_shows_in_no_layer() -> None:
    """A tube that its joints bend, twist too far, mirror, and that a place mirrors: as if nothing were left out."""
    positions, normals, triangles, joints, weights = tube()
    renderer = Renderer()
    mesh = renderer.upload_skinned_mesh(MeshData(positions, triangles, normals), SkinData(joints, weights))
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    one = renderer.add(mesh)
    place = np.eye(4)
    place[:3, 3] = 0.0, 1.0, 3.2
    camera = Camera(place, yfov=0.9, znear=0.1)

    def frame(degrees: float, of: np.ndarray) -> dict[str, np.ndarray]:
        palette = np.stack([of @ turned(degrees * i, 1) for i in range(20)])
        renderer.set_poses([InstancePose(one, palette)])
        return dict(renderer.draw(camera, size=(64, 64), layers=ALL_LAYERS).layers)

    hidden: list[str] = []

    def noting(*given: Any) -> Any:
        draws = hide_backs(*given)
        hidden.extend(draw.hidden for draw in draws)
        return draws

    for stands in (STILL, mirror):
        one.place(stands)
        for degrees, of in ((2.0, STILL), (170.0, STILL), (2.0, mirror)):
            with patch.object(instances, "hide_backs", noting):
                found = frame(degrees, of)
            with patch.object(instances, "hide_backs", lambda draws, facing: draws):
                wanted = frame(degrees, of)
            assert found["triangle"].any()
            for name, layer in wanted.items():
                np.testing.assert_array_equal(found[name], layer, name)
    assert hidden == ["back", "none", "front", "front", "none", "back"]
