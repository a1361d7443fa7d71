"""A case of the soak, its watching, and the memory of a few frames."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.soak import memory, watching
from tests.soak.all import main
from tests.soak.watching import Command

pytestmark = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="processes are watched through /proc")


def test_a_case_comes_out_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "1", "--seed", "1", "--kinds", "rendered"]) == 0
    assert "0 faults" in capsys.readouterr().out


def test_what_outlives_a_command_or_is_left_by_it_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "import subprocess, tempfile; tempfile.mkstemp('-left'); print(subprocess.Popen(['sleep', '60']).pid)"
    monkeypatch.setattr(watching, "GOING", 0.1)
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda words, **options: popen([sys.executable, "-c", script], **options))
    command = Command([], tmp_path)
    faults = command.faults()
    assert faults[0] == f"posed : process {command.out.strip()} outlives it"
    assert "left among temporary files: " in faults[1]
    assert faults[1].endswith("-left")
    assert len(faults) == 2


def test_memory_that_grows_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert not memory.told("made", 10, [100.0, 102.0, 106.0, 108.0])
    assert memory.told("made", 10, [100.0, 102.0, 105.0, 107.0])
    assert memory.told("made", 10, [100.0, 100.0, 150.0, 100.0, 100.0]), "what comes and goes is no growth"
    assert capsys.readouterr().out.splitlines()[0] == "10 frames made: 100 102 106 108 MB, +5.9 %"


def test_ten_points_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(memory, "resident", lambda: float(len(made)))
    assert memory.points(lambda pose: made.append(pose.tick), 20) == [2.0 * (n + 1) for n in range(10)]
    assert made == list(range(20))
