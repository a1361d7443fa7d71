"""Blender's tangents of a smooth mesh: reads positions, triangles, uvs that run up; writes what each corner has.

python blender_tangents.py IN.npz OUT.npz
"""

import sys

import bpy
import numpy as np

given = np.load(sys.argv[1])
mesh = bpy.data.meshes.new("mesh")
mesh.from_pydata(given["positions"].tolist(), [], given["triangles"].tolist())
corners = given["triangles"].ravel()
mesh.uv_layers.new(name="uv").uv.foreach_set("vector", given["uvs"][corners].astype(np.float32).ravel())
mesh.shade_smooth()
mesh.calc_tangents(uvmap="uv")
read = {}
for name, width in (("normal", 3), ("tangent", 3), ("bitangent_sign", 1)):
    read[name] = np.empty(width * len(corners), np.float32)
    mesh.loops.foreach_get(name, read[name])
    read[name] = read[name].reshape(-1, width)
np.savez(sys.argv[2], **read)
