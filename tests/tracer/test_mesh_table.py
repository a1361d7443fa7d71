"""The geometry as kernels read it, and what moving it writes."""

from dataclasses import replace

import numpy as np

from tests.tracer.scenes import MATTE, Part, quad, scene
from tracer import AlphaMode
from tracer.mesh_table import MeshTable, mesh_of
from tracer.tables import IS_PLAIN, IS_SWAPPED, RANK


def test_ranks_follow_object_then_part_then_triangle():
    triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    parts = [
        Part(triangle * 2, [[0, 1, 2], [3, 4, 5]], object=2, triangle=[7, 3]),
        Part(triangle, [[0, 1, 2]], object=1, triangle=[9]),
    ]
    assert mesh_of(scene(*parts)).faces[:, RANK].tolist() == [2, 1, 0]


def test_moving_writes_in_place_what_a_new_table_holds():
    still = scene(quad(z=-1.0), quad(z=-2.0))
    table = MeshTable(still)
    mesh = table.mesh
    moved = replace(
        still,
        positions=still.positions + np.float32(0.5),
        normals=np.ones_like(still.normals),
        facing=-still.facing,
    )
    assert table.move(moved)
    fresh = mesh_of(moved)
    assert mesh.vertices.tobytes() == fresh.vertices.tobytes()
    assert mesh.faces.tobytes() == fresh.faces.tobytes()
    assert (mesh.faces[:, IS_SWAPPED] == 1).all()


def test_vertices_that_meet_are_noticed():
    still = scene(quad(z=-1.0), quad(z=-2.0))
    table = MeshTable(still)
    flat = still.positions.copy()
    flat[:, 2] = -1.0
    met = replace(still, positions=flat)
    assert not table.move(met)
    assert table.mesh.faces.tobytes() == mesh_of(met).faces.tobytes()
    assert table.move(met)


def test_materials_say_what_is_plain():
    still = scene(quad())
    table = MeshTable(still)
    assert (table.mesh.faces[:, IS_PLAIN] == 1).all()
    table.show(replace(still, materials=(replace(MATTE, alpha_mode=AlphaMode.MASK),)))
    assert (table.mesh.faces[:, IS_PLAIN] == 0).all()
