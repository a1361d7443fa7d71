"""Materials on the device: records, texels, and images that are there once."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from posed.gltf.material import Material
from posed.live import Renderer, layout
from posed.live.device import open_gpu
from posed.live.materials import MaterialPage, Surface, Surfaces
from posed.scene.lights import Environment
from posed.scene.load import load
from posed.world import World
from tests.gltf_literals import Literal
from tests.posed.live.literals import camera, picture

RED, BLUE = [[[255, 0, 0, 255], [1, 2, 3, 4]]], [[[0, 0, 255, 255]]]


def on_device(renderer: Renderer, page: MaterialPage) -> tuple[np.ndarray, np.ndarray]:
    """The records and texels as the device has them."""
    queue = open_gpu(renderer.adapter.name).queue
    records = np.frombuffer(queue.read_buffer(page.records.buffer), np.uint8)
    count = len(records) // layout.MATERIAL.itemsize
    texels = np.frombuffer(queue.read_buffer(page.texels.buffer), np.uint32)
    return records[: count * layout.MATERIAL.itemsize].view(layout.MATERIAL), texels


def test_an_image_is_there_once_however_many_textures_show_it(renderer: Renderer) -> None:
    red, blue = picture(RED), picture(BLUE)
    surfaces = Surfaces(open_gpu(renderer.adapter.name))
    made = [
        surfaces.upload(material)
        for material in (
            Material(color_texture=red, emission_texture=red),
            Material(color_texture=blue),
            Material(normal_texture=red),
        )
    ]
    assert [one.index for one in made] == [0, 1, 2]
    records, texels = on_device(renderer, made[0].page)
    assert texels[:3].tolist() == [0xFF0000FF, 0x04030201, 0xFFFF0000]
    assert records["color_use"]["first"][:3].tolist() == [0, 2, 0]
    assert records["color_use"]["width"][:3].tolist() == [2, 1, 0]
    assert records["emission_use"]["width"][:3].tolist() == [2, 0, 0]
    assert records["normal_use"]["first"][:3].tolist() == [0, 0, 0]


def test_texels_leave_with_the_last_material_that_shows_them(renderer: Renderer) -> None:
    red = picture(RED)
    surfaces = Surfaces(open_gpu(renderer.adapter.name))
    one: Surface | None = surfaces.upload(Material(color_texture=red))
    other: Surface | None = surfaces.upload(Material(emission_texture=red))
    assert one is not None
    page = one.page
    one = None
    assert not page.texels.empty
    other = None
    assert other is None
    assert page.texels.empty
    assert page.records.empty
    again = surfaces.upload(Material(color_texture=red))
    assert on_device(renderer, again.page)[1][0] == 0xFF0000FF


def test_a_material_is_shown_with_other_factors(renderer: Renderer) -> None:
    red = picture(RED)
    surface = Surfaces(open_gpu(renderer.adapter.name)).upload(Material(color_texture=red))
    surface.show(Material(color_texture=red, base_color=(0.5, 0.25, 1.0, 1.0), alpha_cutoff=0.75))
    records, _ = on_device(renderer, surface.page)
    assert records["base_color"][0].tolist() == [0.5, 0.25, 1.0, 1.0]
    assert records["alpha_cutoff"][0] == 0.75
    assert records["color_use"]["width"][0] == 2


def test_a_material_that_becomes_clear_is_seen_through_from_then_on(renderer: Renderer, tmp_path: Path) -> None:
    """A clip moves the transmission of a red wall before a green one from 0 to 1."""
    literal = Literal(extensionsUsed=["KHR_animation_pointer", "KHR_materials_transmission", "KHR_materials_unlit"])
    corners = literal.accessor([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]])
    triangles = literal.accessor([0, 1, 2, 0, 2, 3], np.uint16)
    quads = [{"attributes": {"POSITION": corners}, "indices": triangles, "material": i} for i in range(2)]
    literal.node(mesh=literal.mesh(quads[0]), translation=[0, 0, -1])
    literal.node(mesh=literal.mesh(quads[1]), translation=[0, 0, -2])
    literal.root["scenes"] = [{"nodes": [0, 1]}]
    literal.root["materials"] = [
        {
            "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0},
            "extensions": {"KHR_materials_transmission": {"transmissionFactor": 0.0}},
        },
        {"emissiveFactor": [1, 1, 1]},
    ]
    literal.animation((None, "pointer", (0.0, 0.5, 1.0), (0.0, 1.0, 1.0), "STEP"), name="Clear")
    target = literal.root["animations"][0]["channels"][0]["target"]
    pointer = "/materials/0/extensions/KHR_materials_transmission/transmissionFactor"
    target["extensions"] = {"KHR_animation_pointer": {"pointer": pointer}}
    file = replace(load(literal.write(tmp_path)), camera=camera(), lights=(), environment=Environment())
    world = World(file)
    world.animate(file.objects[0].name, "Clear")
    for tick, red in ((0, 0.0), (40, 1.0)):
        world.advance(tick)
        color = renderer.render(file, world.posed(), size=(4, 4), layers=["color"])["color"]
        np.testing.assert_allclose(color[2, 2, :3], [red, 0, 0], atol=1e-5)
