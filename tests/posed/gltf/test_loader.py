"""The loader as a whole: scenes, extensions, identity, and sizes that must stay harmless."""

import json
import pickle

import numpy as np
import pytest

import anim
from posed.errors import AssetError
from posed.gltf import load
from tests.gltf_literals import Literal, refusal, two_joint_skin


@pytest.mark.parametrize(
    ("root", "shown"),
    [
        ({"scenes": [{"nodes": [0]}, {"nodes": [2]}], "scene": 1}, (2,)),
        ({"scenes": [{"nodes": [0]}, {"nodes": [2]}], "scene": 0}, (0, 1)),
        ({"scenes": [{"nodes": [2]}, {"nodes": [0]}]}, (2,)),
        ({"scenes": [{}]}, ()),
        ({}, (0, 1, 2)),
    ],
)
def test_the_scene_is_the_default_one_else_the_first_else_all_roots(tmp_path, root, shown):
    model = load(Literal(nodes=[{"children": [1]}, {}, {}], **root).write(tmp_path))
    assert model.walked == shown


def test_a_scene_may_be_asked_for(tmp_path):
    path = Literal(nodes=[{}, {}], scenes=[{"nodes": [0]}, {"nodes": [1]}]).write(tmp_path)
    assert load(path, scene=1).walked == (1,)
    assert load(path, scene=1).digest != load(path).digest
    with pytest.raises(AssetError, match="/scenes: expected a scene below 2, asked for 2: choose another"):
        load(path, scene=2)
    assert (load(path).scene, load(path, scene=1).scene) == (0, 1)


def test_of_a_file_without_scenes_none_can_be_asked_for(tmp_path):
    path = Literal(nodes=[{}]).write(tmp_path)
    assert load(path).scene is None
    with pytest.raises(AssetError) as caught:
        load(path, scene=0)
    assert str(caught.value) == (
        f"{path}: /scenes: expected a scene below 0, asked for 0: the file has none, leave the choice out"
    )


def test_a_scene_that_lists_a_node_below_another_walks_it_once(tmp_path):
    model = load(Literal(nodes=[{"children": [1]}, {}], scenes=[{"nodes": [1, 0, 0]}]).write(tmp_path))
    assert model.walked == (0, 1)
    assert model.notes == ("/scenes/0/nodes: node 1 of the scene has the parent 0",)


def test_bones_are_all_nodes_parents_first_and_skeletons_keep_the_skin_s_order(tmp_path):
    literal = two_joint_skin(translation=[9, 9, 9])
    literal.root["skins"][0]["joints"] = [2, 1]
    model = load(literal.write(tmp_path))
    skeleton = model.skeleton(0)
    assert model.bones == (0, 1, 2)
    assert skeleton.names == ("", "hip", "knee")
    assert skeleton.joints.tolist() == [2, 1]
    assert skeleton.mesh_node == 0
    assert model.rig(0).joints == (2, 1)
    assert isinstance(model.rig(0).rig, anim.Rig)
    assert model.node_rig() is model.node_rig()
    with pytest.raises(AssetError, match="/skins: there is no skin 1: the file has 1"):
        model.skeleton(1)


def test_children_listed_before_their_parents_become_bones_after_them(tmp_path):
    model = load(Literal(nodes=[{"name": "tip"}, {"name": "root", "children": [0]}]).write(tmp_path))
    skeleton = model.node_rig().skeleton
    assert skeleton.names == ("root", "tip")
    assert skeleton.parents.tolist() == [-1, 0]
    assert skeleton.node_to_bone.tolist() == [1, 0]


def test_an_unknown_required_extension_is_refused_and_a_used_one_noted(tmp_path):
    assert refusal(Literal(extensionsRequired=["KHR_mesh_quantization", "ACME_magic"]).write(tmp_path)) == (
        '/extensionsRequired/1: the file requires the extension "ACME_magic", which is not applied: export it without'
    )
    notes = load(Literal(extensionsUsed=["ACME_magic"]).write(tmp_path)).notes
    assert notes == ('/extensionsUsed/0: the extension "ACME_magic" is not applied',)


def test_the_digest_is_that_of_the_content_wherever_it_lies(tmp_path):
    (tmp_path / "other").mkdir()
    here, there = two_joint_skin().write(tmp_path, "a.glb"), two_joint_skin().write(tmp_path / "other", "b.glb")
    assert load(here).digest == load(there).digest
    changed = two_joint_skin()
    changed.data[4] ^= 1
    assert load(changed.write(tmp_path, "c.glb")).digest != load(here).digest


def test_a_model_survives_pickling(tmp_path):
    model = load(two_joint_skin().write(tmp_path))
    again = pickle.loads(pickle.dumps(model))
    assert again.digest == model.digest
    assert np.array_equal(again.meshes[0].primitives[0].positions, model.meshes[0].primitives[0].positions)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("nodes", {}, "/nodes: expected an array of objects, found an object"),
        (
            "meshes",
            [{"primitives": [{"attributes": {"POSITION": "0"}}]}],
            '/meshes/0/primitives/0/attributes/POSITION: expected no index, as the file has no accessors, found "0"',
        ),
        ("skins", [None], "/skins/0: expected an object, found null"),
        ("scene", 0, "/scene: expected no index, as the file has no scenes, found 0"),
        ("extensionsUsed", "all", '/extensionsUsed: expected an array of strings, found "all"'),
    ],
)
def test_values_of_another_type(tmp_path, key, value, expected):
    path = tmp_path / "model.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, key: value}))
    assert refusal(path) == f"{expected}: correct it or export the file again"


def test_a_hundred_thousand_empty_nodes_load(tmp_path):
    path = tmp_path / "model.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [' + ",".join(["{}"] * 100_000) + "]}")
    assert len(load(path).nodes) == 100_000


def test_a_million_nodes_are_refused(tmp_path):
    path = tmp_path / "model.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [' + ",".join(["{}"] * 1_000_000) + "]}")
    assert refusal(path) == "/nodes: expected at most 262144 objects, found 1000000: part the file"


def test_more_values_than_are_read(tmp_path):
    path = tmp_path / "model.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "extras": [' + "0," * (1 << 23) + "0]}")
    assert refusal(path).startswith("the JSON has 8388")


def test_a_mesh_repeated_until_no_memory_holds_it(tmp_path):
    """16,384 instances of 4,097 vertices: 2^26 and 16,384 more."""
    literal = Literal(extensionsUsed=["EXT_mesh_gpu_instancing"])
    places = {"TRANSLATION": literal.accessor(np.zeros((1 << 14, 3)))}
    mesh = literal.mesh(literal.primitive(np.zeros((4097, 3))))
    literal.node(mesh=mesh, extensions={"EXT_mesh_gpu_instancing": {"attributes": places}})
    assert refusal(literal.write(tmp_path)) == (
        "/nodes/0: expected a scene of at most 67108864 vertices, instances counted, found 67125248 up to this node: "
        "part the scene"
    )
