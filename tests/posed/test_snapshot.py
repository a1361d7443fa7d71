"""Snapshots in memory and in files."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from posed.camera import Camera
from posed.errors import PosedError, PoseError
from posed.snapshot import Posed


def posed(**changes: object) -> Posed:
    """A snapshot whose float32 and float64 numbers have no short decimal."""
    matrix = np.eye(4)
    matrix[:3, 3] = (1 / 3, -2 / 7, 1e-30)
    fields: dict[str, object] = {
        "tick": 42,
        "rate": Fraction(30000, 1001),
        "alpha": 0.1,
        "scene": "ab" * 16,
        "models": {"walker": matrix},
        "nodes": {"walker": {3: matrix * 0.5 + 0.5}},
        "palettes": {"walker": {0: (np.arange(32).reshape(2, 4, 4) / 7).astype(np.float32)}},
        "morphs": {"walker": {0: np.array([0.1, 1 / 3])}},
        "sprites": {"hero": 9},
        "visible": {"walker": False},
        "camera": Camera(matrix, ymag=1 / 3, zfar=100.0),
        "sources": {"walker": {"clip": "Walk"}},
    }
    return Posed(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["x.posed.npz", "x.json"])
def test_a_file_keeps_every_bit(tmp_path: Path, name: str) -> None:
    one = posed(previous=posed(tick=41))
    one.save(tmp_path / name)
    back = Posed.load(tmp_path / name)
    assert back == one
    assert back.previous == one.previous
    assert back.palettes["walker"][0].tobytes() == one.palettes["walker"][0].tobytes()
    assert back.sources == one.sources


def test_matrices_are_column_major_in_json(tmp_path: Path) -> None:
    posed().save(tmp_path / "x.json")
    data = json.loads((tmp_path / "x.json").read_text())
    assert (data["format"], data["version"], data["rate"]) == ("posed", 1, "30000/1001")
    assert data["models"]["walker"][12:15] == [1 / 3, -2 / 7, 1e-30]


def test_all_but_format_version_and_tick_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"format": "posed", "version": 1, "tick": 7}')
    one = Posed.load(tmp_path / "x.json")
    assert (one.tick, one.rate, one.alpha, dict(one.palettes), one.camera) == (7, 60, 0.0, {}, None)


@pytest.mark.parametrize(
    "changes",
    [
        {"tick": 43},
        {"alpha": 0.2},
        {"rate": Fraction(30)},
        {"sprites": {"hero": 8}},
        {"visible": {}},
        {"morphs": {"walker": {0: np.array([0.1, 0.5])}}},
        {"camera": None},
        {"previous": Posed(41, Fraction(60))},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_the_digest_covers(changes: dict[str, object]) -> None:
    assert posed(**changes) != posed()


def test_the_digest_leaves_out_the_sources() -> None:
    assert posed(sources={}) == posed()
    assert hash(posed(sources={})) == hash(posed())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a snapshot: it is no JSON from line 1, column 1 on"),
        ("[]", 'its "format" is not "posed"'),
        ('{"format": "posed", "version": 2}', 'its "version" is 2, expected 1: it comes from a newer posed'),
        ('{"format": "posed", "version": 1}', '"tick" is missing'),
        ('{"format": "posed", "version": 1, "tick": 1.5}', '"tick" is 1.5, expected an integer of 0 or more'),
        ('{"format": "posed", "version": 1, "tick": 1, "poses": {}}', 'unknown field "poses"'),
        (
            '{"format": "posed", "version": 1, "tick": 1, "alpha": 1}',
            '"alpha" is 1.0, expected a number from 0 to below 1',
        ),
        ('{"format": "posed", "version": 1, "tick": 1, "rate": "0"}', "\"rate\" is '0', expected ticks"),
        (
            '{"format": "posed", "version": 1, "tick": 1, "models": {"a": [1, 2]}}',
            r'"models/a" has shape \(2,\), expected 16 numbers, column by column',
        ),
        (
            '{"format": "posed", "version": 1, "tick": 1, "models": {"a": [NaN' + ", 0" * 15 + "]}}",
            '"models/a" has a number that is not finite',
        ),
        (
            '{"format": "posed", "version": 1, "tick": 1, "space": "joint"}',
            '"space" is \'joint\', expected "scene" or "mesh"',
        ),
        (
            '{"format": "posed", "version": 1, "tick": 1, "camera": {"matrix": [1]}}',
            "a camera's matrix has 16 finite numbers, column by column",
        ),
        (
            '{"format": "posed", "version": 1, "tick": 1, "rate": "1e999999999"}',
            "the exponent of .* is larger than 400",
        ),
        (
            '{"format": "posed", "version": 1, "tick": 1, "visible": {"a": "no"}}',
            "\"visible/a\" is 'no', expected true or false",
        ),
        ('{"format": "posed", "version": 1, "tick": 1, "previous": 5}', '"previous" is not an object'),
        ('{"format": "posed", "version": 1, "tick": 1, "camera": 7}', '"camera" is not an object'),
        ('{"format": "posed", "version": 1, "tick": 1, "nodes": {"a": 5}}', '"nodes/a" is not an object by node index'),
        (
            '{"format": "posed", "version": 1, "tick": 1, "nodes": {"a": {"x": 1}}}',
            '"nodes/a" is not an object by node',
        ),
        (
            '{"format": "posed", "version": 1, "tick": 1, "palettes": {"a": {"0": [[1e300' + ", 0" * 15 + "]]}}}",
            '"palettes/a/0" has a number that is not finite',
        ),
        ("[" * 100000, "nested too deeply"),
        ('{"format": "posed", "version": 1, "tick": 1, "sources": [1]}', '"sources" is not an object'),
        ('{"format": "posed", "version": 1, "tick": 1, "models": [1]}', '"models" is not an object by name'),
        (
            '{"format": "posed", "version": 1, "tick": 1, "sprites": {"a": -1}}',
            '"sprites/a" is -1, expected the index of a frame',
        ),
    ],
    ids=range(23),
)
def test_what_is_no_snapshot_is_refused_by_field(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(PoseError, match=f"x.json: .*{message}"):
        Posed.load(tmp_path / "x.json")


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PosedError, match=r'a snapshot is saved as \.npz or \.json, found "\.txt"'):
        posed().save(tmp_path / "x.txt")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(PoseError, match="x.json: there is no such file: check the path"):
        Posed.load(tmp_path / "x.json")


def test_a_time_is_a_tick_and_a_part_of_the_way_to_the_next() -> None:
    """0.7 s at 30 a second is tick 21 exactly; 0.71 s is 0.3 ticks later."""
    assert (Posed.at(0.7, rate=30).tick, Posed.at(0.7, rate=30).alpha) == (21, 0.0)
    assert (Posed.at(0.71, rate=30).tick, Posed.at(0.71, rate=30).alpha) == (21, 0.3)
    with pytest.raises(PoseError, match="time -1 s at 60 ticks a second: expected 0 or more"):
        Posed.at(-1)
    with pytest.raises(PoseError, match="time is nan; expected a finite number"):
        Posed.at(float("nan"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"yfov": 1.0, "ymag": 1.0}, "a camera has yfov or ymag, one of the two"),
        ({}, "a camera has yfov or ymag, one of the two"),
        ({"yfov": 0.0}, "a camera's yfov or ymag is above 0 and its znear lies before its zfar"),
        ({"ymag": 1.0, "znear": 2.0, "zfar": 1.0}, "a camera's yfov or ymag is above 0 and its znear lies before its"),
        ({"yfov": 3.15}, "a camera's yfov lies below pi, and no axis of its matrix has length 0"),
        ({"yfov": 1.0, "matrix": [0] * 16}, "a camera's yfov lies below pi, and no axis of its matrix has length 0"),
    ],
)
def test_a_camera_that_is_none(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Camera.from_json({"matrix": np.eye(4).ravel().tolist(), **changes})


def test_a_snapshot_is_text_in_utf_8(tmp_path: Path) -> None:
    text = '{"format": "posed", "version": 1, "tick": 7, "sprites": {"ü": 1}}'
    (tmp_path / "x.json").write_bytes(text.encode("utf-8-sig"))
    assert Posed.load(tmp_path / "x.json").sprites == {"ü": 1}
    for encoding, byte in (("latin-1", 58), ("utf-32", 0)):
        (tmp_path / "x.json").write_bytes(text.encode(encoding))
        with pytest.raises(PoseError, match=f"x.json: is not a snapshot: its byte {byte} is not UTF-8"):
            Posed.load(tmp_path / "x.json")
