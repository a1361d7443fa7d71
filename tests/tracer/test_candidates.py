"""Batches along a ray: nearest first, none twice, none lost."""

import numpy as np
import pytest

from tracer import embree
from tracer.candidates import BATCH, candidate, gather, new_query, restart

pytest.importorskip("embreex")


def batches(depths, near=0.0, far=np.inf, mask=embree.ANY_MASK, tested=None):
    """Gather along -Z through one triangle at each depth; give (triangle, distance) by batch."""
    positions = np.array([[[-1, -1, -d], [2, -1, -d], [-1, 2, -d]] for d in depths], np.float32).reshape(-1, 3)
    triangles = np.arange(len(positions), dtype=np.uint32).reshape(-1, 3)
    tested = np.zeros(len(depths), np.bool_) if tested is None else np.array(tested)
    query, ray, found = new_query(), np.array([0, 0, 0, 0, 0, -1.0]), []
    restart(query)
    with embree.build(positions, triangles, tested) as built:
        while not found or len(found[-1]) == BATCH:
            count = gather(built.handle, built.solid_count, ray, near, far, mask, query)
            answers = [candidate(query, place) for place in range(count)]
            found.append([(int(built.order[index]), distance) for index, distance, _, _ in answers])
    return found


def test_nearest_first():
    assert batches([3, 1, 2]) == [[(1, 1.0), (2, 2.0), (0, 3.0)]]


def test_more_than_a_batch():
    depths = [*range(40, 0, -1)]
    found = batches(depths)
    assert [len(batch) for batch in found] == [16, 16, 8]
    assert [distance for batch in found for _, distance in batch] == sorted(depths)


def test_coincident_triangles_are_all_found_across_batches():
    found = [triangle for batch in batches([1.0] * 35) for triangle, _ in batch]
    assert found == list(range(35))


def test_bounds_and_masks():
    assert batches([1, 2, 3, 4], near=1.5, far=3.5) == [[(1, 2.0), (2, 3.0)]]
    assert batches([1, 2, 3], mask=embree.TESTED_MASK, tested=[False, True, False]) == [[(1, 2.0)]]
    assert batches([1, 2, 3], tested=[True, False, True]) == [[(0, 1.0), (1, 2.0), (2, 3.0)]]
