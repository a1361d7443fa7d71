"""How many pictures a second a drag of the player's time line shows: requests as its front end makes them.

``python -m tests.bench.player [SCENE]``: the median over places of the time line in one process, from request to
compressed picture, without the browser; with the processor's time beside the clock's, since other work counts there.
"""

import statistics
import sys
import time
from pathlib import Path

import posed
from posed.notebook.player.request import Request
from posed.notebook.player.screen import Screen

WALKER = Path(__file__).parents[2] / "golden/scenes/walker.toml"
DRAWS, SIZE = 60, (480, 270)


def measured(screen: Screen, **more: object) -> tuple[float, float, int]:
    """Return the median seconds of the clock and of the processor, and the bytes of a picture."""
    length = screen.look.playing.length()
    clock, processor, size = [], [], []
    for number in range(DRAWS + 5):
        request = Request(view="bench", tick=number * 7 % (length + 1), **more)
        began = time.perf_counter(), time.process_time()
        answer = screen.draw(request)
        clock.append(time.perf_counter() - began[0])
        processor.append(time.process_time() - began[1])
        size.append(len(answer.picture))
    return statistics.median(clock[5:]), statistics.median(processor[5:]), int(statistics.median(size[5:]))


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else WALKER
    screen = Screen(posed.load(path), size=SIZE)
    joint = f"weights:{screen.look.scene.ids.joints[0].name}" if screen.look.scene.ids.joints else "boxes"
    cases = {
        "dragging": {},
        "dragging, bones": {"overlays": ("bones",)},
        f"dragging, {joint}": {"overlays": (joint,)},
        "dragging, depth": {"layer": "depth"},
        "dragging, half the sides": {"coarse": 2},
        "at rest, 4 samples": {"quality": 1},
        "at rest, 16 samples": {"quality": 2},
    }
    print(f"{path}, {SIZE[0]}x{SIZE[1]}")
    for name, more in cases.items():
        clock, processor, size = measured(screen, **more)
        print(
            f"{name:32} {clock * 1e3:6.0f} ms  {1 / clock:5.1f}/s  processor {processor * 1e3:5.0f} ms  {size:6} bytes"
        )


if __name__ == "__main__":
    main()
