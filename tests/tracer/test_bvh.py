"""The tree holds every triangle once, inside its boxes, and no mesh makes it too deep to be walked."""

import numpy as np
import pytest

from tests.tracer.scenes import Part, scene, sphere
from tracer.bvh import MOST_IN_LEAF, STACK, box_distance, build_tree, inverse_of, refitted, wear
from tracer.mesh_table import mesh_of


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
        ((0, -1, 0.5), (0, 1, 0), 0.0, np.inf, 1.0),  # and of the one across
        ((1, -1, 0.5), (-0.0, 1, 0), 0.0, np.inf, 1.0),
        ((0, -1, 0.5), (-0.0, 1, 0), 0.0, np.inf, 1.0),
        ((2, -1, 0.5), (-0.0, 1, 0), 0.0, np.inf, np.inf),  # beside it
        ((-1, -1, 0.5), (0, 1, 0), 0.0, np.inf, np.inf),
    ],
)
def test_where_a_ray_enters_the_unit_box(origin, direction, near, far, expected):
    bounds = np.array([[0, 0, 0, 1, 1, 1]], np.float32)
    ray = np.array([*origin, *direction], np.float64)
    assert box_distance(bounds, 0, ray, inverse_of(ray), near, far) == expected


@pytest.mark.parametrize("name", MESHES)
def test_a_refitted_tree_has_the_boxes_of_its_triangles(name):
    made = MESHES[name]
    tree, mesh = tree_of(made), mesh_of(made)
    turned = mesh.vertices.copy()
    turned[:, :3] = mesh.vertices[:, [1, 2, 0]] * np.float32(-1.5)
    again = refitted(tree, turned, mesh.faces)
    assert again.links is tree.links
    for first, count, _ in leaves(again):
        corners = turned[mesh.faces[again.triangles[first : first + count], :3], :3].reshape(-1, 3)
        box = [*corners.min(axis=0), *corners.max(axis=0)]
        node = int(np.flatnonzero((again.links[:, 0] == first) & (again.links[:, 1] == count))[0])
        assert again.bounds[node].tolist() == box
    assert refitted(tree, mesh.vertices, mesh.faces).bounds.tobytes() == tree.bounds.tobytes()


def test_wear_is_the_nodes_surface_over_the_triangles():
    # Ten unit triangles in a row along x, at 0, 2, .., 18: their boxes have a half surface of 1 each.
    row = np.array([[[x, 0, 0], [x + 1, 0, 0], [x, 1, 0]] for x in range(0, 20, 2)], np.float32)
    made = scene(Part(row, np.arange(30).reshape(-1, 3)))
    mesh, tree, box = mesh_of(made), tree_of(made), np.zeros(6, np.float32)
    surfaces = (tree.bounds[:, 3] - tree.bounds[:, 0]) * (tree.bounds[:, 4] - tree.bounds[:, 1])
    assert wear(tree, mesh.vertices, mesh.faces, box) == pytest.approx(surfaces.sum() / 10.0, rel=1e-6)
    larger = mesh.vertices * np.float32(4.0)
    assert wear(refitted(tree, larger, mesh.faces), larger, mesh.faces, box) == pytest.approx(surfaces.sum() / 10.0)
    shuffled = mesh.vertices.copy().reshape(10, 3, -1)[[7, 2, 9, 4, 1, 6, 3, 8, 0, 5]].reshape(30, -1)
    assert wear(refitted(tree, shuffled, mesh.faces), shuffled, mesh.faces, box) > 1.5 * surfaces.sum() / 10.0


def test_a_tree_of_nothing_is_not_worn():
    tree, mesh = tree_of(MESHES["sphere"], np.zeros(0, np.intp)), mesh_of(MESHES["sphere"])
    assert wear(tree, mesh.vertices, mesh.faces, np.zeros(6, np.float32)) == 0.0
