"""A sprite's clip, tick by tick: as a flat draw and as a card in the world, each against a CPU twin."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

import anim
from posed.fixtures import atlas_png
from posed.gltf.image import Image
from posed.gltf.material import AlphaMode, Material
from posed.live import FlatScene, FlatSprites, Renderer, flat
from posed.live.flat import Draw, rasterize
from posed.scene.description import Animation, Scene
from posed.tracing import trace
from posed.world import World
from tests.posed.live.literals import camera, model, primitive, rectangle, scene, translation

UVS = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)
SIZE = 32
"""Pixels of the picture; a card of one metre at a depth of one half fills it."""


def hero() -> Scene:
    """A card in front of the camera that plays eight frames at 15 a second, 60 ticks a second."""
    atlas = Image("atlas", atlas_png(), "atlas.png")
    width, height = atlas.size
    columns, rows = 4, 2
    grid = anim.Atlas.grid((width, height), (width // columns, height // rows), columns * rows)
    sheet = anim.SpriteSheet(grid, (anim.SpriteClip("run", tuple(range(8)), 15),))
    card = model(
        primitive(rectangle(-0.5, -0.5, 0.5, 0.5, -0.5), uvs=(UVS,)),
        material=Material(alpha_mode=AlphaMode.MASK, content=True, unlit=True, double_sided=True),
    )
    still = scene(card)
    animation = Animation(clip="run", speed=Fraction(1), sprite=sheet, image=atlas)
    return replace(still, objects=(replace(still.objects[0], animation=animation),))


def played() -> tuple[Scene, Image, anim.Atlas, World]:
    drawn = hero()
    animation = drawn.animations["a"]
    assert animation.image is not None
    assert animation.sprite is not None
    return drawn, animation.image, animation.sprite.atlas, World(drawn)


def cut(image: Image, frame: int) -> np.ndarray[Any, Any]:
    """The texels of a frame, by index arithmetic of its own."""
    height, width = image.texels.shape[:2]
    row, column = divmod(frame, 4)
    return image.texels[row * height // 2 : (row + 1) * height // 2, column * width // 4 : (column + 1) * width // 4]


def test_a_flat_sprite_steps_with_the_clip(renderer: Renderer) -> None:
    """Over nothing, at the card's size against the twin, and at the frame's own size against the atlas itself."""
    drawn, image, atlas, world = played()
    shown = []
    for tick in range(0, 40, 2):
        world.advance(tick)
        frame = world.sprite_frame("a")
        assert frame == tick // 4 % 8  # 15 steps a second at 60 ticks
        texels = cut(image, frame)
        side = len(texels)
        sprites = FlatSprites(flat.Image(image, linear=False))
        sprites.add((side / 2, side / 2), (side, side), atlas.uv(frame))
        large = FlatScene([Draw.sprite(image, (SIZE / 2, SIZE / 2), (SIZE, SIZE), atlas.uv(frame))])
        pose = replace(world.posed(), visible={"a": False})
        for one, size in ((large, SIZE), (FlatScene([sprites]), side)):
            over = renderer.render(drawn, pose, size=(size, size), layers=["color"], flat=one, background="transparent")
            assert np.abs(over["color"] - rasterize(one, (size, size))[0]).max() < 1 / 255
        np.testing.assert_allclose(over.rgba().astype(int), texels, atol=1)
        shown.append(over["color"])
    assert np.array_equal(shown[0], shown[16])
    assert not np.array_equal(shown[0], shown[2])


def test_a_card_steps_with_the_clip_and_is_drawn_as_it_is_traced(renderer: Renderer) -> None:
    drawn, image, _, world = played()
    for tick in (0, 5, 9, 30):
        world.advance(tick)
        pose = world.posed()
        live = renderer.render(drawn, pose, size=(SIZE, SIZE), layers=["color", "object"])
        traced = trace(drawn, pose, size=(SIZE, SIZE), samples="center", layers=["color", "object"])
        np.testing.assert_array_equal(live["object"], traced["object"])
        assert np.abs(live["color"] - traced["color"]).max() < 1 / 255
        # The twin of a card that fills the picture is a flat sprite that does.
        texels = cut(image, world.sprite_frame("a"))
        twin, _ = rasterize(
            FlatScene([Draw.sprite(flat.Image(texels), (SIZE / 2, SIZE / 2), (SIZE, SIZE))]), (SIZE, SIZE)
        )
        assert np.abs(live["color"] - twin).max() < 1 / 255


def test_a_card_that_turns_to_the_camera_is_drawn_as_it_is_traced(renderer: Renderer) -> None:
    still = hero()
    turning = replace(still, objects=(replace(still.objects[0], face_camera=True, matrix=translation(0.25, 0.1, -1)),))
    aside = translation(1.5, 0.5, 0)
    turn = np.pi / 4
    aside[0, [0, 2]], aside[2, [0, 2]] = (np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))
    drawn = replace(turning, camera=camera(matrix=aside))
    world = World(drawn)
    world.advance(9)
    pose = world.posed()
    assert pose.models["a"][0, 0] < 0.9
    live = renderer.render(drawn, pose, size=(48, 40), layers=["color", "object", "depth"])
    traced = trace(drawn, pose, size=(48, 40), samples="center", layers=["color", "object", "depth"])
    np.testing.assert_array_equal(live["object"], traced["object"])
    assert live["object"].sum() > 80
    assert np.abs(live["color"] - traced["color"]).max() < 1 / 255


def test_a_stopped_sprite_shows_its_still_frame_again(renderer: Renderer) -> None:
    drawn, _, _, world = played()

    def color() -> np.ndarray[Any, Any]:
        return renderer.render(drawn, world.posed(), size=(SIZE, SIZE), layers=["color"])["color"]

    first = color()
    world.advance(9)
    assert not np.array_equal(color(), first)
    world.stop_animation("a")
    world.advance(10)
    np.testing.assert_array_equal(color(), first)
