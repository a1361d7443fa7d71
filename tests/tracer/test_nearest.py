"""Single rays: the nearest triangle, the least of those equally far, and what stands in a ray's way."""

import numpy as np
import pytest

from tracer import Material, embree
from tracer.materials import AlphaMode
from tracer.nearest import NOTHING, VEIL, WALL, find_nearest, new_nearest, obstacle
from tracer.single_rays import HOLES, PANES, SOLID, gaps_of

pytest.importorskip("embreex")

DOWN = np.array([0, 0, 0, 0, 0, -1.0])


def built(depths, tested=None):
    """A triangle across -Z at each depth."""
    positions = np.array([[[-1, -1, -d], [2, -1, -d], [-1, 2, -d]] for d in depths], np.float32).reshape(-1, 3)
    triangles = np.arange(len(positions), dtype=np.uint32).reshape(-1, 3)
    return embree.build(positions, triangles, np.array([False] * len(depths) if tested is None else tested))


def found(depths, near=0.0, far=np.inf, tested=None):
    """The nearest triangle and its distance, u and v; the memory has served another ray before."""
    memory = new_nearest()
    with built(depths, tested) as scene:
        find_nearest(scene.handle, scene.solid_count, np.array([0, 0, -9, 0, 0, 1.0]), 0.0, np.inf, memory)
        index, *hit = find_nearest(scene.handle, scene.solid_count, DOWN, near, far, memory)
        return (int(scene.order[index]), *hit) if index >= 0 else None


def test_the_nearest_of_many():
    assert found([3, 1, 2]) == (1, 1.0, pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert found([3, 1, 2], near=1.5) == (2, 2.0, pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert found([3, 1, 2], tested=[False, True, False])[:2] == (1, 1.0)
    assert found([3, 2], far=1.5) is None


@pytest.mark.parametrize("count", [2, 7, 40])
def test_of_triangles_equally_far_the_least_index(count):
    assert found([2.0, *[1.0] * count])[:2] == (1, 1.0)
    # Those whose alpha decides come after all others.
    assert found([1.0] * count, tested=[True] * (count - 1) + [False])[:2] == (count - 1, 1.0)


def test_what_stands_in_the_way():
    def stands(depths, far, tested=None):
        memory = new_nearest()
        with built(depths, tested) as scene:
            return obstacle(scene.handle, DOWN, far, memory)

    assert stands([2, 3], 1.0) == NOTHING
    assert stands([2, 3], 2.5) == WALL
    assert stands([2, 3], 2.5, [True, False]) == VEIL
    assert stands([2, 3], 9.0, [True, False]) == WALL
    assert stands([2, 3], 9.0, [False, True]) == WALL
    assert stands([2, 3], 9.0, [True, True]) == VEIL


def test_what_light_may_pass():
    masked = Material(alpha_mode=AlphaMode.MASK)
    pane = Material(transmission=0.5)
    assert gaps_of(()) == gaps_of((Material(),)) == SOLID
    assert gaps_of((Material(), masked)) == HOLES
    assert gaps_of((masked, pane)) == PANES
    assert gaps_of((Material(alpha_mode=AlphaMode.BLEND, transmission=0.5),)) == HOLES
