"""The dump snippets of docs/dumping.md, run as they stand there, in three.js and in Blender, against our poses."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from posed.fitting import fit
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.world import World
from tests.peers import HERE, blender, run, run_blender, three

ROOT = Path(__file__).parents[1]
CASES = [("walker", "Walk", 0), ("walker", "Walk", 17), ("walker", "Run", 20), ("Fox", "Run", 20)]
BETWEEN_KEYS = ("Fox", "Walk", 23)
MORPHED = ("AnimatedMorphCube", "Square", 30)


def snippet(language: str) -> str:
    """Return the page's code in a language."""
    page = (ROOT / "docs/dumping.md").read_text()
    (code,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return str(code)


@pytest.fixture
def model(request: pytest.FixtureRequest) -> Path:
    """The file of a case: the walker is ours."""
    name = request.getfixturevalue("case")[0]
    if name == "walker":
        return ROOT / "golden/scenes/walker.glb"
    return Path(request.getfixturevalue("models")) / f"{name}.glb"


def ours(file: Path, clip: str, tick: int) -> tuple[Scene, Posed]:
    scene = load(file)
    world = World(scene)
    world.animate(file.stem, clip)
    world.advance(tick)
    return scene, world.posed()


def difference(mine: Posed, theirs: Posed, name: str) -> float:
    """Return the largest difference of palettes, placed nodes and weights, over the largest number of its field."""
    worst = 0.0
    for field in ("palettes", "nodes", "morphs"):
        values, others = getattr(mine, field).get(name, {}), getattr(theirs, field).get(name, {})
        assert values.keys() == others.keys(), field
        for node, value in values.items():
            worst = max(worst, float(np.abs(value - others[node]).max() / max(np.abs(value).max(), 1.0)))
    return worst


def test_the_engines_of_the_conformance_tables_dump_as_the_page_says() -> None:
    foreign = ROOT / "golden/foreign"
    assert (foreign / "threejs/dump.mjs").read_text() == snippet("js")
    assert (foreign / "blender/dump.py").read_text().endswith("\n\n" + snippet("python"))


@pytest.mark.parametrize("case", [*CASES, BETWEEN_KEYS, MORPHED])
def test_three_js(case: tuple[str, str, int], model: Path, tmp_path: Path) -> None:
    _, clip, tick = case
    folder = three()
    (tmp_path / "snippet.mjs").write_text(snippet("js"))
    shutil.copy(HERE / "three_dump.mjs", tmp_path)
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    text = run("node", tmp_path / "three_dump.mjs", tmp_path / "snippet.mjs", model, model.stem, clip, tick, 60)
    (tmp_path / "x.posed.json").write_text(text)
    scene, mine = ours(model, clip, tick)
    theirs = Posed.load(tmp_path / "x.posed.json")
    for field in ("palettes", "nodes"):
        assert getattr(theirs, field)[model.stem].keys() == getattr(mine, field).get(model.stem, {}).keys()
    assert difference(mine, fit(scene, theirs), model.stem) < 1e-6


@pytest.mark.parametrize("case", [*CASES, BETWEEN_KEYS])
def test_blender(case: tuple[str, str, int], model: Path, tmp_path: Path) -> None:
    _, clip, tick = case
    blender()
    (tmp_path / "snippet.py").write_text(snippet("python"))
    out = tmp_path / "x.posed.json"
    run_blender(HERE / "blender_dump.py", tmp_path / "snippet.py", model, model.stem, clip, tick, 60, out)
    scene, mine = ours(model, clip, tick)
    theirs = Posed.load(out)
    for field in ("palettes", "nodes"):
        assert getattr(theirs, field)[model.stem].keys() == getattr(mine, field).get(model.stem, {}).keys()
    assert difference(mine, fit(scene, theirs), model.stem) < (1e-2 if case == BETWEEN_KEYS else 1e-4)
