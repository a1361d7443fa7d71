"""Meshes: topology, attributes, influences and morph targets, with what cannot be drawn refused by vertex."""

import numpy as np
import pytest

from posed.gltf import load
from posed.gltf.topology import unroll
from tests.gltf_literals import TRIANGLE, Literal, refusal, two_joint_skin


def primitive(tmp_path, literal, given):
    literal.node(mesh=literal.mesh(given))
    return load(literal.write(tmp_path)).meshes[-1].primitives[0]


def refused(tmp_path, literal, given):
    literal.node(mesh=literal.mesh(given))
    return refusal(literal.write(tmp_path))


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (4, [[0, 1, 2], [3, 4, 5]]),
        (5, [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]]),
        (6, [[1, 2, 0], [2, 3, 0], [3, 4, 0], [4, 5, 0]]),
        (0, []),
        (1, []),
        (2, []),
        (3, []),
    ],
)
def test_strips_and_fans_are_unrolled_in_the_specification_s_order(mode, expected):
    assert unroll(np.arange(6, dtype=np.uint32), mode).tolist() == expected


@pytest.mark.parametrize("mode", [4, 5, 6])
def test_too_few_indices_draw_nothing(mode):
    assert unroll(np.arange(2, dtype=np.uint32), mode).shape == (0, 3)


@pytest.mark.parametrize("component", ["uint8", "uint16", "uint32"])
def test_indices_of_every_width(tmp_path, component):
    literal = Literal()
    given = {**literal.primitive(), "indices": literal.accessor([2, 1, 0], component)}
    assert primitive(tmp_path, literal, given).triangles.tolist() == [[2, 1, 0]]


def test_without_indices_the_vertices_come_in_their_order(tmp_path):
    literal = Literal()
    assert primitive(tmp_path, literal, literal.primitive()).triangles.tolist() == [[0, 1, 2]]


def test_a_rest_that_is_no_triangle_is_dropped_with_a_note(tmp_path):
    literal = Literal()
    given = {**literal.primitive(), "indices": literal.accessor([0, 1, 2, 0], "uint8")}
    literal.node(mesh=literal.mesh(given))
    model = load(literal.write(tmp_path))
    assert model.meshes[0].primitives[0].triangles.tolist() == [[0, 1, 2]]
    assert model.notes == ("/meshes/0/primitives/0: 4 indices are no whole number of triangles, the rest is dropped",)


