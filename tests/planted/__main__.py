"""Plant every fault, or those whose names hold one of the words, and print what the verdict makes of each.

    python -m tests.planted [--size 320x180] [WORD ...]

A table in Markdown: the fault, the layer that failed first, the object and the joint that were named, and what was
expected where that is something else. Each scene is checked without a fault too. Exit status 1 where a fault is missed
or misnamed, or where an unbroken scene fails.
"""

from __future__ import annotations

import argparse
import sys

from posed.verify import compare
from tests.planted.fault import SIZE, found
from tests.planted.faults import FAULTS
from tests.planted.stage import TICKS, stage_of


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--size", default=f"{SIZE[0]}x{SIZE[1]}")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    chosen = [one for one in FAULTS if not options.words or any(word in one.name for word in options.words)]
    print("| fault | scene | first failing layer | object | joint | |\n| --- | --- | --- | --- | --- | --- |")
    wrong = 0
    for name in TICKS:
        if any(one.scene == name for one in chosen):
            stage = stage_of(name, (width, height))
            verdict = compare(stage.truth, stage.draw(), scene=stage.scene)
            wrong += not verdict.passed
            print(_row("none", name, found(verdict), "" if verdict.passed else f"FAILED: {verdict.sentence()}"))
    for one in chosen:
        verdict = one.verdict((width, height))
        finding = found(verdict)
        is_found = one.is_found(finding)
        wrong += not is_found
        expected = ", ".join(word for word in one.expected if word)
        print(_row(one.name, one.scene, finding, "" if is_found else f"EXPECTED {expected}: {verdict.sentence()}"))
    print(f"\n{len(chosen)} faults, {wrong} wrong")
    return 1 if wrong else 0


def _row(*cells: object) -> str:
    return "| " + " | ".join(" | ".join(cell) if isinstance(cell, tuple) else str(cell) for cell in cells) + " |"


if __name__ == "__main__":
    sys.exit(main())
