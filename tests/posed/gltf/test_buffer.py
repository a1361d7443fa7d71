"""Buffers: in the file, embedded and beside it, and that nothing outside the model's folder is read."""

import json

import numpy as np
import pytest

from posed.gltf import load
from tests.gltf_literals import TRIANGLE, Literal, glb, refusal


def literal():
    one = Literal()
    one.node(mesh=one.mesh())
    return one


def written(folder, uri, name="model.gltf"):
    path = folder / name
    path.write_bytes(literal().gltf(uri))
    return path


def positions(path):
    return load(path).meshes[0].primitives[0].positions


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("data.bin", "data.bin"),
        ("some%20data%23.bin", "some data#.bin"),
        ("%C3%BC.bin", "ü.bin"),
        ("./data.bin", "data.bin"),
        ("parts/../data.bin", "data.bin"),
        ("100%.bin", "100%.bin"),
    ],
)
def test_a_buffer_beside_the_model(tmp_path, uri, name):
    (tmp_path / name).write_bytes(literal().data)
    assert np.array_equal(positions(written(tmp_path, uri)), np.float32(TRIANGLE))


@pytest.mark.parametrize(
    "uri",
    ["../secret.bin", "%2e%2e/secret.bin", "..%2Fsecret.bin", "parts/../../secret.bin", "link/secret.bin", "link.bin"],
)
def test_what_leads_out_of_the_folder_is_refused(tmp_path, uri):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(literal().data)
    (folder / "link").symlink_to(tmp_path)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    assert refusal(written(folder, uri)) == (
        f'/buffers/0/uri: expected a file in the model\'s folder, found "{uri}" outside it: '
        "embed the data or put the file beside the model"
    )


def test_an_absolute_path_is_refused_even_within_reach(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "secret.bin").write_bytes(literal().data)
    assert "outside it" in refusal(written(tmp_path / "model", str(tmp_path / "secret.bin")))


def test_urls_are_refused(tmp_path):
    for uri, scheme in (("https://example.org/a.bin", "https"), ("file:///etc/passwd", "file"), ("C:/a.bin", "C")):
        assert refusal(written(tmp_path, uri)) == (
            f'/buffers/0/uri: expected a relative path or a data URI, found the scheme "{scheme}": '
            "embed the data or put the file beside the model"
        )


def test_backslashes_and_null_bytes_are_refused(tmp_path):
    for uri in ("..\\secret.bin", "a%00b"):
        assert "expected a path with forward slashes" in refusal(written(tmp_path, uri))


def test_a_missing_buffer(tmp_path):
    assert refusal(written(tmp_path, "no.bin")) == (
        '/buffers/0/uri: the file "no.bin" beside the model: there is no such file: check the path'
    )


def test_links_that_go_in_circles_are_refused(tmp_path):
    (tmp_path / "a.bin").symlink_to(tmp_path / "b.bin")
    (tmp_path / "b.bin").symlink_to(tmp_path / "a.bin")
    text = refusal(written(tmp_path, "a.bin"))
    assert text.startswith('/buffers/0/uri: the path "a.bin" cannot be followed (') or "cannot be read" in text


def test_a_buffer_shorter_than_it_claims(tmp_path):
    (tmp_path / "data.bin").write_bytes(b"1234")
    assert refusal(written(tmp_path, "data.bin")) == (
        "/buffers/0/byteLength: expected 36 bytes of data, found 4: the data is truncated, export the file again"
    )


def test_a_data_uri_without_base64_is_percent_encoded(tmp_path):
    one = Literal(buffers=[{"byteLength": 3, "uri": "data:,%00%01%02"}])
    one.root["bufferViews"] = [{"buffer": 0, "byteLength": 3}]
    one.root["accessors"] = [{"bufferView": 0, "componentType": 5121, "count": 3, "type": "SCALAR"}]
    one.mesh({"attributes": {"POSITION": one.accessor(TRIANGLE)}, "indices": 0})
    one.root["bufferViews"][1]["buffer"] = 1
    data = bytes(one.data).hex()
    one.root["buffers"].append(
        {"byteLength": 36, "uri": "data:," + "".join(f"%{data[i : i + 2]}" for i in range(0, 72, 2))}
    )
    (tmp_path / "model.gltf").write_text(json.dumps(one.root))
    assert load(tmp_path / "model.gltf").meshes[0].primitives[0].triangles.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("data:application/octet-stream;base64", "expected a comma after the media type of a data URI, found none"),
        ("data:;base64,A", "expected base64 data, found other text"),
    ],
)
def test_broken_data_uris(tmp_path, uri, expected):
    assert refusal(written(tmp_path, uri)).startswith(f"/buffers/0/uri: {expected}")


def test_no_uri_and_no_binary_chunk(tmp_path):
    path = tmp_path / "model.glb"
    root = {**literal().root, "buffers": [{"byteLength": 36}]}
    path.write_bytes(glb(json.dumps(root).encode()))
    assert refusal(path) == (
        "/buffers/0/uri: expected a uri, or a binary chunk for the first buffer of a .glb, found neither"
    )


def test_a_buffer_that_nothing_uses_is_not_read(tmp_path):
    one = literal()
    root = json.loads(one.gltf())
    root["buffers"].append({"byteLength": 1 << 40, "uri": "not-there.bin"})
    path = tmp_path / "model.gltf"
    path.write_text(json.dumps(root))
    assert len(positions(path)) == 3
