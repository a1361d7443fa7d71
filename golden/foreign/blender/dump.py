"""What Blender poses as a Posed file: the snippet of docs/dumping.md."""

import json
import struct
from pathlib import Path

import bpy
from mathutils import Matrix

# glTF's y is Blender's z, and its z is Blender's -y.
TO_GLTF = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


def play(clip, seconds):
    """Show one clip of an imported glTF, which Blender holds as tracks of that name, at a time."""
    start = 0.0
    for one in bpy.data.objects:
        if one.animation_data is not None:
            one.animation_data.action = None
            for track in one.animation_data.nla_tracks:
                track.mute = track.name != clip
                if not track.mute:
                    start = track.strips[0].frame_start - track.strips[0].action_frame_start
    frame = start + seconds * bpy.context.scene.render.fps
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)


def posed_of(path, name, tick, rate):
    """Return what Blender shows of the glTF at `path`, imported, as the object `name` of a Posed file."""
    root, graph = gltf_json(path), bpy.context.evaluated_depsgraph_get()
    nodes, palettes, morphs = {}, {}, {}
    for number, node in enumerate(root["nodes"]):
        if "mesh" not in node:
            continue
        mesh = bpy.data.objects[node["name"]].evaluated_get(graph)
        if "skin" in node:
            joints = root["skins"][node["skin"]]["joints"]
            palettes[number] = [numbers(joint_matrix(mesh, root["nodes"][joint]["name"])) for joint in joints]
        else:
            nodes[number] = numbers(mesh.matrix_world)
        if mesh.data.shape_keys is not None:
            morphs[number] = [key.value for key in mesh.data.shape_keys.key_blocks[1:]]
    return {
        "format": "posed",
        "version": 1,
        "tick": tick,
        "rate": str(rate),
        "nodes": {name: nodes},
        "palettes": {name: palettes},
        "morphs": {name: morphs},
    }


def joint_matrix(mesh, joint):
    """Return what a bone does to the vertices of a mesh: to the world, moved from the bind pose, back to the mesh."""
    armature = mesh.find_armature()
    bone = armature.pose.bones[joint]
    place = armature.matrix_world
    return place @ bone.matrix @ bone.bone.matrix_local.inverted() @ place.inverted() @ mesh.matrix_world


def numbers(matrix):
    """Return a matrix in glTF's axes, column after column."""
    turned = TO_GLTF @ matrix @ TO_GLTF.inverted()
    return [turned[row][column] for column in range(4) for row in range(4)]


def gltf_json(path):
    """Return the JSON of a .glb or .gltf file."""
    data = Path(path).read_bytes()
    if data[:4] != b"glTF":
        return json.loads(data)
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
