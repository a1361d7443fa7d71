"""The command line as a process of its own."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

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


@pytest.mark.skipif(sys.platform == "win32", reason="nothing asks a process to end there")
@pytest.mark.parametrize("workers", [1, 2])
def test_asked_to_end_a_check_says_what_was_not_checked_and_ends_its_engine(tmp_path: Path, workers: int) -> None:
    (tmp_path / "engine.py").write_text(
        "import os, sys, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)\n"
    )
    words = [demo_scene(), "--ticks", "0:3", "--live-command", f"{sys.executable} engine.py", "--junit", "r.xml"]
    words += ["--workers", workers, "--report", "r.html"]
    command = [sys.executable, "-m", "posed", "check", *map(str, words)]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    engine = tmp_path / "pid"
    while not (engine.exists() and engine.read_text()):
        assert running.poll() is None
    running.send_signal(signal.SIGINT if workers == 2 else signal.SIGTERM)
    said = running.communicate(timeout=50)[1]
    assert running.returncode == (130 if workers == 2 else 143), said
    assert "3 of 3 frames not checked: the run ended early" in said
    (whole,) = ElementTree.parse(tmp_path / "r.xml").getroot().iter("testsuite")
    assert (whole.get("tests"), whole.get("errors")) == ("3", "3")
    assert "ended early, after 0 of 3 frames" in (tmp_path / "r.html").read_text()
    with suppress(ProcessLookupError):
        while True:  # its parent may be gone, and whoever then takes it takes a moment
            os.kill(int(engine.read_text()), 0)


def test_a_fault_shows_its_traceback_with_debug(tmp_path: Path) -> None:
    done = process("--debug", "bake", tmp_path / "none.glb", "-o", tmp_path / "a.ply")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
