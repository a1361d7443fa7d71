"""The conformance pack: its rigs by hand, its files byte by byte."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from posed.conform.pack import LAYERS, RIGS, VERSION, moments, write_pack
from posed.errors import PosedError
from posed.lint.linting import lint
from posed.snapshot import Posed
from posed.verify.object_vertices import expected_vertices
from posed.verify.vertices import Place, Vertices

DIGEST = {1: "d974f3ff68aa830e16ecee38c44587de"}
"""Of what each version holds: a value that changes needs another version."""

TOP, TOP_RIGHT, MIDDLE = 17, 19, 9
"""Vertices of a ridge: (0, 2, 0.2) and (0.3, 2, 0) on its uppermost row, (0, 1, 0.2) on the third."""


def sin(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def bent(degrees: float) -> tuple[float, float, float]:
    """Where the top of a limb is whose knee, a metre up, is bent."""
    return -sin(degrees), 1.0 + cos(degrees), 0.2


CUBIC_Z, CUBIC_W = 0.140625 * 0.8 + 0.15625 * sin(25) - 0.046875 * 0.8, 0.84375 + 0.15625 * cos(25)
"""Quaternion of `cubic_keys` a quarter of the way: Hermite weights 0.84375, 0.140625, 0.15625, -0.046875."""
CUBIC = math.degrees(2.0 * math.atan2(CUBIC_Z, CUBIC_W))

BY_HAND = [
    ("linear_keys", 15, 0, TOP, (0.1 - 1.125 * sin(15), 1.0 + 1.125 * cos(15), 0.2)),
    ("linear_keys", 45, 0, TOP, (0.3 - 1.375 * sin(45), 1.0 + 1.375 * cos(45), 0.2)),
    ("step_keys", 29, 0, TOP, (0.0, 2.0, 0.2)),
    ("step_keys", 30, 0, TOP, (0.4 - sin(40), 1.0 + cos(40), 0.2)),
    ("step_keys", 59, 0, TOP, (0.4 - sin(40), 1.0 + cos(40), 0.2)),
    ("cubic_keys", 30, 0, TOP, (0.1875 - sin(CUBIC), 1.1171875 + cos(CUBIC), 0.2)),
    ("short_way", 30, 0, TOP, bent(20)),
    ("arc", 15, 0, TOP, bent(-37.5)),
    ("late_start", 15, 0, TOP, bent(40)),
    ("late_start", 45, 0, TOP, bent(10)),
    ("hold", 90, 0, TOP, bent(60)),
    ("loop", 90, 0, TOP, bent(30)),
    ("loop", 195, 0, TOP, bent(15)),
    ("one_key", 0, 0, TOP, bent(35)),
    ("one_key", 30, 0, TOP, bent(35)),
    ("short_rotations", 30, 0, TOP, bent(30)),
    ("untouched", 30, 0, TOP, (-1.25 * sin(30), 1.0 + 1.25 * cos(30), 0.45)),
    ("no_inverse_binds", 30, 0, TOP, (-2.0 * sin(25), 0.25 + 2.0 * cos(25), 0.2)),
    ("child_first", 30, 0, TOP, (0.1 - sin(25), 1.0 + cos(25), 0.2)),
    ("plain_node_between", 30, 0, TOP, (-0.5 * sin(15) - sin(25), 0.5 + 0.5 * cos(15) + cos(25), 0.2)),
    ("animated_ancestor", 30, 0, TOP, (0.1 - sin(15) - sin(40), cos(15) + cos(40), 0.2)),
    ("skinned_node", 0, 0, TOP, bent(40)),
    ("skinned_node_moves", 30, 0, TOP, bent(40)),
    ("scaled_root", 30, 0, TOP, bent(25)),
    ("mirrored_joint", 0, 0, TOP_RIGHT, (-0.3 * cos(25) - sin(25), 1.0 - 0.3 * sin(25) + cos(25), 0.0)),
    ("mirrored_bind", 0, 0, TOP_RIGHT, (0.3 * cos(25) + sin(25), 1.0 - 0.3 * sin(25) + cos(25), 0.0)),
    ("stretched_joint", 0, 0, TOP, (0.0, 2.0, 0.8)),
    ("shear", 0, 0, TOP, (-sin(40), 2.0 + 2.0 * cos(40), 0.2)),
    ("shared_skin", 0, 0, TOP, bent(40)),
    ("shared_skin", 0, 3, TOP, (-sin(40), 1.0 + cos(40), 0.3)),
    ("two_skins", 0, 0, TOP, (-0.5 - sin(30), 1.0 + cos(30), 0.2)),
    ("two_skins", 0, 5, TOP, (0.5 + sin(50), 1.0 + cos(50), 0.2)),
    ("many_joints", 30, 0, TOP, (-2.0 * sin(10), 2.0 * cos(10), 0.2)),
    ("many_joints", 30, 0, MIDDLE, (0.15, 1.0, 0.2)),
    ("placed_nodes", 30, 1, MIDDLE, (-sin(15) - 0.5 * sin(45), cos(15) + 0.5 * cos(45), 0.2)),
    ("mirrored_node", 0, 1, TOP_RIGHT, (0.1, 2.0, 0.0)),
    ("four_influences", 60, 0, TOP, (0.2, 2.0, 0.2 + 0.21)),
    ("eight_influences", 60, 0, TOP, (1.0, 2.0, 0.2 + 0.285)),
    ("byte_weights", 0, 0, 5, (64 / 255 * 0.5 * sin(50), 191 / 255 * 0.5 + 64 / 255 * (1.0 - 0.5 * cos(50)), 0.2)),
    ("short_weights", 0, 0, TOP, bent(50)),
    ("interleaved", 0, 0, 5, (0.125 * sin(50), 0.375 + 0.25 * (1.0 - 0.5 * cos(50)), 0.2)),
    ("morph_weights", 15, 0, TOP_RIGHT, (0.375, 2.0, 0.375)),
    ("morph_step", 29, 0, TOP_RIGHT, (0.3, 2.0, 0.5)),
    ("morph_step", 30, 0, TOP_RIGHT, (0.6, 2.0, 0.0)),
    ("morph_cubic", 15, 0, TOP_RIGHT, (0.3 * 1.34375, 2.0, 0.5 * 0.37890625)),
    ("mesh_weights", 0, 0, TOP_RIGHT, (0.45, 2.0, 0.5)),
    ("node_weights", 0, 0, TOP_RIGHT, (0.3, 2.0, 0.375)),
    ("morph_before_skin", 0, 0, TOP_RIGHT, (0.6 * cos(70) - sin(70), 1.0 + 0.6 * sin(70) + cos(70), 0.0)),
    ("morph_normals", 0, 0, TOP, (0.0, 2.0, 0.45)),
    ("ten_targets", 0, 0, TOP, (0.1, 2.05, 0.2)),
    ("sparse", 0, 0, TOP, (0.5, 2.0, 0.2)),
    ("sparse_alone", 0, 0, TOP, (0.0, 2.0, 0.7)),
]


@pytest.fixture(scope="module")
def vertices(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Vertices]:
    """The expected vertices of every moment."""
    folder = tmp_path_factory.mktemp("rigs")
    return {one.name: expected_vertices(one.scene, one.pose) for one in moments(RIGS, folder)}


@pytest.mark.parametrize(("rig", "tick", "node", "vertex", "expected"), BY_HAND)
def test_a_vertex_is_where_it_is_by_hand(
    rig: str, tick: int, node: int, vertex: int, expected: tuple[float, ...], vertices: dict[str, Vertices]
) -> None:
    found = vertices[f"{rig}/{tick}"].parts[Place(rig, node, 0)].positions[vertex]
    # Rotations stored in 16 bits are off by up to 2^-16.
    np.testing.assert_allclose(found, expected, atol=1e-4 if rig == "short_rotations" else 1e-6)


def test_every_rig_is_worked_by_hand() -> None:
    assert {name for name, *_ in BY_HAND} == {rig.name for rig in RIGS}


def test_the_page_has_a_row_for_every_rig() -> None:
    page = (Path(__file__).parents[3] / "docs/conform.md").read_text()
    assert f"asks an engine for {len(RIGS)} small rigs" in page
    rows = [line.split(" | ")[:2] for line in page.splitlines() if line.startswith("| `") and line.count("|") == 6]
    assert rows == [[f"| `{rig.name}`", rig.about] for rig in RIGS]


def test_normals_by_hand(vertices: dict[str, Vertices]) -> None:
    stretched = vertices["stretched_joint/0"].parts[Place("stretched_joint", 0, 0)].normals
    morphed = vertices["morph_normals/0"].parts[Place("morph_normals", 0, 0)].normals
    assert stretched is not None
    assert morphed is not None
    np.testing.assert_allclose(stretched[TOP_RIGHT], np.array([0.2, 0.0, 0.075]) / math.hypot(0.2, 0.075), atol=1e-6)
    np.testing.assert_allclose(morphed[TOP_RIGHT], np.array([0.45, 0.0, 0.3]) / math.hypot(0.45, 0.3), atol=1e-6)


def test_the_rigs_are_sound_files_about_one_thing_each(tmp_path: Path) -> None:
    for rig in RIGS:
        path = tmp_path / f"{rig.name}.glb"
        path.write_bytes(rig.build())
        errors = [one for one in lint(path) if one.severity == "error"]
        assert not errors, (rig.name, errors)
    assert len({rig.name for rig in RIGS}) == len(RIGS)
    assert len({rig.about for rig in RIGS}) == len(RIGS)


def test_the_pack_has_the_same_bytes_each_time_and_the_digest_of_its_version(tmp_path: Path) -> None:
    assert write_pack(tmp_path / "one") == DIGEST[VERSION]
    assert write_pack(tmp_path / "other") == DIGEST[VERSION]
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes(), file
    manifest = json.loads((tmp_path / "one/pack.json").read_text())
    assert (manifest["version"], manifest["digest"]) == (VERSION, DIGEST[VERSION])
    listed = {one["expected"] for rig in manifest["rigs"] for one in rig["moments"]}
    assert len(files) == 1 + len(RIGS) + 3 * len(listed)
    place = tmp_path / "one" / manifest["rigs"][0]["moments"][0]["expected"]
    assert Posed.load(place / "posed.json").digest == manifest["rigs"][0]["moments"][0]["digests"]["posed"]
    with np.load(place / "frame.npz") as frame:
        assert set(frame.files) == set(LAYERS)


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack").write_text("")
    with pytest.raises(PosedError, match="pack/in/rigs: .*pack is a file, no folder: choose another place"):
        write_pack(tmp_path / "pack/in")
