"""Sprites in scene files."""

from fractions import Fraction
from pathlib import Path

import PIL.Image
import pytest

from anim.errors import AnimError
from posed.digest import digest
from posed.errors import PoseError, SceneError
from posed.events import AnimationEvent
from posed.scene import content_key, surface
from posed.scene.description import Animation
from posed.scene.load import load
from posed.stage import stage
from posed.world import World

SCENE = """\
format = 1
rate = 10
[camera]
position = [0, 0, 4]
[meshes.card]
shape = "card"
[materials.sprite]
content = true
unlit = true
[[object]]
name = "hero"
mesh = "card"
material = "sprite"
[object.animation]
atlas = "hero.png"
grid = [4, 2]
fps = 2.5
clip = "run"
events = [{ name = "step", clip = "run", frame = 1 }]
[object.animation.clips.idle]
from = 0
to = 1
[object.animation.clips.run]
from = 4
to = 6
fps = 5
"""


def write(folder: Path, text: str = SCENE) -> Path:
    PIL.Image.new("RGBA", (32, 16), (1, 2, 3, 255)).save(folder / "hero.png")
    (folder / "x.toml").write_text(text)
    return folder / "x.toml"


def test_a_sprite_plays(tmp_path: Path) -> None:
    """Five frames a second at ten ticks a second: two ticks a frame, 4 4 5 5 6 6 4."""
    scene = load(write(tmp_path))
    world = World(scene)
    frames = []
    events = []
    for tick in range(7):
        events += world.advance(tick)
        frames.append(world.posed().sprites["hero"])
    assert frames == [4, 4, 5, 5, 6, 6, 4]
    assert events == [AnimationEvent(2, "hero", "run", "step")]
    sheet = scene.animations["hero"].sprite
    assert sheet is not None
    assert [clip.fps for clip in sheet.clips] == [Fraction(5, 2), 5]


def test_a_sprite_without_a_clip_shows_its_first_frame(tmp_path: Path) -> None:
    scene = load(write(tmp_path, SCENE.replace('clip = "run"\nevents', "events")))
    assert World(scene).posed().sprites == {"hero": 0}
    assert scene.animations["hero"].still_frame() == 0
    assert load(write(tmp_path)).animations["hero"].still_frame() == 4


def test_the_stage_shows_the_frame_of_the_atlas_and_never_leaves_it(tmp_path: Path) -> None:
    """Frame 5 is the second of the lower row: u from 1/4 to 1/2, v from 1/2 to 1."""
    world = World(load(write(tmp_path)))
    world.advance(2)
    staged = stage(world.scene, world.posed())
    slot = staged.materials[0].color_texture
    assert slot is not None
    assert slot.transform == ((0.25, 0.0, 0.25), (0.0, 0.5, 0.5))
    assert staged.textures[slot.texture].clamp == (0.25, 0.5, 0.5, 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("grid = [4, 2]", "grid = [5, 2]"), "16: object.animation.grid: 5 x 2 does not divide the atlas hero.png, 32 x 16"),
        (("grid = [4, 2]", ""), "14: object.animation: a sprite needs grid or rects, one of the two"),
        (("grid = [4, 2]", "rects = [[0, 0, 8, 8], [30, 0, 8, 8]]"), "16: object.animation.rects: [30, 0, 8, 8] lies outside"),
        (("grid = [4, 2]", "rects = [[0, 0, 8.5, 8]]"), "16: object.animation.rects: a frame is x, y, width and height in whole"),
        (("grid = [4, 2]", "rects = []"), "16: object.animation.rects: an atlas has at least one frame"),
        (("from = 4", "from = 9"), "24: object.animation.clips.run.from: there is no frame 9: the atlas has 8"),
        (('clip = "run", frame', 'clip = "jog", frame'), '19: object.animation.events.clip: the sprite has no clip "jog"'),
        (('material = "sprite"', 'material = "sprite"\ncontent = "hero.png"'), "10: object: an object takes a sprite or content"),
        (("to = 6", "to = 8"), "25: object.animation.clips.run.to: there is no frame 8: the atlas has 8, counted from 0"),
        (('clip = "run"\n', 'clip = "jog"\n'), '18: object.animation.clip: the sprite has no clip "jog" (it has idle, run)'),
        (("frame = 1", "frame = 3"), '19: object.animation.events.frame: clip "run" has 3 frames, counted from 0'),
        (("frame = 1", "time = 1"), "19: object.animation.events: a mark on a sprite's clip takes a frame"),
        (("hero.png", "none.png"), '15: object.animation.atlas: "none.png" beside the scene: there is no such file: check the path'),
        (("content = true", "content = false"), "10: object: no material of this object has content = true"),
        (("fps = 2.5", "root_motion = true"), "14: object.animation: a sprite takes no root_motion"),
    ],
)  # fmt: skip
def test_each_fault_is_answered_at_its_line_and_key(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    assert change[0] in SCENE
    with pytest.raises(SceneError) as caught:
        load(write(tmp_path, SCENE.replace(*change)))
    assert str(caught.value).startswith(f"{tmp_path}/x.toml:{message}"), caught.value


def test_content_has_a_key_and_a_frame_has_a_surface(tmp_path: Path) -> None:
    scene = load(write(tmp_path))
    (hero,) = scene.objects
    animation = scene.animations["hero"]
    assert content_key(hero) == digest((tmp_path / "hero.png").read_bytes())
    assert surface(animation, 5).transform == ((0.25, 0.0, 0.25), (0.0, 0.5, 0.5))
    with pytest.raises(AnimError, match="frame is 8; the atlas has 8"):
        surface(animation, 8)
    with pytest.raises(ValueError, match="only a sprite's animation has frames"):
        surface(Animation(), 0)


def test_a_sprite_takes_speed_and_start_but_neither_blends_nor_fades(tmp_path: Path) -> None:
    """Frames a fifth of a second long at double speed, from 0.2 s on: the second, and the next each tick."""
    world = World(load(write(tmp_path)))
    world.advance(3)
    world.animate("hero", "run").speed(2).start(0.2).fade(0).done()
    frames = []
    for tick in (3, 4, 5):
        world.advance(tick)
        frames.append(world.sprite_frame("hero"))
    assert frames == [5, 6, 4]
    for say in (
        lambda: world.animate("hero", "run").fade(0.5),
        lambda: world.animate("hero", "run").blend("idle", 0.5),
        lambda: world.animate_blend("hero", [("run", 1.0), ("idle", 1.0)]),
    ):
        with pytest.raises(PoseError, match='object "hero" is a sprite: it neither blends nor fades'):
            say()
    world.stop_animation("hero")
    assert world.sprite_frame("hero") == 0
