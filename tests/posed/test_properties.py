"""Properties that clips move by pointer: read, played, mixed, frozen, saved, and drawn by both renderers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posed.baking import bake
from posed.errors import PoseError
from posed.fitting import fit
from posed.gltf import load as load_model
from posed.live import Renderer
from posed.properties import hidden_nodes, shown_lights, shown_materials, shown_parts
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.stage import stage
from posed.tracing import trace
from posed.verify import check
from posed.world import World
from tests.gltf_literals import Literal

COLOR = "/materials/0/pbrMetallicRoughness/baseColorFactor"
VISIBLE = "/nodes/0/extensions/KHR_node_visibility/visible"


def moved(literal: Literal, *channels: tuple[str, list[float], Any, str], name: str = "Move") -> None:
    """Append a clip of channels (pointer, times, values, interpolation)."""
    literal.animation(*[(None, "pointer", *channel[1:]) for channel in channels], name=name)
    for record, channel in zip(literal.root["animations"][-1]["channels"], channels, strict=True):
        record["target"]["extensions"] = {"KHR_animation_pointer": {"pointer": channel[0]}}


def card() -> Literal:
    """A triangle of an unlit red material."""
    literal = Literal(extensionsUsed=["KHR_animation_pointer", "KHR_materials_unlit"])
    part = {**literal.primitive(), "material": 0}
    literal.node(mesh=literal.mesh(part))
    surface = {"baseColorFactor": [1, 0, 0, 1]}
    literal.root["materials"] = [
        {"pbrMetallicRoughness": surface, "extensions": {"KHR_materials_unlit": {}}, "doubleSided": True}
    ]
    return literal


def played(literal: Literal, folder: Path, tick: int, *clips: tuple[str, float]) -> tuple[Scene, Posed]:
    """Play clips (by default Move) from tick 0 at 60 ticks a second, and return the scene and the snapshot."""
    scene = load(literal.write(folder))
    world = World(scene)
    world.animate_blend("model", list(clips or [("Move", 1.0)]))
    world.advance(tick)
    return scene, world.posed()


def test_a_pointer_to_a_nodes_transform_is_an_ordinary_channel(tmp_path: Path) -> None:
    times, values = [0.0, 1.0], [[0, 0, 0], [0, 2, 0]]
    pointed, plain = card(), card()
    moved(pointed, ("/nodes/0/translation", times, values, "LINEAR"))
    plain.animation((0, "translation", times, values, "LINEAR"))
    one, other = load_model(pointed.write(tmp_path, "a.glb")), load_model(plain.write(tmp_path, "b.glb"))
    assert one.properties == ()
    assert one.clips[0].channels[0].node == 0
    assert bake(one, clip=0, time=0.25)[0].positions.tolist() == bake(other, clip=0, time=0.25)[0].positions.tolist()


def test_a_color_is_played_frozen_and_staged(tmp_path: Path) -> None:
    """A quarter of the way from red to green: 0.75, 0.25, 0."""
    literal = card()
    moved(literal, (COLOR, [0, 1], [[1, 0, 0, 1], [0, 1, 0, 1]], "LINEAR"))
    scene, posed = played(literal, tmp_path, 15)
    assert posed.properties["model"][COLOR].tolist() == [0.75, 0.25, 0.0, 1.0]
    assert stage(scene, posed).materials[0].base_color == (0.75, 0.25, 0.0, 1.0)
    frame = trace(scene, posed, size=(16, 16), samples="center")
    seen = frame["color"][frame["object"] == 1]
    assert len(seen)
    assert np.allclose(seen, [0.75, 0.25, 0.0, 1.0], atol=1e-7)


def test_a_surface_that_fades_under_its_cutoff_is_gone_for_both(tmp_path: Path, renderer: Renderer) -> None:
    """Alpha goes from 1 to 0 in a second, cut off at 0.4: seen at tick 35, gone at 37, and back for an earlier one."""
    literal = card()
    literal.root["materials"][0] |= {"alphaMode": "MASK", "alphaCutoff": 0.4}
    moved(literal, (COLOR, [0, 1], [[1, 0, 0, 1], [1, 0, 0, 0]], "LINEAR"))
    scene, posed = played(literal, tmp_path, 35)
    later = replace(played(literal, tmp_path, 37)[1], previous=None)
    for snapshot, seen in ((posed, True), (later, False), (posed, True)):
        assert renderer.render(scene, snapshot, size=(16, 16), layers=["object"])["object"].any() == seen
        assert check(scene, snapshot, size=(32, 32)).passed


def test_the_rest_is_the_files_and_what_no_clip_moves_keeps_its_object(tmp_path: Path) -> None:
    literal = card()
    moved(literal, (COLOR, [0, 1], [[1, 0, 0, 1], [0, 1, 0, 1]], "LINEAR"))
    scene = load(literal.write(tmp_path))
    whole = fit(scene, Posed(tick=0, rate=scene.rate))
    assert whole.properties["model"][COLOR].tolist() == [1, 0, 0, 1]
    plain = load(card().write(tmp_path, "plain.glb"))
    posed = fit(plain, Posed(tick=0, rate=plain.rate))
    assert not posed.properties
    assert shown_materials(plain, posed)[0] is plain.materials[0]


def test_clips_mix_properties_as_they_mix_weights(tmp_path: Path) -> None:
    """0.3 of green and 0.7 of a clip that moves nothing of it: the others' share goes to the rest, red."""
    literal = card()
    moved(literal, (COLOR, [0], [[0, 1, 0, 1]], "LINEAR"), name="Green")
    literal.animation((0, "translation", [0], [[0, 0, 0]], "LINEAR"), name="Still")
    _, posed = played(literal, tmp_path, 1, ("Green", 0.3), ("Still", 0.7))
    assert np.allclose(posed.properties["model"][COLOR], [0.7, 0.3, 0, 1], atol=1e-15)


