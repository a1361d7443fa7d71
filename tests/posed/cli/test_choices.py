"""Choosing what of a file is shown: `--scene` and `--variant`."""

from pathlib import Path

import pytest

from posed.snapshot import Posed
from tests.gltf_literals import Literal
from tests.posed.cli.conftest import Run


def two_scenes(folder: Path) -> Path:
    """Node 0 in scene 0, the first; node 1 in scene 1; a variant called Night."""
    name = "KHR_materials_variants"
    literal = Literal(extensionsUsed=[name], extensions={name: {"variants": [{"name": "Night"}]}}, materials=[{}, {}])
    mapping = {name: {"mappings": [{"material": 1, "variants": [0]}]}}
    mesh = literal.mesh({**literal.primitive(), "material": 0, "extensions": mapping})
    literal.node(mesh=mesh)
    literal.node(mesh=mesh)
    literal.root |= {"scenes": [{"nodes": [0]}, {"nodes": [1]}], "scene": 0}
    return literal.write(folder)


@pytest.mark.parametrize(("words", "node"), [((), "0"), (("--scene", 1), "1")])
def test_a_bake_and_a_snapshot_are_of_the_scene_chosen(
    run: Run, tmp_path: Path, words: tuple[object], node: str
) -> None:
    model = two_scenes(tmp_path)
    assert run("bake", model, *words, "-o", tmp_path / "x.npz").status == 0
    assert run("pose", model, *words, "-o", tmp_path / "x.posed.json").status == 0
    assert list(Posed.load(tmp_path / "x.posed.json").nodes["model"]) == [int(node)]


@pytest.mark.usefixtures("renderer")
def test_render_and_check_take_both(run: Run, tmp_path: Path) -> None:
    words = (two_scenes(tmp_path), "--scene", 1, "--variant", "Night", "--size", "8x8")
    assert run("render", *words, "-o", tmp_path / "x.png").status == 0
    assert run("check", *words).status == 0


def test_inspect_lists_the_variants(run: Run, tmp_path: Path) -> None:
    assert "variants Night" in run("inspect", two_scenes(tmp_path), "--variant", "Night").out


def test_a_scene_or_variant_that_is_not_there(run: Run, tmp_path: Path) -> None:
    model = two_scenes(tmp_path)
    outcome = run("pose", model, "--scene", 2, "-o", tmp_path / "x.json")
    assert (outcome.status, outcome.err) == (
        2,
        f"posed: {model}: /scenes: expected a scene below 2, asked for 2: choose another\n",
    )
    outcome = run("inspect", model, "--variant", "Day")
    assert outcome.status == 2
    assert 'there is no variant "Day": the file has "Night"' in outcome.err


def test_a_scene_file_has_its_own_scene(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("format = 1\n[camera]\nposition = [0, 0, 1]\n")
    outcome = run("pose", tmp_path / "x.toml", "--scene", 0, "-o", tmp_path / "x.json")
    assert outcome.status == 2
    assert outcome.err.endswith("a scene file shows its meshes' own scenes and materials: choose of a .glb or .gltf\n")
