"""Blender asked for posed's conformance pack: python conform.py {requests}, with a Python that has bpy.

One process answers every moment with the vertices that Blender's modifiers make. It has no palettes for the file's own
vertices, as its importer moves them into a bind pose of its own, and draws no frame, as its viewport needs a display.
"""

import json
import sys
from pathlib import Path

import bpy
import numpy as np
from dump import TO_GLTF, gltf_json, play

REPEATS = 100
"""Passes of a strip that loops: Blender's strips end unless they are told how often they repeat."""


def answer(shown):
    """Return the vertices of one moment by part."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=shown["file"])
    for clip in shown["clips"]:
        for one in bpy.data.objects:
            tracks = [] if one.animation_data is None else one.animation_data.nla_tracks
            for strip in [strip for track in tracks for strip in track.strips]:
                strip.repeat = REPEATS if clip["playback"] == "loop" else 1.0
        play(clip["clip"], clip["unwrapped"])
    return vertices(shown)


def vertices(shown):
    """Return the positions of every mesh after its modifiers, in glTF's axes, by object, node and primitive."""
    graph, root, found = bpy.context.evaluated_depsgraph_get(), gltf_json(shown["file"]), {}
    for number, node in enumerate(root["nodes"]):
        if "mesh" in node:
            one = bpy.data.objects[node["name"]]
            if one.type != "MESH":  # an animated node with a skin is taken apart: the mesh goes by its own name
                one = bpy.data.objects[root["meshes"][node["mesh"]]["name"]]
            mesh = one.evaluated_get(graph)
            turned = TO_GLTF @ mesh.matrix_world
            points = [turned @ vertex.co for vertex in mesh.to_mesh().vertices]
            found[f"{shown['name']}/{number}/0/positions"] = np.array(points, np.float32)
    return found


def main(requests):
    """Answer all moments."""
    for one in json.loads(Path(requests).read_text(encoding="utf-8"))["requests"]:
        out = Path(one["out"])
        try:
            (shown,) = json.loads(Path(one["scene_json"]).read_text(encoding="utf-8"))["objects"]
            parts = answer(shown)
        except (RuntimeError, KeyError, AttributeError) as error:  # a file that Blender does not take, or takes apart
            (out / "error.txt").write_text(f"{type(error).__name__}: {error}", encoding="utf-8")
            continue
        np.savez(out / "vertices.npz", **parts)


if __name__ == "__main__":
    main(*sys.argv[1:])
