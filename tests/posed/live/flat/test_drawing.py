"""The flat pass against its CPU twin, over color, and picked."""

from typing import Any

import numpy as np
import pytest

from posed.errors import PosedError
from posed.gltf.material import Material
from posed.live import Renderer, flat
from posed.live.device import open_gpu
from posed.live.flat import Color, Draw, FlatScene, FlatSprites, Image, rasterize
from posed.live.flat.drawing import FlatPass
from posed.live.flat.items import ITEM
from posed.live.readback import Region
from tests.posed.live.literals import model, posed, primitive, rectangle, scene

STEP = 1 / 255


@pytest.fixture
def device(renderer: Renderer) -> FlatPass:
    return FlatPass(open_gpu(renderer.adapter.name))


def atlas(seed: int, height: int = 8, width: int = 12) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


def crowd(seed: int, count: int) -> FlatScene:
    """Shapes of every kind and fill at odd places, some beyond the picture, some mirrored, sprites among them."""
    rng = np.random.default_rng(seed)
    pictures = [Image(atlas(i), linear=bool(i % 2), tint=(1, 0.5, 0.25, 0.75)) for i in range(4)]
    draws: list[Draw | FlatSprites] = []
    for i in range(count):
        center = (float(rng.uniform(-5, 85)), float(rng.uniform(-5, 65)))
        size = (float(rng.uniform(0, 40)), float(rng.uniform(0, 30)))
        u0, u1, v0, v1 = rng.permutation(13)[:2].tolist() + rng.permutation(9)[:2].tolist()
        picture = pictures[i % 4]
        fill = Image(picture.picture, (u0 / 12, v0 / 8, u1 / 12, v1 / 8), picture.linear, picture.tint)
        color = Color(*rng.uniform(0, 1, 4).tolist())
        points = [(float(x), float(y)) for x, y in rng.uniform(-10, 90, (5, 2))]
        draws += [Draw.rectangle(center, size, fill), Draw.ellipse(center, size, (fill, color)[i % 2])]
        draws.append(Draw.polygon(points, (color, fill)[i % 2]))
    sprites = FlatSprites(pictures[1])
    sprites.set(rng.uniform(0, 80, (count, 2)), (9.5, 7.25), np.tile([0.25, 0.5, 0.5, 1.0], (count, 1)))
    return FlatScene([*draws[: len(draws) // 2], sprites, *draws[len(draws) // 2 :]])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_device_draws_what_the_cpu_does(device: FlatPass, seed: int) -> None:
    """Blends of eight-bit pictures in half floats: each draw may round by 2^-11, and eight or so lie on a pixel."""
    drawn = crowd(seed, 8)
    color, number = rasterize(drawn, (80, 60))
    np.testing.assert_array_equal(device.number(drawn, (80, 60)), number)
    assert len(np.unique(number)) >= 10
    assert np.abs(device.color(drawn, (80, 60)) - color).max() < STEP


def test_borders_on_pixel_centres_fall_alike(device: FlatPass) -> None:
    """Corners at whole, half and quarter pixels: centres lie on borders by the dozen, texel borders on centres."""
    rng = np.random.default_rng(9)
    texels = atlas(7)
    draws: list[Draw | FlatSprites] = []
    for _ in range(40):
        (x, y), (w, h) = rng.integers(0, 120, 2) / 4, rng.integers(1, 60, 2) / 4
        fill = Image(texels, (0.25, 0.0, 0.75, 1.0), linear=False)
        draws += [Draw.rectangle((x, y), (w, h), fill), Draw.ellipse((y, x), (w, h), Color(1, 1, 1))]
        corners = [(float(a), float(b)) for a, b in rng.integers(0, 60, (4, 2)) / 2]
        draws.append(Draw.polygon(corners, fill))
    for one in draws:
        single = FlatScene([one])
        color, number = rasterize(single, (32, 32))
        np.testing.assert_array_equal(device.number(single, (32, 32)), number)
        assert np.abs(device.color(single, (32, 32)) - color).max() < STEP


def test_ten_thousand_sprites_are_one_draw(device: FlatPass) -> None:
    sprites = FlatSprites(Image(atlas(3), linear=False))
    y, x = np.mgrid[0:100, 0:100]
    sprites.set(np.stack([x.ravel() + 0.5, y.ravel() + 0.5], axis=1), (1, 1), (0.0, 0.0, 1.0, 1.0))
    texels = sprites.image.texels
    texels[..., 3] = 255
    number = device.number(FlatScene([sprites]), (100, 100))
    np.testing.assert_array_equal(number, np.arange(1, 10001).reshape(100, 100))


def test_an_empty_scene_draws_nothing(device: FlatPass) -> None:
    for empty in (FlatScene(), FlatScene([FlatSprites(Image(atlas(1)))])):
        assert not device.color(empty, (4, 4)).any()
        assert not device.number(empty, (4, 4)).any()


def test_a_picture_is_on_the_device_once_and_leaves_with_its_fills(device: FlatPass) -> None:
    texels = atlas(1)
    fills = [Image(texels), Image(texels, uv=(0, 0, 0.5, 0.5))]
    device.color(FlatScene([Draw.rectangle((2, 2), (4, 4), fill) for fill in fills]), (4, 4))
    assert device._texels._list.used == texels.size // 4
    fills.pop()
    assert not device._texels.empty
    fills.clear()
    assert device._texels.empty
    assert device._items.empty


def test_what_does_not_fit_a_binding_is_refused(device: FlatPass, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posed.live.store.LIMIT", 2 * ITEM.itemsize)
    single = Draw.rectangle((2, 2), (4, 4), Color(1, 1, 1))
    with pytest.raises(PosedError, match="a flat scene of 1920 bytes does not fit the 192 of a binding"):
        device.color(FlatScene([single] * 20), (4, 4))
    with pytest.raises(PosedError, match="a picture of 4096 bytes does not fit the 192 of a binding"):
        device.color(FlatScene([Draw.sprite(Image(atlas(1, 32, 32)), (2, 2))]), (4, 4))


def test_a_region_is_read_alone(device: FlatPass) -> None:
    drawn = crowd(4, 4)
    _, number = rasterize(drawn, (80, 60))
    found = device.number(drawn, (80, 60), Region(30, 20, 3, 2))
    np.testing.assert_array_equal(found, number[20:22, 30:33])


def test_flat_draws_lie_over_the_frame_s_color(renderer: Renderer) -> None:
    wall = scene(
        model(primitive(rectangle(-9, -9, 9, 9, -1)), material=Material(base_color=(0, 0, 0.5, 1), unlit=True))
    )
    over = FlatScene([Draw.rectangle((2, 1), (2, 2), Color(1, 0, 0, 0.5)), Draw.sprite(Image(atlas(5)), (6, 5))])
    plain = renderer.render(wall, posed(), size=(12, 9), layers=["color", "object"])
    drawn = renderer.render(wall, posed(), size=(12, 9), layers=["color", "object"], flat=over)
    np.testing.assert_allclose(drawn["color"][0, 1], [0.5, 0, 0.25, 1], atol=1e-3)
    expected = flat.composite(rasterize(over, (12, 9))[0], plain["color"])
    assert np.abs(drawn["color"] - expected).max() < STEP
    np.testing.assert_array_equal(drawn["object"], plain["object"])
