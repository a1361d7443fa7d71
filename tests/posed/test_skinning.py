"""Posed vertices: morphs, palettes and placement by hand-worked numbers, and the same bits as plain float32 sums."""

import math

import numpy as np
import pytest

from posed.errors import PoseError
from posed.gltf.mesh import MorphTarget, Primitive
from posed.skinning import posed_vertices

HALF = math.sqrt(0.5)


def primitive(positions, *, normals=None, tangents=None, joints=None, weights=None, triangles=(), targets=()):
    def floats(values):
        return None if values is None else np.array(values, np.float32)

    return Primitive(
        index=0,
        positions=floats(positions),
        normals=floats(normals),
        tangents=floats(tangents),
        uvs=(),
        colors=None,
        joints=None if joints is None else np.array(joints, np.uint32),
        weights=floats(weights),
        triangles=np.array(triangles, np.uint32).reshape(-1, 3),
        material=None,
        targets=tuple(targets),
    )


def matrix(rows, translation=(0, 0, 0)):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rows, translation
    return out


def one_joint(positions, rows, **more):
    count = len(positions)
    given = primitive(positions, joints=[[0, 0, 0, 0]] * count, weights=[[1, 0, 0, 0]] * count, **more)
    return posed_vertices(given, palette=matrix(rows)[None].astype(np.float32))


def test_a_bent_knee():
    # A quarter turn about z at (0, 1, 0): (x, y) goes to (1 - y, 1 + x).
    bent = matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 1, 0))
    arm = primitive(
        [[0, 0, 0], [0, 2, 0], [0, 3, 0]],
        joints=[[0, 1, 0, 0]] * 3,
        weights=[[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]],
    )
    vertices = posed_vertices(arm, palette=np.stack([np.eye(4), bent]).astype(np.float32))
    assert vertices.positions.tolist() == [[0, 0, 0], [-0.5, 1.5, 0], [-2, 1, 0]]
    assert vertices.positions.dtype == np.float32


def test_a_joint_listed_twice_adds_up():
    moved = np.stack([matrix(np.eye(3), (4, 0, 0)), np.eye(4)]).astype(np.float32)
    twice = primitive([[0, 0, 0]], joints=[[0, 0, 1, 1]], weights=[[0.25, 0.25, 0.25, 0.25]])
    assert posed_vertices(twice, palette=moved).positions.tolist() == [[2, 0, 0]]


def test_blending_is_a_float32_sum_in_the_order_of_the_influences():
    generator = np.random.default_rng(5)
    palette = generator.normal(size=(8, 4, 4)).astype(np.float32)
    palette[:, 3] = (0, 0, 0, 1)
    joints = generator.integers(0, 8, (50, 8)).astype(np.uint32)
    weights = generator.random((50, 8)).astype(np.float32)
    positions = generator.normal(size=(50, 3)).astype(np.float32)
    found = posed_vertices(primitive(positions, joints=joints, weights=weights), palette=palette).positions
    for vertex in range(50):
        blended = np.zeros((4, 4), np.float32)
        for influence in range(8):
            blended = blended + weights[vertex, influence] * palette[joints[vertex, influence]]
        x, y, z = positions[vertex]
        expected = blended[:3, 0] * x + blended[:3, 1] * y + blended[:3, 2] * z + blended[:3, 3]
        assert found[vertex].tolist() == expected.tolist()


def test_float32_is_close_to_float64():
    generator = np.random.default_rng(6)
    palette = np.tile(np.eye(4), (5, 1, 1))
    palette[:, :3] += 0.3 * generator.normal(size=(5, 3, 4))
    weights = generator.random((200, 4))
    weights /= weights.sum(axis=1, keepdims=True)
    given = primitive(generator.normal(size=(200, 3)), joints=generator.integers(0, 5, (200, 4)), weights=weights)
    short = posed_vertices(given, palette=palette.astype(np.float32)).positions
    long = posed_vertices(given, palette=palette.astype(np.float32), dtype=np.float64).positions
    assert long.dtype == np.float64
    # Eight products and sums of numbers below 8, each rounded to 2^-24 of itself.
    assert np.abs(short - long).max() < 8 * 8 * 2.0**-24


def test_normals_follow_the_surface_not_the_matrix():
    vertices = one_joint([[0, 0, 0]], np.diag([1, 4, 1]), normals=[[HALF, HALF, 0]])
    assert vertices.normals[0] == pytest.approx([4 / math.sqrt(17), 1 / math.sqrt(17), 0], abs=1e-7)


def test_normals_agree_with_the_faces_of_the_posed_mesh():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 1]], np.float32)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    sheared = [[1, 0.5, 0], [0, 2, 0.25], [0.125, 0, -1]]
    vertices = one_joint(corners, sheared, normals=[normal] * 3, triangles=[[0, 1, 2]])
    a, b, c = vertices.positions.astype(np.float64)
    face = np.cross(b - a, c - a) * vertices.facing[0]
    assert vertices.facing.tolist() == [-1]
    assert vertices.normals[0] == pytest.approx(face / np.linalg.norm(face), abs=1e-6)


def test_a_scaled_armature_leaves_unit_normals():
    vertices = one_joint([[1, 2, 3]], np.diag([100.0] * 3), normals=[[0, 0, 1]], tangents=[[1, 0, 0, -1]])
    assert vertices.normals.tolist() == [[0, 0, 1]]
    assert vertices.tangents.tolist() == [[1, 0, 0, -1]]


