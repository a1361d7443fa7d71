"""Errors: one line that a person can read, whatever the names in a file hold; whole after a way between processes."""

import pickle

import pytest

from posed.errors import LONGEST, AssetError, MissingError, PosedError, PoseError, SceneError, VerdictError


def test_an_asset_s_error_names_file_and_place() -> None:
    error = AssetError("a.glb", "/nodes/0", "expected a tree: break the cycle")
    assert str(error) == "a.glb: /nodes/0: expected a tree: break the cycle"
    assert str(AssetError("a.glb", "", "is empty")) == "a.glb: is empty"


def test_a_scene_s_error_names_file_line_and_key() -> None:
    assert str(SceneError("a.toml", 3, "camera.fov", "is missing")) == "a.toml:3: camera.fov: is missing"
    assert str(SceneError("a.toml", 0, "", "is empty")) == "a.toml: is empty"


def test_control_characters_of_a_name_are_escaped() -> None:
    assert str(PoseError('no clip "a\nb\x1b[31m\ud800é"')) == 'no clip "a\\nb\\x1b[31m\\ud800é"'


def test_a_text_without_end_loses_its_middle() -> None:
    text = str(PosedError("given " + 5000 * "x" + ": cure"))
    assert len(text) < LONGEST + 10
    assert text.startswith("given xxx")
    assert text.endswith("xxx: cure")
    assert "x [...] x" in text


@pytest.mark.parametrize(
    "error",
    [
        AssetError("a.glb", "/nodes/0", "wrong"),
        SceneError("a.toml", 3, "camera", "wrong"),
        PoseError("wrong"),
        VerdictError("wrong"),
        MissingError("wrong"),
    ],
)
def test_an_error_comes_whole_from_another_process(error: PosedError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
