"""Baking: each trap of posing a file, from a literal, with the vertices worked out by hand; and the files of a bake."""

from fractions import Fraction

import numpy as np
import pytest
import trimesh

from posed.baked_files import write_baked
from posed.baking import bake
from posed.errors import AssetError, PosedError, PoseError
from posed.gltf import load
from posed.snapshot import Posed
from tests.gltf_literals import TRIANGLE, Literal, two_joint_skin

QUARTER_Z = [0, 0, 0.7071067811865476, 0.7071067811865476]
STRAIGHT = [[0, 0, 0], [0, 1, 0], [0, 2, 0]]
BENT = [[0, 0, 0], [0, 1, 0], [-1, 1, 0]]
"""The column of `two_joint_skin` with its knee, at (0, 1, 0), turned a quarter about z."""
CLOSE = 1e-6
"""Metres; sqrt(1/2) in float32 is 3e-8 off, the column 2 metres long."""


def baked(tmp_path, literal, **options):
    return bake(load(literal.write(tmp_path)), **options)


def positions(tmp_path, literal, **options):
    return [mesh.positions.tolist() for mesh in baked(tmp_path, literal, **options)]


def bending(**node):
    literal = two_joint_skin(**node)
    literal.animation((2, "rotation", [1, 2], [[0, 0, 0, 1], QUARTER_Z], "LINEAR"), name="Bend")
    return literal


def test_rest_bind_and_bent(tmp_path):
    assert positions(tmp_path, bending()) == [STRAIGHT]
    assert positions(tmp_path, bending(), clip="Bend", time=0.0) == [STRAIGHT]
    for time in (2.0, 2.0001, 50.0):
        assert np.abs(baked(tmp_path, bending(), clip=0, time=time)[0].positions - BENT).max() < CLOSE


def test_the_transform_of_the_skinned_node_and_a_channel_on_it_change_nothing(tmp_path):
    literal = bending(translation=[5, 5, 5], scale=[0, 0, 0])
    literal.node(children=[0], translation=[7, 7, 7])
    literal.animation((0, "translation", [0], [[9, 9, 9]], "STEP"), name="Move")
    assert positions(tmp_path, literal) == positions(tmp_path, literal, clip="Move") == [STRAIGHT]


def test_the_skeleton_that_a_skin_names_changes_nothing(tmp_path):
    plain, named = bending(), bending()
    for literal in (plain, named):
        literal.node(children=[1], translation=[0, 0, 3])
    named.root["skins"][0]["skeleton"] = 2
    assert positions(tmp_path, named, clip=0, time=2.0) == positions(tmp_path, plain, clip=0, time=2.0)


def test_two_nodes_with_one_skin_coincide(tmp_path):
    literal = bending()
    literal.node(mesh=0, skin=0, translation=[5, 0, 0])
    literal.root["scenes"] = [{"nodes": [0, 1, 3]}]
    literal.root["scene"] = 0
    assert positions(tmp_path, literal) == [STRAIGHT, STRAIGHT]


def test_a_joint_may_be_bound_otherwise_by_another_skin(tmp_path):
    """The second skin takes the knee as it is bound by the identity: what follows it lies a metre higher."""
    literal = two_joint_skin()
    bind = np.stack([np.eye(4), np.eye(4)])
    literal.root["skins"].append({"joints": [1, 2], "inverseBindMatrices": literal.accessor(bind)})
    literal.node(mesh=0, skin=1)
    literal.root["scenes"] = [{"nodes": [0, 1, 3]}]
    literal.root["scene"] = 0
    assert positions(tmp_path, literal) == [STRAIGHT, [[0, 0, 0], [0, 1.5, 0], [0, 3, 0]]]


def test_ancestors_of_the_joints_count(tmp_path):
    literal = two_joint_skin()
    literal.node(children=[1], translation=[0, 0, 3])
    assert positions(tmp_path, literal) == [[[x, y, 3] for x, y, _ in STRAIGHT]]


