"""The tracer's speed as ratios: each against something that was measured in the same run, medians.

    python tests/bench/tracer.py [--only raw,aov,tick,path,process,cold] [--rounds 7] [--threads 2]

`raw`: primary rays in packets and rays every way one by one, from kernels and from the same loops in C++ (needs g++).
`aov`: all geometry layers with exact hits against embreex's `EmbreeScene.run`, which gives a triangle a ray on one
thread. `tick`: pose, skin, lay out and refit a model, what a tick of a range costs beyond its rays. `path`: seconds to
RMSE 0.005 against the Pythons that POSED_TEST_MITSUBA and POSED_TEST_BPY name. `process`: whole processes with a warm
cache. `cold`: processor time to compile from nothing, and how long that takes by the clock.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import numba
import numpy as np
from numpy.typing import NDArray

import posed
import tracer
from posed.stage import scene_posed
from posed.tracing import Tracing
from tests.bench import path as path_bench
from tests.bench.processes import SCENE, seconds
from tests.bench.rays import rays_as_arrays, write_triangles
from tests.tracer.scenes import looking, scene, sphere
from tracer import embree
from tracer.compiling import leaf
from tracer.embree import library
from tracer.packets import TILE, new_packet
from tracer.view import view_of

LOOP = Path(__file__).with_name("peers") / "embree_loop.cpp"
PARTS = ("raw", "aov", "tick", "path", "process", "cold")


def alternating(first: Callable[[], Any], second: Callable[[], Any], rounds: int) -> tuple[float, float, float]:
    """Return the medians of two calls' seconds, made in turns after one of each, and of their ratio."""
    times = []
    for number in range(rounds + 1):
        row = []
        for call in (first, second):
            start = time.perf_counter()
            call()
            row.append(time.perf_counter() - start)
        if number:
            times.append(row)
    one, other = (statistics.median(column) for column in zip(*times, strict=True))
    return one, other, statistics.median(b / a for a, b in times)


def say(what: str, text: str, value: float, goal: float, *, least: bool) -> None:
    """Print a line: what was measured, and whether its goal is reached."""
    reached = value >= goal if least else value <= goal
    word = "at least" if least else "at most"
    print(f"{what:28} {text:58} {value:8.2f}  ({word} {goal:g}: {'reached' if reached else 'not reached'})", flush=True)


@leaf
def write_singles(handle, rays, first, last, ray, words, ray_address, arguments_address, triangles):
    """Write the Embree index that each of some rays, (N, 6) float32, meets, -1 where none."""
    for index in range(first, last):
        for axis in range(3):
            ray[axis], ray[4 + axis] = rays[index, axis], rays[index, 3 + axis]
        ray[3], ray[8] = np.float32(0.0), np.float32(np.inf)
        words[9] = np.uint32(embree.ANY_MASK)
        for word in range(17, 21):
            words[word] = np.uint32(embree.INVALID)
        embree.rtc_intersect1(np.uintp(handle), np.uintp(ray_address), np.uintp(arguments_address))
        has_hit = words[18] != np.uint32(embree.INVALID)
        triangles[index] = np.int64(words[17]) if has_hit else np.int64(-1)


