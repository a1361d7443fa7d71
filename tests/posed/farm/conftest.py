from pathlib import Path

import pytest

import posed
from posed.farm import Job

SCENES = Path(__file__).resolve().parents[3] / "golden/scenes"


@pytest.fixture(scope="session")
def scene():
    return posed.load(SCENES / "walker.toml")


@pytest.fixture
def world(scene):
    return posed.World(scene)


@pytest.fixture
def job(world):
    """Ten small frames."""
    return Job(world, range(0, 20, 2), {"size": (48, 27), "samples": 1, "layers": ("color",)})


@pytest.fixture
def name(tmp_path):
    return lambda tick: tmp_path / f"{tick:03d}.png"
