"""Some seconds of fuzzing in every test run; `python -m tests.posed.fuzz --minutes 20` goes on for longer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.posed.fuzz.kinds import KINDS

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by what Linux tells of a process")
def test_mutated_files_of_every_kind_end_in_a_result_or_an_error_of_ours() -> None:
    """In a process of its own, whose memory is limited."""
    words = [sys.executable, "-m", "tests.posed.fuzz", "--cases", "60"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if " refused " in line or line.endswith("0 faults")]
    assert lines[-1].startswith(f"{60 * len(KINDS)} files")
    assert len(lines) == len(KINDS) + 1
    for line in lines[:-1]:
        results, refused = int(line.split()[1]), int(line.split()[3])
        # Most changes to an EXR break a checksum or the stream of its one compressed block.
        assert results > 0 or line.startswith("frame.exr"), line
        assert refused > 0, line
