"""The documentation's examples do what they say."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import PIL.Image
import pytest

import posed
from posed.fixtures import atlas_png

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
    (example,) = blocks("README.md", "python")
    checked = "posed.check(scene, pose).check()"
    assert checked in example
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    monkeypatch.chdir(tmp_path)
    small = example.replace("size=(960, 540)", "size=(48, 27)")
    small = "\n".join(line for line in small.splitlines() if checked not in line)  # the live tests check
    exec(compile(small, "README.md", "exec"), {})  # noqa: S102 - our own page
    with PIL.Image.open("walker.png") as picture:
        assert picture.size == (48, 27)


@pytest.mark.parametrize("page", ["docs/index.md", "docs/farm.md"])
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


def test_every_page_of_the_documentation_is_in_its_table_of_contents() -> None:
    contents = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").glob("**/*.md"):
        assert f": {page.relative_to(ROOT / 'docs').as_posix()}\n" in contents, page


def test_the_readmes_pages_and_pictures_are_there() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / link).exists(), link