def test_a_mirror_turns_the_triangle_and_the_handedness_over():
    mirrored = one_joint(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        np.diag([-1, 1, 1]),
        normals=[[0, 0, 1]] * 3,
        tangents=[[1, 0, 0, 1]] * 3,
        triangles=[[0, 1, 2]],
    )
    assert mirrored.facing.tolist() == [-1]
    assert mirrored.normals.tolist() == [[0, 0, 1]] * 3
    assert mirrored.tangents.tolist() == [[-1, 0, 0, -1]] * 3


def test_facing_is_that_of_the_triangle_s_first_vertex():
    palette = np.stack([np.eye(4), np.diag([-1, 1, 1, 1])]).astype(np.float32)
    two = primitive(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        joints=[[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]],
        weights=[[1, 0, 0, 0]] * 3,
        triangles=[[0, 1, 2], [1, 2, 0]],
    )
    assert posed_vertices(two, palette=palette).facing.tolist() == [1, -1]


@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 0, 1), (1, 0, 0)])
def test_a_flattened_joint_leaves_finite_unit_normals(scale):
    vertices = one_joint([[1, 1, 1]], np.diag(scale), normals=[[0.6, 0.8, 0]], tangents=[[0, 1, 0, 1]])
    for direction in (vertices.normals[0], vertices.tangents[0, :3]):
        assert np.linalg.norm(direction) == pytest.approx(1, abs=1e-6)


def test_morphs_come_before_the_palette_in_target_order():
    targets = [
        MorphTarget(positions=np.float32([[1, 0, 0]])),
        MorphTarget(normals=np.float32([[0, 2, 0]])),
        MorphTarget(positions=np.float32([[0, 2, 0]]), tangents=np.float32([[0, 0, 2]])),
    ]
    given = primitive(
        [[0, 0, 0]],
        normals=[[0, 0, 2]],
        tangents=[[2, 0, 0, 1]],
        joints=[[0, 0, 0, 0]],
        weights=[[1, 0, 0, 0]],
        targets=targets,
    )
    quarter = matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]])[None].astype(np.float32)
    vertices = posed_vertices(given, palette=quarter, morph_weights=[0.5, 1.0, 0.25])
    # Morphed to (0.5, 0.5, 0), then turned to (-0.5, 0.5, 0).
    assert vertices.positions.tolist() == [[-0.5, 0.5, 0]]
    assert vertices.normals[0] == pytest.approx([-HALF, 0, HALF], abs=1e-7)
    assert vertices.tangents[0] == pytest.approx([0, 4 / math.sqrt(17), 1 / math.sqrt(17), 1], abs=1e-7)


def test_missing_attributes_stay_missing_and_inputs_stay_as_they_are():
    given = primitive([[1, 1, 1]], targets=[MorphTarget(normals=np.float32([[1, 1, 1]]))])
    vertices = posed_vertices(given, matrix=matrix(np.eye(3), (1, 0, 0)), morph_weights=[1.0])
    assert (vertices.normals, vertices.tangents) == (None, None)
    assert given.positions.tolist() == [[1, 1, 1]]


def test_placing_posed_vertices_is_posing_and_placing():
    given = primitive([[1, 2, 3]], normals=[[0, 0, 1]], joints=[[0, 0, 0, 0]], weights=[[1, 0, 0, 0]])
    palette = matrix(np.diag([2, 2, 2]))[None].astype(np.float32)
    place = matrix(np.diag([-1, 1, 1]), (5, 0, 0))
    at_once = posed_vertices(given, palette=palette, matrix=place)
    by_steps = posed_vertices(given, base=posed_vertices(given, palette=palette), matrix=place)
    assert at_once.positions.tolist() == by_steps.positions.tolist() == [[3, 4, 6]]


def test_a_place_far_away_is_rounded_once():
    far = 2.0**24
    given = primitive([[0.5, 0, 0], [1.5, 0, 0]])
    # The sum rounds to even steps of 2: 2^24 + 0.5 down, 2^24 + 1.5 up; in float64 it is exact.
    assert posed_vertices(given, matrix=matrix(np.eye(3), (far, 0, 0))).positions[:, 0].tolist() == [far, far + 2]
    exact = posed_vertices(given, matrix=matrix(np.eye(3), (far, 0, 0)), dtype=np.float64)
    assert exact.positions[:, 0].tolist() == [far + 0.5, far + 1.5]


def test_a_vertex_posed_to_nowhere_is_named():
    nowhere = np.full((1, 4, 4), np.nan, np.float32)
    given = primitive([[0, 0, 0]], joints=[[0, 0, 0, 0]], weights=[[1, 0, 0, 0]])
    with pytest.raises(PoseError) as caught:
        posed_vertices(given, palette=nowhere, part='object "walker", primitive 0')
    assert str(caught.value) == (
        'object "walker", primitive 0: vertex 0 is posed to [nan, nan, nan], which is no finite '
        "place: check the pose's matrices"
    )


def test_no_vertices():
    vertices = posed_vertices(primitive(np.zeros((0, 3))), matrix=np.eye(4))
    assert vertices.positions.shape == (0, 3)
