"""The documentation's examples do what they say."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

import posed
from posed.conform import Command, chosen, conform
from posed.fixtures import atlas_png
from posed.verify.policy import POLICIES, Policy
from posed.verify.suite import load_suite
from posed.verify.suite.command import job, run_command

ROOT = Path(__file__).parents[1]


def blocks(page: str, language: str) -> list[str]:
    """The fenced examples of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


def test_the_scene_files_example_loads_and_plays(tmp_path: Path) -> None:
    (example,) = blocks("docs/scene-file.md", "toml")
    assert "outer = 30.0" in example
    shutil.copy(ROOT / "golden/scenes/walker.glb", tmp_path)
    (tmp_path / "hero.png").write_bytes(atlas_png(8, 4))
    (tmp_path / "x.toml").write_text(example)
    world = posed.World(posed.load(tmp_path / "x.toml"))
    events = world.advance(30)
    assert {event.object for event in events} == {"walker", "hero"}
    assert world.posed().models["lantern"][1, 3] > 0.5, "the hand hangs above the ground"


def test_the_readmes_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example, _ = blocks("README.md", "python")
    checked = "posed.check(scene, pose).check()"
    assert checked in example
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    monkeypatch.chdir(tmp_path)
    small = example.replace("size=(960, 540)", "size=(48, 27)")
    small = "\n".join(line for line in small.splitlines() if checked not in line)  # the live tests check
    exec(compile(small, "README.md", "exec"), {})  # noqa: S102 - our own page
    with PIL.Image.open("walker.png") as picture:
        assert picture.size == (48, 27)


