"""The built-in live renderer against the trace, on models that others made and on the project's own scene."""

import math
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

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
    assert verdict["motion"].compared
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


@pytest.mark.parametrize("joint", ["chest", "hand_L", "foot_R"])
def test_a_joint_moved_by_two_pixels_is_found_on_its_object(joint: str, renderer: Renderer) -> None:
    scene = posed.load(GOLDEN / "walker.toml")
    world = posed.World(scene)
    world.advance(42)
    truth = world.posed()
    model, camera = scene.object("walker").model, truth.camera
    assert camera is not None
    assert camera.yfov is not None
    distance = -float((camera.matrix[:3, 2] * (truth.models["walker"][:3, 3] - camera.matrix[:3, 3])).sum())
    pixel = 2.0 * math.tan(camera.yfov / 2.0) * distance / SIZE[1]
    palettes = {}
    for node, palette in truth.palettes["walker"].items():
        skin = model.nodes[node].skin
        assert skin is not None
        row = [model.nodes[one].name for one in model.skins[skin].joints].index(joint)
        palettes[node] = palette.copy()
        palettes[node][row, :3, 3] += 2.0 * pixel * camera.matrix[:3, 0]
    wrong = replace(truth, palettes={**truth.palettes, "walker": palettes})
    verdict = check(scene, truth, renderer.render(scene, wrong, size=SIZE))
    failure = verdict.first_failure
    assert failure is not None
    assert failure.layer in ("silhouette", "object")
    assert failure.blobs[0].object == "walker"
    assert verdict["triangle"].unexplained > 10