def test_the_order_of_the_joints_changes_no_vertex(tmp_path):
    literal = bending()
    skin = literal.root["skins"][0]
    skin["joints"] = [2, 1]
    bind = np.stack([np.eye(4), np.eye(4)])
    bind[0, 1, 3] = -1.0
    skin["inverseBindMatrices"] = literal.accessor(bind)
    joints = literal.accessor([[1, 0, 0, 0]] * 3, np.uint8)
    literal.root["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = joints
    assert np.abs(baked(tmp_path, literal, clip=0, time=2)[0].positions - BENT).max() < CLOSE


def test_a_plain_node_between_joints(tmp_path):
    literal = two_joint_skin()
    literal.root["nodes"][1]["children"] = [3]
    literal.root["nodes"][2]["translation"] = [0, 0.25, 0]
    literal.node(translation=[0, 0.75, 0], children=[2])
    assert positions(tmp_path, literal) == [STRAIGHT]


def test_no_inverse_bind_matrices(tmp_path):
    literal = two_joint_skin()
    del literal.root["skins"][0]["inverseBindMatrices"]
    assert positions(tmp_path, literal) == [[[0, 0, 0], [0, 1.5, 0], [0, 3, 0]]]


def test_one_mesh_under_several_skins_and_without_one(tmp_path):
    literal = two_joint_skin()
    literal.node(translation=[10, 0, 0], mesh=0)
    literal.node(name="other hip", translation=[20, 0, 0])
    literal.root["skins"].append({"joints": [4, 4]})
    literal.node(mesh=0, skin=1)
    assert positions(tmp_path, literal) == [
        STRAIGHT,
        [[10, y, 0] for _, y, _ in STRAIGHT],
        [[20, y, 0] for _, y, _ in STRAIGHT],
    ]


def test_a_skin_on_a_mesh_without_joints_is_placed_by_its_node(tmp_path):
    literal = two_joint_skin()
    literal.node(mesh=literal.mesh(), skin=0, translation=[3, 0, 0])
    assert positions(tmp_path, literal)[1] == [[3, 0, 0], [4, 0, 0], [3, 1, 0]]


def test_a_bent_column_with_a_delta_is_morphed_before_it_is_skinned(tmp_path):
    literal = bending()
    delta = literal.accessor([[0, 0, 0], [0, 0, 0], [0, 1, 0]])
    literal.root["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": delta}]
    literal.root["meshes"][0]["weights"] = [1.0]
    tip = baked(tmp_path, literal, clip=0, time=2)[0].positions[2]
    assert tip == pytest.approx([-2, 1, 0], abs=CLOSE)
    literal.root["nodes"][0]["weights"] = [0.0]
    assert positions(tmp_path, literal) == [STRAIGHT]


def test_a_joint_that_carries_a_mesh_with_morph_weights_plays_them(tmp_path):
    literal = two_joint_skin()
    given = {**literal.primitive(), "targets": [{"POSITION": literal.accessor([[0, 0, 1]] * 3)}]}
    literal.root["nodes"][2]["mesh"] = literal.mesh(given)
    literal.animation((2, "weights", [0, 1], [0, 1], "LINEAR"))
    column, carried = positions(tmp_path, literal, clip=0, time=0.5)
    assert column == STRAIGHT
    assert carried == [[x, y + 1, 0.5] for x, y, _ in TRIANGLE]


def test_a_mirrored_node_swaps_the_second_and_third_corner(tmp_path):
    literal = Literal()
    mesh = literal.mesh()
    literal.node(mesh=mesh, scale=[-1, 1, 1])
    literal.node(mesh=mesh)
    mirrored, plain = baked(tmp_path, literal)
    assert (mirrored.triangles.tolist(), plain.triangles.tolist()) == ([[0, 2, 1]], [[0, 1, 2]])
    for mesh in (mirrored, plain):
        a, b, c = mesh.positions[mesh.triangles[0]]
        assert np.cross(b - a, c - a)[2] > 0


