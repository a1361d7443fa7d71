"""What a verdict costs: two frames of 1920 x 1080 with every layer, medians of several.

    python tests/bench/verdict.py [--size 1920x1080] [--runs 5]

The live frame is the built-in renderer's of the walker at tick 42, and one of the same a tick late, where much differs.
Kernels are compiled before, the reference is traced before, and said apart with the drawing. Goals on two cores: 2 s
without FLIP, 5 s with it, 1.5 GiB at the peak of the whole process. Processor time is that of all threads: where other
processes use the machine too, it says more than the clock.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[2]))

import posed
from posed.verify import Verdict, color_layer, compare, expected_vertices
from tests.bench.telling import tell

LAYERS = ("object", "part", "triangle", "depth", "normal", "motion", "joint", "color")

SCENE = Path(__file__).parents[2] / "golden/scenes/walker.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    size = width, height
    scene = posed.load(SCENE)
    world = posed.World(scene)
    world.advance(41)
    late = replace(world.posed(), tick=42)
    world.advance(42)
    pose = world.posed()
    vertices = expected_vertices(scene, pose)
    trace = timed(lambda: posed.trace(scene, pose, size=size, samples="center"), options.runs)
    draw = timed(lambda: posed.live.render(scene, pose, size=size, layers=LAYERS), options.runs)
    truth = posed.verify.Side("", trace.result, pose, vertices)
    print(f"{width}x{height}, walker, all layers, medians of {options.runs}: seconds, and of the processor's")
    rows = {"tracing the reference": trace, "drawing the live frame": draw}
    frames = {"right": draw.result, "a tick late": posed.live.render(scene, late, size=size, layers=LAYERS)}
    for name, frame in frames.items():
        live = posed.verify.Side("", frame, pose, vertices)

        def judged(live: posed.verify.Side = live) -> Verdict:
            return compare(truth, live, scene=scene)

        with mock.patch.object(color_layer, "is_installed", return_value=False):
            plain = timed(judged, options.runs)
        rows[f"verdict, {name}, without FLIP"] = plain
        rows[f"verdict, {name}, with FLIP"] = timed(judged, options.runs)
    for name, one in rows.items():
        print(one.row(name))
        tell(
            "verdict",
            f"{name}, {width} x {height}",
            one.busy,
            "s of processor time",
            one.busy / trace.busy,
            "the trace",
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{peak:,.0f} MiB at the peak of the process, with two live frames, the reference and the device's own")


class Timed:
    """Medians of the seconds that passed and of the processor's, and what the last run gave."""

    def __init__(self, seconds: list[float], busy: list[float], result: Any) -> None:
        self.seconds, self.busy, self.result = statistics.median(seconds), statistics.median(busy), result

    def row(self, name: str) -> str:
        return f"{self.seconds:6.2f} s, {self.busy:6.2f} s: {name}"


def timed(run: Callable[[], Any], runs: int) -> Timed:
    """Time several runs after one to compile."""
    result = run()
    seconds, busy = [], []
    for _ in range(runs):
        start, began = time.perf_counter(), time.process_time()
        result = run()
        seconds.append(time.perf_counter() - start)
        busy.append(time.process_time() - began)
    return Timed(seconds, busy, result)


if __name__ == "__main__":
    main()
