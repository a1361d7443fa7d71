"""Which pixels are handed to the tree: those beside outlines, and no others."""

import numpy as np
import pytest

from tests.tracer.scenes import Part, looking, quad, scene, sphere
from tracer.adjacency import neighbors_of
from tracer.doubt import doubt_edges, doubt_neighbors, write_facing
from tracer.mesh_table import mesh_of
from tracer.view import view_of


def doubted(made, camera, size):
    mesh = mesh_of(made)
    chosen = np.arange(len(made.triangles))
    doubt, facing, view = np.zeros(size[::-1], np.bool_), np.zeros(len(chosen), np.int8), view_of(camera, size)
    write_facing(mesh, view, chosen, facing)
    doubt_edges(mesh, neighbors_of(mesh, chosen), facing, view, chosen, np.zeros((2, 3)), doubt)
    return doubt


def test_the_open_edges_of_a_quad_and_not_its_diagonal():
    # Pixels of 1/8 metre: edges at columns and rows 4 and 12 of 16; centres within a pixel of them are 3.5 and 4.5.
    found = doubted(scene(quad(-0.5, 0.5, -0.5, 0.5)), looking((0, 0, 1), ymag=1.0), (16, 16))
    expected = np.zeros((16, 16), np.bool_)
    expected[3:13, 3:13] = True
    expected[5:11, 5:11] = False
    assert (found == expected).all()


def test_the_silhouette_of_a_closed_mesh():
    size, radius = (64, 64), 0.8
    found = doubted(scene(sphere(radius, rows=40, columns=80)), looking((0, 0, 9), ymag=1.0), size)
    y, x = (np.mgrid[:64, :64] + 0.5) / 32 - 1.0
    distance = np.abs(np.sqrt(x * x + y * y) - radius) * 32
    assert found[distance < 0.9].all()
    assert not found[distance > 4.0].any()


@pytest.mark.parametrize("ymag", [None, 1.0])
def test_a_fold_is_an_outline_and_a_ridge_is_not(ymag):
    # Two triangles that share the edge x = 0; the right one turned away behind it (fold) or spread out (ridge).
    camera = looking((0, 0, 3), ymag=ymag) if ymag else looking((0, 0, 3))
    for apex, is_fold in ((-1.0, True), (1.0, False)):
        part = Part([[0, -1, 0], [0, 1, 0], [-1, 0, 0], [apex, 0, -0.5]], [[0, 1, 2], [1, 0, 3]])
        doubt = doubted(scene(part), camera, (32, 32))
        assert doubt[14:18, 15:17].all() == is_fold  # away from the shape's own boundary


def test_lines_through_the_camera_s_plane_are_cut():
    part = Part([[-0.1, -1, 10], [0.1, -1, 10], [0, -1, -10]], [[0, 1, 2]])
    for camera in (looking((0, 0, 0), (0, 0, -1)), looking((0, 0, 0), (0, 0, -1), ymag=2.0)):
        found = doubted(scene(part), camera, (32, 32))
        assert found.any()
        assert not found[:15].any()  # below the horizon
    assert not doubted(scene(part), looking((0, 0, 20), (0, 0, 21)), (32, 32)).any()


def test_neighbors_that_show_another_part():
    parts = np.array([[1, 1, 1, 1, 2], [1, 1, 1, 1, 2], [1, 1, 1, 1, 2], [1, 1, 1, 1, 1], [1, 1, 1, 1, 0]], np.uint32)
    doubt = np.zeros((5, 5), np.bool_)
    for first in range(0, 5, 2):
        doubt_neighbors(parts, first, min(first + 2, 5), doubt)
    assert doubt.astype(int).tolist() == [[0, 0, 0, 1, 1]] * 3 + [[0, 0, 0, 1, 1]] * 2
    assert not doubt[:, :3].any()


def test_a_picture_of_one_pixel_or_one_part_has_no_neighbors_in_doubt():
    for parts in (np.ones((1, 1), np.uint32), np.full((4, 7), 3, np.uint32), np.zeros((3, 2), np.uint32)):
        doubt = np.zeros(parts.shape, np.bool_)
        doubt_neighbors(parts, 0, len(parts), doubt)
        assert not doubt.any()


def test_triangles_that_wind_differently_are_told_by_their_sides():
    # A ridge and a fold as above, the second triangle listed the other way round.
    for apex, is_fold in ((-1.0, True), (1.0, False)):
        part = Part([[0, -1, 0], [0, 1, 0], [-1, 0, 0], [apex, 0, -0.5]], [[0, 1, 2], [0, 1, 3]])
        doubt = doubted(scene(part), looking((0, 0, 3)), (32, 32))
        assert doubt[14:18, 15:17].all() == is_fold


def test_facing_by_hand():
    mesh = mesh_of(scene(quad(), quad(z=1.0, facing=-1), Part([[0, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2]])))
    chosen, facing = np.arange(5), np.zeros(5, np.int8)
    write_facing(mesh, view_of(looking((0, 0, 5)), (4, 4)), chosen, facing)
    assert facing.tolist() == [1, 1, 1, 1, 0]  # by winding, whatever counts as the front
    write_facing(mesh, view_of(looking((0, 0, -5), ymag=1.0), (4, 4)), chosen, facing)
    assert facing.tolist() == [-1, -1, -1, -1, 0]
