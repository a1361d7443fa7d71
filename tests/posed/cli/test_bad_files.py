"""Files that cannot be used: status 2, one clear line, nothing half-written."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.gltf_literals import Literal, two_joint_skin
from tests.posed.cli.conftest import Run


def truncated(path: Path) -> None:
    path.write_bytes(two_joint_skin().glb()[:-40])


def past_its_buffer(path: Path) -> None:
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh())
    file.root["accessors"][0]["count"] = 1000
    path.write_bytes(file.glb())


def joints_past_the_skin(path: Path) -> None:
    file = two_joint_skin()
    file.root["skins"][0]["joints"] = file.root["skins"][0]["joints"][:1]
    path.write_bytes(file.glb())


def not_a_number(path: Path) -> None:
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh(file.primitive(((0, 0, 0), (1, np.nan, 0), (0, 1, 0)))))
    path.write_bytes(file.glb())


def cycle(path: Path) -> None:
    file = Literal()
    file.node(children=[1])
    file.node(children=[0])
    path.write_bytes(file.glb())


def missing(path: Path) -> None:
    del path


def text(path: Path) -> None:
    path.write_text("Dear renderer, this is a letter.\n")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (truncated, "truncated: expected 1096 bytes, found 1056"),
        (past_its_buffer, "/accessors/0"),
        (joints_past_the_skin, "joint"),
        (not_a_number, "vertex 1"),
        (cycle, "/nodes/"),
        (missing, "there is no such file: check the path"),
        (text, "glTF"),
    ],
)
@pytest.mark.parametrize("command", ["render", "bake", "pose", "check"])
def test_a_bad_file(run: Run, tmp_path: Path, make: Callable[[Path], None], message: str, command: str) -> None:
    path = tmp_path / "bad.glb"
    make(path)
    before = set(tmp_path.iterdir())
    output = {"render": "a.png", "bake": "a.npz", "pose": "a.json"}.get(command)
    outcome = run(command, path, *(["-o", tmp_path / output] if output else []))
    assert outcome.status == 2
    assert len(outcome.err.splitlines()) == 1, outcome.err
    assert outcome.err.startswith(f"posed: {path}: ")
    assert message in outcome.err
    assert set(tmp_path.iterdir()) == before
