"""What a frame with an overlay takes at 960 x 540, warm: ``python -m tests.bench.overlays [SCENE]``.

One process, one sample a pixel, the median of several; the processor's time, summed over threads, beside the clock's.
"""

import statistics
import sys
import time
from pathlib import Path

import posed

WALKER = Path(__file__).parents[2] / "golden/scenes/walker.toml"
ROUNDS = 7


def main() -> None:
    scene = posed.load(sys.argv[1] if len(sys.argv) > 1 else WALKER)
    world = posed.World(scene)
    world.advance(42)
    pose = world.posed()
    names = [name for name in posed.overlay.NAMES if ":" not in name]
    names += [f"weights:{scene.ids.joints[0].name}"] if scene.ids.joints else []
    with posed.Tracing(scene) as tracing:
        for chosen in [(), *((name,) for name in names)]:
            taken = []
            for _ in range(ROUNDS + 2):
                began = time.perf_counter(), time.process_time()
                tracing.trace(pose, samples=1, layers=("color",), overlays=chosen)
                taken.append((time.perf_counter() - began[0], time.process_time() - began[1]))
            clock, processor = (statistics.median(one) * 1e3 for one in zip(*taken[2:], strict=True))
            print(f"{chosen[0] if chosen else 'no overlay':24} {clock:6.0f} ms  processor {processor:5.0f} ms")


if __name__ == "__main__":
    main()
