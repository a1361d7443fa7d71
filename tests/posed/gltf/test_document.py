"""The typed reader: every getter's contract, the text of its refusals, and the limits on the JSON."""

import json
from pathlib import Path

import pytest

from posed.errors import AssetError
from posed.gltf.document import LARGEST_DEPTH, Record, parse_document

PATH = Path("model.gltf")
VERSION = '"asset": {"version": "2.0"}'


def record(**data):
    return Record(PATH, data, "/nodes", 3)


def refused(read):
    with pytest.raises(AssetError) as caught:
        read()
    return str(caught.value).removeprefix("model.gltf: ")


def parsed(text):
    return parse_document(PATH, text.encode())


def test_zero_and_false_are_values():
    one = record(mesh=0, scale=0.0, on=False, name="", list=[])
    assert one.index("mesh", 1, "meshes") == 0
    assert one.number("scale", 1.0) == 0.0
    assert one.boolean("on", True) is False
    assert one.text("name", "default") == ""
    assert one.records("list") == []


def test_an_absent_key_gives_the_default_and_null_is_no_value():
    assert record().index("mesh", 1, "meshes") is None
    assert record().numbers("scale", 3, (1.0, 1.0, 1.0)) == (1.0, 1.0, 1.0)
    assert refused(lambda: record(mesh=None).index("mesh", 1, "meshes")) == (
        "/nodes/3/mesh: expected an index of meshes below 1, found null: correct it or export the file again"
    )


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda: record(n=-1).integer("n"), "/nodes/3/n: expected an integer of 0 or more, found -1"),
        (lambda: record(n=9).integer("n", most=6), "/nodes/3/n: expected an integer of 0 to 6, found 9"),
        (lambda: record(n=1.5).integer("n"), "/nodes/3/n: expected an integer of 0 or more, found 1.5"),
        (lambda: record(n=True).integer("n"), "/nodes/3/n: expected an integer of 0 or more, found true"),
        (lambda: record().integer("n"), "/nodes/3/n: expected an integer of 0 or more, found nothing"),
        (lambda: record(n=2).index("n", 2, "skins"), "/nodes/3/n: expected an index of skins below 2, found 2"),
        (
            lambda: record(n=0).index("n", 0, "skins"),
            "/nodes/3/n: expected no index, as the file has no skins, found 0",
        ),
        (
            lambda: record(n=[0, 7]).indices("n", 5, "nodes"),
            "/nodes/3/n/1: expected an index of nodes below 5, found 7",
        ),
        (
            lambda: record(n={}).indices("n", 5, "nodes"),
            "/nodes/3/n: expected an array of indices of nodes, found an object",
        ),
        (lambda: record(n="x").number("n"), '/nodes/3/n: expected a finite number, found "x"'),
        (lambda: record(n=float("inf")).number("n"), "/nodes/3/n: expected a finite number, found inf"),
        (lambda: record(n=10**400).number("n"), f"/nodes/3/n: expected a finite number, found 1{'0' * 39}"),
        (lambda: record(n=2).number("n", least=0, most=1), "/nodes/3/n: expected a finite number of 0 to 1, found 2"),
        (lambda: record(n=[1, 2]).numbers("n", 3), "/nodes/3/n: expected an array of 3 numbers, found an array of 2"),
        (lambda: record(n=[1, "2"]).numbers("n"), '/nodes/3/n/1: expected a finite number, found "2"'),
        (lambda: record(n=7).text("n"), "/nodes/3/n: expected a string, found 7"),
        (lambda: record(n=[7]).texts("n"), "/nodes/3/n/0: expected a string, found 7"),
        (lambda: record(n=1).boolean("n", False), "/nodes/3/n: expected true or false, found 1"),
        (lambda: record(n=[]).record("n"), "/nodes/3/n: expected an object, found an array of 0"),
        (lambda: record().required_record("n"), "/nodes/3/n: expected an object, found nothing"),
        (lambda: record(n=[3]).records("n"), "/nodes/3/n/0: expected an object, found 3"),
        (lambda: record(n={}).records("n"), "/nodes/3/n: expected an array of objects, found an object"),
    ],
)
def test_refusals_name_place_expected_found_and_cure(read, expected):
    assert refused(read) == f"{expected}: correct it or export the file again"


def test_whole_floats_are_integers_and_integers_are_numbers():
    assert record(n=3.0).integer("n") == 3
    assert record(n=3).number("n") == 3.0


def test_pointers_escape_tildes_and_slashes():
    assert record().place("a/b~c", 0) == "/nodes/3/a~1b~0c/0"


def test_half_surrogates_do_not_survive():
    assert record(name=json.loads('"a\\ud800b"')).text("name") == "a?b"


def test_nesting_is_limited_and_brackets_within_strings_do_not_count():
    deep = "[" * LARGEST_DEPTH
    assert refused(lambda: parsed(f'{{{VERSION}, "extras": {deep}{"]" * LARGEST_DEPTH}}}')) == (
        f"the JSON nests {LARGEST_DEPTH + 1} deep; at most {LARGEST_DEPTH} are read: "
        "correct it or export the file again"
    )
    parsed(f'{{{VERSION}, "extras": "{deep}\\"{deep}\\\\"}}')


def test_brackets_closed_within_strings_hide_no_depth():
    deep = '["]", ' * LARGEST_DEPTH + "0" + "]" * LARGEST_DEPTH
    assert "nests" in refused(lambda: parsed(f'{{{VERSION}, "extras": {deep}}}'))


def test_very_deep_json_is_no_recursion_error():
    assert "nests 200000 deep" in refused(lambda: parsed("[" * 200_000))


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', '{"a": Infinity}', "{'a': 1}", '{"a": 1' + "0" * 5000 + "}"])
def test_what_is_no_json(text):
    assert refused(lambda: parsed(text)).startswith("the JSON cannot be read (")


def test_text_that_is_not_utf8():
    assert refused(lambda: parse_document(PATH, b'{"a": "\xff"}')) == (
        "expected JSON in UTF-8, found another byte at 7: correct it or export the file again"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", "/asset: expected an object, found nothing: correct it or export the file again"),
        (
            '{"asset": {"version": "1.0"}}',
            '/asset/version: expected glTF version 2.0, found "1.0": export the file as glTF 2.0',
        ),
        (
            '{"asset": {"version": "2.1", "minVersion": "2.1"}}',
            '/asset/minVersion: expected glTF version 2.0, found "2.1": export the file as glTF 2.0',
        ),
    ],
)
def test_the_version_is_two(text, expected):
    assert refused(lambda: parsed(text)) == expected


def test_a_later_minor_version_that_asks_for_no_more_loads():
    parsed('{"asset": {"version": "2.1"}}')


def test_more_text_than_is_read(monkeypatch):
    monkeypatch.setattr("posed.gltf.document.LARGEST_TEXT", 10)
    assert refused(lambda: parsed("{" + " " * 20 + "}")) == (
        "the JSON has 22 bytes; at most 10 are read: store it as .glb"
    )


def test_more_values_than_are_read(monkeypatch):
    monkeypatch.setattr("posed.gltf.document.LARGEST_VALUES", 10)
    assert (
        refused(lambda: parsed("[" + "0," * 20 + "0]")) == "the JSON has 22 values; at most 10 are read: part the file"
    )


def test_no_object_and_no_number():
    assert (
        refused(lambda: parsed("[1]"))
        == "expected a JSON object, found an array of 1: correct it or export the file again"
    )
    assert refused(lambda: parsed('{"a": NaN}')) == (
        "the JSON cannot be read (NaN is no JSON number): correct it or export the file again"
    )