def raw(rounds: int, threads: int) -> None:
    """Rays from kernels and from C++, the same scene, rays and flags."""
    compiler, size = shutil.which("g++"), 1024
    if compiler is None:
        print("raw: no g++ here")
        return
    made = scene(sphere(rows=129, columns=320))
    view = view_of(looking((0, 0, 3), yfov=0.9), (size, size))
    random = np.random.default_rng(1)
    rays = random.normal(size=(400_000, 6)).astype(np.float32)
    rays[:, :3] *= np.float32(0.3)
    address = {
        name: ctypes.cast(getattr(library(), name), ctypes.c_void_p) for name in ("rtcIntersect1", "rtcIntersect16")
    }
    with tempfile.TemporaryDirectory() as folder:
        built = f"{folder}/loop.so"
        subprocess.run(
            [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-pthread", str(LOOP), "-o", built], check=True
        )
        loops = ctypes.CDLL(built)
    structure = embree.build(made.positions, made.triangles, np.zeros(len(made.triangles), np.bool_))
    found = [np.empty((size, size), np.int64) for _ in range(2)]
    lone = [np.empty(len(rays), np.int64) for _ in range(2)]
    rows = math.ceil(size / TILE / threads) * TILE
    bands = [(first, min(first + rows, size), new_packet(embree.ANY_MASK)) for first in range(0, size, rows)]
    each = math.ceil(len(rays) / threads)
    parts = [(first, min(first + each, len(rays)), *_single_memory()) for first in range(0, len(rays), each)]
    pointers = [values.ctypes.data_as(ctypes.c_void_p) for values in (view, rays, found[1], lone[1])]
    handle = ctypes.c_void_p(structure.handle)
    with structure, ThreadPoolExecutor(threads) as pool:
        ours, theirs, ratio = alternating(
            lambda: list(pool.map(lambda band: write_triangles(structure.handle, view, *band, found[0]), bands)),
            lambda: loops.packets(address["rtcIntersect16"], handle, pointers[0], size, threads, pointers[2]),
            rounds,
        )
        text = rates(size * size, ours, theirs, found)
        say("packets over C++", text, ratio, 0.9, least=True)
        ours, theirs, ratio = alternating(
            lambda: list(pool.map(lambda part: write_singles(structure.handle, rays, *part[:6], lone[0]), parts)),
            lambda: loops.singles(address["rtcIntersect1"], handle, pointers[1], len(rays), threads, pointers[3]),
            rounds,
        )
        text = rates(len(rays), ours, theirs, lone)
        say("rays one by one over C++", text, ratio, 0.9, least=True)


def rates(rays: int, ours: float, theirs: float, found: list[NDArray[np.int64]]) -> str:
    """Return what two loops that traced the same rays are called."""
    differing = int((found[0] != found[1]).sum())
    return f"{rays / ours / 1e6:.1f} and {rays / theirs / 1e6:.1f} Mrays/s, {differing} triangles differ"


def _single_memory() -> tuple[Any, ...]:
    """Return a ray, its words, and both addresses that a query takes; what they point to stays in the tuple."""
    ray, context, arguments = np.zeros(32, np.float32), np.zeros(64, np.uint32), np.zeros(8, np.uint64)
    ray = ray[-ray.ctypes.data % 64 // 4 :][:24]
    context[:2] = embree.INVALID
    arguments[0], arguments[1] = embree.INVALID << 32, context.ctypes.data
    return ray, ray.view(np.uint32), ray.ctypes.data, arguments.ctypes.data, context, arguments


def aov(rounds: int, threads: int) -> None:
    """All geometry layers against embreex's own loop."""
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    size = 1024
    world = posed.World(posed.load(SCENE))
    world.advance(42)
    walker = scene_posed(world.scene, 1.0, world.posed())
    ball = scene(sphere(rows=129, columns=320)), looking((0, 0, 3), yfov=0.9)
    for name, (made, camera) in {"sphere": ball, "walker": (walker.scene, walker.camera)}.items():
        other = EmbreeScene()
        TriangleMesh(other, made.positions[made.triangles])
        origins, directions = rays_as_arrays(view_of(camera, (size, size)), size)
        with tracer.Tracer(made) as ready:
            ours, theirs, ratio = alternating(
                lambda ready=ready, camera=camera: ready.trace(camera, size=(size, size), integrator="aov"),
                lambda other=other, rays=(origins, directions): other.run(*rays),
                rounds,
            )
        text = f"{ours * 1e3:.0f} ms, run {theirs * 1e3:.0f} ms, {size} x {size}, {threads} threads against one"
        say(f"aov over run, {name}", text, ratio, 2.0, least=True)


def tick(rounds: int, threads: int) -> None:
    """What a tick of a range costs beyond its rays."""
    folder = os.environ.get("POSED_TEST_MODELS")
    path = SCENE if folder is None else Path(folder) / "robot.glb"
    loaded = posed.load(path)
    world = posed.World(loaded)
    if loaded.objects[0].model.clips and folder is not None:
        world.animate(loaded.objects[0].name, 0).done()
    times = []
    with Tracing(loaded) as ready:
        for number in range(6 * rounds):
            start = time.process_time()
            world.advance(number + 1)
            staged = ready._stage.at(world.posed())
            prepared = ready._ready(staged)._prepared
            prepared.proposing(), prepared.decided()
            times.append(time.process_time() - start)
    text = f"{path.name}, {len(staged.positions)} vertices, ms of processor time"
    say("a tick beyond its rays", text, statistics.median(times[rounds:]) * 1e3, 12.0, least=False)


def path(rounds: int, threads: int) -> None:
    """Seconds until a picture by path is good; see tests/bench/path.py."""
    words = [
        sys.executable,
        str(Path(path_bench.__file__)),
        "--size",
        "512",
        "--samples",
        "16,64",
        "--threads",
        str(threads),
    ]
    for option, variable in (("--mitsuba", "POSED_TEST_MITSUBA"), ("--cycles", "POSED_TEST_BPY")):
        if os.environ.get(variable):
            words += [option, os.environ[variable]]
    subprocess.run(words, check=True)


def process(rounds: int, threads: int) -> None:
    """Whole processes with a warm cache, against what importing numba alone takes, and against a whole process of bpy.

    Cycles draws the walker gray in a white room, which is less than what it has in its scene.
    """
    imports, peer = [sys.executable, "-c", "import numba"], os.environ.get("POSED_TEST_BPY")
    with tempfile.TemporaryDirectory() as folder:
        # Python's own compiled files too, as an installed package has them.
        warm = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
        words = ["render", str(SCENE), "--tick", "42", "--size", "512x512", "-o", f"{folder}/a.png"]
        render = [sys.executable, "-m", "posed", *words]
        path_bench.save(f"{folder}/scene.npz", *path_bench.staged(), 512, [64], threads)
        script = Path(path_bench.__file__).with_name("peers") / "cycles_path.py"
        cycles = [str(peer), str(script), f"{folder}/scene.npz", f"{folder}/b.png"]
        for options, goal in ((["--samples", "16"], 1.5), (["--integrator", "path", "--samples", "64"], None)):
            seconds([*render, *options], **warm)
            others = imports if goal else cycles
            if not (goal or peer):
                print("process: set POSED_TEST_BPY to a Python with bpy")
                continue
            rows = [(seconds([*render, *options], **warm), seconds(others, **warm)) for _ in range(max(rounds // 2, 1))]
            whole = f"{' '.join(options)}, whole {statistics.median(row[0] for row in rows):.2f} s"
            if goal:
                beyond = statistics.median(ours - alone for ours, alone in rows)
                say("model to picture", f"{whole}, beyond import numba, s", beyond, goal, least=False)
            else:
                theirs = statistics.median(row[1] for row in rows)
                ratio = statistics.median(ours / theirs for ours, theirs in rows)
                say("model to picture", f"{whole}, bpy {theirs:.2f} s, ratio", ratio, 1.0, least=False)


def cold(rounds: int, threads: int) -> None:
    """Processor time, and time by the clock, to compile from nothing: a frame by `aov`, and everything."""
    frame = ["render", str(SCENE), "--integrator", "aov", "--size", "64x36", "-o"]
    for what, words, goal in (("aov", frame, 15.0), ("everything", ["doctor", "--warm"], 40.0)):
        with tempfile.TemporaryDirectory() as folder:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "posed", *words, *([f"{folder}/a.npz"] if words is frame else [])]
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=os.environ | {"POSED_CACHE_DIR": folder})
            waited = time.perf_counter() - start
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        say(f"cold, {what}", f"seconds of one processor; {waited:.1f} s by the clock", used, goal, least=False)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    numba.set_num_threads(options.threads)
    info = embree.info()
    print(f"Embree {info.version} {info.isa}, numba {numba.__version__}, {options.threads} threads of {os.cpu_count()}")
    for part in options.only.split(","):
        {"raw": raw, "aov": aov, "tick": tick, "path": path, "process": process, "cold": cold}[part](
            options.rounds, options.threads
        )


if __name__ == "__main__":
    main()
