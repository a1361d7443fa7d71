"""Mutated files: whatever comes in, out comes a model or an error of this project."""

import collections
import random
import struct

import numpy as np
import pytest

from posed.baking import bake
from posed.errors import PosedError
from posed.gltf import load
from tests.gltf_literals import TRIANGLE, two_joint_skin
from tests.posed.fuzz.mutations import mutated_bytes, mutated_json

MUTATIONS = 400


def seed_file():
    """Return a literal that uses every part of the loader."""
    literal = two_joint_skin(children=[], weights=[0.5])
    primitive = literal.root["meshes"][0]["primitives"][0]
    primitive["targets"] = [{"POSITION": literal.accessor(TRIANGLE)}]
    primitive["indices"] = literal.accessor([0, 1, 2], "uint16")
    primitive["material"] = 0
    sparse = literal.accessor(TRIANGLE)
    literal.root["accessors"][sparse]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": literal.view(b"\x01"), "componentType": 5121},
        "values": {"bufferView": literal.view(bytes(12))},
    }
    literal.mesh({"attributes": {"POSITION": sparse}, "mode": 5}, weights=[])
    literal.node(mesh=1, matrix=np.eye(4).ravel().tolist(), camera=0, extensions={"KHR_lights_punctual": {"light": 0}})
    literal.animation(
        (2, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 1, 0]], "LINEAR"),
        (0, "weights", [0, 1], [0, 0, 0, 1, 1, 1], "CUBICSPLINE"),
        name="Bend",
    )
    color = "/materials/0/pbrMetallicRoughness/baseColorFactor"
    literal.animation(
        (None, "pointer", [0, 1], [[1, 0, 0, 1], [0, 1, 0, 0]], "LINEAR"),
        (None, "pointer", [0, 0.5, 1], [1, 0, 1], "STEP"),
    )
    pointers = (color, "/nodes/3/extensions/KHR_node_visibility/visible")
    for channel, pointer in zip(literal.root["animations"][1]["channels"], pointers, strict=True):
        channel["target"]["extensions"] = {"KHR_animation_pointer": {"pointer": pointer}}
    places = {"TRANSLATION": literal.accessor([[0, 0, 0], [1, 0, 0]])}
    literal.node(mesh=1, extensions={"EXT_mesh_gpu_instancing": {"attributes": places}})
    literal.root |= {
        "scenes": [{"nodes": [0, 1, 3, 4]}],
        "scene": 0,
        "materials": [
            {
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
                "alphaMode": "MASK",
                "normalTexture": {"index": 0},
            }
        ],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{"wrapS": 33071}],
        "images": [{"bufferView": literal.view(b"no picture")}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}},
        "extensionsUsed": ["KHR_lights_punctual"],
    }
    return literal


def outcome(path):
    try:
        model = load(path)
        for clip in (None, *range(len(model.clips))):
            bake(model, clip=clip, time=0.5)
    except PosedError as error:
        return "refused" if "\n" not in str(error) else f"refused in several lines: {error}"
    return "loaded"


@pytest.mark.parametrize("kind", ["json", "glb", "binary"])
def test_mutations_end_in_a_model_or_an_error_of_ours(tmp_path, kind):
    literal = seed_file()
    path = tmp_path / ("model.gltf" if kind == "json" else "model.glb")
    path.write_bytes(literal.gltf() if kind == "json" else literal.glb())
    assert outcome(path) == "loaded"
    whole = path.read_bytes()
    seen = collections.Counter[str]()
    start = 20 + struct.unpack_from("<I", whole, 12)[0]
    with np.errstate(all="ignore"):
        for seed in range(MUTATIONS):
            chance = random.Random(seed)
            match kind:
                case "json":
                    path.write_bytes(mutated_json(whole, chance))
                case "glb":
                    path.write_bytes(mutated_bytes(whole, chance))
                case _:
                    path.write_bytes(whole[:start] + mutated_bytes(whole[start:], chance))
            seen[outcome(path)] += 1
    assert set(seen) == {"loaded", "refused"}, seen
    assert min(seen.values()) > MUTATIONS // 50, seen
