"""Live color against the trace on the golden scenes and on models that others made, at rest and in each clip's middle.

Compared where both see the same triangle, or the sky: elsewhere an edge lies, which the layers of ids are judged by.
Within is what the tracer shows in reach of a step of the rasterizer's grid: adapters that place textures by snapped
corners, as GPUs do, differ by that from those that do not.
"""

import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
import tracer
from posed.live import Renderer
from posed.verify.policy import POLICIES
from tests.posed.live.shadow_bands import in_bands

FOLDER = os.environ.get("POSED_TEST_MODELS", "")
GOLDEN = Path(__file__).parents[3] / "golden" / "scenes"
SIZE = (320, 180)
LIMIT = 2.0 / 255.0


def models() -> list[Path]:
    found = sorted(Path(FOLDER).glob("*.gl*")) if FOLDER else []
    return [path for path in found if not any(name in path.name for name in ("draco", "meshopt"))]


def agrees(renderer: Renderer, scene: posed.Scene, pose: posed.Posed) -> None:
    reference = posed.trace(scene, pose, size=SIZE, samples="center")
    live = renderer.render(scene, pose, size=SIZE, layers=("color", "part", "triangle"))
    same = (live["part"] == reference["part"]) & (live["triangle"] == reference["triangle"])
    error = np.abs(live["color"] - reference["color"]).max(axis=2)
    sky = same & (reference["part"] == 0)
    assert error[sky].max(initial=0.0) <= LIMIT
    rows, columns = np.nonzero((error > LIMIT) & same & ~sky)
    if len(rows):
        explained = in_bands(scene, pose, reference, live, rows, columns) | near(reference, live, rows, columns)
        wrong = list(zip(rows[~explained].tolist(), columns[~explained].tolist(), strict=True))
        assert not wrong, f"color differs at {wrong[:5]} of {len(wrong)} pixels (row, column)"


def near(reference: posed.Frame, live: posed.Frame, rows: Any, columns: Any) -> Any:
    """Say which pixels show what the tracer shows within a step of the grid beside them."""
    staged, camera = reference.staged
    pixels = np.stack([columns, rows], axis=1)
    low, high = tracer.color_range(
        staged, camera, size=SIZE, pixels=pixels, shadows=(), texel=1 / 256, pixel=POLICIES["gpu"].grid
    )
    found = live["color"][rows, columns, :3]
    return ((found >= low - LIMIT) & (found <= high + LIMIT)).all(axis=1)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.toml")), ids=lambda path: path.name)
def test_golden_scenes(path: Path, renderer: Renderer) -> None:
    scene = posed.load(path)
    world = posed.World(scene)
    for tick in (0, 42):
        world.advance(tick)
        agrees(renderer, scene, world.posed())


@pytest.mark.skipif(not models(), reason="POSED_TEST_MODELS names no folder with models")
@pytest.mark.parametrize("path", models(), ids=lambda path: path.name)
def test_models_at_rest_and_in_the_middle_of_each_clip(path: Path, renderer: Renderer) -> None:
    scene = posed.load(path)
    agrees(renderer, scene, posed.World(scene).posed())
    (one,) = scene.objects
    for index, clip in enumerate(one.model.clips):
        world = posed.World(scene)
        world.animate(one.name, index)
        world.advance(int(Fraction(clip.duration) / 2 * scene.rate))
        agrees(renderer, scene, world.posed())
