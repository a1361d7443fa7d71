"""`posed inspect`."""

import json
from pathlib import Path

import pytest

from posed.data import demo_scene
from tests.posed.cli.conftest import Run
from tests.posed.lint.literals import PNG, animate, clean


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The clean file of lint with a texture, a camera, a light, an unplayable channel and a clip of 37.5 ticks."""
    file = clean()
    file.root["asset"]["generator"] = "by [hand]"
    file.root["images"] = [{"bufferView": file.view(PNG), "mimeType": "image/png"}]
    file.root["textures"] = [{"source": 0}]
    surface = {"baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": 0.25}
    file.root["materials"][0] |= {"alphaMode": "MASK", "doubleSided": True, "pbrMetallicRoughness": surface}
    file.root["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]
    lights = {"lights": [{"type": "spot", "intensity": 3}]}
    file.root |= {"extensions": {"KHR_lights_punctual": lights}, "extensionsUsed": ["KHR_lights_punctual"]}
    file.root["nodes"][2] |= {"camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}}
    animate(file, (2, "translation", (0, 0.3, 0.625), [[0, 1, 0]] * 3, "STEP"), name="Hop")
    file.root["animations"][1]["channels"].append({"sampler": 0, "target": {"path": "scale"}})
    return file.write(tmp_path)


def test_what_a_person_sees(run: Run, model: Path) -> None:
    outcome = run("inspect", model)
    assert outcome.status == 0
    lines = [" ".join(line.split()) for line in outcome.out.splitlines() if line.strip()]
    head = lines.pop(0)
    assert head.startswith(f"{model} ")
    assert head.endswith("bytes in buffers")
    assert lines == [
        "3 nodes, 1 part, 3 vertices, 1 triangle, 2 clips",
        "written by by [hand]",
        "extensions KHR_lights_punctual",
        "scene",
        "├── body 0 mesh 0 under skin 0",
        "└── hip 1 joint 0",
        "└── knee 2 joint 1 camera 0 spot light",
        "clip seconds ticks channels keys nodes interpolation",
        "0 Bend 1 60 1 2 1 linear",
        "1 Hop 0.625 37.5 1 3 1 step",
        "skin joints on nodes",
        "0 2 0",
        "part mesh vertices triangles influences targets uvs also has material",
        "0/0 body 3 1 1 normals 0",
        "material alpha metallic roughness textures",
        f"0 skin mask, double-sided 0 0.25 color 1x1, {len(PNG)} bytes",
        "note /animations/1/channels/1: no node is its target, the channel is left out",
    ]


def test_for_machines(run: Run, model: Path) -> None:
    facts = json.loads(run("inspect", model, "--json").out)
    assert facts["bytes"]["file"] == model.stat().st_size
    assert facts["bytes"]["buffers"] == facts["bytes"]["binary"]
    assert facts["nodes"][2]["joint"] == {"0": 1}
    assert facts["clips"][1] == {
        "name": "Hop",
        "seconds": 0.625,
        "ticks": 37.5,
        "channels": 1,
        "keys": 3,
        "nodes": 1,
        "interpolations": ["STEP"],
    }
    assert facts["skins"] == [{"name": "", "joints": 2, "nodes": [0]}]
    assert facts["materials"][0]["textures"] == {"color": {"name": "", "size": [1, 1], "bytes": len(PNG)}}
    assert facts["extensions"] == {"used": ["KHR_lights_punctual"], "required": []}


def test_the_scene_shown_is_named_among_several(run: Run, tmp_path: Path) -> None:
    file = clean()
    assert run("inspect", file.write(tmp_path)).out.splitlines()[3] == "scene"
    file.root["scenes"] = [{"nodes": [0, 1], "name": "day"}, {"nodes": [1]}]
    path = file.write(tmp_path)
    assert run("inspect", path).out.splitlines()[3] == "scene 0 day of 0 to 1"
    outcome = run("inspect", path, "--scene", 1)
    assert outcome.out.splitlines()[3:6] == ["scene 1 of 0 to 1", "└── hip 1  joint 0", "    └── knee 2  joint 1"]
    facts = json.loads(run("inspect", path, "--scene", 1, "--json").out)
    assert (facts["scene"], facts["scenes"], facts["roots"]) == (1, ["day", ""], [1])


def test_a_deep_chain_of_nodes_is_shown(run: Run, tmp_path: Path) -> None:
    """Deeper than Python's stack."""
    file = clean()
    for index in range(3, 2003):
        file.node(children=[index + 1])
    file.node(name="tip")
    file.root["scenes"][0]["nodes"].append(3)
    path = file.write(tmp_path)
    assert len(json.loads(run("inspect", path, "--json").out)["nodes"]) == 2004
    outcome = run("inspect", path)
    assert outcome.status == 0
    assert "2,004 nodes" in outcome.out


def test_every_model_of_others_and_the_walker(run: Run, models: Path) -> None:
    for name in ("Fox.glb", "RiggedFigure.glb", "robot.glb", "AnimatedMorphCube.glb"):
        assert run("inspect", models / name).status == 0
    out = run("inspect", demo_scene().with_suffix(".glb")).out
    assert "head 4  joint 4" in out
    assert "Walk" in out


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    outcome = run("inspect", tmp_path / "gone.glb")
    assert outcome == (2, "", f"posed: {tmp_path}/gone.glb: there is no such file: check the path\n")
