"""Places that are refused in time, and files that are whole or absent."""

import os
from pathlib import Path

import pytest

from posed.errors import PosedError
from posed.files import check_place, make_folder, unreadable, written_whole


def half_write(place: Path, error: BaseException) -> None:
    """Write some, then fail."""
    with written_whole(place) as beside:
        beside.write_text("half")
        raise error


def test_a_place_is_replaced_only_by_what_is_complete(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    place.write_text("old")
    with pytest.raises(RuntimeError):
        half_write(place, RuntimeError())
    assert (place.read_text(), os.listdir(tmp_path)) == ("old", ["a.txt"])
    with written_whole(place) as beside:
        beside.write_text("new")
    assert (place.read_text(), os.listdir(tmp_path)) == ("new", ["a.txt"])


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        half_write(tmp_path / "a.txt", KeyboardInterrupt())
    assert os.listdir(tmp_path) == []


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    place = tmp_path / f"{'x' * 251}.txt"
    with written_whole(place) as beside:
        beside.write_text("all")
    assert place.read_text() == "all"


@pytest.mark.parametrize("name", ["x" * 252 + ".txt", "file/a.txt", "folder"])
def test_what_cannot_be_written_is_one_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(PosedError, match="cannot be written|no folder"), written_whole(tmp_path / name) as beside:
        beside.write_text("lost")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("file/a.txt", "file: is a file, no folder: choose another place"),
        ("file/b/a.txt", "b: .*file is a file, no folder: choose another place"),
        ("folder", "folder: is a folder: give the name of a file"),
        ("x" * 256, "is no place for a file: .*File name too long"),
    ],
)
def test_a_place_is_refused_before_the_work_for_it(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(PosedError, match=reason):
        check_place(tmp_path / name)


def test_a_good_place_is_not_touched_until_it_is_written(tmp_path: Path) -> None:
    check_place(tmp_path / "a.txt")
    check_place(tmp_path / "new" / "below" / "a.txt")
    assert os.listdir(tmp_path) == []
    with written_whole(tmp_path / "new" / "below" / "a.txt") as beside:
        beside.write_text("all")
    assert (tmp_path / "new" / "below" / "a.txt").read_text() == "all"


def test_folders_are_made_with_those_above_or_refused(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    (tmp_path / "file").touch()
    with pytest.raises(PosedError, match="file/b: .*file is a file, no folder: choose another place"):
        make_folder(tmp_path / "file" / "b")


def test_what_cannot_be_read_says_why_and_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    reasons = {name: unreadable(tmp_path / name) for name in ("file", "pipe", "loop", "", "none", "file/x", "a\0b")}
    assert reasons == {
        "file": None,
        "pipe": "is not a regular file",
        "loop": "cannot be read: Too many levels of symbolic links",
        "": "is a folder",
        "none": "there is no such file: check the path",
        "file/x": "cannot be read: Not a directory",
        "a\0b": "cannot be read: its name holds a null character",
    }
