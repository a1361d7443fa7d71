import os
import subprocess
import sys

import pytest

import posed
from posed.farm.claim import LOCK, claimed


def test_a_second_run_is_refused_and_a_later_one_is_not(tmp_path):
    with claimed(tmp_path):
        with pytest.raises(posed.PosedError) as refused, claimed(tmp_path):
            pass
        assert str(refused.value) == (
            f"{tmp_path}: another run is writing its frames here: wait for it or choose another folder"
        )
    with claimed(tmp_path):
        pass
    assert os.listdir(tmp_path) == []


def test_a_killed_run_holds_nothing_and_its_half_written_file_is_swept_up(tmp_path):
    words = "import os, sys, time; from pathlib import Path; from posed.farm.claim import claimed\n"
    words += "with claimed(Path(sys.argv[1])): print('has it', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", words, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"has it\n"
        with pytest.raises(posed.PosedError), claimed(tmp_path):
            pass
        holder.kill()
    (tmp_path / ".0123456789abcdef.png").write_bytes(b"half")
    (tmp_path / ".mine.png").write_bytes(b"whole")
    with claimed(tmp_path):
        assert sorted(os.listdir(tmp_path)) == sorted([LOCK, ".mine.png"])


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    refusal = pytest.raises(posed.PosedError, match="the folder cannot be written: No such file or directory")
    with refusal, claimed(tmp_path / "none"):
        pass
