"""Packing a scene's geometry and textures into buffers that fit a binding."""

import numpy as np
import pytest

from posed.errors import PosedError
from posed.gltf.material import Material
from posed.live import Renderer, pages
from posed.live.geometry import pack
from posed.live.materials import pack_materials
from tests.posed.live.literals import model, picture, posed, primitive, rectangle, scene

UVS = (np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32),)
RED, BLUE = [[[255, 0, 0, 255], [1, 2, 3, 4]]], [[[0, 0, 255, 255]]]


def test_influences_without_weight_are_left_out_and_the_others_keep_their_order() -> None:
    part = primitive(
        rectangle(0, 0, 1, 1, 0),
        joints=np.array([[5, 6, 7]] * 4, np.uint32),
        weights=np.array([[0.5, 0, 0.5], [0, 1, 0], [0.25, 0.25, 0.5], [1, 0, 0]], np.float32),
    )
    packed = pack(scene(model(part, joints=8)).parts[0])
    spans, rows = packed.influences[:8].reshape(4, 2), packed.influences[8:].reshape(-1, 2)
    assert spans.tolist() == [[8, 2], [12, 1], [14, 3], [20, 1]]
    assert rows[:, 0].tolist() == [5, 7, 6, 5, 6, 7, 5]
    assert rows[:, 1].view(np.float32).tolist() == [0.5, 0.5, 1, 0.25, 0.25, 0.5, 1]


def test_an_image_is_stored_once_however_many_textures_show_it() -> None:
    red, blue = picture(RED), picture(BLUE)
    records, texels = pack_materials(
        [Material(color_texture=red, emission_texture=red), Material(color_texture=blue), Material(normal_texture=red)]
    )
    assert texels.tolist() == [0xFF0000FF, 0x04030201, 0xFFFF0000]
    assert records["color_use"]["first"].tolist() == [0, 2, 0]
    assert records["color_use"]["width"].tolist() == [2, 1, 0]
    assert records["emission_use"]["width"].tolist() == [2, 0, 0]
    assert records["normal_use"]["first"].tolist() == [0, 0, 0]


def test_several_pages_draw_what_one_does(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    quads = [primitive(rectangle(x, -1, x + 0.4, 1, -1 - x / 9), uvs=UVS) for x in (-1.0, -0.5, 0.0, 0.5)]
    drawn = scene(*(model(quad, material=Material(color_texture=picture(RED))) for quad in quads))
    expected = renderer.render(drawn, posed(), size=(40, 20))
    monkeypatch.setattr(pages, "LIMIT", 200)  # two quads of 4 vertices of 5 floats, 80 bytes each
    again = scene(*(model(quad, material=Material(color_texture=picture(RED))) for quad in quads))
    found = renderer.render(again, posed(), size=(40, 20))
    for layer in ("object", "part", "triangle"):
        np.testing.assert_array_equal(found[layer], expected[layer])
    assert set(np.unique(expected["object"])) == {0, 1, 2, 3, 4}


def test_what_fits_no_binding_is_refused_by_name(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LIMIT", 40)
    with pytest.raises(PosedError, match=r'object "a", node 0, primitive 0: its vertices take 48 bytes .* at most 40'):
        renderer.render(scene(model(primitive(rectangle(0, 0, 1, 1, 0)))), posed())
