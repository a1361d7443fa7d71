"""What one query proposes: the nearest triangle first, those as near beside it, by packets and by single rays."""

import numpy as np
import pytest

from tracer import embree
from tracer.packets import LANES, clear_lanes, new_packet, propose, set_lane
from tracer.proposals import KEPT, is_near, proposal, proposal_count

pytest.importorskip("embreex")

NEARER = 2.0**-16
"""Relative, within the window of 2^-14."""


def proposed(depths, tested=None, x=(0.0,) * LANES, far=np.inf):
    """Propose along -Z, from the `x` of each lane, among one triangle at each depth; give (triangle, distance) a lane,
    the first as it stands and the others in order."""
    positions = np.array([[[-1, -1, -d], [2, -1, -d], [-1, 2, -d]] for d in depths], np.float32).reshape(-1, 3)
    triangles = np.arange(len(positions), dtype=np.uint32).reshape(-1, 3)
    tested = np.zeros(len(depths), np.bool_) if tested is None else np.array(tested)
    packet, lanes = new_packet(embree.ANY_MASK), []
    clear_lanes(packet)
    with embree.build(positions, triangles, tested) as built:
        for lane, place in enumerate(x):
            set_lane(packet, lane, np.array([place, 0, 0, 0, 0, -1.0]), 0.0, far)
        propose(built.handle, built.solid_count, packet)
        for lane in range(len(x)):
            count = proposal_count(packet.proposals, lane)
            if count > KEPT:
                lanes.append([proposal(packet.proposals, lane, 0)[0]])
                continue
            places = [place for place in range(count) if is_near(packet.proposals, lane, place)]
            found = [proposal(packet.proposals, lane, place)[:2] for place in places]
            # sse2 and avx2 divide by an approximate reciprocal
            found = [(int(built.order[index]), round(distance * 2.0**18) / 2.0**18) for index, distance in found]
            lanes.append(found[:1] + sorted(found[1:]))
    return lanes


@pytest.fixture(params=["sse2", "avx2", "avx512"], autouse=True)
def isa(request, monkeypatch):
    """Sixteen lanes at once, or one by one, as the instruction set has it."""
    monkeypatch.setenv("POSED_EMBREE", f"isa={request.param}")


def test_the_nearest_alone_where_the_others_are_far():
    assert proposed([3, 1, 2]) == [[(1, 1.0)]] * LANES


def test_each_lane_has_its_own():
    assert proposed([1], x=(0.0, 5.0, -0.5)) == [[(0, 1.0)], [], [(0, 1.0)]]


def test_what_lies_as_near_comes_along_and_no_more():
    near = 1.0 + NEARER
    assert proposed([2, near, 1, 1 + 2.0**-13]) == [[(2, 1.0), (1, near)]] * LANES


@pytest.mark.parametrize("count", [2, 3, KEPT])
def test_of_coincident_ones_the_smallest_index_goes_first(count):
    assert proposed([1.0] * count) == [[(number, 1.0) for number in range(count)]] * LANES


def test_more_than_are_kept_are_counted_and_the_first_is_right():
    assert proposed([1.0] * (KEPT + 1)) == [[0]] * LANES
    assert proposed([1.0 + NEARER] * 40 + [1.0]) == [[40]] * LANES


def test_indices_count_on_through_the_second_geometry():
    # Triangles whose alpha decides come last in Embree's order, here 0: of two as near, solid 1 goes first.
    assert proposed([1.0, 1.0], tested=[True, False]) == [[(1, 1.0), (0, 1.0)]] * LANES


def test_nothing_past_the_far_end():
    assert proposed([3.0], far=2.0) == [[]] * LANES
