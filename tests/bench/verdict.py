"""What a verdict costs: two frames of 1920 x 1080 with every layer, medians of several.

    python tests/bench/verdict.py [--size 1920x1080] [--runs 5]

The live frames are the built-in renderer's of the walker at tick 42, and of the tick before under that number, where
200,000 pixels differ. They are drawn in a process of their own, so that the peak of memory is that of the trace and the
verdicts. Kernels are compiled before; the trace is said apart. Goals on two cores: 2 s without FLIP, 5 s with it,
1.5 GiB. Processor time is that of all threads: where other processes use the machine too, it says more than the clock.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[2]))

import posed
from posed.verify import Side, Verdict, color_layer, compare, expected_vertices
from tests.bench.telling import tell

LAYERS = ("object", "part", "triangle", "depth", "normal", "motion", "joint", "color")

SCENE = Path(__file__).parents[2] / "golden/scenes/walker.toml"

TICK = 42


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--draw", metavar="FOLDER", help="only draw the live frames there")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    if options.draw:
        draw(Path(options.draw), (width, height))
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--size", options.size, "--draw", folder], check=True)
        judge(Path(folder), (width, height), options.runs)


def draw(folder: Path, size: tuple[int, int]) -> None:
    """Write the live frames, right and late."""
    scene = posed.load(SCENE)
    world = posed.World(scene)
    world.advance(TICK - 1)
    late = replace(world.posed(), tick=TICK)
    world.advance(TICK)
    for name, pose in (("right", world.posed()), ("a tick late", late)):
        posed.live.render(scene, pose, size=size, layers=LAYERS).save(folder / f"{name}.npz")


def judge(folder: Path, size: tuple[int, int], runs: int) -> None:
    """Print what the trace and the verdicts of the frames in a folder take."""
    scene = posed.load(SCENE)
    world = posed.World(scene)
    world.advance(TICK)
    pose = world.posed()
    vertices = expected_vertices(scene, pose)
    trace = timed(lambda: posed.trace(scene, pose, size=size, samples="center"), runs)
    truth = Side("", trace.result, pose, vertices)
    print(f"{size[0]}x{size[1]}, all layers, medians of {runs}: seconds, and of the processor's")
    rows = {"the trace": trace}
    for name in ("right", "a tick late"):
        live = Side("", posed.Frame.load(folder / f"{name}.npz"), pose, vertices)

        def judged(live: Side = live) -> Verdict:
            return compare(truth, live, scene=scene)

        with mock.patch.object(color_layer, "is_installed", return_value=False):
            rows[f"verdict, {name}, without FLIP"] = timed(judged, runs)
        rows[f"verdict, {name}, with FLIP"] = timed(judged, runs)
    for name, one in rows.items():
        print(one.row(name))
        what = f"{name}, {size[0]} x {size[1]}"
        tell("verdict", what, one.busy, "s of processor time", one.busy / trace.busy, "the trace")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB at the peak of the process")


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
        del result
        start, began = time.perf_counter(), time.process_time()
        result = run()
        seconds.append(time.perf_counter() - start)
        busy.append(time.process_time() - began)
    return Timed(seconds, busy, result)


if __name__ == "__main__":
    main()
