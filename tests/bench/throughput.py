"""A range of frames by one process and by two: frames a second, and how much of twice that is reached.

    python -m tests.bench.throughput [--frames 96] [--size 480x270] [--rounds 3]

Each process has one thread. The clock runs from the first frame that comes back to the last one, so that starting and
compiling count for nothing; the processor's time of the workers tells what other work on the machine hides: where two
processes take no more of it for a frame than one, two cores give twice the frames. Rounds take turns.
"""

import argparse
import os
import statistics
import time
from pathlib import Path

import posed
from posed.farm import Job
from posed.farm.chunk import Packed
from posed.farm.crew import in_order
from posed.farm.local import Processes
from tests.bench.telling import tell

SCENE = Path(__file__).parents[2] / "golden/scenes/walker.toml"


def processor_seconds(processes: list[int]) -> float:
    """Return the processor's time that processes have taken so far, user's and system's."""
    fields = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in processes]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def measured(job: Job, workers: int) -> tuple[float, float]:
    """Return seconds of the clock and of the processor for all frames of a job but the first ones."""
    scene = Packed.of(job.scene)
    with Processes(workers, threads=1) as crew:
        warm = [chunk for _, chunk in zip(range(2 * workers), job.chunks(job.ticks), strict=False)]
        list(in_order(crew, ((scene, chunk) for chunk in warm)))
        processes = list(crew._pool._processes)
        begun, busy = time.perf_counter(), processor_seconds(processes)
        list(in_order(crew, ((scene, chunk) for chunk in job.chunks(job.ticks))))
        return time.perf_counter() - begun, processor_seconds(processes) - busy


def main() -> None:
    """Print both and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=96)
    parser.add_argument("--size", default="480x270")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    width, height = (int(side) for side in options.size.split("x"))
    world = posed.World(posed.load(SCENE))
    job = Job(world, range(options.frames), {"size": (width, height), "samples": 16, "layers": ("color",)})
    taken: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(options.rounds):
        for workers, times in taken.items():
            times.append(measured(job, workers))
    load = os.getloadavg()[0]
    print(f"{options.frames} frames of {width} x {height}, 16 samples, medians of {options.rounds}, load {load:.1f}")
    for workers, times in taken.items():
        clock, busy = (statistics.median(column) for column in zip(*times, strict=True))
        name = f"{workers} process{'es' if workers > 1 else ''} of one thread"
        print(
            f"{name}: {options.frames / clock:.1f} frames/s, {1e3 * busy / options.frames:.1f} ms of processor a frame"
        )
        tell("range", f"frames of {width} x {height} by {name}", options.frames / clock, "frames/s")
    wall = statistics.median(one[0] / two[0] for one, two in zip(taken[1], taken[2], strict=True))
    busy = statistics.median(2 * one[1] / two[1] for one, two in zip(taken[1], taken[2], strict=True))
    print(f"two processes give {wall:.2f} times the frames by the clock, {busy:.2f} by the processor's time")
    tell("scaling", "frames by two processes, by the clock", wall, "times", wall / 2, "twice one process")
    tell("scaling", "frames by two processes, by processor time", busy, "times", busy / 2, "twice one process")


if __name__ == "__main__":
    main()
