"""Every notebook runs from the top, in its own folder, and ends with what it promises."""

import ast
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
LAST: dict[str, object] = {
    "animation_or_skinning.ipynb": "['pose', 'vertices']",
    "blending_and_phase.ipynb": True,
    "elbow_collapse.ipynb": "0.50 of the distance is left; with a helper joint 0.87",
    "first_frame.ipynb": "walker/",
    "materials_and_light.ipynb": True,
    "motion_vectors.ipynb": 0.0,
    "one_tick_late.ipynb": "the live frame is tick 41, not 42: explains 100 %",
    "sprites.ipynb": "(0.625, 0.0, 0.75, 0.25)",
    "your_own_engine.ipynb": False,
}
"""What the text of each notebook's last value begins with."""


def run(path: Path) -> object:
    """Run a notebook's code; return the value of its last expression."""
    cells = json.loads(path.read_text())["cells"]
    names: dict[str, object] = {}
    value = None
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), path.name, "exec"), names)  # noqa: S102 - our own notebooks
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
    return value


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert str(run(path)).startswith(str(LAST[path.name]))


def test_every_notebook_is_listed() -> None:
    assert {path.name for path in FOLDER.glob("*.ipynb")} == set(LAST)
    contents = (FOLDER.parent / "mkdocs.yml").read_text()
    for name in LAST:
        assert f": notebooks/{Path(name).stem}.md\n" in contents, f"{name} is no page of the site"
