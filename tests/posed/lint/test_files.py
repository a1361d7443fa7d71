"""The file as a whole: what cannot be read, what leads out of the folder, what is not applied."""

from pathlib import Path

import pytest

from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, clean, lines, spoiled


def two_values_of_no_meaning(file: Literal) -> None:
    """The loader stops at the first; both are named."""
    file.root["nodes"][1]["rotation"] = "upright"
    file.root["skins"][0]["joints"] = [1, 7]


def a_weight_count_of_no_target(file: Literal) -> None:
    file.root["meshes"][0]["weights"] = [1.0]


def an_unknown_extension(file: Literal) -> None:
    file.root["extensionsUsed"] = ["ACME_fur"]


def paths_out_of_the_folder(file: Literal) -> None:
    """An image that no material shows: the loader would not have looked."""
    file.root["images"] = [{"uri": "../secret.png"}, {"uri": "https://example.org/a.png"}, {"uri": "%2e%2e/b.png"}]
    file.root["textures"] = [{"source": index} for index in range(3)]


CASES: list[Case] = [
    (
        two_values_of_no_meaning,
        [
            (
                '/nodes/1/rotation: P001 error: expected an array of 4 numbers, found "upright": correct '
                "it or export the file again"
            ),
            (
                "/skins/0/joints/1: P001 error: expected an index of nodes below 3, found 7: correct it "
                "or export the file again"
            ),
        ],
    ),
    (
        a_weight_count_of_no_target,
        [
            "/meshes/0/weights: P002 note: 1 weight for 0 targets",
        ],
    ),
    (
        an_unknown_extension,
        [
            '/extensionsUsed/0: P003 note: the extension "ACME_fur" is not applied',
        ],
    ),
    (
        paths_out_of_the_folder,
        [
            '/images/0/uri: P004 error: the URI "../secret.png" leads out of the model\'s folder',
            ('/images/1/uri: P004 error: the URI "https://example.org/a.png" leads out of the model\'s folder'),
            '/images/2/uri: P004 error: the URI "%2e%2e/b.png" leads out of the model\'s folder',
            "/textures: P803 note: 3 of 3 textures are used by nothing: 0, 1, 2",
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_the_clean_file_has_nothing_suspicious(tmp_path: Path) -> None:
    for name in ("model.glb", "model.gltf"):
        assert lines(clean().write(tmp_path, name)) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "P001 error: the file is empty: export the file again"),
        (b"{", "P001 error: the JSON cannot be read"),
        (b"glTF\x02\0\0\0\xff\0\0\0", "P001 error: truncated: expected 255 bytes, found 12; copy or export"),
        (b'{"asset": {"version": "2.0"}, "nodes": 5}', "/nodes: P001 error: expected an array of objects, found 5"),
    ],
)
def test_what_is_no_glTF_is_one_finding(content: bytes, expected: str, tmp_path: Path) -> None:
    (tmp_path / "x.gltf").write_bytes(content)
    (line,) = lines(tmp_path / "x.gltf")
    assert line.startswith(expected)


def test_a_buffer_that_is_missing_is_named_where_it_is_needed(tmp_path: Path) -> None:
    """One finding for the file beside the model, not one for each of its readers."""
    (tmp_path / "x.gltf").write_bytes(clean().gltf("gone.bin"))
    found = lines(tmp_path / "x.gltf")
    assert [line for line in found if "error" in line] == [
        '/buffers/0/uri: P001 error: the file "gone.bin" beside the model: there is no such file: check the path'
    ]
