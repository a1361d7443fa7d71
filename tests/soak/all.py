"""Soak: cases drawn by chance, one after the other, for some minutes.

    python -m tests.soak.all --minutes 20 --seed 1
    python -m tests.soak.all --cases 6

Ranges of random scenes are rendered by commands that are killed, interrupted, robbed of workers and started again, and
every file is held against a direct trace; checks are interrupted; broken files are handed in. After each command no
process, temporary file or shared memory of it may be left, and in the end this process has the files open that it had.
Exit status 1 on a fault.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.soak.cases import checked, refused, rendered

KINDS = {"rendered": rendered, "checked": checked, "refused": refused}

SHARES = {"rendered": 5, "checked": 1, "refused": 3}
"""Of the cases."""


def main(words: list[str] | None = None) -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--cases", type=int, help="so many, in place of the minutes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS), help="of these alone")
    options = parser.parse_args(words)
    kinds = options.kinds.split(",")
    until = time.monotonic() + 60.0 * options.minutes
    faults: list[str] = []
    done: Counter[str] = Counter()
    before: set[str] = set()
    while done.total() < options.cases if options.cases is not None else time.monotonic() < until:
        chance = random.Random(f"{options.seed} {done.total()}")
        (kind,) = chance.choices(kinds, [SHARES[name] for name in kinds])
        folder = Path(tempfile.mkdtemp(prefix="soak-"))
        begun = time.monotonic()
        found = list(KINDS[kind](folder, chance))
        shutil.rmtree(folder)
        done[kind] += 1
        if done.total() == 1:
            before = open_files()
        print(
            f"{done.total():4} {kind:9} {time.monotonic() - begun:6.1f} s  {'FAULT' if found else 'well'}", flush=True
        )
        for fault in found:
            print(f"     {fault}", flush=True)
        faults += found
    left = open_files() - before
    faults += [f"left open: {path}" for path in left]
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(done.items()))
    print(f"seed {options.seed}: {told}; {len(faults)} faults")
    return 1 if faults else 0


def open_files() -> set[str]:
    """Return what this process has open."""
    links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    return {os.readlink(link) for link in links if os.path.lexists(link)}


if __name__ == "__main__":
    sys.exit(main())
