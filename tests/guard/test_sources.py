"""The house under guard: nothing on the way from a tick to its pixels that a machine, a library or a clock decides."""

import ast
from pathlib import Path

import pytest

from tests.guard.rules import Finding, findings, words
from tests.guard.scope import EXCEPTIONS, HOUSE, LIFTED, SHADING, watched

GEOMETRY = words(
    "appearance bvh candidates embree exact geometry layers packets screen surface tables texture view visible"
)
"""Modules of the tracer that geometry layers come from."""


def found(path: Path) -> list[Finding]:
    """Return what the rules refuse in a file, beside what only shading may."""
    free = LIFTED if path.as_posix() in SHADING else frozenset()
    return [one for one in findings((HOUSE / path).read_text(encoding="utf-8")) if one.rule not in free]


@pytest.mark.parametrize("path", watched(), ids=Path.as_posix)
def test_a_source_holds_to_the_rules(path: Path) -> None:
    allowed = EXCEPTIONS.get(path.as_posix(), {})
    wrong = [f"{path}:{one.line}: {one.rule}: {one.code}" for one in found(path) if one[1:] not in allowed]
    assert not wrong, "\n".join([*wrong, "docs/determinism.md says why, and what to write instead"])


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_an_exception_is_still_needed_and_says_why(name: str) -> None:
    assert Path(name) in watched()
    there = {one[1:] for one in found(Path(name))}
    for exception, reason in EXCEPTIONS[name].items():
        assert exception in there
        assert reason


@pytest.mark.parametrize("name", sorted(GEOMETRY))
def test_geometry_takes_nothing_from_shading(name: str) -> None:
    tree = ast.parse((HOUSE / "tracer" / f"{name}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        f"tracer.{one.name}" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names
    }
    assert not imported & {path.removesuffix(".py").replace("/", ".") for path in SHADING}


def test_the_guard_watches_what_lies_on_the_way() -> None:
    names = {path.as_posix() for path in watched()}
    assert {"anim/animator.py", "anim/scalar.py", "tracer/exact.py", "posed/world.py", "posed/scene/motion.py"} <= names
    assert all((HOUSE / path).exists() for path in watched())
