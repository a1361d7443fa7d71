"""Many small frames, traced and drawn: the process's resident memory at ten points, which may grow by 5 % at most.

    python -m tests.soak.memory [--traced 5000] [--drawn 2000] [--size 96x54]

The walker plays on; each frame is a snapshot of its own, traced by one `Tracing` or drawn by one renderer, with all of
their layers. The median of the last five points is held against that of the first five: a device that lets go of a
texture some frames late shows at a point, and is no growth. The exit status says whether both are flat.
"""

import argparse
import ctypes
import gc
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import posed

SCENE = Path(__file__).resolve().parents[2] / "golden/scenes/walker.toml"

ALLOWED = 1.05


def resident() -> float:
    """Return this process's resident memory in MB, garbage collected and what malloc holds free given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # glibc keeps some 20 MB at times, and gives them back at others
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def points(make: Callable[[posed.Posed], object], count: int) -> list[float]:
    """Make so many frames, each of its own tick; return the memory after each tenth."""
    world, found = posed.World(posed.load(SCENE)), []
    for number in range(count):
        world.advance(number)
        make(world.posed())
        if (number + 1) * 10 // count > len(found):
            found.append(resident())
    return found


def told(what: str, count: int, found: list[float]) -> bool:
    """Print the points; return whether they are flat."""
    half = (len(found) + 1) // 2
    grown = statistics.median(found[-half:]) / statistics.median(found[:half])
    print(
        f"{count} frames {what}: {' '.join(f'{point:.0f}' for point in found)} MB, {100 * (grown - 1):+.1f} %",
        flush=True,
    )
    return grown <= ALLOWED


def main(words: list[str] | None = None) -> int:
    """Measure both kinds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traced", type=int, default=5000)
    parser.add_argument("--drawn", type=int, default=2000)
    parser.add_argument("--size", default="96x54")
    options = parser.parse_args(words)
    width, height = (int(side) for side in options.size.split("x"))
    scene, flat = posed.load(SCENE), []
    if options.traced:
        with posed.Tracing(scene) as tracing:
            found = points(lambda pose: tracing.trace(pose, size=(width, height), samples=1), options.traced)
            flat.append(told("traced", options.traced, found))
    if options.drawn:
        from posed.live import Renderer

        renderer = Renderer()
        found = points(lambda pose: renderer.render(scene, pose, size=(width, height)), options.drawn)
        flat.append(told(f"drawn by {renderer.adapter.name}", options.drawn, found))
    return 0 if all(flat) else 1


if __name__ == "__main__":
    sys.exit(main())
