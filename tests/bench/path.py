"""Seconds until a picture by path is good: a posed character in a white room, against other renderers.

    python tests/bench/path.py [--size 512] [--samples 16,64,256] [--mitsuba PYTHON] [--cycles PYTHON]

Every renderer draws the walker at tick 42, gray and diffuse, twice at each number of samples with other seeds: half the
mean squared difference of two independent unbiased pictures is the mean squared error of one, against its own converged
picture. The time to RMSE 0.005 is read between two numbers of samples on a line through the logarithms. Times hold
building the scene and rendering, not starting a process, importing, or compiling kernels.

Mitsuba (llvm_ad_rgb) and Cycles (bpy) run in the interpreters named, in processes of their own; without a name they are
left out.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

import posed
import tracer
from posed.stage import Stage, stage_camera
from tests.bench.telling import tell

SCENE = Path(__file__).parents[2] / "golden/scenes/walker.toml"
GOAL = 0.005
GRAY = 0.8

HINTS = {"mitsuba": " (does DRJIT_LIBLLVM_PATH name an LLVM library?)"}
"""What a renderer that fails most often lacks."""


def staged():
    """The walker and its ground at tick 42, one gray material, in a white room; and the camera."""
    scene = posed.load(SCENE)
    world = posed.World(scene)
    world.advance(42)
    pose = world.posed()
    made = Stage(scene).at(pose)
    gray = tracer.Material(base_color=(GRAY, GRAY, GRAY, 1.0), metallic=0.0, specular=0.0, double_sided=True)
    white = tracer.Environment((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    plain = {"materials": (gray,), "material": np.zeros_like(made.material), "lights": (), "environment": white}
    return replace(made, textures=(), **plain), stage_camera(pose.camera or scene.camera, made.origin)


def save(path, made, camera, size, samples, threads):
    """Write what a peer needs to draw the same."""
    np.savez(
        path,
        positions=made.positions,
        normals=made.normals,
        triangles=made.triangles,
        camera=camera.matrix,
        yfov=camera.yfov,
        size=size,
        samples=samples,
        threads=threads,
        gray=GRAY,
    )


def ours(made, camera, size, samples):
    """Measure this tracer: a row a number of samples."""

    def picture(count, seed):
        start = time.perf_counter()
        options = {"size": (size, size), "samples": count, "seed": seed, "integrator": "path", "layers": ("color",)}
        color = tracer.trace(made, camera, **options)["color"]
        return color[..., :3].astype(np.float64), time.perf_counter() - start

    picture(1, 0)
    return [row(count, picture(count, 1), picture(count, 2)) for count in samples]


def row(count, first, second):
    """Put two pictures of equal quality and their times into a row of the table."""
    rmse = math.sqrt(((first[0] - second[0]) ** 2).mean() / 2.0)
    return {"samples": count, "seconds": 0.5 * (first[1] + second[1]), "rmse": rmse}


def seconds_to(goal, rows):
    """Read the time to an error off a line through the two rows around it, or the last two."""
    for before, after in itertools.pairwise(rows):
        slope = math.log(after["seconds"] / before["seconds"]) / math.log(after["rmse"] / before["rmse"])
        if after["rmse"] <= goal or after is rows[-1]:
            return after["seconds"] * (goal / after["rmse"]) ** slope
    return math.nan


def peer(interpreter, script, scene_file):
    """Measure another renderer in its own process: the last line it prints is its rows."""
    command = [interpreter, str(Path(__file__).with_name("peers") / script), str(scene_file)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout
    return json.loads(printed.strip().splitlines()[-1])


def main():
    """Print each renderer's rows, and the ratios; return what has failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--samples", default="16,64,256")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--mitsuba")
    parser.add_argument("--cycles")
    chosen = parser.parse_args()
    samples = [int(count) for count in chosen.samples.split(",")]
    numba.set_num_threads(chosen.threads)
    made, camera = staged()
    results, failed = {}, []
    with tempfile.TemporaryDirectory() as folder:
        scene_file = Path(folder) / "scene.npz"
        save(scene_file, made, camera, chosen.size, samples, chosen.threads)
        results["ours"] = ours(made, camera, chosen.size, samples)
        for name, interpreter, script in (
            ("mitsuba", chosen.mitsuba, "mitsuba_path.py"),
            ("cycles", chosen.cycles, "cycles_path.py"),
        ):
            if interpreter:
                try:
                    results[name] = peer(interpreter, script, scene_file)
                except subprocess.CalledProcessError as error:
                    said = (error.stderr.strip().splitlines() or ["it said nothing"])[-1]
                    failed.append(f"{name} ended with status {error.returncode}: {said}{HINTS.get(name, '')}")
    print(f"{len(made.triangles)} triangles, {chosen.size} x {chosen.size}, {chosen.threads} threads")
    for name, rows in results.items():
        for line in rows:
            print(f"{name:8} {line['samples']:5} samples {line['seconds']:8.2f} s   RMSE {line['rmse']:.5f}")
        reached = seconds_to(GOAL, rows)
        ratio = seconds_to(GOAL, results["ours"]) / reached
        against = "" if name == "ours" else name
        tell(
            "path", f"to RMSE {GOAL} by {name}", reached, "s", ratio if against else None, against and "its time, ours"
        )
        print(f"{name:8} RMSE {GOAL} in {reached:.2f} s; ours takes {ratio:.2f} of it")
    return "; ".join(failed) or None


if __name__ == "__main__":
    sys.exit(main())
