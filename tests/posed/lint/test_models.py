"""Files that others made, and files that are damaged at random: a list of findings, whatever they hold."""

import importlib.util
import random
from pathlib import Path

import pytest

from posed.errors import AssetError, MissingError
from posed.lint import lint
from tests.posed.lint.literals import clean

DRACO = importlib.util.find_spec("DracoPy") is not None

KNOWN = {
    "Animation_SamplerType_02.gltf": set(),
    "Fox.glb": {"P503", "P604"},
    "RiggedFigure.glb": {"P302", "P309"},
    "character.glb": {"P605"},
    "rightHand.glb": {"P302"},
    "robot.glb": {"P302", "P501", "P604", "P802"},
}


def test_every_model_is_examined_and_none_is_refused(models: Path) -> None:
    for path in sorted(path for path in models.iterdir() if path.suffix in (".glb", ".gltf")):
        if "draco" in path.name and not DRACO:
            continue
        found = lint(path)
        assert {finding.severity for finding in found} <= {"warning", "note"}, path.name
        if path.name in KNOWN:
            assert {finding.code for finding in found} == KNOWN[path.name], path.name


@pytest.mark.skipif(DRACO, reason="DracoPy is installed: nothing is missing")
def test_what_cannot_be_unpacked_here_is_no_finding(models: Path) -> None:
    with pytest.raises(MissingError, match="KHR_draco_mesh_compression"):
        lint(models / "Fox.gtf-draco.glb")


@pytest.mark.parametrize("seed", range(150))
def test_a_damaged_file_gives_findings(seed: int, tmp_path: Path) -> None:
    """A few bytes of the JSON or of the buffer are others; the file may even still be whole."""
    chance = random.Random(seed)
    data = bytearray(clean().glb())
    for _ in range(chance.randint(1, 6)):
        data[chance.randrange(12, len(data))] = chance.choice(b'0123456789-"{}[],:xe\x00\xff')
    (tmp_path / "x.glb").write_bytes(data)
    for finding in lint(tmp_path / "x.glb"):
        assert "\n" not in str(finding)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="there is no such file: check the path"):
        lint(tmp_path / "x.glb")
