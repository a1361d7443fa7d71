"""The live renderer beside pygfx: milliseconds a frame, and ratios in one process.

    python tests/bench/live.py [--rounds 40]

Both draw one skinned tube of 3,000 vertices and 20 joints at 512 x 512 under a sun and an even sky, and read the
picture back. pygfx draws its color alone, with and without the sun's shadow; here every color has the shadow. A round
draws one frame of each kind, so that what else the machine does falls on all of them; a ratio is the median over
rounds. pygfx is no dependency: pip install pygfx.
"""

import argparse
import itertools
import math
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from posed.gltf.material import Material
from posed.live import ALL_LAYERS, Renderer
from posed.scene.lights import Environment, Light
from posed.scene.placement import looking
from tests.bench.telling import tell
from tests.posed.live.literals import camera, model, posed, primitive, scene

RINGS, AROUND, JOINTS, SIDE = 60, 50, 20, 512
NAMES = ("object", "part", "triangle", "depth")


def tube() -> tuple[Any, ...]:
    """Positions, normals, triangles, joints and weights of a tube two metres high."""
    height = np.repeat(np.linspace(0, 2, RINGS), AROUND)
    angle = np.tile(np.arange(AROUND) * 2 * np.pi / AROUND, RINGS)
    radius = 0.3 + 0.05 * np.sin(6 * height)
    positions = np.stack([radius * np.cos(angle), height, radius * np.sin(angle)], axis=1).astype(np.float32)
    normals = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1).astype(np.float32)
    corners = [(i * AROUND + j, i * AROUND + (j + 1) % AROUND) for i in range(RINGS - 1) for j in range(AROUND)]
    triangles = [t for p, q in corners for t in ((p, p + AROUND, q), (q, p + AROUND, q + AROUND))]
    along = height / 2 * (JOINTS - 1)
    first = np.minimum(along.astype(int), JOINTS - 2)
    share = along - first
    joints = np.stack([first, first + 1, np.maximum(first - 1, 0), 0 * first], axis=1).astype(np.uint32)
    weights = np.stack([0.9 * (1 - share), 0.9 * share, 0 * share + 0.1, 0 * share], axis=1).astype(np.float32)
    return positions, normals, np.array(triangles, np.uint32), joints, weights


def ours(layers: tuple[str, ...]) -> Callable[[int], Any]:
    positions, normals, triangles, joints, weights = tube()
    skinned = primitive(positions.tolist(), triangles.tolist(), normals=normals, joints=joints, weights=weights)
    material = Material(base_color=(0.8, 0.5, 0.3, 1.0), metallic=0.2, roughness=0.6)
    seen = camera(matrix=looking((0, 1, 3.2), (0, 1, 0), (0, 1, 0)), yfov=math.radians(40), znear=0.1)
    length = math.sqrt(29)
    drawn = replace(
        scene(model(skinned, material=material, joints=JOINTS), looking=seen),
        lights=(Light("sun", intensity=3.0, direction=(-2 / length, -4 / length, -3 / length)),),
        environment=Environment((0.4,) * 3, (0.4,) * 3),
    )
    renderer = Renderer()

    def draw(round_: int) -> Any:
        turn = 0.1 * math.sin(0.1 * round_)
        palette = np.tile(np.eye(4, dtype=np.float32), (JOINTS, 1, 1))
        palette[4:, :2, :2] = [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
        pose = posed(palettes={"a": {0: palette}}, tick=round_)
        return renderer.render(drawn, pose, size=(SIDE, SIDE), layers=layers, background="transparent")

    return draw


def theirs(shadow: bool) -> Callable[[int], Any]:
    import pygfx
    from rendercanvas.offscreen import RenderCanvas

    positions, normals, triangles, joints, weights = tube()
    canvas = RenderCanvas(size=(SIDE, SIDE), pixel_ratio=1)
    renderer = pygfx.renderers.WgpuRenderer(canvas, pixel_ratio=1, ppaa="none", pixel_filter="nearest")
    geometry = pygfx.Geometry(
        positions=positions, normals=normals, indices=triangles, skin_indices=joints, skin_weights=weights
    )
    material = pygfx.MeshStandardMaterial(color=(0.8, 0.5, 0.3, 1), metalness=0.2, roughness=0.6)
    mesh = pygfx.SkinnedMesh(geometry, material)
    bones = [pygfx.Bone() for _ in range(JOINTS)]
    for parent, bone in itertools.pairwise(bones):
        parent.add(bone)
        bone.local.y = 2 / (JOINTS - 1)
    mesh.add(bones[0])
    skeleton = pygfx.Skeleton(bones)
    mesh.bind(skeleton, np.eye(4))
    sun = pygfx.DirectionalLight(intensity=3)
    sun.local.position = (2, 4, 3)
    sun.cast_shadow = mesh.cast_shadow = mesh.receive_shadow = shadow
    drawn = pygfx.Scene().add(mesh, sun, pygfx.AmbientLight(intensity=0.4))
    seen = pygfx.PerspectiveCamera(40, 1)
    seen.local.position = (0, 1, 3.2)
    seen.look_at((0, 1, 0))

    def draw(round_: int) -> Any:
        turn = 0.05 * math.sin(0.1 * round_)
        bones[3].local.rotation = (0, 0, math.sin(turn), math.cos(turn))
        skeleton.update()
        renderer.render(drawn, seen)
        return renderer.snapshot()

    return draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    kinds = {
        "pygfx: color": theirs(False),
        "pygfx: color with shadow": theirs(True),
        "color": ours(("color",)),
        "color, depth, ids": ours(("color", *NAMES)),
        "depth, ids": ours(NAMES),
        "all layers": ours(ALL_LAYERS),
    }
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    for round_ in range(rounds + 5):
        for name, draw in kinds.items():
            begin = time.perf_counter()
            draw(round_)
            taken[name].append(time.perf_counter() - begin)
    print(f"{Renderer().adapter.name}, {SIDE} x {SIDE}, medians of {rounds}")
    base = taken["pygfx: color"][5:]
    for name, times in taken.items():
        ratio = statistics.median(one / other for one, other in zip(times[5:], base, strict=True))
        tell("live", f"{name}, {SIDE} x {SIDE}", 1e3 * statistics.median(times[5:]), "ms", ratio, "pygfx's color")
        print(f"{name:26} {1e3 * statistics.median(times[5:]):7.1f} ms   {ratio:5.2f} of pygfx's color")


if __name__ == "__main__":
    main()
