"""The golden runs by name, the ways they are walked, and their stored hashes."""

import json
import platform
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from tests.golden_runs.animator_run import animator_run
from tests.golden_runs.layers_run import layers_run
from tests.golden_runs.skinning_run import skinning_run
from tests.golden_runs.sprite_run import sprite_run
from tests.golden_runs.state_run import state_run
from tests.golden_runs.system_run import system_run
from tests.golden_runs.way import Way
from tests.golden_runs.world_run import stage_run, world_run

GOLDEN = Path(__file__).parents[2] / "golden/runs.json"

RUNS: Mapping[str, Callable[[Way], str]] = {
    "animator": animator_run,
    "states": state_run,
    "system": system_run,
    "sprites": sprite_run,
    "skinning": skinning_run,
    "world": world_run,
    "stage": stage_run,
    "layers": layers_run,
}

PLAIN = ("animator", "states", "system", "sprites", "skinning", "world")
"""Runs that plain Python walks in seconds: the walker's thousands of vertices and its rays need the compiler."""

WAYS: Mapping[str, Way] = {
    "tick by tick": Way(),
    "by uneven steps": Way((3, 1, 11, 2, 29)),
    "through a pickle": Way(saved_at=42),
    "unevenly through a pickle": Way((7, 4, 1, 31), saved_at=201),
}


def stored() -> dict[str, str]:
    """Return the accepted hash of each run."""
    hashes: dict[str, str] = json.loads(GOLDEN.read_text(encoding="utf-8"))["runs"]
    return hashes


def accept(hashes: Mapping[str, str]) -> None:
    """Store hashes as the accepted ones, with where they come from."""
    content = {
        "provenance": {"command": "python -m tests.golden_runs --accept", **here()},
        "runs": dict(hashes),
    }
    GOLDEN.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def here() -> dict[str, str]:
    """Return what a run's bits must not depend on: the machine, Python, and the packages that compute."""
    packages = {name: version(name) for name in ("numpy", "numba", "llvmlite")}
    return {"machine": platform.machine(), "system": sys.platform, "python": platform.python_version(), **packages}