def test_shear_survives_the_hierarchy(tmp_path):
    literal = Literal()
    literal.node(scale=[1, 2, 1], children=[1])
    literal.node(mesh=literal.mesh(), rotation=QUARTER_Z)
    # The turn takes x to y and y to -x; then y is doubled.
    found = baked(tmp_path, literal)[0].positions
    assert np.abs(found - [[0, 0, 0], [0, 2, 0], [-1, 0, 0]]).max() < CLOSE


def test_points_and_lines_are_posed_without_triangles(tmp_path):
    literal = Literal()
    points, lines = ({**literal.primitive(), "mode": mode} for mode in (0, 1))
    literal.node(mesh=literal.mesh(points, lines), translation=[0, 0, 1])
    for mesh in baked(tmp_path, literal):
        assert mesh.positions.tolist() == [[x, y, 1] for x, y, _ in TRIANGLE]
        assert mesh.triangles.shape == (0, 3)


def test_vertices_that_no_triangle_uses_keep_their_place(tmp_path):
    literal = Literal()
    given = literal.primitive([[9, 9, 9], *TRIANGLE, *TRIANGLE])
    given["indices"] = literal.accessor([6, 5, 4], "uint8")
    literal.node(mesh=literal.mesh(given))
    (mesh,) = baked(tmp_path, literal)
    assert mesh.positions.tolist() == [[9, 9, 9], *map(list, TRIANGLE), *map(list, TRIANGLE)]
    assert mesh.normals is None
    solid = mesh.to_trimesh()
    assert isinstance(solid, trimesh.Trimesh)
    assert solid.vertices.tolist() == mesh.positions.tolist()
    assert solid.faces.tolist() == [[6, 5, 4]]


def test_every_instance_is_baked(tmp_path):
    literal = Literal(extensionsUsed=["EXT_mesh_gpu_instancing"])
    attributes = {"TRANSLATION": literal.accessor([[1, 0, 0], [2, 0, 0]])}
    extensions = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    literal.node(mesh=literal.mesh(), scale=[10, 10, 10], extensions=extensions)
    first, second = baked(tmp_path, literal)
    assert (first.instance, second.instance) == (0, 1)
    assert (first.positions[0].tolist(), second.positions[0].tolist()) == ([10, 0, 0], [20, 0, 0])


def test_only_the_shown_scene_is_baked(tmp_path):
    literal = Literal(scenes=[{"nodes": [0]}, {"nodes": [1]}], scene=1)
    mesh = literal.mesh()
    literal.node(mesh=mesh)
    literal.node(mesh=mesh)
    assert [mesh.node for mesh in baked(tmp_path, literal)] == [1]


def test_the_last_clip_leaves_nothing_behind(tmp_path):
    literal = bending()
    literal.animation((1, "translation", [0], [[0, 0, 5]], "STEP"), name="Lift")
    model = load(literal.write(tmp_path))
    alone = bake(model, clip="Lift")[0].positions.tobytes()
    bake(model, clip="Bend", time=2)
    assert bake(model, clip="Lift")[0].positions.tobytes() == alone


def test_float64_poses_in_double_precision_throughout(tmp_path):
    literal = bending()
    found = baked(tmp_path, literal, clip=0, time=2, dtype=np.float64)[0].positions
    assert found.dtype == np.float64
    # The file's quaternion is a float32; made unit length, its turn is within 2^-24 of a quarter, float32 palettes not.
    assert np.abs(found - BENT).max() < 2.0**-52 * 8


