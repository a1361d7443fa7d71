"""TOML with positions."""

from decimal import Decimal
from pathlib import Path

import pytest

from posed.errors import SceneError
from posed.scene.toml import LARGEST_FILE, read_toml

TEXT = """\
format = 1
[camera]
position = [
  0.10,
  2,
]
[[object]]
name = "a"
events = [{ name = "x", clip.x = 1 }]
[object.animation.clips.idle]
"from" = 3
[[object]]
'na me'."b c" = 4
[[object.light]]
[[object.light]]
on = true
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    (tmp_path / "x.toml").write_text(TEXT)
    return tmp_path / "x.toml"


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("format",), 1),
        (("camera",), 2),
        (("camera", "position"), 3),
        (("camera", "position", 1), 5),
        (("object", 0), 7),
        (("object", 0, "events", 0, "clip", "x"), 9),
        (("object", 0, "animation", "clips", "idle"), 10),
        (("object", 0, "animation", "clips", "idle", "from"), 11),
        (("object", 1, "na me", "b c"), 13),
        (("object", 1, "light", 0), 14),
        (("object", 1, "light", 1, "on"), 16),
        (("object", 1, "light", 1, "off"), 15),
        (("camera", "position", 1, "deeper"), 5),
        (("nowhere",), 1),
    ],
)
def test_every_key_and_item_has_its_line_and_what_is_absent_that_of_what_is_around_it(
    document: Path, keys: tuple[str | int, ...], line: int
) -> None:
    assert read_toml(document).line(keys) == line


def test_a_number_keeps_its_text(document: Path) -> None:
    assert read_toml(document).data["camera"]["position"] == [Decimal("0.10"), 2]
    assert str(read_toml(document).data["camera"]["position"][0]) == "0.10"


def test_an_error_has_file_line_and_dotted_key(document: Path) -> None:
    error = read_toml(document).error(("object", 0, "events", 0, "clip"), "is wrong")
    assert str(error) == f"{document}:9: object.events.clip: is wrong"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = 1\nb = = 2\n", "x.toml:2: not valid TOML: Invalid value"),
        (b"a = 1\na = 2\n", "x.toml:2: not valid TOML: Cannot overwrite a value"),
        (b"a = 1\n\xff = 2\n", "x.toml:2: byte 6 is not UTF-8: save the file as UTF-8"),
        (b"a = " + b"[" * 100_000, "x.toml: not valid TOML: its values are nested too deeply"),
        (b"#" * (LARGEST_FILE + 1), f"x.toml: is longer than {LARGEST_FILE} bytes: is this a scene or a suite?"),
    ],
    ids=["syntax", "twice", "bytes", "deep", "long"],
)
def test_what_is_no_toml_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.toml").write_bytes(content)
    with pytest.raises(SceneError) as caught:
        read_toml(tmp_path / "x.toml")
    assert str(caught.value).endswith(message)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="x.toml: there is no such file: check the path"):
        read_toml(tmp_path / "x.toml")


@pytest.mark.parametrize("number", ["9" * 5000, "1e99999999999999999999"])
def test_a_number_too_long_to_read_is_refused(tmp_path: Path, number: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f"format = {number}\n")
    with pytest.raises(SceneError, match="x.toml: not valid TOML: it has a number with too many digits"):
        read_toml(path)
