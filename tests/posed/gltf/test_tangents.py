"""Tangents made where the file has none: by hand, by rules, and against Blender's own MikkTSpace where it is there."""

from dataclasses import replace

import numpy as np
import pytest

from posed.baking import bake
from posed.fixtures.png import write_png
from posed.gltf.mesh import MorphTarget, Primitive
from posed.gltf.tangents import corner_tangents, with_tangents
from posed.scene.load import load as load_scene
from posed.still import still_posed
from posed.verify import check
from tests.gltf_literals import Literal
from tests.peers import HERE, blender, run_blender

FACING = (0.0, 0.0, 1.0)


def primitive(positions, uvs, triangles, normals=None, **more):
    positions = np.array(positions, np.float32)
    normals = np.tile(np.array(FACING, np.float32), (len(positions), 1)) if normals is None else normals
    values = {"tangents": None, "colors": None, "joints": None, "weights": None, "material": None, **more}
    return Primitive(
        0, positions, np.array(normals, np.float32), uvs=(np.array(uvs, np.float32),),
        triangles=np.array(triangles, np.uint32), **values,
    )  # fmt: skip


SQUARE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))
UPRIGHT = ((0, 1), (1, 1), (1, 0), (0, 0))
"""A picture as one hangs it: u to the right, v down."""


def test_an_upright_picture_has_its_tangent_to_the_right_and_its_bitangent_up():
    made = with_tangents(primitive(SQUARE, UPRIGHT, [(0, 1, 2), (0, 2, 3)]), 0)
    assert made.tangents.tolist() == [[1, 0, 0, 1]] * 4
    assert made.sources.tolist() == [0, 1, 2, 3]
    assert np.cross(FACING, made.tangents[0, :3]).tolist() == [0, 1, 0]


def test_a_mirrored_picture_has_its_bitangent_up_still():
    mirrored = [(1 - u, v) for u, v in UPRIGHT]
    made = with_tangents(primitive(SQUARE, mirrored, [(0, 1, 2), (0, 2, 3)]), 0)
    assert made.tangents.tolist() == [[-1, 0, 0, -1]] * 4


def test_where_mirrored_halves_meet_the_seam_is_split_and_triangles_keep_their_corners():
    """Two squares beside each other, u mirrored at the seam between vertices 1 and 4."""
    positions = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)]
    uvs = [(0, 1), (1, 1), (0, 1), (0, 0), (1, 0), (0, 0)]
    triangles = [(0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4)]
    targets = (MorphTarget(np.eye(6, 3, dtype=np.float32)),)
    own = primitive(positions, uvs, triangles, targets=targets)
    made = with_tangents(own, 0)
    assert made.sources.tolist() == [0, 1, 2, 3, 4, 5, 1, 4]
    assert made.sources[made.triangles].tolist() == [list(one) for one in triangles]
    assert made.tangents[made.triangles[:2]].tolist() == [[[1, 0, 0, 1]] * 3] * 2
    assert made.tangents[made.triangles[2:]].tolist() == [[[-1, 0, 0, -1]] * 3] * 2
    assert made.targets[0].positions[6].tolist() == [0, 1, 0]
    assert with_tangents(own, 0) is made


def test_a_tangent_is_the_mean_by_angle_over_the_triangles_at_a_vertex():
    """Around the origin 90 degrees whose u grows along x, and 135 degrees whose u, at one v, grows along (1, -1)."""
    positions = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, -1, 0)]
    uvs = [(0, 0), (1, 0), (0, -1), (-1, 2)]
    tangents, spaces = corner_tangents(primitive(positions, uvs, [(0, 1, 2), (0, 2, 3)]), 0)
    assert spaces[0, 0] == spaces[1, 0]
    x, y = 90 + 135 / np.sqrt(2), -135 / np.sqrt(2)
    assert np.allclose(tangents[0, 0], [x / np.hypot(x, y), y / np.hypot(x, y), 0, 1], atol=1e-7)


def test_triangles_that_share_only_a_vertex_keep_their_own():
    positions = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)]
    uvs = [(0, 0), (1, 0), (0, -1), (0, 1), (1, 0)]
    tangents, spaces = corner_tangents(primitive(positions, uvs, [(0, 1, 2), (0, 3, 4)]), 0)
    assert spaces[0, 0] != spaces[1, 0]
    assert tangents[:, 0].tolist() == [[1, 0, 0, 1], [0, -1, 0, 1]]


def test_vertices_alike_are_one_and_a_triangle_without_a_mapping_takes_its_neighbours():
    """Two squares of own vertices; of the second, one triangle has all of its coordinates in one place."""
    positions = [*SQUARE, (1, 0, 0), (2, 0, 0), (1, 1, 0)]
    uvs = [*UPRIGHT, (1, 1), (1, 1), (1, 0)]
    made = with_tangents(primitive(positions, uvs, [(0, 1, 2), (0, 2, 3), (4, 5, 6)]), 0)
    assert made.tangents[[1, 2, 4, 6]].tolist() == [[1, 0, 0, 1]] * 4


def test_triangles_of_no_extent_take_the_space_of_a_sound_one():
    made = with_tangents(primitive(SQUARE, UPRIGHT, [(1, 1, 2), (0, 1, 2), (0, 2, 3)]), 0)
    assert made.sources.tolist() == [0, 1, 2, 3]
    assert made.tangents.tolist() == [[1, 0, 0, 1]] * 4


