"""Other tools that tests compare with, each in a process of its own; a test skips where its tool is absent."""

import importlib.util
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@cache
def blender() -> str:
    """Return the Python that has Blender's module, named by POSED_TEST_BPY; skip the test where there is none."""
    python = os.environ.get("POSED_TEST_BPY")
    if python is None:
        pytest.skip("POSED_TEST_BPY names no Python with bpy: pip install bpy in one of its own")
    return python


@cache
def three() -> Path:
    """Return the folder of three.js, named by POSED_TEST_THREE; skip the test where it or node is missing."""
    folder = os.environ.get("POSED_TEST_THREE")
    if folder is None or shutil.which("node") is None:
        pytest.skip("POSED_TEST_THREE names no folder of three.js (npm install three), or node is not installed")
    return Path(folder)


@cache
def three_in_chromium() -> Path:
    """Return the folder of three.js as an engine; skip the test where it, Playwright or a Chromium is missing."""
    folder = HERE.parents[1] / "golden/foreign/threejs"
    if not (folder / "node_modules/three").is_dir():
        pytest.skip("golden/foreign/threejs has no node_modules: run npm ci there")
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    if not (os.environ.get("CHROMIUM") or shutil.which("chromium")):
        pytest.skip("no chromium is on the path, and CHROMIUM names none")
    return folder


def run(*words: object) -> str:
    """Run a command to its end and return what it wrote; a failure shows its error."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_blender(script: Path, *words: object) -> str:
    """Run a script under Blender's Python."""
    return run(blender(), script, *words)