def test_indices_past_the_vertices(tmp_path):
    literal = Literal()
    given = {**literal.primitive(), "indices": literal.accessor([0, 1, 3], "uint8")}
    assert refused(tmp_path, literal, given) == (
        "/meshes/0/primitives/0/indices: expected indices below 3, the number of vertices, found 3 at position 2: "
        "export the file again"
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_name_their_vertex(tmp_path, number):
    literal = Literal()
    given = literal.primitive([[0, 0, 0], [1, number, 0], [0, 1, 0]])
    assert refused(tmp_path, literal, given) == (
        f"/meshes/0/primitives/0/attributes/POSITION: expected finite numbers, found [1.0, {number}, 0.0] at vertex 1: "
        "export the file again"
    )


@pytest.mark.parametrize(("name", "width"), [("NORMAL", 3), ("TANGENT", 4), ("TEXCOORD_0", 2), ("COLOR_0", 4)])
def test_every_attribute_is_checked_for_length_and_finite_numbers(tmp_path, name, width):
    literal = Literal()
    given = literal.primitive(**{name: literal.accessor(np.zeros((2, width)))})
    assert refused(tmp_path, literal, given) == (
        f"/meshes/0/primitives/0/attributes/{name}: expected 3 elements, one a vertex, found 2: export the file again"
    )
    literal = Literal()
    given = literal.primitive(**{name: literal.accessor(np.full((3, width), np.nan))})
    assert "at vertex 0" in refused(tmp_path, literal, given)


def test_no_positions_no_vertices(tmp_path):
    literal = Literal()
    literal.node(mesh=literal.mesh({"attributes": {}}))
    model = load(literal.write(tmp_path))
    assert model.meshes[0].primitives[0].positions.shape == (0, 3)
    assert model.notes == ("/meshes/0/primitives/0/attributes: a primitive without POSITION has no vertices",)


def test_colors_of_three_components_are_opaque_and_bytes_are_normalized(tmp_path):
    literal = Literal()
    colors = literal.accessor([[255, 0, 51]] * 3, "uint8", normalized=True)
    given = literal.primitive(COLOR_0=colors)
    assert primitive(tmp_path, literal, given).colors.tolist() == [[1.0, 0.0, float(np.float32(0.2)), 1.0]] * 3


def test_several_sets_of_texture_coordinates(tmp_path):
    literal = Literal()
    given = literal.primitive(
        TEXCOORD_0=literal.accessor(np.zeros((3, 2))), TEXCOORD_1=literal.accessor(np.ones((3, 2)))
    )
    first, second = primitive(tmp_path, literal, given).uvs
    assert (first.tolist(), second.tolist()) == ([[0, 0]] * 3, [[1, 1]] * 3)


def test_quantized_positions_are_integers_as_they_are_or_normalized(tmp_path):
    for normalized, expected in ((False, [127.0, 0.0, 0.0]), (True, [1.0, 0.0, 0.0])):
        literal = Literal(extensionsRequired=["KHR_mesh_quantization"], extensionsUsed=["KHR_mesh_quantization"])
        positions = literal.accessor([[0, 0, 0], [127, 0, 0], [0, 127, 0]], "int8", normalized=normalized)
        found = primitive(tmp_path, literal, {"attributes": {"POSITION": positions}})
        assert found.positions[1].tolist() == expected
        assert found.positions.dtype == np.float32


def skinned(tmp_path, sets):
    """Return the influences of the first vertex of `skinned_primitive`."""
    found = skinned_primitive(tmp_path, sets)
    return found.joints[0].tolist(), found.weights[0].tolist()


def skinned_primitive(tmp_path, sets):
    """Return a primitive whose three vertices all have the same sets of (joints, weights, dtype)."""
    literal = Literal()
    attributes = {}
    for number, (joints, weights, dtype) in enumerate(sets):
        attributes[f"JOINTS_{number}"] = literal.accessor([joints] * 3, np.uint8)
        attributes[f"WEIGHTS_{number}"] = literal.accessor([weights] * 3, dtype, normalized=dtype != "float32")
    return primitive(tmp_path, literal, literal.primitive(**attributes))


def test_bytes_and_shorts_are_weights_too(tmp_path):
    assert skinned(tmp_path, [([1, 0, 0, 0], [255, 0, 0, 0], "uint8")])[1] == [1, 0, 0, 0]
    assert skinned(tmp_path, [([1, 0, 0, 0], [65535, 0, 0, 0], "uint16")])[1] == [1, 0, 0, 0]
    assert skinned(tmp_path, [([1, 0, 0, 0], [51, 204, 0, 0], "uint8")])[1] == np.float32([0.2, 0.8, 0, 0]).tolist()


def test_weights_are_normalized_over_all_sets(tmp_path):
    joints, weights = skinned(
        tmp_path, [([0, 1, 0, 0], [0.7, 0.7, 0, 0], "float32"), ([2, 0, 0, 0], [0.6, 0, 0, 0], "float32")]
    )
    assert joints == [0, 1, 0, 0, 2, 0, 0, 0]
    assert weights == pytest.approx([0.35, 0.35, 0, 0, 0.3, 0, 0, 0], abs=1e-7)


def test_a_sum_short_of_one_is_made_one(tmp_path):
    assert skinned(tmp_path, [([0, 1, 0, 0], [0.49, 0.49, 0, 0], "float32")])[1] == [0.5, 0.5, 0, 0]


def test_sums_of_weights_are_kept_where_some_are_not_one(tmp_path):
    assert skinned_primitive(tmp_path, [([0, 1, 0, 0], [0.5, 0.5, 0, 0], "float32")]).sums is None
    short = skinned_primitive(tmp_path, [([0, 1, 0, 0], [0.5, 0.25, 0, 0], "float32")])
    assert short.sums.tolist() == [0.75] * 3


def test_weights_of_nothing_follow_joint_zero(tmp_path):
    literal = Literal()
    attributes = {
        "JOINTS_0": literal.accessor([[3, 2, 1, 1]] * 3, np.uint8),
        "WEIGHTS_0": literal.accessor([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
    }
    literal.node(mesh=literal.mesh(literal.primitive(**attributes)))
    model = load(literal.write(tmp_path))
    found = model.meshes[0].primitives[0]
    assert found.joints[1].tolist() == [0, 0, 0, 0]
    assert found.weights[1].tolist() == [1, 0, 0, 0]
    assert found.sums.tolist() == [1, 0, 0]
    assert model.notes == (
        "/meshes/0/primitives/0/attributes: 2 vertices have no weights, the first is vertex 1; without any a vertex "
        "follows joint 0",
    )


def test_a_joint_twice_on_a_vertex_keeps_both_weights(tmp_path):
    assert skinned(tmp_path, [([1, 1, 0, 0], [0.25, 0.75, 0, 0], "float32")]) == ([1, 1, 0, 0], [0.25, 0.75, 0, 0])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["JOINTS_0"],
            ": expected as many WEIGHTS sets as JOINTS sets, found 0 and 1: export the file again",
        ),
        (
            ["JOINTS_1", "WEIGHTS_1"],
            "/JOINTS_0: expected an index of accessors below 3, found nothing: correct it or export the file again",
        ),
    ],
)
def test_sets_without_partner_or_with_gaps(tmp_path, names, expected):
    literal = Literal()
    given = literal.primitive(**{name: literal.accessor(np.zeros((3, 4)), np.uint8) for name in names})
    assert refused(tmp_path, literal, given) == f"/meshes/0/primitives/0/attributes{expected}"


