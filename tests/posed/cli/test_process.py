"""The command line as a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from posed.data import demo_scene


def process(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "posed", *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("words", "status"), [(["--version"], 0), ([], 2), (["none"], 2), (["bake", "none.glb"], 2)])
def test_it_ends_with_the_commands_status_and_all_is_said(words: list[str], status: int) -> None:
    done = process(*words)
    assert done.returncode == status
    assert done.stdout or done.stderr


def test_a_whole_picture_is_written(tmp_path: Path) -> None:
    done = process("pose", demo_scene(), "--tick", 3, "-o", tmp_path / "a.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{tmp_path}/a.json: tick 3, digest ")
    assert (tmp_path / "a.json").read_text().endswith("}\n")


def test_a_fault_shows_its_traceback_with_debug(tmp_path: Path) -> None:
    done = process("--debug", "bake", tmp_path / "none.glb", "-o", tmp_path / "a.ply")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
