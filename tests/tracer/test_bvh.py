"""The tree holds every triangle once, inside its boxes, and no mesh makes it too deep to be walked."""

import numpy as np
import pytest

from tests.tracer.scenes import Part, scene, sphere
from tracer.bvh import MOST_IN_LEAF, STACK, box_distance, build_tree
from tracer.tables import mesh_of


def tree_of(made, chosen=None):
    mesh = mesh_of(made)
    return build_tree(mesh.vertices, mesh.faces, np.arange(len(made.triangles)) if chosen is None else chosen)


def leaves(tree):
    """Give (first, count, depth) of each leaf, checking that children lie within their parents."""
    stack, found = [(0, 1)], []
    while stack:
        node, depth = stack.pop()
        first, count = tree.links[node].tolist()
        if count:
            found.append((first, count, depth))
            continue
        for child in (first, first + 1):
            assert (tree.bounds[child, :3] >= tree.bounds[node, :3]).all()
            assert (tree.bounds[child, 3:] <= tree.bounds[node, 3:]).all()
            stack.append((child, depth + 1))
    return found


def meshes():
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    growing = np.concatenate([corner * 1.5**k for k in range(150)])
    return {
        "sphere": scene(sphere(rows=20, columns=30)),
        "all in one place": scene(Part(np.tile(corner, (500, 1)), np.arange(1500).reshape(-1, 3))),
        "each larger than all before": scene(Part(growing, np.arange(450).reshape(-1, 3))),
        "one triangle": scene(Part(corner, [[0, 1, 2]])),
    }


MESHES = meshes()


@pytest.mark.parametrize("name", MESHES)
def test_every_triangle_is_in_one_leaf_and_in_its_box(name):
    made = MESHES[name]
    tree = tree_of(made)
    assert sorted(tree.triangles.tolist()) == list(range(len(made.triangles)))
    places = []
    for first, count, depth in leaves(tree):
        places += range(first, first + count)
        assert count <= MOST_IN_LEAF
        assert depth < STACK // 2
    assert sorted(places) == list(range(len(made.triangles)))
    corners = made.positions[made.triangles].reshape(-1, 3)
    assert tree.bounds[0].tolist() == [*corners.min(axis=0), *corners.max(axis=0)]


def test_only_the_chosen_triangles_are_in_it():
    assert sorted(tree_of(MESHES["sphere"], np.array([3, 5, 8])).triangles.tolist()) == [3, 5, 8]
    empty = tree_of(MESHES["sphere"], np.zeros(0, np.intp))
    assert len(empty.links) == 0


@pytest.mark.parametrize(
    ("origin", "direction", "near", "far", "expected"),
    [
        ((-2, 0.5, 0.5), (1, 0, 0), 0.0, np.inf, 2.0),
        ((-2, 0.5, 0.5), (2, 0, 0), 0.0, np.inf, 1.0),
        ((0.5, 0.5, 0.5), (1, 1, 1), 0.0, np.inf, 0.0),  # from inside
        ((-2, 0.5, 0.5), (1, 0, 0), 0.0, 1.5, np.inf),  # too far
        ((-2, 0.5, 0.5), (1, 0, 0), 2.5, np.inf, 2.5),
        ((-2, 0.5, 0.5), (1, 0, 0), 3.5, np.inf, np.inf),  # behind
        ((-2, 1.0, 1.0), (1, 0, 0), 0.0, np.inf, 2.0),  # along an edge
        ((-2, 1.0 + 1e-15, 0.5), (1, 0, 0), 0.0, np.inf, np.inf),
        ((1, -1, 0.5), (0, 1, 0), 0.0, np.inf, 1.0),  # in the plane of a side
    ],
)
def test_where_a_ray_enters_the_unit_box(origin, direction, near, far, expected):
    bounds = np.array([[0, 0, 0, 1, 1, 1]], np.float32)
    assert box_distance(bounds, 0, np.array([*origin, *direction], np.float64), near, far) == expected
