"""Open3D's side of `tests/bench/loading.py` and `rays.py`: a JSON request a line, a JSON answer a line."""

import json
import sys
import time

import numpy as np
import open3d


def load(file):
    """Read a file's triangles, whose textures come along, and say how long it took."""
    start = time.perf_counter()
    mesh = open3d.io.read_triangle_mesh(file)
    taken = 1e3 * (time.perf_counter() - start)
    return {"ms": taken, "triangles": len(mesh.triangles)}


class Rays:
    """A scene and rays through it, from an npz of positions, triangles, origins and directions."""

    def __init__(self, file, threads):
        with np.load(file) as given:
            self.scene = open3d.t.geometry.RaycastingScene(nthreads=threads)
            self.scene.add_triangles(
                open3d.core.Tensor(given["positions"].astype(np.float32)),
                open3d.core.Tensor(given["triangles"].astype(np.uint32)),
            )
            rays = np.concatenate([given["origins"], given["directions"]], axis=1).astype(np.float32)
            self.rays = open3d.core.Tensor(rays)

    def cast(self, out):
        """Cast them, say how long it took, and write the triangle of each, -1 where none, where a file is named."""
        start = time.perf_counter()
        found = self.scene.cast_rays(self.rays)
        taken = 1e3 * (time.perf_counter() - start)
        if out:
            triangles = found["primitive_ids"].numpy().astype(np.int64)
            triangles[found["geometry_ids"].numpy() == self.scene.INVALID_ID] = -1
            np.save(out, triangles)
        return {"ms": taken}


def main():
    """Answer until nobody asks."""
    rays = None
    for line in sys.stdin:
        asked = json.loads(line)
        if "load" in asked:
            answer = load(asked["load"])
        elif "scene" in asked:
            rays = Rays(asked["scene"], asked["threads"])
            answer = {}
        else:
            answer = rays.cast(asked["cast"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
