"""Containers: chunks, lengths and kinds, each from a few literal bytes."""

import struct

import numpy as np
import pytest

from posed.errors import AssetError
from posed.gltf import load
from posed.gltf.container import read_container
from tests.gltf_literals import TRIANGLE, Literal, glb, refusal


@pytest.fixture
def triangle():
    literal = Literal()
    literal.node(mesh=literal.mesh())
    return literal


def test_a_glb_and_a_gltf_of_one_literal_load_the_same(tmp_path, triangle):
    binary, text = triangle.write(tmp_path, "a.glb"), triangle.write(tmp_path, "a.gltf")
    for path in (binary, text):
        assert np.array_equal(load(path).meshes[0].primitives[0].positions, np.float32(TRIANGLE))


def test_the_content_decides_not_the_suffix(tmp_path, triangle):
    (tmp_path / "json.glb").write_bytes(triangle.gltf())
    (tmp_path / "binary.gltf").write_bytes(triangle.glb())
    assert len(load(tmp_path / "json.glb").meshes) == len(load(tmp_path / "binary.gltf").meshes) == 1


def test_a_byte_order_mark_before_the_json_is_skipped(tmp_path, triangle):
    (tmp_path / "marked.gltf").write_bytes(b"\xef\xbb\xbf" + triangle.gltf())
    assert len(load(tmp_path / "marked.gltf").nodes) == 1


def test_unknown_chunks_and_bytes_past_the_declared_length_are_ignored(tmp_path):
    path = tmp_path / "model.glb"
    path.write_bytes(glb(b"{}", b"data", (b"XTRA", b"more")) + b"trailing")
    container = read_container(path)
    assert bytes(container.binary) == b"data"


def test_an_unknown_chunk_may_stand_before_the_binary_one(tmp_path):
    path = tmp_path / "model.glb"
    path.write_bytes(glb(b"{}", None, (b"XTRA", b"more"), (b"BIN\0", b"data")))
    assert bytes(read_container(path).binary) == b"data"


def test_an_empty_binary_chunk_holds_no_bytes(tmp_path):
    path = tmp_path / "model.glb"
    path.write_bytes(glb(b'{"asset": {"version": "2.0"}}', b""))
    assert len(read_container(path).binary) == 0
    assert load(path).nodes == ()


def test_a_missing_file(tmp_path):
    assert refusal(tmp_path / "no.glb") == "there is no such file: check the path"


def test_a_folder(tmp_path):
    assert refusal(tmp_path) == "not a regular file: give the path of a .glb or .gltf file"


def test_an_empty_file(tmp_path):
    (tmp_path / "empty.glb").write_bytes(b"")
    assert refusal(tmp_path / "empty.glb") == "the file is empty: export the file again"


def test_a_text_file_renamed(tmp_path):
    (tmp_path / "notes.glb").write_text("Dear diary,\ntoday")
    assert refusal(tmp_path / "notes.glb") == (
        'not a glTF file: expected the letters glTF or a JSON object, found "Dear diary,\\n"; give a .glb or .gltf'
    )


def test_a_file_cut_anywhere_is_refused(tmp_path, triangle):
    whole = triangle.glb()
    path = tmp_path / "cut.glb"
    for length in range(4, len(whole)):
        path.write_bytes(whole[:length])
        assert "truncated" in refusal(path)


def test_a_truncated_file_says_how_much_is_missing(tmp_path, triangle):
    whole = triangle.glb()
    path = tmp_path / "cut.glb"
    path.write_bytes(whole[:-8])
    assert refusal(path) == (
        f"truncated: expected {len(whole)} bytes, found {len(whole) - 8}; copy or export the file again"
    )


def test_a_chunk_longer_than_the_file(tmp_path):
    path = tmp_path / "model.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 24) + struct.pack("<I4s", 99, b"JSON") + b"{}  ")
    assert refusal(path) == "truncated: the chunk at byte 20 claims 99 bytes, 4 are left; export the file again"


def test_version_one(tmp_path):
    path = tmp_path / "old.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 1, 12))
    assert refusal(path) == "expected a binary glTF of version 2, found version 1; export the file again as 2.0"


def test_no_json_chunk(tmp_path):
    path = tmp_path / "model.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12))
    assert refusal(path) == "expected a JSON chunk, found none; export the file again"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 24) + struct.pack("<I4s", 4, b"BIN\0") + b"data")
    assert refusal(path) == 'expected a first chunk of the kind JSON, found "BIN\\x00"; export the file again'


def test_a_path_with_a_null_byte_is_refused_not_raised(tmp_path):
    with pytest.raises(AssetError, match="cannot be read"):
        load(f"{tmp_path}/a\0b.glb")


def test_a_chunk_without_room_for_its_header(tmp_path):
    path = tmp_path / "model.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28) + struct.pack("<I4s", 4, b"JSON") + b"{}  " + bytes(4))
    assert refusal(path) == "truncated: byte 24 begins a chunk with no room for its header; export the file again"


def test_a_path_through_a_file_is_no_path(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    assert refusal(tmp_path / "a" / "model.glb") == (
        "cannot be read (Not a directory): check the path and its permissions"
    )
