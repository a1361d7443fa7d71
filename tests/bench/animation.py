"""Animation and skinning: nanoseconds a joint and a vertex, medians and ratios in one process.

    python tests/bench/animation.py [--rounds 15]

A rig of 67 joints plays two clips of 30 keys a second at random ticks: two samples, their blend, globals and palette.
The joints swing smoothly; the first line says what share of their turns from key to key is small enough for the
normalized lerp (in motion-captured files it is four fifths and more). Roofline: two rotations, their blend and two
matrix products are about 250 floating-point operations and six roots or divisions a joint, some 60 ns on one core.

Skinning moves 1,000,000 vertices with normals by four influences; beside it a plain kernel of one loop that does the
same, vertex by vertex. Its memory traffic is 80 bytes a vertex, 8 ns at 10 GB/s.
"""

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

import anim
from anim.kernel import kernel
from anim.quaternion import NEARLY_PARALLEL
from anim.skin_kernels import skin_range
from tests.bench.telling import tell
from tests.rigs import chain

JOINTS, VERTICES, POOL = 67, 1_000_000, 1_000


def clip(name: str, duration: float, seed: int) -> anim.Clip:
    """Every joint swings about three axes, the first moves too."""
    source = np.random.default_rng(seed)
    times = np.linspace(0.0, duration, math.ceil(30 * duration) + 1)
    channels = []
    for joint in range(JOINTS):
        phase, swing = source.uniform(0.0, math.tau, 3), source.uniform(0.02, 0.12, 3)
        turns = swing * np.sin(math.tau * times[:, None] / duration + phase)
        keys = np.column_stack([turns, np.ones(len(times))])
        channels.append(anim.Channel(joint, anim.Path.ROTATION, anim.Interpolation.LINEAR, times, keys))
    steps = source.normal(size=(len(times), 3))
    channels.append(anim.Channel(0, anim.Path.TRANSLATION, anim.Interpolation.LINEAR, times, steps))
    return anim.Clip(name, channels)


def playing(rig: anim.Rig, seed: int) -> anim.Animator:
    """An animator that blends both clips from some place on."""
    animator = anim.Animator(rig, rate=60)
    animator.play("walk", 0, start=round(seed / 97 % 1.0, 3))
    animator.blend("run", 0.3 + 0.4 * (seed % 2), 0, start=round(seed / 89 % 1.0, 3))
    return animator


def median(call: Callable[[int], object], rounds: int, repeats: int = 1) -> float:
    """Return the median of some rounds in seconds a call; a first one compiles."""
    call(0)
    taken = []
    for number in range(rounds):
        start = time.perf_counter()
        for repeat in range(repeats):
            call(number * repeats + repeat)
        taken.append((time.perf_counter() - start) / repeats)
    return statistics.median(taken)


def animation(rounds: int) -> None:
    """Print what one animator and a pool take."""
    rig = anim.Rig(chain(JOINTS), [clip("walk", 1.0, 1), clip("run", 0.7, 2)])
    turns = [channel.values for each in rig.clips for channel in each.channels[:JOINTS]]
    cosines = np.concatenate([abs((keys[1:] * keys[:-1]).sum(axis=1)) for keys in turns])
    report("share of small turns", float((cosines > NEARLY_PARALLEL).mean()), "", None)
    ticks = np.random.default_rng(3).integers(0, 100_000, 4096).tolist()
    small = anim.Rig(chain(1), [anim.Clip("walk", clip("walk", 1.0, 1).channels[:1])])
    one = anim.Animator(small, rate=60)
    one.play("walk", 0)
    palette = np.empty((1, 4, 4), np.float32)

    def tick(number: int) -> None:
        one.advance(one_tick[0] + number)
        one.palette(number, out=palette)

    one_tick = [0]
    overhead = []
    for _ in range(rounds):
        start = time.perf_counter()
        for number in range(200):
            tick(number)
        overhead.append((time.perf_counter() - start) / 200)
        one_tick[0] += 200
    report("one tick of an animator of one bone", 1e6 * statistics.median(overhead), "us", 30.0)
    animators = [playing(rig, seed) for seed in range(POOL)]
    pool, out = anim.AnimatorPool(animators), np.empty((POOL * JOINTS, 4, 4), np.float32)
    before = numba.get_num_threads()
    for threads, limit in ((1, 150.0), (2, 80.0)):
        if threads <= before:
            numba.set_num_threads(threads)
            seconds = median(lambda number: pool.palettes(ticks[number % 4096], out=out), rounds)
            report(f"a pool of {POOL}, {threads} thread(s)", 1e9 * seconds / (POOL * JOINTS), "ns a joint", limit)
    numba.set_num_threads(before)