def test_what_a_clip_hides_keeps_its_ids_and_is_drawn_by_neither(tmp_path: Path, renderer: Renderer) -> None:
    """Visible at first, hidden from half a second on."""
    literal = card()
    literal.root["extensionsUsed"].append("KHR_node_visibility")
    moved(literal, (VISIBLE, [0, 0.5, 1], [1, 0, 0], "STEP"))
    scene, posed = played(literal, tmp_path, 29)
    later = played(literal, tmp_path, 30)[1]
    assert [len(shown_parts(scene, one)) for one in (posed, later)] == [1, 0]
    assert [len(stage(scene, one).triangles) for one in (posed, later)] == [1, 0]
    for snapshot, seen in ((posed, True), (later, False)):
        assert renderer.render(scene, snapshot, size=(16, 16), layers=["object"])["object"].any() == seen
    assert [len(bake(scene.objects[0].model, clip=0, time=time)) for time in (0.25, 0.5)] == [1, 0]


def test_a_node_that_is_hidden_at_rest_and_shown_by_a_clip(tmp_path: Path) -> None:
    literal = card()
    literal.root["nodes"][0]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    moved(literal, (VISIBLE, [0], [1], "STEP"))
    model = load_model(literal.write(tmp_path))
    assert model.mesh_nodes == (0,)
    assert bake(model) == []
    assert len(bake(model, clip=0)) == 1


def test_below_a_hidden_node_nothing_is_seen(tmp_path: Path) -> None:
    literal = card()
    literal.node(children=[0])
    model = load_model(literal.write(tmp_path))
    assert hidden_nodes(model, {VISIBLE.replace("0", "1"): np.array([0.0])}) == {0, 1}


def test_texture_transforms_move_whole(tmp_path: Path) -> None:
    """Of offset, scale and turn only the offset moves; the file's scale of 2 stays."""
    literal = card()
    literal.root["extensionsUsed"].append("KHR_texture_transform")
    literal.root["images"] = [{"bufferView": literal.view(b"-"), "mimeType": "image/png"}]
    literal.root["textures"] = [{"source": 0}]
    slot = {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2]}}}
    literal.root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = slot
    place = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"
    moved(literal, (place, [0, 1], [[0, 0], [1, 0.5]], "LINEAR"))
    scene, posed = played(literal, tmp_path, 30)
    (material,) = shown_materials(scene, posed)
    assert material.color_texture is not None
    assert material.color_texture.transform == ((2.0, 0.0, 0.5), (-0.0, 2.0, 0.25))


