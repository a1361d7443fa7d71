"""Draco: unpacked where DracoPy is there, refused with the line that installs it where not."""

import sys

import numpy as np
import pytest

from posed.errors import MissingError
from posed.gltf import load
from tests.gltf_literals import TRIANGLE, Literal, refusal

QUAD = np.float32([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])


def compressed(*, fallback=False, packed=None, **changes):
    """Return a file of one square whose data is compressed, with or without a plain triangle as a fallback."""
    if packed is None:
        draco = pytest.importorskip("DracoPy")
        packed = draco.encode(QUAD, np.uint32([[0, 1, 2], [0, 2, 3]]), quantization_bits=14, preserve_order=True)
    literal = Literal(extensionsUsed=["KHR_draco_mesh_compression"])
    view = literal.view(packed)
    if fallback:
        given = literal.primitive()
    else:
        literal.root["accessors"] = [
            {"componentType": 5126, "count": 4, "type": "VEC3"},
            {"componentType": 5123, "count": 6, "type": "SCALAR"},
        ]
        given = {"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}
    extension = {"bufferView": view, "attributes": {"POSITION": 0}, **changes}
    literal.node(mesh=literal.mesh({**given, "extensions": {"KHR_draco_mesh_compression": extension}}))
    return literal


def test_compressed_geometry_is_unpacked(tmp_path):
    primitive = load(compressed().write(tmp_path)).meshes[0].primitives[0]
    # Fourteen bits over one metre: steps of 2^-14.
    found = {tuple(row) for row in np.round(primitive.positions).tolist()}
    assert np.abs(primitive.positions - np.round(primitive.positions)).max() < 2.0**-14
    assert found == {tuple(row) for row in QUAD.tolist()}
    assert primitive.triangles.shape == (2, 3)
    assert primitive.mode == 4


def test_plain_data_beside_is_taken_instead(tmp_path):
    model = load(compressed(fallback=True, packed=b"nothing").write(tmp_path))
    assert model.meshes[0].primitives[0].positions.tolist() == [list(corner) for corner in TRIANGLE]


def test_without_the_package_the_line_that_installs_it(tmp_path, monkeypatch):
    path = compressed(packed=b"nothing").write(tmp_path)
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(MissingError) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}: /meshes/0/primitives/0/extensions/KHR_draco_mesh_compression: the mesh is compressed by the "
        'extension "KHR_draco_mesh_compression", which takes the package DracoPy: pip install "posed[codecs]"'
    )


def test_data_that_is_not_draco_s(tmp_path):
    pytest.importorskip("DracoPy")
    assert refusal(compressed(packed=b"nothing").write(tmp_path)).startswith(
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression: expected Draco geometry, found other data ("
    )


def test_an_attribute_that_is_not_there(tmp_path):
    assert refusal(compressed(attributes={"POSITION": 7}).write(tmp_path)) == (
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/attributes/POSITION: expected the id of an "
        "attribute in the compressed data, found 7: correct it or export the file again"
    )


def test_another_count_than_the_accessor_claims(tmp_path):
    literal = compressed()
    literal.root["accessors"][0]["count"] = 5
    assert refusal(literal.write(tmp_path)) == (
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/attributes/POSITION: expected data of shape "
        "(5, 3), found (4, 3): export the file again"
    )


def test_a_cloud_of_points(tmp_path):
    draco = pytest.importorskip("DracoPy")
    packed = draco.encode(QUAD, quantization_bits=14)
    assert refusal(compressed(packed=packed).write(tmp_path)) == (
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression: expected a mesh, found a cloud of points: "
        "compress the file again"
    )


def test_no_view_of_the_data(tmp_path):
    literal = compressed()
    del literal.root["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["bufferView"]
    assert refusal(literal.write(tmp_path)) == (
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/bufferView: expected an index of bufferViews, "
        "found nothing: correct it or export the file again"
    )


def test_numbers_that_the_accessor_s_type_cannot_hold(tmp_path):
    draco = pytest.importorskip("DracoPy")
    packed = draco.encode(QUAD / 2, np.uint32([[0, 1, 2], [0, 2, 3]]), quantization_bits=14, preserve_order=True)
    literal = compressed(packed=packed)
    literal.root["accessors"][0]["componentType"] = 5121
    assert refusal(literal.write(tmp_path)) == (
        "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/attributes/POSITION: expected numbers that fit "
        "uint8, found others: export the file again"
    )
