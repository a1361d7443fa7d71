"""Many frames: whether memory stays where it was, on the device and in the process.

    python -m tests.bench.soak [--frames 500] [--size 480x270]

The walker plays; every tenth frame a scene of its own is loaded, drawn and dropped, a mesh is replaced, and instances
come and go. Devices, buffers and textures are counted by wgpu's own library, bytes by it and by the system. The first
fifth of the frames is let pass; after it nothing may grow by more than 5 %. The exit status says so.
"""

import argparse
import gc
import sys
from pathlib import Path

import numpy as np
import wgpu

import posed
from posed.live import CrowdPose, FlatScene, FlatSprites, MeshData, Renderer, SkinData
from posed.live.flat import Image

ROOT = Path(__file__).parents[2]
ALLOWED = 1.05


def usage() -> dict[str, float]:
    """Living device objects by class, their bytes, and the process's resident bytes."""
    gc.collect()
    counts = wgpu.diagnostics.wgpu_native_counts.get_dict()
    held = {name: row["count"] for name, row in counts.items()}
    held["device bytes"] = wgpu.diagnostics.object_counts.get_dict()["total"]["resource_mem"]
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return held | {"resident MB": pages * 4096 / 1e6}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=500)
    parser.add_argument("--size", default="480x270")
    chosen = parser.parse_args()
    width, height = (int(side) for side in chosen.size.split("x"))
    size = width, height
    renderer = Renderer()
    scene = posed.load(ROOT / "golden/scenes/walker.toml")
    world = posed.World(scene)
    part = scene.object("walker").model.meshes[4].primitives[2]
    data, skin = MeshData.of(part), SkinData.of(part)
    mesh = renderer.upload_skinned_mesh(data, skin)
    sprites = FlatSprites(Image(np.full((8, 8, 4), 255, np.uint8)))
    camera = scene.camera
    before: dict[str, float] = {}
    for number in range(chosen.frames):
        world.advance(number)
        sprites.set(np.random.default_rng(number).uniform(0, 200, (50, 2)), (8, 8))
        flat = FlatScene([sprites])
        renderer.render(scene, world.posed(), size=size, layers=["color", "object", "motion"], flat=flat)
        renderer.pick(width // 2, height // 2)
        crowd = [renderer.add(mesh) for _ in range(number % 7 + 1)]
        palettes = np.tile(np.eye(4, dtype=np.float32), (len(crowd), skin.joint_count, 1, 1))
        renderer.set_poses([CrowdPose(crowd, palettes)])
        renderer.draw(camera, size=size, layers=["object"])
        for one in crowd:
            renderer.remove(one)
        if number % 10 == 0:
            renderer.replace_mesh(mesh, data, skin)
            passing = posed.load(ROOT / "golden/scenes/walker.toml")
            renderer.render(passing, posed.World(passing).posed(), size=size, layers=["depth"])
            del passing
        if number == chosen.frames // 5:
            before = usage()
    after = usage()
    worst = 1.0
    for name, value in after.items():
        grown = value / before[name] if before[name] else 1.0 + value
        worst = max(worst, grown)
        if value:
            print(f"{name:24} {before[name]:14.1f} {value:14.1f}  {100 * (grown - 1):+.1f} %")
    print(f"{chosen.frames} frames, {renderer.adapter.name}: {'flat' if worst <= ALLOWED else 'GROWN'}")
    return 0 if worst <= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
