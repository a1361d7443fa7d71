"""How long a search for the cause takes: 600 ticks and every hypothesis on a character of 15,000 vertices.

    python tests/bench/diagnose.py

The character is the test arm, ringed finely, with everything that a hypothesis can be about: six influences, weights
that sum to 0.98, a morph target, a skinned node that stands elsewhere, joints in no order, a crossfade under way. The
goal, 10 s on two cores, is for a frame of 960 x 540 whose fault no hypothesis explains: nothing ends the search early.
Kernels are compiled before. A tick of the window costs posing what differs (15,000 vertices at some 20 ns, and Python's
share of a dozen calls) and drawing its 30,000 triangles at one pixel centre in a few.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

import posed
from posed.frame import Frame, Provenance
from posed.game import Game
from tests.bench.telling import tell
from tests.posed.verify.diagnosing.literals import ANIMATED, LAYERS, arm, arm_file, with_palette

RINGS, SIDES = 235, 64
TICK = 310
SIZE = (960, 540)
RUNS = 3


class Fading(Game):
    """Bends, and just before the tick begins to fade over to a wave with a bend laid over it."""

    def tick(self, world: posed.World, tick: int, input: Any) -> None:
        if tick == TICK - 6:
            world.animate("arm", "wave").blend("bend", 0.4).fade(20 / 60)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        literal = arm_file(
            influences=6,
            weight_sum=0.98,
            morphs=True,
            node={"translation": [0.3, 0.0, 0.0]},
            rings=RINGS,
            sides=SIDES,
        )
        scene = arm(Path(folder), literal, ANIMATED)
        game = Fading()
        snapshots = list(posed.play(game, scene, TICK + 1))
        truth, late = snapshots[-1], snapshots[-2]
        crush = np.array([[1.3, 0.2, 0, 0.1], [0, 0.8, 0, 0.2], [0, 0, 0.2, 0], [0, 0, 0, 1]])
        crushed = with_palette(truth, np.einsum("ab,jbc->jac", crush, truth.palettes["arm"][0]))
        sides: dict[str, Any] = {
            "a frame that nothing explains": drawn(scene, crushed),
            "a frame a tick late": drawn(scene, late),
            "a snapshot that nothing explains": replace(crushed, sources={}),
            "vertices that nothing explains": posed.verify.expected_vertices(scene, crushed),
        }
        count = sum(len(part.primitive.positions) for part in scene.parts)
        print(f"{count:,} vertices, 600 ticks, {SIZE[0]}x{SIZE[1]}, median of {RUNS} after one to compile")
        for name, live in sides.items():
            seconds, busy, found = timed(lambda live=live: posed.diagnose(scene, live, posed=truth, game=game))  # type: ignore[misc]
            tell("diagnose", name, busy, "s of processor time")
            print(f"{seconds:6.2f} s, {busy:5.2f} s of processor time: {name}: {found.sentence()}")


def drawn(scene: posed.Scene, pose: posed.Posed) -> Frame:
    frame = posed.trace(scene, pose, size=SIZE, integrator="aov", layers=LAYERS)
    return replace(frame, provenance=Provenance(), camera=None, staged=None)


def timed(run: Callable[[], posed.Diagnosis]) -> tuple[float, float, posed.Diagnosis]:
    """Return the medians of the seconds that passed and of the processor's, all threads together."""
    run()
    seconds, busy = [], []
    for _ in range(RUNS):
        start, began = time.perf_counter(), time.process_time()
        found = run()
        seconds.append(time.perf_counter() - start)
        busy.append(time.process_time() - began)
    return median(seconds), median(busy), found


if __name__ == "__main__":
    main()