def test_a_snapshot_poses_instead_of_a_clip(tmp_path):
    model = load(two_joint_skin().write(tmp_path))
    palette = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    palette[:, 0, 3] = 3.0
    place = np.diag([1.0, 1.0, -1.0, 1.0])
    place[2, 3] = 4.0
    snapshot = Posed(tick=0, rate=Fraction(60), palettes={"hero": {0: palette}}, models={"hero": place})
    assert bake(model, posed=snapshot)[0].positions.tolist() == [[3, y, 4] for _, y, _ in STRAIGHT]
    assert bake(model, posed=Posed(tick=0, rate=Fraction(60)))[0].positions.tolist() == STRAIGHT


def test_a_snapshot_that_does_not_fit(tmp_path):
    model = load(two_joint_skin().write(tmp_path))
    three = np.zeros((3, 4, 4), np.float32)
    with pytest.raises(PoseError) as caught:
        bake(model, posed=Posed(tick=0, rate=Fraction(60), palettes={"hero": {0: three}}))
    assert str(caught.value) == 'palettes: object "hero", node 0: expected (2, 4, 4), found (3, 4, 4)'
    with pytest.raises(PoseError) as caught:
        bake(model, posed=Posed(tick=0, rate=Fraction(60), models={"a": np.eye(4), "b": np.eye(4)}))
    assert str(caught.value) == 'the snapshot has no object "model" (it has a, b): rename the object'
    with pytest.raises(PoseError) as caught:
        bake(model, posed=Posed(tick=0, rate=Fraction(60), space="mesh"))
    assert str(caught.value) == "the palettes are in mesh space: fit the snapshot to its scene first"


def test_refused_options(tmp_path):
    model = load(bending().write(tmp_path))
    with pytest.raises(AssetError, match='there is no clip "Jog": the file has 0 "Bend"'):
        bake(model, clip="Jog")
    with pytest.raises(PoseError, match="the time is nan: expected a finite number of seconds"):
        bake(model, clip=0, time=float("nan"))
    with pytest.raises(PoseError, match="a bake takes a clip or a snapshot, not both"):
        bake(model, clip=0, posed=Posed(tick=0, rate=Fraction(60)))
    with pytest.raises(PoseError, match="dtype is int32: a bake is of float32 or float64"):
        bake(model, dtype=np.int32)


def test_a_vertex_posed_to_nowhere_names_the_node(tmp_path):
    literal = Literal()
    literal.node(mesh=literal.mesh(), scale=[1e300, 1, 1])
    path = literal.write(tmp_path)
    with pytest.raises(PoseError) as caught:
        bake(load(path))
    assert str(caught.value) == (
        f"{path}: node 0, primitive 0: vertex 1 is posed to [1e+300, 0.0, 0.0], which is no finite place "
        "in float32: check the pose's matrices"
    )


