"""Mitsuba's rows for `tests/bench/path.py`: `python mitsuba_path.py SCENE.npz`; prints JSON."""

import json
import math
import sys
import time

import drjit as dr
import mitsuba as mi
import numpy as np

mi.set_variant("llvm_ad_rgb")


def load(scene, seed):
    """Build the scene from its arrays."""
    properties = mi.Properties()
    gray = {"type": "rgb", "value": [float(scene["gray"])] * 3}
    properties["mesh_bsdf"] = mi.load_dict({"type": "twosided", "inner": {"type": "diffuse", "reflectance": gray}})
    vertices, faces = len(scene["positions"]), len(scene["triangles"])
    mesh = mi.Mesh("walker", vertices, faces, has_vertex_normals=True, props=properties)
    parameters = mi.traverse(mesh)
    parameters["vertex_positions"] = scene["positions"].ravel()
    parameters["vertex_normals"] = scene["normals"].ravel()
    parameters["faces"] = scene["triangles"].ravel()
    parameters.update()
    size = int(scene["size"])
    return mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 64},
            "mesh": mesh,
            "light": {"type": "constant"},
            "sensor": {
                "type": "perspective",
                "fov": math.degrees(float(scene["yfov"])),
                "fov_axis": "y",
                "to_world": mi.ScalarTransform4f((scene["camera"] @ np.diag([-1.0, 1.0, -1.0, 1.0])).tolist()),
                "film": {"type": "hdrfilm", "width": size, "height": size, "rfilter": {"type": "box"}},
                "sampler": {"type": "multijitter", "seed": seed},
            },
        }
    )


def main(path):
    """Render each number of samples twice."""
    scene = dict(np.load(path))
    dr.set_thread_count(int(scene["threads"]))

    def picture(count, seed):
        start = time.perf_counter()
        color = np.array(mi.render(load(scene, seed), spp=count, seed=seed), np.float64)[..., :3]
        return color, time.perf_counter() - start

    rows = []
    for count in map(int, scene["samples"]):
        picture(count, 0)  # compiles: the number of samples is part of the kernel
        (first, one), (second, two) = picture(count, 1), picture(count, 2)
        rmse = math.sqrt(((first - second) ** 2).mean() / 2.0)
        rows.append({"samples": count, "seconds": 0.5 * (one + two), "rmse": rmse})
    print(json.dumps(rows))


if __name__ == "__main__":
    main(sys.argv[1])
