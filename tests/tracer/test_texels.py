"""The texels of several textures in one array."""

from dataclasses import replace

from tests.tracer.scenes import texture
from tracer import Wrap
from tracer.texels import Texels

RED, GREEN = [[[255, 0, 0, 255]]], [[[0, 255, 0, 255], [0, 255, 0, 0]]]


def test_each_image_is_there_once():
    red, green = texture(RED), texture(GREEN)
    texels = Texels()
    assert texels.rows.shape == (0, 4)
    texels.take([green, red, replace(green, wrap_s=Wrap.CLAMP)])
    assert texels.rows.tolist() == [*GREEN[0], *RED[0]]
    assert [texels.first(one) for one in (red, green)] == [2, 0]


def test_the_same_images_are_not_put_together_again():
    green = texture(GREEN)
    texels = Texels()
    texels.take([green])
    rows = texels.rows
    texels.take([green, replace(green, clamp=(0.0, 0.0, 0.5, 1.0))])
    assert texels.rows is rows
    texels.take([])
    assert texels.rows.shape == (0, 4)
