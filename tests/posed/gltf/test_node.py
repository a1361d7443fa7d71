"""Nodes: transforms, the tree, and what is no tree."""

import math

import numpy as np
import pytest

from posed.gltf import load
from tests.gltf_literals import Literal, refusal, two_joint_skin


def nodes(tmp_path, *given, **root):
    return load(Literal(nodes=list(given), **root).write(tmp_path)).nodes


def refused(tmp_path, *given):
    return refusal(Literal(nodes=list(given)).write(tmp_path))


def test_a_bare_node_stands_at_the_origin(tmp_path):
    (node,) = nodes(tmp_path, {})
    assert (node.translation, node.rotation, node.scale) == ((0, 0, 0), (0, 0, 0, 1), (1, 1, 1))
    assert (node.matrix, node.mesh, node.skin, node.camera, node.light, node.weights) == (None,) * 6
    assert (node.parent, node.children, node.name) == (-1, (), "")


def test_parents_follow_from_children(tmp_path):
    tree = nodes(tmp_path, {"children": [2, 1]}, {}, {"children": [3]}, {})
    assert [node.parent for node in tree] == [-1, 0, 0, 2]
    assert tree[0].children == (2, 1)


def test_rotations_are_brought_to_unit_length(tmp_path):
    (node,) = nodes(tmp_path, {"rotation": [0, 0, 3, 4]})
    assert node.rotation == (0.0, 0.0, 0.6, 0.8)


def test_a_rotation_of_no_length_is_none_with_a_note(tmp_path):
    model = load(Literal(nodes=[{"rotation": [0, 0, 0, 0]}]).write(tmp_path))
    assert model.nodes[0].rotation == (0, 0, 0, 1)
    assert model.notes == ("/nodes/0/rotation: a rotation of no length is taken as none",)


def test_a_matrix_is_stored_by_columns_and_keeps_its_shear(tmp_path):
    (node,) = nodes(tmp_path, {"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1]})
    assert node.matrix.tolist() == [[1, 0.5, 0, 7], [0, 1, 0, 8], [0, 0, 1, 9], [0, 0, 0, 1]]
    assert not node.matrix.flags.writeable


def test_noise_in_the_last_row_is_dropped_and_more_is_refused(tmp_path):
    noise = [1, 0, 0, 1e-6, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    (node,) = nodes(tmp_path, {"matrix": noise})
    assert node.matrix[3].tolist() == [0, 0, 0, 1]
    assert refused(tmp_path, {"matrix": [*noise[:15], 2]}) == (
        "/nodes/0/matrix: expected an affine matrix, found one whose last row is not 0 0 0 1: "
        "correct it or export the file again"
    )


def test_a_matrix_past_all_bounds(tmp_path):
    assert refused(tmp_path, {"matrix": [1e308, *np.eye(4).ravel().tolist()[1:]]}) == (
        "/nodes/0/matrix: expected numbers up to 1e+38, found larger ones: scale the model"
    )


def test_two_parents(tmp_path):
    assert refused(tmp_path, {"children": [2]}, {"children": [2]}, {}) == (
        "/nodes/1/children/0: node 2 is already a child of node 0: expected one parent, list it once"
    )
    assert "already a child of node 0" in refused(tmp_path, {"children": [1, 1]}, {})


@pytest.mark.parametrize("children", [[[0]], [[1], [0]], [[], [2], [3], [1]]])
def test_cycles(tmp_path, children):
    first = next(index for index, below in enumerate(children) if below)
    assert refused(tmp_path, *({"children": below} for below in children)) == (
        f"/nodes/{first}/children: the node lies below itself: expected a tree, break the cycle"
    )


def test_a_child_that_is_not_there(tmp_path):
    assert refused(tmp_path, {"children": [1]}) == (
        "/nodes/0/children/0: expected an index of nodes below 1, found 1: correct it or export the file again"
    )


def test_a_chain_of_twenty_thousand_nodes_is_no_recursion(tmp_path):
    count = 20_000
    chain = [{"children": [index + 1], "translation": [0, 1, 0]} for index in range(count - 1)]
    model = load(Literal(nodes=[*chain, {}]).write(tmp_path))
    assert model.walked == tuple(range(count))
    assert model.bones[-1] == count - 1


def test_hidden_nodes_hide_what_is_below_them(tmp_path):
    literal = Literal(extensionsUsed=["KHR_node_visibility"])
    mesh = literal.mesh()
    literal.node(children=[1], extensions={"KHR_node_visibility": {"visible": False}})
    literal.node(mesh=mesh)
    literal.node(mesh=mesh, extensions={"KHR_node_visibility": {}})
    assert load(literal.write(tmp_path)).mesh_nodes == (2,)


def test_instances_are_matrices_of_their_transforms(tmp_path):
    literal = Literal(extensionsUsed=["EXT_mesh_gpu_instancing"])
    half = math.sqrt(0.5)
    attributes = {
        "TRANSLATION": literal.accessor([[1, 2, 3], [4, 5, 6]]),
        "ROTATION": literal.accessor([[0, 0, 0, 1], [0, 0, half, half]]),
        "SCALE": literal.accessor([[1, 1, 1], [2, 3, 4]]),
    }
    literal.node(mesh=literal.mesh(), extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    model = load(literal.write(tmp_path))
    assert model.notes == ()
    first, second = model.nodes[0].instances
    assert first.tolist() == [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    # A quarter turn about z takes x, scaled by 2, to y, and y, scaled by 3, to -x; float32 holds sqrt(1/2) to 6e-8.
    assert np.allclose(second, [[0, -3, 0, 4], [2, 0, 0, 5], [0, 0, 4, 6], [0, 0, 0, 1]], atol=3e-7)


def test_instances_of_a_skinned_node_are_noted(tmp_path):
    literal = two_joint_skin()
    places = {"TRANSLATION": literal.accessor([[0, 0, 0], [1, 0, 0]])}
    literal.root["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": places}}
    assert load(literal.write(tmp_path)).notes == (
        "/nodes/0/extensions/EXT_mesh_gpu_instancing: the node is skinned, its joints alone place it: it is shown once",
    )


def test_instances_of_different_counts(tmp_path):
    literal = Literal(extensionsUsed=["EXT_mesh_gpu_instancing"])
    attributes = {"TRANSLATION": literal.accessor([[1, 2, 3]]), "SCALE": literal.accessor([[1, 1, 1]] * 2)}
    literal.node(mesh=literal.mesh(), extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    assert refusal(literal.write(tmp_path)) == (
        "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/SCALE: expected 1 rows of finite numbers, one an "
        "instance, found 2 rows or another number: export the file again"
    )