@pytest.fixture
def figure(tmp_path):
    """A model of a skinned column and a mirrored triangle with normals, texture coordinates and a red material."""
    literal = bending()
    given = literal.primitive(
        NORMAL=literal.accessor([[0, 0, 1]] * 3), TEXCOORD_0=literal.accessor([[0, 0], [0.5, 0], [0, 0.25]])
    )
    given["material"] = 0
    literal.root["materials"] = [{"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}]
    literal.node(mesh=literal.mesh(given), scale=[-1, 1, 1])
    return load(literal.write(tmp_path, "figure.glb"))


def test_npz_keys_name_node_primitive_and_instance(tmp_path, figure):
    meshes = bake(figure, clip=0, time=1.5)
    write_baked(meshes, tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz") as arrays:
        assert sorted(arrays) == [
            "0/0/0/positions",
            "0/0/0/triangles",
            "3/0/0/normals",
            "3/0/0/positions",
            "3/0/0/triangles",
            "3/0/0/uvs/0",
        ]
        assert np.array_equal(arrays["0/0/0/positions"], meshes[0].positions)
        assert arrays["3/0/0/triangles"].tolist() == [[0, 2, 1]]


@pytest.mark.parametrize("suffix", [".ply", ".obj"])
def test_other_tools_read_ply_and_obj_vertex_for_vertex(tmp_path, figure, suffix):
    meshes = bake(figure, clip=0, time=1.5)
    write_baked(meshes, tmp_path / f"out{suffix}")
    found = trimesh.load(tmp_path / f"out{suffix}", process=False, maintain_order=True, force="mesh")
    assert np.array_equal(found.vertices.astype(np.float32), np.concatenate([mesh.positions for mesh in meshes]))
    assert found.faces.tolist() == [[0, 1, 2], [3, 5, 4]]


def test_obj_numbers_normals_and_texture_coordinates_of_their_own(tmp_path, figure):
    write_baked(bake(figure), tmp_path / "out.obj")
    text = (tmp_path / "out.obj").read_text()
    assert "f 1 2 3\n" in text
    assert "f 4/1/1 6/3/3 5/2/2\n" in text
    assert "vt 0 1\nvt 0.5 1\nvt 0 0.75\n" in text


def test_a_baked_glb_is_a_model_again_with_its_materials(tmp_path, figure):
    meshes = bake(figure, clip=0, time=1.5)
    write_baked(meshes, tmp_path / "out.glb", model=figure)
    again = load(tmp_path / "out.glb")
    for before, after in zip(meshes, bake(again), strict=True):
        assert np.array_equal(before.positions, after.positions)
        assert np.array_equal(before.triangles, after.triangles)
        assert len(before.uvs) == len(after.uvs)
    assert [material.name for material in again.materials] == ["red"]
    assert again.materials[0].base_color == (1, 0, 0, 1)
    assert (again.skins, again.clips, again.notes) == ((), (), ())


def test_a_baked_glb_keeps_coats_sheens_and_tints(tmp_path):
    literal = Literal(textures=[{"source": 0}])
    literal.root["images"] = [{"bufferView": literal.view(b"\x89PNG"), "mimeType": "image/png"}]
    extensions = {
        "KHR_materials_clearcoat": {
            "clearcoatFactor": 0.5,
            "clearcoatRoughnessFactor": 0.25,
            "clearcoatTexture": {"index": 0},
            "clearcoatNormalTexture": {"index": 0, "scale": 0.75},
        },
        "KHR_materials_sheen": {"sheenColorFactor": [0.1, 0.2, 0.3], "sheenRoughnessTexture": {"index": 0}},
        "KHR_materials_specular": {"specularColorFactor": [1, 2, 3], "specularTexture": {"index": 0}},
        "KHR_materials_transmission": {"transmissionFactor": 0.5, "transmissionTexture": {"index": 0}},
    }
    literal.root["materials"] = [{"extensions": extensions}]
    literal.node(mesh=literal.mesh({**literal.primitive(), "material": 0}))
    model = load(literal.write(tmp_path))
    write_baked(bake(model), tmp_path / "out.glb", model=model)
    (material,) = load(tmp_path / "out.glb").materials
    coat, sheen = material.clearcoat, material.sheen
    assert (coat.factor, coat.roughness, coat.normal_texture.scale) == (0.5, 0.25, 0.75)
    assert coat.factor_texture is not None
    assert coat.roughness_texture is None
    assert (sheen.color, sheen.roughness_texture is None) == ((0.1, 0.2, 0.3), False)
    assert (material.specular_color, material.specular_texture is None) == ((1.0, 2.0, 3.0), False)
    assert (material.transmission, material.transmission_texture is None) == (0.5, False)


def test_another_suffix_and_a_folder_that_is_a_file_are_refused_and_a_missing_one_is_made(tmp_path, figure):
    with pytest.raises(PosedError, match=r'a bake is written as .npz, .ply, .obj, .glb, found ".fbx"'):
        write_baked(bake(figure), tmp_path / "out.fbx")
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(PosedError, match="taken"):
        write_baked(bake(figure), tmp_path / "taken" / "out.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.glb", "taken"]
    write_baked(bake(figure), tmp_path / "new" / "out.npz")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["out.npz"]
