"""Measure the smallest turn and displacement of a joint that each layer catches, and write docs/detection.md.

    python -m tests.detection [--size 480x270] [--print]

With --print the page goes to standard output instead.
"""

from __future__ import annotations

import argparse
import sys

from posed.live import Renderer
from posed.verify.policy import POLICIES
from tests.detection.measuring import Case
from tests.detection.moving import MOVES, SUBJECTS
from tests.detection.page import PAGE, Floors, write


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="480x270")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    floors: Floors = {}
    for subject in SUBJECTS:
        for move in MOVES:
            for policy in POLICIES:
                case = Case(subject, move, policy, (width, height))
                unmoved = {**case.catches(0.0, shaded=False), **case.catches(0.0, shaded=True)}
                wrong = [layer for layer, fails in unmoved.items() if fails]
                if wrong:
                    sys.exit(f"{subject.name}, {policy}: {', '.join(wrong)} fails where nothing is moved")
                floors[subject.name, move, policy] = case.floors()
                print(f"{subject.name}, {move}, {policy}: {floors[subject.name, move, policy]}", file=sys.stderr)
    page = write(floors, (width, height), Renderer().adapter.name)
    if options.print:
        print(page, end="")
    else:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