def test_coats_sheens_and_tints_move_and_stay_within_their_ranges(tmp_path: Path) -> None:
    literal = card()
    coat, sheen, specular = (f"KHR_materials_{name}" for name in ("clearcoat", "sheen", "specular"))
    literal.root["images"] = [{"bufferView": literal.view(b"-"), "mimeType": "image/png"}]
    literal.root["textures"] = [{"source": 0}]
    bumps = {"index": 0, "scale": 2}
    literal.root["materials"] = [
        {"extensions": {coat: {"clearcoatNormalTexture": bumps}, sheen: {"sheenRoughnessFactor": 0.5}}}
    ]
    place = "/materials/0/extensions"
    moved(
        literal,
        (f"{place}/{coat}/clearcoatFactor", [0, 1], [0, 3], "LINEAR"),
        (f"{place}/{coat}/clearcoatRoughnessFactor", [0, 1], [0, 1], "LINEAR"),
        (f"{place}/{coat}/clearcoatNormalTexture/scale", [0, 1], [2, 1], "LINEAR"),
        (f"{place}/{sheen}/sheenColorFactor", [0, 1], [[0, 0, 0], [1, 0.5, -1]], "LINEAR"),
        (f"{place}/{specular}/specularColorFactor", [0, 1], [[1, 1, 1], [0, 0.5, 3]], "LINEAR"),
    )
    scene, posed = played(literal, tmp_path, 30)
    (material,) = shown_materials(scene, posed)
    assert material.clearcoat is not None
    assert (material.clearcoat.factor, material.clearcoat.roughness) == (1.0, 0.5)
    assert material.clearcoat.normal_texture is not None
    assert material.clearcoat.normal_texture.scale == 1.5
    assert material.sheen is not None
    assert (material.sheen.color, material.sheen.roughness) == ((0.5, 0.25, 0.0), 0.5)
    assert material.specular_color == (0.5, 0.75, 2.0)


def test_lenses_and_lights_move(tmp_path: Path) -> None:
    literal = card()
    literal.root["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]
    literal.root["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 10}]}}
    literal.root["extensionsUsed"].append("KHR_lights_punctual")
    literal.node(camera=0, translation=[0, 0, 5], extensions={"KHR_lights_punctual": {"light": 0}})
    moved(
        literal,
        ("/cameras/0/perspective/yfov", [0, 1], [1.0, 0.5], "LINEAR"),
        ("/extensions/KHR_lights_punctual/lights/0/intensity", [0, 1], [10, 30], "LINEAR"),
    )
    scene, posed = played(literal, tmp_path, 30)
    assert posed.camera is not None
    assert posed.camera.yfov == 0.75
    assert [light.intensity for light in shown_lights(scene, posed)] == [20.0]
    assert [light.intensity for light in stage(scene, posed).lights] == [20.0]


@pytest.mark.parametrize(
    ("pointer", "values"),
    [("/materials/0/name", [1]), ("/materials/9/alphaCutoff", [1]), ("/nodes/7/translation", [[0, 0, 0]])],
)
def test_pointers_that_do_not_play_are_noted(tmp_path: Path, pointer: str, values: Any) -> None:
    literal = card()
    moved(literal, (pointer, [0], values, "LINEAR"))
    model = load_model(literal.write(tmp_path))
    assert model.properties == ()
    assert model.notes == (f'/animations/0/channels/0: the pointer "{pointer}" is not played, the channel is left out',)


@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_snapshots_keep_properties(tmp_path: Path, suffix: str) -> None:
    literal = card()
    moved(literal, (COLOR, [0, 1], [[1, 0, 0, 1], [0, 1, 0, 1]], "LINEAR"))
    _, posed = played(literal, tmp_path, 7)
    posed.save(tmp_path / f"x.posed.{suffix}")
    read = Posed.load(tmp_path / f"x.posed.{suffix}")
    assert read == posed
    assert read.properties["model"][COLOR].tolist() == posed.properties["model"][COLOR].tolist()
    assert read != replace(posed, properties={})


def test_a_property_that_no_clip_moves_does_not_fit(tmp_path: Path) -> None:
    scene = load(card().write(tmp_path))
    with pytest.raises(PoseError) as caught:
        fit(scene, Posed(tick=0, rate=scene.rate, properties={"model": {COLOR: np.ones(4)}}))
    assert str(caught.value) == f'properties: object "model" takes none at {COLOR} (it takes them at none)'
