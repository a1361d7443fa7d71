"""Draw correct frames by lot and check each with the policy `gpu`: none may fail.

    python -m tests.correct [--frames 500] [--seed 1] [--only N ...]

A frame is the built-in renderer's: a golden scene or a model of the folder that POSED_TEST_MODELS names, at any tick,
its clips mixed, from 1x1 to 640x360 pixels, seen by the scene's camera or by one that stands before it, near, far off,
inside, or looks along a surface. The same seed gives the same frames. Each that fails is told with the command that
draws it again. Exit status 1 where one fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.correct.case import draw_case


def main() -> int:
    """Check the frames."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="these frames only")
    options = parser.parse_args()
    numbers = options.only or range(options.frames)
    begin, failed, layers = time.monotonic(), list[int](), Counter[str]()
    for done, number in enumerate(numbers, 1):
        case = draw_case(options.seed, number)
        verdicts = list(case.verdicts())
        layers.update(one.layer for verdict in verdicts for one in verdict.compared)
        wrong = [verdict for verdict in verdicts if not verdict.passed]
        if options.only:
            print(f"frame {number}: {case.words}")
        if wrong:
            failed.append(number)
            print(f"FAILED: {case.words}")
            for verdict in wrong:
                print("  " + "\n  ".join(one.sentence() for one in verdict.compared if not one.passed))
            print(f"  again: python -m tests.correct --seed {options.seed} --only {number}", flush=True)
        if done % 50 == 0:
            print(f"{done} frames, {len(failed)} failed, {time.monotonic() - begin:.0f} s", flush=True)
    counts = ", ".join(f"{layer} {count}" for layer, count in layers.items())
    print(f"{len(numbers)} frames, {len(failed)} failed; compared: {counts}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
