"""Every text with which a file is refused stands in a test, so that its wording is held."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SOURCES = [
    *sorted((ROOT / "posed/gltf").glob("*.py")),
    *sorted((ROOT / "posed/scene").glob("*.py")),
    *(
        ROOT / "posed" / name
        for name in ("baking.py", "camera.py", "fitting.py", "frame_files.py", "npz.py", "numerals.py", "snapshot.py")
    ),
    ROOT / "posed/snapshot_file.py",
    ROOT / "posed/skinning.py",
]
REFUSING = {
    "error",
    "refuse",
    "wrong",
    "AssetError",
    "MissingError",
    "PoseError",
    "PosedError",
    "SceneError",
    "ValueError",
}
"""What is called with a text to refuse something."""
SHOWN = 16
"""Characters in a row of a text's longest fixed piece that a test has to hold."""


def pieces(node: ast.expr) -> Iterator[str]:
    """Yield the fixed pieces of a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from pieces(value)
    elif isinstance(node, ast.BinOp):
        yield from pieces(node.left)
        yield from pieces(node.right)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and longest fixed piece of every text with which a source refuses something."""
    for node in ast.walk(ast.parse(path.read_text())):
        given: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = node.args if name in REFUSING else []
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "message":
            given = [node.value]
        found = max((piece for one in given for piece in pieces(one)), key=len, default="")
        if " " in found.strip():
            yield node.lineno, found.strip(" :\"'")


SAID = [(path.relative_to(ROOT), line, text) for path in SOURCES for line, text in texts(path)]


@cache
def asserted() -> str:
    """Return every text of the tests, regular expressions as what they match."""
    found: list[str] = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path == Path(__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(re.sub(r"\\(.)", r"\1", node.value))
    return "\n".join(found)


@pytest.mark.parametrize(("path", "line", "text"), SAID, ids=[f"{path}:{line}" for path, line, _ in SAID])
def test_a_refusal_s_text_is_held_by_a_test(path: Path, line: int, text: str) -> None:
    starts = range(max(len(text) - SHOWN, 0) + 1)
    assert any(text[at : at + SHOWN] in asserted() for at in starts), f'{path}:{line}: no test holds "{text}"'


def test_there_are_texts_to_be_held() -> None:
    assert len(SAID) > 150
