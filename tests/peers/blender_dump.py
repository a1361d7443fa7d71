"""What Blender poses, by the snippet: python blender_dump.py SNIPPET.py FILE OBJECT CLIP TICK RATE OUT.json."""

import json
import runpy
import sys

import bpy

snippet, file, name, clip, tick, rate, out = sys.argv[1:]
code = runpy.run_path(snippet)
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=file)
code["play"](clip, int(tick) / int(rate))
with open(out, "w") as stream:
    json.dump(code["posed_of"](file, name, int(tick), int(rate)), stream)