@pytest.mark.parametrize("lack", ["normals", "uvs", "triangles", "tangents"])
def test_what_cannot_have_or_has_tangents_comes_back_as_it_is(lack):
    values = {"normals": None, "uvs": (), "triangles": np.zeros((0, 3), np.uint32), "tangents": np.ones((4, 4))}
    own = replace(primitive(SQUARE, UPRIGHT, [(0, 1, 2)]), **{lack: values[lack]})
    assert with_tangents(own, 0) is own


def test_a_ring_of_ten_thousand_triangles_on_one_edge_takes_no_time():
    """Pairing each with each would take 10^8 steps."""
    count = 10_000
    positions = [(0, 0, 0), (0, 1, 0), *[(np.cos(turn), 0, np.sin(turn)) for turn in range(count)]]
    uvs = [(0, 0), (0, 1), *[(1, 0)] * count]
    triangles = [(0, 1, 2 + one) if one % 2 else (1, 0, 2 + one) for one in range(count)]
    tangents, _ = corner_tangents(primitive(positions, uvs, triangles, [(1, 0, 0)] * len(positions)), 0)
    assert np.isfinite(tangents).all()


def lumpy_sphere():
    """A sphere of 24 x 32 bumpy vertices, closed around, whose two halves are mapped as mirror images."""
    generator = np.random.default_rng(1)
    rows, columns = np.mgrid[0:24, 0:32]
    around, down = columns.ravel() * (2 * np.pi / 31), np.pi * (rows.ravel() * (0.96 / 23) + 0.02)
    places = np.stack([np.sin(down) * np.sin(around), np.cos(down), np.sin(down) * np.cos(around)], axis=1)
    places *= 1 + 0.1 * generator.random((len(places), 1))
    uvs = np.stack([np.abs(columns.ravel() / 15.5 - 1), 1 - rows.ravel() / 23], axis=1)
    uvs += 0.01 * generator.random(uvs.shape)
    for values in (places, uvs):
        values[columns.ravel() == 31] = values[columns.ravel() == 0]
    corner = (rows[:-1, :-1] * 32 + columns[:-1, :-1]).ravel()
    triangles = np.stack([corner, corner + 32, corner + 33, corner, corner + 33, corner + 1], axis=1)
    return places.astype(np.float32), uvs.astype(np.float32), triangles.reshape(-1, 3)


def test_tangents_are_blenders(tmp_path):
    """Within 0.1 degree: Blender sums in float32. Its coordinates run up, so that its sign is that of glTF."""
    places, uvs, triangles = lumpy_sphere()
    blender()
    np.savez(tmp_path / "in.npz", positions=places, uvs=uvs, triangles=triangles)
    run_blender(HERE / "blender_tangents.py", tmp_path / "in.npz", tmp_path / "out.npz")
    theirs = np.load(tmp_path / "out.npz")
    corners = triangles.ravel()
    own = primitive(
        places[corners],
        uvs[corners] * (1, -1) + (0, 1),
        np.arange(len(corners)).reshape(-1, 3),
        theirs["normal"],
    )
    tangents, spaces = corner_tangents(own, 0)
    assert spaces.max() + 1 < len(corners) / 4
    cosines = (tangents.reshape(-1, 4)[:, :3] * theirs["tangent"]).sum(axis=1)
    assert cosines.min() > np.cos(np.radians(0.1))
    assert (tangents.reshape(-1, 4)[:, 3] == theirs["bitangent_sign"][:, 0]).all()


@pytest.mark.usefixtures("renderer")
def test_a_bumpy_file_without_tangents_passes_its_check_and_bakes_as_it_is(tmp_path):
    """A sphere of 8 x 5 vertices whose right half is mapped mirrored, under a normal map that leans by 45 degrees."""
    rows, columns = np.mgrid[0:5, 0:8]
    around, down = columns.ravel() * np.pi / 3.5, np.pi * (rows.ravel() * 0.24 + 0.02)
    places = np.stack([np.sin(down) * np.sin(around), np.cos(down), np.sin(down) * np.cos(around)], axis=1)
    uvs = np.stack([np.abs(columns.ravel() / 3.5 - 1), rows.ravel() / 4], axis=1)
    corner = (rows[:-1, :-1] * 8 + columns[:-1, :-1]).ravel()
    triangles = np.stack([corner, corner + 8, corner + 9, corner, corner + 9, corner + 1], axis=1)
    literal = Literal()
    part = literal.primitive(places, NORMAL=literal.accessor(places), TEXCOORD_0=literal.accessor(uvs))
    part |= {"indices": literal.accessor(triangles.ravel(), np.uint16), "material": 0}
    literal.node(mesh=literal.mesh(part))
    leaning = write_png(np.full((1, 1, 3), (218, 128, 218), np.uint8))
    literal.root["images"] = [{"bufferView": literal.view(leaning), "mimeType": "image/png"}]
    literal.root["textures"] = [{"source": 0}]
    literal.root["materials"] = [{"normalTexture": {"index": 0}, "doubleSided": True}]
    scene = load_scene(literal.write(tmp_path))
    (baked,) = bake(scene.objects[0].model)
    assert baked.tangents is None
    assert len(baked.positions) == 40
    assert len(scene.parts[0].primitive.positions) > 40
    verdict = check(scene, still_posed(scene, 0), size=(96, 64))
    assert verdict.passed, verdict