@pytest.mark.parametrize("page", ["docs/index.md", "docs/farm.md", "docs/verdict.md", "docs/viewer.md"])
def test_a_pages_python_runs(page: str, tmp_path: Path) -> None:
    """Each example of the page in a process of its own, as a script: small pictures stand for large ones."""
    examples = blocks(page, "python")
    assert examples
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for example in examples:
        lines = [line for line in example.splitlines() if "posed.check(" not in line]  # the live tests check
        script = "\n".join(lines).replace("posed.trace(scene, pose)", "posed.trace(scene, pose, size=(48, 27))")
        (tmp_path / "example.py").write_text(script)
        words = [sys.executable, "example.py"]
        ran = subprocess.run(words, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.usefixtures("renderer")
def test_the_live_renderers_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    monkeypatch.chdir(tmp_path)
    snapshot: dict[str, Any] = {}
    own: dict[str, Any] = {}
    flat: dict[str, Any] = {}
    for example, names in zip(blocks("docs/live.md", "python"), (snapshot, own, flat), strict=True):
        exec(compile(example, "docs/live.md", "exec"), names)  # noqa: S102 - our own page
    assert snapshot["pick"].object == "walker"
    assert snapshot["frame"].size == (320, 180)
    assert set(np.unique(own["frame"]["object"])) == {0, 1, 2, 3}
    assert len(own["vertices"].positions) == own["mesh"].vertices
    assert flat["flat"].find(int(flat["number"][60, 40])) == (1, 0)


def test_every_page_of_the_documentation_is_in_its_table_of_contents() -> None:
    contents = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").glob("**/*.md"):
        assert f": {page.relative_to(ROOT / 'docs').as_posix()}\n" in contents, page


def test_the_overlays_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = blocks("docs/overlays.md", "python")
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    monkeypatch.chdir(tmp_path)
    small = example.replace("overlays=", "size=(64, 36), samples=1, overlays=")
    exec(compile(small, "overlays.md", "exec"), {})  # noqa: S102 - our own page
    for name in ("weights.png", "motion.png"):
        with PIL.Image.open(name) as picture:
            assert picture.size == (64, 36)


def test_the_readmes_pages_and_pictures_are_there() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / link).exists(), link


def test_the_suites_example_is_a_suite_and_its_table_lists_every_limit(tmp_path: Path) -> None:
    (example,) = blocks("docs/suite-file.md", "toml")
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    (tmp_path / "suite.toml").write_text(example)
    suite = load_suite(tmp_path / "suite.toml")
    assert suite.test("walker").policy.normal.degrees == 0.25
    page = (ROOT / "docs/suite-file.md").read_text()
    rows = re.findall(r"^\| `([a-z_.<>]+)` \|.*\| (\S*) \| (\S*) \| (\S*) \|$", page, re.MULTILINE)
    listed = {name: values for name, *values in rows}
    limits = {preset: _limits(policy) for preset, policy in POLICIES.items()}
    assert set(listed) == {re.sub(r"^\w+\.unexplained", "<layer>.unexplained", name) for name in limits["gpu"]}
    for name, values in listed.items():
        for preset, text in zip(("exact", "gpu", "foreign"), values, strict=True):
            expected = limits[preset][name.replace("<layer>", "part")]
            found = {"true": True, "false": False, "none": math.inf}.get(text)
            assert expected == (float(Fraction(text)) if found is None else found), (name, preset)


def _limits(policy: Policy) -> dict[str, float]:
    found = {}
    for name, value in policy.to_json().items():
        if isinstance(value, dict):
            found |= {f"{name}.{limit}": number for limit, number in value.items()}
        elif name != "name":
            found[name] = value
    return found


def test_the_engine_of_the_conformance_page_answers(tmp_path: Path) -> None:
    (example,) = blocks("docs/conform.md", "python")
    (tmp_path / "engine.py").write_text(example)
    found = conform(chosen(["hold", "shear"]), Command(f"{sys.executable} {tmp_path / 'engine.py'} {{requests}}"))
    for one in found.rigs:
        assert "its snapshot has no palettes of node" in one.sentence(), "that is what is left to the reader"


def test_the_engine_of_a_dozen_lines_leaves_a_frame(tmp_path: Path) -> None:
    (example,) = blocks("docs/suite-file.md", "python")
    (tmp_path / "engine.py").write_text(example)
    scene = posed.load(ROOT / "golden/scenes/walker.toml")
    with job(scene, posed.World(scene).posed(), (16, 9)) as frame:
        words = [sys.executable, "engine.py", "{scene_json}", "{out}"]
        side = run_command(words, frame, folder=tmp_path, timeout=60.0)
    assert side.frame is not None
    assert (set(side.frame), side.tick, side.origin) == ({"depth", "object"}, 0, "mine")


def test_the_smallest_answer_is_a_snapshot(tmp_path: Path) -> None:
    (example,) = blocks("docs/conform.md", "python")
    (tmp_path / "engine.py").write_text(example)
    (tmp_path / "out").mkdir()
    (tmp_path / "scene.json").write_text(json.dumps({"objects": [{"name": "rig"}]}))
    one = {"tick": 7, "scene_json": str(tmp_path / "scene.json"), "out": str(tmp_path / "out")}
    (tmp_path / "requests.json").write_text(json.dumps({"requests": [one]}))
    subprocess.run([sys.executable, "engine.py", "requests.json"], cwd=tmp_path, check=True)
    assert posed.Posed.load(tmp_path / "out/posed.json").tick == 7


def test_the_extensions_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    renderer, overlay = blocks("docs/extending.md", "python")
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    monkeypatch.chdir(tmp_path)
    exec(compile(renderer, "extending.md", "exec"), {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.splitlines() == [
        "agrees in silhouette, object, depth",
        "['silhouette', 'object', 'depth']",
    ]
    marked: dict[str, Any] = {}
    exec(compile(overlay, "extending.md", "exec"), marked)  # noqa: S102 - our own page
    with PIL.Image.open("grazing.png") as picture:
        reds, greens, _ = (np.asarray(band).astype(int) for band in picture.convert("RGB").split())
    magenta = (reds == 255) & (greens == 0)
    assert 30 < magenta.sum() < 0.05 * magenta.size


def test_the_places_that_a_page_names_are_there() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for name in re.findall(r"`((?:posed|anim|tracer|tests)/[\w/.]+)`", page.read_text()):
            assert (ROOT / name).exists(), f"{page.name}: {name}"
