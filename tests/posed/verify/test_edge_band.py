"""Frames of unknown sampling: a right one passes however it is sampled, a limb two pixels off never does."""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.frame import Frame
from posed.verify import Verdict, check
from tests.posed.live.literals import model, primitive, scene
from tests.posed.live.literals import posed as snapshot

SIZE = (320, 180)
GOLDEN = Path(__file__).parents[3] / "golden" / "scenes"


@cache
def walker() -> tuple[posed.Scene, posed.Posed]:
    drawn = posed.load(GOLDEN / "walker.toml")
    world = posed.World(drawn)
    world.advance(42)
    return drawn, world.posed()


def moved(joints: tuple[str, ...], right: float, up: float) -> posed.Posed:
    """The walker with some joints moved in the picture, by pixels."""
    drawn, truth = walker()
    body, camera = drawn.object("walker").model, truth.camera
    assert camera is not None
    assert camera.yfov is not None
    away = truth.models["walker"][:3, 3] - camera.matrix[:3, 3]
    pixel = 2.0 * math.tan(camera.yfov / 2.0) * -float((camera.matrix[:3, 2] * away).sum()) / SIZE[1]
    palettes = {}
    for node, palette in truth.palettes["walker"].items():
        skin = body.nodes[node].skin
        assert skin is not None
        rows = [row for row, one in enumerate(body.skins[skin].joints) if body.nodes[one].name in joints]
        palettes[node] = palette.copy()
        palettes[node][rows, :3, 3] += pixel * (right * camera.matrix[:3, 0] + up * camera.matrix[:3, 1])
    return replace(truth, palettes={**truth.palettes, "walker": palettes})


def picture(pose: posed.Posed, folder: Path, **sampling: object) -> Frame:
    """What an engine leaves that samples in its own way: eight bits a channel, nothing stated."""
    frame = posed.trace(walker()[0], pose, size=SIZE, integrator="direct", layers=["color"], **sampling)
    frame.save(folder / "picture.png")
    return Frame.load(folder / "picture.png")


def verdict_of(live: Frame) -> Verdict:
    return check(*walker(), live, policy="foreign")


@pytest.mark.parametrize(
    "sampling",
    [{"samples": 9, "seed": 5}, {"samples": 4, "seed": 8, "filter": "blackman-harris"}, {"samples": "center"}],
    ids=["another number", "another filter", "not antialiased"],
)
def test_a_right_picture_passes_however_it_is_sampled(sampling: dict[str, object], tmp_path: Path) -> None:
    found = verdict_of(picture(walker()[1], tmp_path, **sampling))
    found.check()
    assert found["color"].differing > 100, "edges differ, and are explained"
    assert max([one.value for one in found["color"].measures if one.name == "largest blob"], default=0) <= 5


DIAGONAL = math.sqrt(2.0)
WAYS = {"right": (2.0, 0.0), "aslant": (-DIAGONAL, DIAGONAL)}


@pytest.mark.parametrize("limb", [("hand_L",), ("foot_L", "toe_L"), ("foot_R", "toe_R")], ids=lambda limb: limb[0])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_a_limb_two_pixels_beside_its_place_fails_in_color_and_in_ids(
    limb: tuple[str, ...], way: tuple[float, float], tmp_path: Path
) -> None:
    wrong = moved(limb, *way)
    found = verdict_of(picture(wrong, tmp_path, samples=9, seed=5))
    assert not found["color"]["largest blob"].passed
    ids = posed.trace(walker()[0], wrong, size=SIZE, integrator="aov", samples="center", layers=["object", "part"])
    assert not verdict_of(replace(ids, provenance=replace(ids.provenance, posed=""))).passed


def test_where_an_edge_is_everywhere_a_wrong_color_still_fails_by_the_size_of_its_blob() -> None:
    # Flat triangles of a pixel and a half: no pixel is farther than the band from an edge.
    places = [(0.05 * (x - 12), 0.05 * (y - 12), -4.0) for y in range(25) for x in range(25)]
    cells = [row * 25 + column for row in range(24) for column in range(24)]
    halves = [(i, i + 1, i + 26) for i in cells] + [(i, i + 26, i + 25) for i in cells]
    drawn, pose = scene(model(primitive(places, halves))), snapshot()
    right = posed.trace(drawn, pose, size=(96, 64), integrator="direct", samples=4, seed=3, layers=["color"])
    assert check(drawn, pose, right, policy="foreign").passed
    color = np.array(right["color"])
    color[26:38, 42:54, 0] = 0.9
    found = check(drawn, pose, replace(right, layers={"color": color}), policy="foreign")["color"]
    assert found.unexplained == 0
    assert found["largest blob"].value >= 100
    assert not found["largest blob"].passed
