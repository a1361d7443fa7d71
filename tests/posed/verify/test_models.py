"""The built-in live renderer against the trace, on models that others made and on the project's own scene."""

import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.live import Renderer
from posed.verify import check

FOLDER = os.environ.get("POSED_TEST_MODELS", "")
COMPRESSED = ("draco", "meshopt")
SIZE = (480, 270)
GOLDEN = Path(__file__).parents[3] / "golden" / "scenes"


def models() -> list[Path]:
    """The models that are read, by name."""
    found = sorted(Path(FOLDER).glob("*.gl*")) if FOLDER else []
    return [path for path in found if not any(name in path.name for name in COMPRESSED)]


def agrees(scene: posed.Scene, pose: posed.Posed) -> None:
    verdict = check(scene, pose, size=SIZE)
    assert verdict["triangle"].compared
    assert verdict["depth"].compared
    verdict.check()


@pytest.mark.skipif(not models(), reason="POSED_TEST_MODELS names no folder with models")
@pytest.mark.parametrize("path", models(), ids=lambda path: path.name)
def test_at_rest_and_in_the_middle_of_each_clip_no_pixel_is_unexplained(path: Path, renderer: Renderer) -> None:
    scene = posed.load(path)
    agrees(scene, posed.World(scene).posed())
    (one,) = scene.objects
    for index, clip in enumerate(one.model.clips):
        world = posed.World(scene)
        world.animate(one.name, index)
        world.advance(int(Fraction(clip.duration) / 2 * scene.rate))
        pose = world.posed()
        agrees(scene, pose)


def test_the_walker_has_no_unexplained_pixel(renderer: Renderer) -> None:
    scene = posed.load(GOLDEN / "walker.toml")
    world = posed.World(scene)
    for tick in (0, 17, 42):
        world.advance(tick)
        agrees(scene, world.posed())


def test_one_joint_turned_by_two_pixels_is_found_where_it_is(renderer: Renderer) -> None:
    scene = posed.load(GOLDEN / "walker.toml")
    world = posed.World(scene)
    world.advance(42)
    truth = world.posed()
    name, node = next((name, node) for name, nodes in truth.palettes.items() for node in nodes)
    palette = np.array(truth.palettes[name][node])
    # The joint that binds the fewest vertices, moved by 1 / 100 of the picture's height in metres at its depth.
    assert truth.camera is not None
    distance = np.linalg.norm(truth.camera.matrix[:3, 3] - truth.models[name][:3, 3])
    step = 2 * 2 * np.tan((truth.camera.yfov or 0.7) / 2) * distance / SIZE[1]
    palette[-1, 0, 3] += step
    from dataclasses import replace

    wrong = replace(truth, palettes={**truth.palettes, name: {**truth.palettes[name], node: palette}})
    verdict = check(scene, truth, renderer.render(scene, wrong, size=SIZE))
    assert not verdict.passed
    failure = verdict.first_failure
    assert failure is not None
    assert failure.layer in ("silhouette", "object", "part", "triangle")
    assert failure.blobs[0].object == name
