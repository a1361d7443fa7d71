import pytest

import posed
from posed.farm.manifest import NAME, Manifest, hash_of

ASKED = {"scene": "ab", "samples": "16"}


def test_a_manifest_comes_back_as_it_was_written(tmp_path):
    manifest = Manifest(ASKED, "000.png", {7: {"posed": "cd", "hash": hash_of(b"x")}, 2: {"posed": "", "hash": ""}})
    manifest.save(tmp_path)
    assert Manifest.load(tmp_path) == manifest


def test_the_hash_is_blake2b_of_128_bits():
    assert hash_of(b"") == "cae66941d9efbd404e4d88758ea67670"


def test_a_folder_without_one_has_none(tmp_path):
    assert Manifest.load(tmp_path) is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("[]", "list indices must be integers or slices, not str"),
        ('{"format": "posed frame", "version": 1}', "it is a posed frame of version 1, not of 1"),
        ('{"format": "posed run", "version": 2}', "it is a posed run of version 2, not of 1"),
        ('{"format": "posed run", "version": 1}', "it has no 'asked'"),
        (
            '{"format": "posed run", "version": 1, "asked": {}, "files": "", "frames": {"x": {}}}',
            "invalid literal for int() with base 10: 'x'",
        ),
        ("[" * 100_000, "maximum recursion depth exceeded"),
    ],
)
def test_a_broken_one_is_refused_with_the_cure(tmp_path, content, reason):
    (tmp_path / NAME).write_text(content)
    with pytest.raises(posed.PosedError) as refused:
        Manifest.load(tmp_path)
    text = str(refused.value)
    assert text.startswith(f"{tmp_path / NAME}: is no manifest of a run ({reason}")
    assert text.endswith("): remove it to start anew, or start with --fresh")


def test_what_was_asked_must_be_the_same(tmp_path):
    mine = Manifest(ASKED, "000.png")
    mine.check_same(Manifest(dict(ASKED), "000.png"), tmp_path)
    for other, words in [
        (Manifest(ASKED | {"samples": "64"}, "000.png"), "samples 16, now it is 64"),
        (Manifest(ASKED, "0.png"), "files 000.png, now it is 0.png"),
        (Manifest(ASKED | {"filter": "box"}, "000.png"), "filter unset, now it is box"),
    ]:
        with pytest.raises(posed.PosedError) as refused:
            mine.check_same(other, tmp_path)
        assert str(refused.value) == (
            f"{tmp_path}: its frames were asked for with {words}: choose another folder, or start anew with --fresh"
        )
