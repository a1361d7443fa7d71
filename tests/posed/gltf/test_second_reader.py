"""pygltflib as a second reader: what it finds in real files and in literals is what the loader finds."""

import os
from pathlib import Path

import numpy as np
import pygltflib
import pytest

from posed.gltf import load
from tests.gltf_literals import two_joint_skin

MODELS = os.environ.get("POSED_TEST_MODELS")
FILES = [
    "Fox.glb",
    "RiggedFigure.glb",
    "BoxAnimated.glb",
    "rightHand.glb",
    "AnimatedMorphCube.glb",
    "Animation_Skin_07.gltf",
]
DTYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def array(gltf, index):
    """Return an accessor's rows as pygltflib's documentation shows to read them."""
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    data = (
        gltf.get_data_from_buffer_uri(gltf.buffers[view.buffer].uri)
        if gltf.buffers[view.buffer].uri
        else gltf.binary_blob()
    )
    dtype, width = np.dtype(DTYPES[accessor.componentType]), WIDTHS[accessor.type]
    step = view.byteStride or dtype.itemsize * width
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
    rows = [np.frombuffer(data, dtype, width, start + step * row) for row in range(accessor.count)]
    return np.array(rows)


def compare(path):
    gltf, model = pygltflib.GLTF2().load(str(path)), load(path)
    assert [node.name or "" for node in gltf.nodes] == [node.name for node in model.nodes]
    assert [tuple(node.children or ()) for node in gltf.nodes] == [node.children for node in model.nodes]
    for theirs, ours in zip(gltf.meshes, model.meshes, strict=True):
        for their, our in zip(theirs.primitives, ours.primitives, strict=True):
            assert np.array_equal(array(gltf, their.attributes.POSITION), our.positions)
            if their.attributes.NORMAL is not None:
                assert np.array_equal(array(gltf, their.attributes.NORMAL), our.normals)
            if their.indices is not None:
                assert np.array_equal(array(gltf, their.indices).reshape(-1, 3), our.triangles)
            if their.attributes.JOINTS_0 is not None:
                pulling = our.weights > 0
                assert np.array_equal(array(gltf, their.attributes.JOINTS_0)[pulling], our.joints[pulling])
    for theirs, ours in zip(gltf.skins, model.skins, strict=True):
        assert tuple(theirs.joints) == ours.joints
        assert np.array_equal(
            array(gltf, theirs.inverseBindMatrices).reshape(-1, 4, 4).swapaxes(1, 2), ours.inverse_bind
        )
    for theirs, ours in zip(gltf.animations, model.clips, strict=True):
        for their, our in zip(theirs.channels, ours.channels, strict=True):
            sampler = theirs.samplers[their.sampler]
            assert (their.target.node, their.target.path) == (our.node, our.path.name.lower())
            assert np.array_equal(array(gltf, sampler.input)[:, 0], our.times)
            assert np.allclose(array(gltf, sampler.output).reshape(our.values.shape), our.values, atol=1e-3)


@pytest.mark.parametrize("name", ["model.glb", "model.gltf"])
def test_a_literal(tmp_path, name):
    literal = two_joint_skin()
    literal.animation((2, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], "LINEAR"))
    compare(literal.write(tmp_path, name))


@pytest.mark.skipif(MODELS is None, reason="POSED_TEST_MODELS is not set")
@pytest.mark.parametrize("name", FILES)
def test_a_real_model(name):
    compare(Path(MODELS) / name)
