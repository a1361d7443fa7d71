"""Sprites: the wrong frame, and the atlas upside down, found in a picture, by holes in ids, and in a dump."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

import posed
from tests.posed.verify.diagnosing.literals import SIZE, at, drawn, explains

SPRITE = """\
format = 1
[camera]
position = [0, 0, 4]
target = [0, 0, 0]
fov = 40
[environment]
color = [0.2, 0.2, 0.2]
[meshes.card]
shape = "card"
size = [2.0, 2.0]
[materials.sprite]
content = true
unlit = true
alpha = "mask"
[[object]]
name = "hero"
mesh = "card"
material = "sprite"
[object.animation]
atlas = "atlas.png"
grid = [3, 2]
fps = 10
clip = "run"
[object.animation.clips.run]
from = 0
to = 3
"""


def sprite(folder: Path) -> posed.Scene:
    """Six frames of 8 x 8 texels in two rows: each a disk-like block of its own width and color."""
    texels = np.zeros((16, 24, 4), np.uint8)
    for frame in range(6):
        row, column = divmod(frame, 3)
        block = texels[8 * row : 8 * row + 8, 8 * column : 8 * column + 8]
        block[1 : 4 + frame // 2, 1 : 3 + frame] = (40 * frame, 250 - 40 * frame, 90, 255)
    PIL.Image.fromarray(texels).save(folder / "atlas.png")
    (folder / "sprite.toml").write_text(SPRITE)
    return posed.load(folder / "sprite.toml")


def claimed(found: posed.Diagnosis) -> str:
    assert found.best is not None, str(found)
    return found.best.claim


TICK = 15
"""Ten frames a second at sixty ticks: the third step."""


@pytest.mark.parametrize("kind", ["ids", "picture", "dump"])
@pytest.mark.parametrize("frame", [1, 3])
def test_a_frame_off_by_one(tmp_path: Path, kind: str, frame: int) -> None:
    scene = sprite(tmp_path)
    truth = at(scene, TICK)
    assert truth.sprites == {"hero": 2}
    wrong = replace(truth, sprites={"hero": frame})
    match kind:
        case "ids":
            live: object = drawn(scene, wrong)
        case "picture":
            live = posed.trace(scene, wrong, size=SIZE, samples="center", layers=("color",))
        case _:
            live = replace(wrong, sources={})
    found = posed.diagnose(scene, live, posed=truth, window=0)  # type: ignore[arg-type]
    explains(found, "sprite frame off by one")
    assert claimed(found) == f'sprite "hero" shows frame {frame}, not 2'


def test_the_first_frame_of_a_clip_has_the_last_before_it(tmp_path: Path) -> None:
    """At tick 0 frame 0 is right; a step too few wraps to frame 3 of the clip: the atlas has no frame before it."""
    scene = sprite(tmp_path)
    truth = at(scene, 0)
    found = posed.diagnose(scene, replace(truth, sprites={"hero": 3}, sources={}), posed=truth, window=0)
    assert claimed(found) == 'sprite "hero" shows frame 3, not 0'


def test_rows_of_the_atlas_from_the_bottom(tmp_path: Path) -> None:
    """Counted from the bottom, frame 2 of two rows of three is frame 5; the wrong side draws that."""
    scene = sprite(tmp_path)
    truth = at(scene, TICK)
    wrong = replace(truth, sprites={"hero": 5})
    for live in (
        drawn(scene, wrong),
        posed.trace(scene, wrong, size=SIZE, samples="center", layers=("color",)),
    ):
        found = posed.diagnose(scene, live, posed=truth, window=0)
        explains(found, "atlas rows from the bottom")
        assert claimed(found) == 'sprite "hero": the rows of its atlas are counted from the bottom'
