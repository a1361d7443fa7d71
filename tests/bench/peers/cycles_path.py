"""Cycles' rows for `tests/bench/path.py`: `python cycles_path.py SCENE.npz`, with bpy 5; prints JSON.

With a second word, a PNG's place, it renders that picture alone, for `tests/bench/tracer.py`.
"""

import json
import math
import sys
import tempfile
import time
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix


def build(scene):
    """Build the scene from its arrays and set Cycles to plain path tracing on this many threads."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.data.worlds.new("white")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (1.0, 1.0, 1.0, 1.0)
    bpy.context.scene.world = world
    gray = bpy.data.materials.new("gray")
    gray.use_nodes = True
    nodes, links = gray.node_tree.nodes, gray.node_tree.links
    nodes.clear()
    diffuse, output = nodes.new("ShaderNodeBsdfDiffuse"), nodes.new("ShaderNodeOutputMaterial")
    diffuse.inputs["Color"].default_value = (*[float(scene["gray"])] * 3, 1.0)
    links.new(diffuse.outputs[0], output.inputs[0])
    mesh = bpy.data.meshes.new("walker")
    mesh.from_pydata(scene["positions"].tolist(), [], scene["triangles"].tolist())
    mesh.shade_smooth()
    mesh.normals_split_custom_set_from_vertices(scene["normals"].tolist())
    mesh.materials.append(gray)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("walker", mesh))
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle = "VERTICAL", float(scene["yfov"])
    camera = bpy.data.objects.new("camera", data)
    camera.matrix_world = Matrix(scene["camera"].tolist())
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    render = bpy.context.scene.render
    render.engine = "CYCLES"
    render.resolution_x = render.resolution_y = int(scene["size"])
    render.resolution_percentage = 100
    render.threads_mode, render.threads = "FIXED", int(scene["threads"])
    render.image_settings.file_format = "OPEN_EXR"
    render.image_settings.color_depth = "32"
    cycles = bpy.context.scene.cycles
    cycles.device = "CPU"
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 1.0
    cycles.max_bounces = cycles.diffuse_bounces = 64
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0.0


def main(path, picture_alone=None):
    """Render each number of samples twice, or one picture of the first."""
    scene = dict(np.load(path))
    build(scene)
    if picture_alone is not None:
        bpy.context.scene.cycles.samples = int(scene["samples"][0])
        bpy.context.scene.render.image_settings.file_format = "PNG"
        bpy.context.scene.render.image_settings.color_depth = "8"
        bpy.context.scene.render.filepath = picture_alone
        bpy.ops.render.render(write_still=True)
        return
    size, folder = int(scene["size"]), tempfile.mkdtemp()

    def picture(count, seed):
        bpy.context.scene.cycles.samples, bpy.context.scene.cycles.seed = count, seed
        bpy.context.scene.render.filepath = str(Path(folder) / f"{count}-{seed}.exr")
        start = time.perf_counter()
        bpy.ops.render.render(write_still=True)
        elapsed = time.perf_counter() - start
        image = bpy.data.images.load(bpy.context.scene.render.filepath)
        return np.array(image.pixels[:], np.float64).reshape(size, size, 4)[..., :3], elapsed

    picture(1, 0)
    rows = []
    for count in map(int, scene["samples"]):
        (first, one), (second, two) = picture(count, 1), picture(count, 2)
        rmse = math.sqrt(((first - second) ** 2).mean() / 2.0)
        rows.append({"samples": count, "seconds": 0.5 * (one + two), "rmse": rmse})
    print()
    print(json.dumps(rows))


if __name__ == "__main__":
    main(*sys.argv[1:3])