def test_weights_that_are_not_finite_name_their_vertex(tmp_path):
    literal = two_joint_skin()
    weights = literal.root["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
    view = literal.root["bufferViews"][literal.root["accessors"][weights]["bufferView"]]
    literal.data[view["byteOffset"] + 16 : view["byteOffset"] + 20] = np.float32(np.nan).tobytes()
    assert refusal(literal.write(tmp_path)) == (
        "/meshes/0/primitives/0/attributes/WEIGHTS_0: expected finite weights, found [nan, 0.5, 0.0, 0.0] at vertex 1: "
        "export the file again"
    )


def test_joints_past_the_skin_name_mesh_primitive_and_vertex(tmp_path):
    literal = two_joint_skin()
    literal.root["skins"][0]["joints"] = [1]
    assert refusal(literal.write(tmp_path)) == (
        '/meshes/0/primitives/0/attributes/JOINTS_0: vertex 1 of mesh 0 "", primitive 0: expected joints below 1, the '
        "number that skin 0 has, found 1: bind the mesh to that skin again"
    )


def test_joints_are_checked_against_every_skin_of_the_mesh(tmp_path):
    literal = two_joint_skin()
    literal.root["skins"].append({"joints": [1]})
    assert load(literal.write(tmp_path)).skins[1].joints == (1,)
    literal.node(mesh=0, skin=1)
    assert "skin 1 has, found 1" in refusal(literal.write(tmp_path))


def test_a_joint_without_weight_may_be_any(tmp_path):
    literal = two_joint_skin()
    joints = literal.root["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]
    view = literal.root["bufferViews"][literal.root["accessors"][joints]["bufferView"]]
    literal.data[view["byteOffset"] + 3] = 77
    assert load(literal.write(tmp_path)).meshes[0].primitives[0].joints.max() == 1


def test_morph_targets_may_lack_any_attribute(tmp_path):
    literal = Literal()
    given = literal.primitive(NORMAL=literal.accessor([[0, 0, 1]] * 3))
    given["targets"] = [{"POSITION": literal.accessor([[1, 0, 0]] * 3)}, {"NORMAL": literal.accessor([[0, 1, 0]] * 3)}]
    first, second = primitive(tmp_path, literal, given).targets
    assert first.positions[0].tolist() == [1, 0, 0]
    assert (first.normals, first.tangents, second.positions) == (None, None, None)
    assert second.normals[2].tolist() == [0, 1, 0]


def test_a_morph_target_of_another_length(tmp_path):
    literal = Literal()
    given = {**literal.primitive(), "targets": [{"POSITION": literal.accessor([[1, 0, 0]])}]}
    assert refused(tmp_path, literal, given) == (
        "/meshes/0/primitives/0/targets/0/POSITION: expected 3 elements, one a vertex, found 1: export the file again"
    )


def test_morph_weights_are_the_node_s_then_the_mesh_s_then_zero(tmp_path):
    literal = Literal()
    given = {**literal.primitive(), "targets": [{"POSITION": literal.accessor(TRIANGLE)}] * 2}
    weighted, bare = literal.mesh(given, weights=[0.25, 0.5]), literal.mesh(given)
    literal.node(mesh=weighted, weights=[0.0, 1.0])
    literal.node(mesh=weighted)
    literal.node(mesh=bare)
    literal.node(mesh=bare, weights=[1.0])
    literal.node()
    model = load(literal.write(tmp_path))
    assert [model.morph_weights(node) for node in range(5)] == [(0.0, 1.0), (0.25, 0.5), (0.0, 0.0), (1.0, 0.0), ()]
    assert model.notes == ("/nodes/3/weights: 1 weight for 2 targets",)
