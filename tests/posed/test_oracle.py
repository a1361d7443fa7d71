"""Posed vertices of real models against independent implementations, where their numbers are at hand."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODELS, ORACLE = os.environ.get("POSED_TEST_MODELS"), os.environ.get("POSED_TEST_ORACLE")
DRACO = importlib.util.find_spec("DracoPy") is not None


@pytest.mark.skipif(MODELS is None or ORACLE is None, reason="POSED_TEST_MODELS and POSED_TEST_ORACLE are not set")
def test_every_model_bakes_to_the_oracle_s_vertices():
    command = [sys.executable, str(Path(ORACLE) / "compare.py"), str(Path(ORACLE) / "expect"), MODELS]
    skip = [] if DRACO else ["--skip", "draco"]
    done = subprocess.run([*command, *skip], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(0 not laid)" in done.stdout
