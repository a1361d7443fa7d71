"""What a fragment makes of its surface: normal maps and the frames of an atlas."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import anim
from posed.gltf.material import AlphaMode, Material
from posed.live import Renderer
from posed.scene.description import Animation, Scene
from posed.verify import check
from tests.posed.live.literals import model, picture, posed, primitive, rectangle, scene

UVS = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)
TILTED = [[[218, 128, 218, 255]]]
"""A texel that leans by 45 degrees toward the tangent."""


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_normal_map_bends_the_normal_along_tangent_and_bitangent(renderer: Renderer, sign: float) -> None:
    leaning = [[[128, 218, 218, 255]]]
    for texels, axis, turn in ((TILTED, 0, 1.0), (leaning, 1, sign)):
        card = primitive(
            rectangle(-9, -9, 9, 9, -1),
            normals=np.tile(np.array([0, 0, 1], np.float32), (4, 1)),
            tangents=np.tile(np.array([1, 0, 0, sign], np.float32), (4, 1)),
            uvs=(UVS,),
        )
        bumpy = scene(model(card, material=Material(normal_texture=picture(texels))))
        expected = np.zeros(3)
        expected[axis], expected[2] = turn * math.sqrt(0.5), math.sqrt(0.5)
        found = renderer.render(bumpy, posed(), size=(2, 2))["normal"]
        # Byte 128 is 1/255 off the middle.
        np.testing.assert_allclose(found, np.broadcast_to(expected, (2, 2, 3)), atol=6e-3)
        check(bumpy, posed(), size=(8, 8)).check()


def test_a_normal_map_of_scale_zero_changes_nothing(renderer: Renderer) -> None:
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    tangents = np.tile(np.array([1, 0, 0, 1], np.float32), (4, 1))
    card = primitive(rectangle(-9, -9, 9, 9, -1), normals=normals, tangents=tangents, uvs=(UVS,))
    material = Material(normal_texture=picture(TILTED, scale=0.0))
    found = renderer.render(scene(model(card, material=material)), posed(), size=(2, 2))["normal"]
    np.testing.assert_allclose(found, np.broadcast_to([0, 0, 1], (2, 2, 3)), atol=1e-6)


def test_flat_triangles_are_not_bent(renderer: Renderer) -> None:
    card = primitive(rectangle(-9, -9, 9, 9, -1), uvs=(UVS,))
    flat = scene(model(card, material=Material(normal_texture=picture(TILTED))))
    found = renderer.render(flat, posed(), size=(2, 2))["normal"]
    np.testing.assert_allclose(found, np.broadcast_to([0, 0, 1], (2, 2, 3)), atol=1e-6)
    check(flat, posed(), size=(8, 8)).check()


def sprite() -> Scene:
    """A card that shows the frames of an atlas of two columns: the left one solid, the right one with a hole below."""
    texels = np.full((4, 8, 4), 255, np.uint8)
    texels[2:, 4:, 3] = 0
    atlas = picture(texels.tolist()).image
    sheet = anim.SpriteSheet(anim.Atlas.grid((8, 4), (4, 4), 2), (anim.SpriteClip("all", (0, 1), 12),))
    card = model(
        primitive(rectangle(-1, -1, 1, 1, -1), uvs=(UVS,)),
        material=Material(alpha_mode=AlphaMode.MASK, content=True, double_sided=True),
    )
    still = scene(card)
    animation = Animation(clip="all", speed=Fraction(1), sprite=sheet, image=atlas)
    return replace(still, objects=(replace(still.objects[0], animation=animation),))


def test_a_sprite_shows_one_frame_of_its_atlas_and_nothing_of_the_next(renderer: Renderer) -> None:
    drawn = sprite()
    for frame, holes in ((0, 0), (1, 8 * 4)):
        found = renderer.render(drawn, posed(sprites={"a": frame}), size=(8, 8))["object"]
        assert (found == 0).sum() == holes
        assert (found[:4] == 1).all()
        check(drawn, posed(sprites={"a": frame}), size=(64, 64)).check()
