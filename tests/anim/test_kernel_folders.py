"""Folders of kernels: who uses one holds it, and of the others those used last stay."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anim import kernel_folders
from anim.kernel_folders import KEPT, LOCK, MARK, hold, sweep


def made(root: Path, number: int) -> Path:
    """A folder with a kernel, last used at a time of its own."""
    folder = root / f"{number:016x}"
    folder.mkdir()
    for name in (LOCK, "anim.f.nbi", "anim.f.1.nbc", MARK):
        (folder / name).touch()
    os.utime(folder / LOCK, (number, number))
    return folder


def names(root: Path) -> list[int]:
    return sorted(int(path.name, 16) for path in root.iterdir())


def test_the_folders_used_last_stay(tmp_path: Path) -> None:
    for number in range(1, KEPT + 6):
        made(tmp_path, number)
    (tmp_path / f".{3:016x}").mkdir()
    sweep(tmp_path)
    assert names(tmp_path) == list(range(6, KEPT + 6))


def test_one_in_use_stays_however_old(tmp_path: Path) -> None:
    for number in range(1, KEPT + 4):
        made(tmp_path, number)
    code = "import sys; from pathlib import Path; from anim.kernel_folders import *; print(hold(Path(sys.argv[1])))"
    words = [sys.executable, "-c", f"{code}; sys.stdout.flush(); sys.stdin.read()", str(tmp_path / f"{2:016x}")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == b"True\n"
        os.utime(tmp_path / f"{2:016x}" / LOCK, (2, 2))
        sweep(tmp_path)
        assert names(tmp_path) == [2, *range(4, KEPT + 4)]
        assert (tmp_path / f"{2:016x}" / "anim.f.nbi").exists()
        user.communicate()
    sweep(tmp_path)
    assert names(tmp_path) == list(range(4, KEPT + 4))


def test_what_holds_anything_else_is_not_touched(tmp_path: Path) -> None:
    for number in range(1, KEPT + 4):
        made(tmp_path, number)
    (tmp_path / f"{1:016x}" / "thesis.tex").touch()
    sweep(tmp_path)
    assert names(tmp_path) == [1, *range(4, KEPT + 4)]


def test_a_use_is_noted_and_a_new_folder_sweeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_folders, "_held", [])
    for number in range(1, KEPT + 2):
        made(tmp_path, number)
    assert hold(tmp_path / f"{1:016x}"), "one that is there sweeps nothing"
    assert names(tmp_path) == list(range(1, KEPT + 2))
    assert hold(tmp_path / f"{99:016x}")
    assert names(tmp_path) == [1, *range(4, KEPT + 2), 99]
    for stream in kernel_folders._held:
        stream.close()


def test_one_swept_away_while_it_is_taken_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_folders, "_held", [])
    folder, lock, locked = tmp_path / f"{5:016x}", kernel_folders._lock, []

    def sweeping(stream: object, *, alone: bool) -> bool:
        if not locked:
            folder.rename(tmp_path / "elsewhere")
        locked.append(stream)
        return lock(stream, alone=alone)  # type: ignore[arg-type]

    monkeypatch.setattr(kernel_folders, "_lock", sweeping)
    assert hold(folder)
    assert len(locked) == 2
    assert (folder / LOCK).exists()
    for stream in kernel_folders._held:
        stream.close()


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="folders cannot be made read-only")
def test_one_that_cannot_be_written_is_not_held(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert not hold(tmp_path / f"{1:016x}")
    tmp_path.chmod(0o700)


def test_a_file_in_the_way_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not hold(tmp_path / "file" / f"{1:016x}")