@kernel
def plain(positions: Any, normals: Any, joints: Any, weights: Any, palette: Any, out: Any, out_normals: Any) -> None:
    """The same work in one loop."""
    one, zero = np.float32(1), np.float32(0)
    for v in range(len(positions)):
        a = b = c = d = e = f = g = h = i = j = k = m = zero
        for n in range(joints.shape[1]):
            w, p = weights[v, n], palette[joints[v, n]]
            a, b, c, d = a + w * p[0, 0], b + w * p[0, 1], c + w * p[0, 2], d + w * p[0, 3]
            e, f, g, h = e + w * p[1, 0], f + w * p[1, 1], g + w * p[1, 2], h + w * p[1, 3]
            i, j, k, m = i + w * p[2, 0], j + w * p[2, 1], k + w * p[2, 2], m + w * p[2, 3]
        x, y, z = positions[v, 0], positions[v, 1], positions[v, 2]
        out[v, 0] = a * x + b * y + c * z + d
        out[v, 1] = e * x + f * y + g * z + h
        out[v, 2] = i * x + j * y + k * z + m
        x, y, z = normals[v, 0], normals[v, 1], normals[v, 2]
        p0, p1, p2 = f * k - g * j, g * i - e * k, e * j - f * i
        sign = -one if a * p0 + b * p1 + c * p2 < zero else one
        nx = sign * (p0 * x + p1 * y + p2 * z)
        ny = sign * ((j * c - k * b) * x + (k * a - i * c) * y + (i * b - j * a) * z)
        nz = sign * ((b * g - c * f) * x + (c * e - a * g) * y + (a * f - b * e) * z)
        length = np.sqrt(nx * nx + ny * ny + nz * nz)
        scale = one / length if length > zero else zero
        out_normals[v, 0], out_normals[v, 1], out_normals[v, 2] = nx * scale, ny * scale, nz * scale


def skinning(rounds: int) -> None:
    """Print what skinning takes beside the plain kernel, the two in turns."""
    source = np.random.default_rng(4)
    positions = source.normal(size=(VERTICES, 3)).astype(np.float32)
    normals = positions / np.sqrt((positions * positions).sum(axis=1))[:, None]
    joints = source.integers(0, JOINTS, (VERTICES, 4)).astype(np.uint32)
    weights = source.dirichlet(np.ones(4), VERTICES).astype(np.float32)
    palette = np.tile(np.eye(4, dtype=np.float32), (JOINTS, 1, 1))
    palette[:, :3] += source.normal(size=(JOINTS, 3, 4)).astype(np.float32)
    out, turned, signs = np.empty_like(positions), np.empty_like(normals), np.empty(VERTICES, np.int8)
    none = np.empty(0, np.float32)
    given = [palette[:, :3].reshape(JOINTS, 12), joints, weights, positions.ravel(), normals.ravel(), none]
    given = [array.view() for array in given]
    for array in given:
        array.flags.writeable = False
    written = (out.ravel(), turned.ravel(), none, signs)
    times: dict[str, list[float]] = {"plain": [], "ours": []}
    for _ in range(rounds + 1):
        for name, call in (
            ("plain", lambda: plain(positions, normals, joints, weights, palette, out, turned)),
            ("ours", lambda: skin_range(0, VERTICES, *given, *written)),
        ):
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    plain_time, our_time = (statistics.median(taken[1:]) for taken in times.values())
    ratios = [ours / other for ours, other in zip(times["ours"][1:], times["plain"][1:], strict=True)]
    report("skinning in one plain loop", 1e9 * plain_time / VERTICES, "ns a vertex", None)
    report("skinning", 1e9 * our_time / VERTICES, "ns a vertex", 12.0)
    report("skinning against the plain loop", statistics.median(ratios), "", 0.75)


def report(name: str, value: float, unit: str, limit: float | None) -> None:
    """Print one line."""
    held = "" if limit is None else f"{value / limit:5.2f} of {limit:g}"
    print(f"{name:38} {value:8.2f} {unit:12} {held}", flush=True)
    tell("skinning" if "skinning" in name else "animation", name, value, unit, limit and value / limit, "the goal")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each measurement")
    options = parser.parse_args()
    animation(options.rounds)
    skinning(options.rounds)
