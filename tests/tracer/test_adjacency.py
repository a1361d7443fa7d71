"""Vertices at one place are one, whatever their number; each place knows its triangles in order."""

import numpy as np

from tests.tracer.scenes import Part, scene
from tracer.adjacency import neighbors_of, places_of
from tracer.mesh_table import mesh_of
from tracer.tables import PLACE


def test_places_count_from_the_first_vertex_and_minus_zero_is_zero():
    positions = np.array([[1, 0, 2], [0, 0, 0], [1, -0.0, 2], [-0.0, 0, -0.0], [1, 0, 3]], np.float32)
    assert places_of(positions).tolist() == [0, 1, 0, 1, 2]
    assert places_of(np.zeros((0, 3), np.float32)).tolist() == []


def test_places_are_those_of_a_sort():
    source = np.random.default_rng(8)
    positions = source.integers(-4, 5, (5000, 3)).astype(np.float32) * np.float32(0.1)
    _, expected = np.unique(positions, axis=0, return_inverse=True)
    places = places_of(positions)
    pairs = {(int(a), int(b)) for a, b in zip(places, expected.ravel(), strict=True)}
    assert len(pairs) == len(set(places.tolist())) == len(np.unique(expected))


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


def test_a_triangle_is_listed_once_for_each_of_its_corners_in_order():
    fan = Part([[0, 0, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0]], [[0, 1, 2], [0, 2, 3], [3, 3, 0]])
    neighbors = neighbors_of(mesh_of(scene(fan)), np.arange(3))
    assert neighbors.start.tolist() == [0, 3, 4, 6, 9]
    assert neighbors.around.tolist() == [0, 1, 2, 0, 0, 1, 1, 2, 2]
