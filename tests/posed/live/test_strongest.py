"""Which joints may move a triangle's points most."""

import numpy as np

from posed.live.slots import slotted_corners
from posed.live.strongest import ALONE, strongest_joints

CORNERS = slotted_corners(np.array([(0, 1, 2)], np.uint32), 3)


def table(joints: list[list[int]], weights: list[list[float]]) -> np.ndarray:
    return strongest_joints(CORNERS, np.array(joints), np.array(weights, np.float32))


def test_a_joint_that_leads_at_every_corner_stands_alone() -> None:
    found = table([[7, 3]] * 3, [[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]])
    assert found.tolist() == [ALONE | 7]


def test_the_smaller_of_two_that_are_alike_stands_alone() -> None:
    assert table([[9, 4]] * 3, [[0.5, 0.5]] * 3).tolist() == [ALONE | 4]


def test_joints_that_lead_somewhere_are_listed_with_their_weights_by_slot() -> None:
    # Joint 5 leads nowhere; 8 leads at the first corner, 2 at the others. A joint that is listed twice adds up.
    found = table([[8, 2, 8], [2, 5, 0], [2, 5, 8]], [[0.5, 0.25, 0.25], [0.75, 0.25, 0.0], [0.5, 0.25, 0.25]])
    assert found[:3].tolist() == [1, 2, 2]
    assert found[3:6].view(np.float32).tolist() == [0.25, 0.75, 0.5]
    assert found[6] == 8
    assert found[7:].view(np.float32).tolist() == [0.75, 0.0, 0.25]


def test_many_lists_grow_the_table_and_name_the_strongest_joint_everywhere() -> None:
    rng = np.random.default_rng(6)
    vertices, triangles = 60, rng.integers(0, 60, (200, 3)).astype(np.uint32)
    joints, weights = rng.integers(0, 9, (vertices, 4)), rng.random((vertices, 4)).astype(np.float32)
    corners = slotted_corners(triangles, vertices)
    found = strongest_joints(corners, joints, weights)
    dense = np.zeros((vertices, 9))
    np.add.at(dense, (np.arange(vertices)[:, None], joints), weights)
    for triangle, three in enumerate(triangles):
        slots = corners[3 * triangle : 3 * triangle + 3] >> 30
        for shares in rng.dirichlet((1, 1, 1), 5):
            expected = int((shares[:, None] * dense[three]).sum(axis=0).argmax())
            entry = int(found[triangle])
            if entry & ALONE:
                assert entry - ALONE == expected
                continue
            rows = found[entry + 1 : entry + 1 + 4 * int(found[entry])].reshape(-1, 4)
            by_slot = np.zeros(3)
            by_slot[slots] = shares
            mixed = (rows[:, 1:].copy().view(np.float32) * by_slot).sum(axis=1)
            assert rows[mixed.argmax(), 0] == expected
