"""`posed lint`."""

import json
from pathlib import Path

import pytest

from tests.gltf_literals import Literal
from tests.posed.cli.conftest import Run
from tests.posed.lint.literals import clean


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A file with a note, a warning and an error."""
    file: Literal = clean()
    file.root["nodes"][1]["rotation"] = [0, 0, 0, 2]
    file.root["extensionsUsed"] = ["ACME_fur"]
    file.root["images"] = [{"uri": "/etc/passwd"}]
    file.root["textures"] = [{"source": 0}]
    file.root["materials"][0]["emissiveTexture"] = {"index": 0}
    file.root["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = file.accessor([[0, 0]] * 3)
    return file.write(tmp_path)


def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make standard output one that is 160 letters wide and knows no colors."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    for name, value in (("TERM", "dumb"), ("COLUMNS", "160"), ("LINES", "50")):
        monkeypatch.setenv(name, value)


def test_a_line_a_finding_errors_first(run: Run, bad: Path) -> None:
    outcome = run("lint", bad)
    assert outcome.status == 1
    assert outcome.out.splitlines() == [
        f'{bad}: /images/0/uri: P004 error: the URI "/etc/passwd" leads out of the model\'s folder; '
        "embed the data or put the file beside the model",
        f'{bad}: /nodes/1/rotation: P201 warning: node 1 "hip" has a rotation of length 2; normalize the rotation',
        f'{bad}: /extensionsUsed/0: P003 note: the extension "ACME_fur" is not applied; '
        "export without it, or expect the picture without what it adds",
    ]
    assert outcome.err == f"{bad}: 1 error, 1 warning, 1 note\n"


def test_for_machines(run: Run, bad: Path) -> None:
    outcome = run("lint", bad, "--json")
    report = json.loads(outcome.out)
    assert outcome.status == 1
    assert report["counts"] == {"error": 1, "warning": 1, "note": 1}
    assert report["findings"][1] == {
        "code": "P201",
        "severity": "warning",
        "file": str(bad),
        "pointer": "/nodes/1/rotation",
        "line": 0,
        "what": 'node 1 "hip" has a rotation of length 2',
        "cure": "normalize the rotation",
    }


def test_a_table_on_a_terminal(run: Run, bad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    out = run("lint", bad).out
    assert out.splitlines()[0].split() == ["code", "place", "what", "cure"]
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [
        ["P004", "/images/0/uri"],
        ["P201", "/nodes/1/rotation"],
        ["P003", "/extensionsUsed/0"],
    ]


def test_nothing_and_mere_warnings_are_no_failure(run: Run, tmp_path: Path) -> None:
    outcome = run("lint", clean().write(tmp_path))
    assert outcome == (0, "", f"{tmp_path}/model.glb: nothing suspicious\n")
    file = clean()
    file.root["nodes"][1]["rotation"] = [0, 0, 0, 2]
    assert run("lint", file.write(tmp_path)).status == 0


def test_a_scene_file_has_lines_and_its_models_pointers(run: Run, bad: Path) -> None:
    text = 'format = 1\n[camera]\nposition = [0, 0, 1]\n[meshes.m]\nfile = "model.glb"\n'
    (bad.parent / "x.toml").write_text(text)
    outcome = run("lint", bad.parent / "x.toml")
    assert outcome.status == 1
    assert f"{bad.parent}/x.toml:4: P903 note: no object uses [meshes.m]; remove the table or use it" in outcome.out
    assert f"{bad}: /nodes/1/rotation: P201 warning" in outcome.out


def test_loops_at_another_rate(run: Run, tmp_path: Path) -> None:
    path = clean().write(tmp_path)
    assert "1 s, 29.97003 ticks at 29.97 a second" in run("lint", path, "--rate", "30000/1001").out
    assert run("lint", path, "--rate", "24").out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gone.glb"], "gone.glb: there is no such file: check the path"),
        (["."], ".: not a regular file: give the path of a .glb or .gltf file"),
        (["gone.glb", "--rate", "0"], '"0" is no rate: give ticks a second, such as 60 or 30000/1001'),
        (["gone.glb", "--rate", "x"], '"x" is no rate'),
    ],
)
def test_bad_usage(run: Run, words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("lint", *words)
    assert outcome.status == 2
    assert message in outcome.err


def test_text_of_a_file_is_no_markup(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    file = clean()
    file.root["nodes"][1] |= {"rotation": [0, 0, 0, 2], "name": "[bold]hip[/bold]"}
    assert 'node 1 "[bold]hip[/bold]" has a rotation of length 2' in run("lint", file.write(tmp_path)).out
