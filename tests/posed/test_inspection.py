"""Inspection: what a model holds, as values and as the lines of `posed inspect`."""

import json

from click.testing import CliRunner

from posed.cli.inspect import command
from posed.gltf import load
from posed.inspection import DEEPEST_INDENT, inspect, lines
from tests.gltf_literals import TRIANGLE, Literal, two_joint_skin


def figure():
    literal = two_joint_skin(name="body", camera=0)
    primitive = literal.root["meshes"][0]["primitives"][0]
    primitive |= {"material": 0, "targets": [{"POSITION": literal.accessor(TRIANGLE)}]}
    literal.root["meshes"][0]["name"] = "column"
    literal.root["skins"][0]["name"] = "rig"
    literal.animation((2, "rotation", [0, 0.5, 1.5], [[0, 0, 0, 1]] * 3, "STEP"), name="Nod")
    literal.root |= {
        "materials": [{"name": "skin", "alphaMode": "MASK", "doubleSided": True, "emissiveTexture": {"index": 0}}],
        "textures": [{"source": 0}],
        "images": [{"name": "freckles", "bufferView": literal.view(b"no picture")}],
        "cameras": [{"name": "eye", "type": "perspective", "perspective": {"yfov": 1, "znear": 1}}],
        "extensions": {"KHR_lights_punctual": {"lights": [{"name": "lamp", "type": "point"}]}},
        "extensionsUsed": ["KHR_lights_punctual", "ACME_magic"],
    }
    return literal


def test_the_lines_of_a_figure(tmp_path):
    path = figure().write(tmp_path)
    assert list(lines(inspect(load(path)))) == [
        str(path),
        '  0 "body": mesh 0, skin 0, camera 0',
        '  1 "hip": joint',
        '    2 "knee": joint',
        'mesh 0 "column"',
        "  triangles, 3 vertices, 1 triangle, up to 2 influences, 1 morph target, material 0",
        'skin 0 "rig": 2 joints',
        'clip 0 "Nod": 1.500 s, 1 channel, 3 keys',
        'material 0 "skin": mask, double-sided',
        'image "freckles": unreadable, 10 bytes',
        'camera 0 "eye"',
        'light 0 "lamp": point',
        "extensions: KHR_lights_punctual, ACME_magic",
        'note: /extensionsUsed/1: the extension "ACME_magic" is not applied',
    ]


def test_the_command_prints_the_same_values_as_json(tmp_path):
    path = figure().write(tmp_path)
    done = CliRunner().invoke(command, [str(path), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.output) == inspect(load(path))
    plain = CliRunner().invoke(command, [str(path)])
    assert plain.output.splitlines() == list(lines(inspect(load(path))))


def test_only_the_shown_scene_is_listed(tmp_path):
    path = Literal(nodes=[{"name": "a"}, {"name": "b"}], scenes=[{"nodes": [0]}, {"nodes": [1]}]).write(tmp_path)
    assert '"b"' not in CliRunner().invoke(command, [str(path)]).output
    assert '"b"' in CliRunner().invoke(command, [str(path), "--scene", "1"]).output


def test_deep_nodes_say_how_deep_they_are(tmp_path):
    depth = DEEPEST_INDENT + 1
    path = Literal(nodes=[*({"children": [index + 1]} for index in range(depth)), {}]).write(tmp_path)
    last = list(lines(inspect(load(path))))[-1]
    assert last == "  " * (1 + DEEPEST_INDENT) + f'(depth {depth}) {depth} ""'
