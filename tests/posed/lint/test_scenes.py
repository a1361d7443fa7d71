"""Scene files: what is refused, what never happens, what is not used."""

from fractions import Fraction
from pathlib import Path

import pytest

from posed.errors import PosedError
from posed.lint import lint
from tests.posed.lint.literals import animate, clean, lines

SCENE = """\
format = 1
rate = 24
[camera]
position = [0, 0, 4]
[meshes.body]
file = "body.glb"
[[object]]
name = "body"
mesh = "body"
[object.animation]
clip = "Bend"
events = [
    { name = "low", clip = "Bend", time = 1.0 },
]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    clean().write(tmp_path, "body.glb")
    return tmp_path


def scene_lines(folder: Path, text: str) -> list[str]:
    (folder / "x.toml").write_text(text)
    return lines(folder / "x.toml")


def test_a_clean_scene(folder: Path) -> None:
    assert scene_lines(folder, SCENE) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("format = 1", "format = 2", ":1: P901 error: format: expected 1, found 2"),
        ("rate = 24", "rate = ", ":2: P901 error: not valid TOML: Invalid value"),
        ('clip = "Bend"\n', 'clip = "Jog"\n', ':11: P901 error: object.animation.clip: mesh "body" has no clip "Jog"'),
        ('"body.glb"', '"../body.glb"', ':6: P901 error: meshes.body.file: "../body.glb" lies outside the scene'),
        ("time = 1.0", "time = 1.01", ':13: P902 warning: the mark "low" is at 1.01 s, clip "Bend" ends at 1 s'),
        ("[[object]]", '[meshes.sky]\nshape = "box"\n[[object]]', ":7: P903 note: no object uses [meshes.sky]"),
        ("[[object]]", "[materials.red]\n[[object]]", ":7: P903 note: no object uses [materials.red]"),
    ],
)
def test_one_fault_and_what_is_said_of_it(old: str, new: str, expected: str, folder: Path) -> None:
    assert old in SCENE
    (line,) = scene_lines(folder, SCENE.replace(old, new, 1))
    assert line.startswith(expected)


def test_models_are_held_to_the_scene_s_rate_and_named_once(folder: Path) -> None:
    """0.625 s are 15 ticks at 24 and 37.5 at 60."""
    file = clean()
    animate(file, (2, "rotation", (0, 0.625), [[0, 0, 0, 1], [0, 0, 1, 0]], "LINEAR"), name="Short")
    file.write(folder, "body.glb")
    again = SCENE.replace(
        "[[object]]", '[meshes.twin]\nfile = "body.glb"\n[[object]]\nname = "t"\nmesh = "twin"\n[[object]]'
    )
    assert scene_lines(folder, again) == []
    (line,) = scene_lines(folder, again.replace("rate = 24", "rate = 60"))
    assert line == '/animations/1: P604 warning: clip 1 "Short" lasts 0.625 s, 37.5 ticks at 60 a second'


def test_a_model_is_found_by_its_encoded_name(folder: Path) -> None:
    file = clean()
    file.root["nodes"][1]["rotation"] = [0, 0, 0, 2]
    file.write(folder, "a body.glb")
    (line,) = scene_lines(folder, SCENE.replace("body.glb", "a%20body.glb"))
    assert line.startswith("/nodes/1/rotation: P201")


def test_a_path_that_leads_nowhere_is_one_finding(folder: Path) -> None:
    (line,) = scene_lines(folder, SCENE.replace("body.glb", "body.glb\\u0000"))
    assert line.startswith(":6: P901 error: meshes.body.file: ")


def test_a_scene_takes_no_other_rate(folder: Path) -> None:
    (folder / "x.toml").write_text(SCENE)
    with pytest.raises(PosedError, match="a scene file has a rate of its own: leave the other out"):
        lint(folder / "x.toml", rate=Fraction(60))
