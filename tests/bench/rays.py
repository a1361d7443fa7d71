"""Raw primary rays: our coherent packets against embreex's `EmbreeScene.run`, ratios in one process.

    python tests/bench/rays.py [--size 1024] [--threads 2] [--rounds 7] [--open3d PYTHON]

Both trace one ray through each pixel's centre onto the same sphere of 82,000 triangles and keep the triangle's id.
`run` takes arrays of rays that were made before the clock starts, on one thread: it has no other way. So does Open3D's
`RaycastingScene.cast_rays`, on as many threads as ours, in the Python named. The packets make theirs inside.
"""

import argparse
import math
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.peer import open3d
from tests.bench.telling import tell
from tests.tracer.scenes import looking, scene, sphere
from tracer import embree
from tracer.compiling import leaf
from tracer.packets import LANES, TILE, Packet, new_packet, set_camera_lanes
from tracer.view import view_of, write_camera_ray

TRIANGLE, GEOMETRY = 17, 18
"""Words of `RTCRayHit16`, each sixteen wide."""


@leaf
def write_triangles(
    handle: int,
    view: NDArray[np.float64],
    first_row: int,
    last_row: int,
    packet: Packet,
    triangles: NDArray[np.int64],
) -> None:
    """Write the Embree index that each pixel's centre ray meets, -1 where none; rows and width are multiples of
    `TILE`."""
    height, width = triangles.shape
    for top in range(first_row, last_row, TILE):
        for left in range(0, width, TILE):
            set_camera_lanes(packet, view, left, top, width, height)
            embree.rtc_intersect16(
                np.uintp(packet.valid_address),
                np.uintp(handle),
                np.uintp(packet.rays_address),
                np.uintp(packet.arguments_address),
            )
            for lane in range(LANES):
                has_hit = packet.words[GEOMETRY * LANES + lane] != np.uint32(embree.INVALID)
                found = packet.words[TRIANGLE * LANES + lane]
                row, column = np.uintp(top + lane // TILE), np.uintp(left + lane % TILE)
                triangles[row, column] = np.int64(found) if has_hit else np.int64(-1)


def rays_as_arrays(view, size):
    """Make the same rays as arrays for `run`."""
    origins, directions = np.empty((size * size, 3), np.float32), np.empty((size * size, 3), np.float32)
    ray = np.zeros(6)
    for index in range(size * size):
        write_camera_ray(view, index % size + 0.5, index // size + 0.5, size, size, ray)
        origins[index], directions[index] = ray[:3], ray[3:]
    return origins, directions


def seconds(call, rounds):
    """Time a call, best left to the reader: all rounds after one to warm up."""
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def beside_open3d(chosen, made, rays, packets, triangles):
    """Print and tell our packets' time as a part of Open3D's, in turns, and how many triangles differ."""
    with tempfile.TemporaryDirectory() as folder, open3d(chosen.open3d) as peer:
        file, answer = Path(folder) / "scene.npz", Path(folder) / "triangles.npy"
        np.savez(file, positions=made.positions, triangles=made.triangles, origins=rays[0], directions=rays[1])
        peer.ask(scene=str(file), threads=chosen.threads)
        peer.ask(cast=str(answer))
        ratios = []
        for _ in range(chosen.rounds):
            theirs = peer.ask(cast="")["ms"]
            ratios.append(1e-3 * theirs / seconds(packets, 1)[0])
        differing = int((np.load(answer).reshape(triangles.shape) != triangles).sum())
    ratio = statistics.median(ratios)
    against = f"Open3D's cast_rays, {chosen.threads} threads"
    print(f"{ratio:.2f} times the rays of {against}; differing triangles: {differing}")
    tell("tracing", "primary rays beside Open3D's", ratio, "times", ratio, against)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--open3d", metavar="PYTHON")
    chosen = parser.parse_args()

    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    made = scene(sphere(rows=129, columns=320))
    view = view_of(looking((0, 0, 3), yfov=0.9), (chosen.size, chosen.size))
    built = embree.build(made.positions, made.triangles, np.zeros(len(made.triangles), np.bool_))
    triangles = np.empty((chosen.size, chosen.size), np.int64)
    rows = math.ceil(chosen.size / TILE / chosen.threads) * TILE
    spans = [(first, min(first + rows, chosen.size)) for first in range(0, chosen.size, rows)]
    memory = [new_packet(embree.ANY_MASK) for _ in spans]

    other = EmbreeScene()
    TriangleMesh(other, made.positions[made.triangles])
    origins, directions = rays_as_arrays(view, chosen.size)
    answers = []

    with ThreadPoolExecutor(chosen.threads) as pool:

        def packets():
            list(
                pool.map(
                    lambda job: write_triangles(built.handle, view, *job[0], job[1], triangles),
                    zip(spans, memory, strict=True),
                )
            )

        def run():
            answers[:] = [other.run(origins, directions)]

        ours, theirs = seconds(packets, chosen.rounds), seconds(run, chosen.rounds)
        if chosen.open3d is not None:
            beside_open3d(chosen, made, (origins, directions), packets, triangles)

    differing = int((answers[0].reshape(triangles.shape) != triangles).sum())
    rays = chosen.size**2 / 1e6
    info = embree.info()
    print(f"{len(made.triangles)} triangles, {chosen.size} x {chosen.size} rays, Embree {info.version} {info.isa}")

    print(f"packets, {chosen.threads} threads: {rays / statistics.median(ours):7.1f} million rays a second")
    print(f"EmbreeScene.run, 1 thread: {rays / statistics.median(theirs):7.1f} million rays a second")
    ratio = statistics.median(theirs) / statistics.median(ours)
    tell("tracing", f"primary rays by {chosen.threads} threads", rays / statistics.median(ours), "Mrays/s")
    tell("tracing", "times the rays of embreex's run", ratio, "times", ratio, "embreex's run, which has one thread")
    print(
        f"ratio of medians: {statistics.median(theirs) / statistics.median(ours):.2f}; differing triangles: {differing}"
    )
    built.release()


if __name__ == "__main__":
    main()
