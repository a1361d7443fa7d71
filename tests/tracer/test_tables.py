"""What is worked out of a scene before a ray is traced."""

import numpy as np

from tests.tracer.scenes import Part, scene
from tracer.tables import PLACE, RANK, mesh_of, neighbors_of, srgb_decoding


def test_srgb_decoding_is_the_standard_s_curve():
    encoded = np.arange(256) / 255.0
    expected = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(srgb_decoding(), expected, rtol=4 * 2.0**-52)
    assert srgb_decoding()[0] == 0.0
    assert srgb_decoding()[255] == 1.0


def test_seams_are_one_place_and_minus_zero_is_zero():
    # Two triangles along an edge whose vertices are split; one end of it has a minus zero.
    part = Part([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, -0.0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [3, 5, 4]])
    mesh = mesh_of(scene(part))
    first, second = (set(mesh.faces[k, PLACE : PLACE + 3].tolist()) for k in (0, 1))
    assert len(first & second) == 2
    assert len(first | second) == 4
    neighbors = neighbors_of(mesh, np.array([0, 1]))
    place = int(mesh.faces[0, PLACE + 1])
    assert neighbors.around[neighbors.start[place] : neighbors.start[place + 1]].tolist() == [0, 1]
    alone = neighbors_of(mesh, np.array([1]))
    assert alone.around[alone.start[place] : alone.start[place + 1]].tolist() == [1]


def test_ranks_follow_object_then_part_then_triangle():
    triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    parts = [
        Part(triangle * 2, [[0, 1, 2], [3, 4, 5]], object=2, triangle=[7, 3]),
        Part(triangle, [[0, 1, 2]], object=1, triangle=[9]),
    ]
    assert mesh_of(scene(*parts)).faces[:, RANK].tolist() == [2, 1, 0]
