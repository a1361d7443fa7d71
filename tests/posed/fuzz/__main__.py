"""Fuzz: python -m tests.posed.fuzz [--minutes 20 | --cases 40] [--seed 0] [--processes 1]; exit status 1 on a fault.

What --minutes leaves out depends on the machine's speed, what is tried until then on the seed alone.
"""

import argparse
import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.posed.fuzz.running import run

APART = 1_000_000
"""Between the first seeds of two processes."""


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, help="stop after these")
    parser.add_argument("--cases", type=int, help="mutations of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the first mutation's")
    parser.add_argument("--processes", type=int, default=1, help=f"at once, their seeds {APART:,} apart")
    given = parser.parse_args()
    if given.minutes is None and given.cases is None:
        parser.error("say --minutes or --cases")
    if given.processes > 1:
        return side_by_side(given.processes, given)
    seeds = itertools.count(given.seed) if given.cases is None else range(given.seed, given.seed + given.cases)
    until = None if given.minutes is None else time.monotonic() + 60.0 * given.minutes
    with tempfile.TemporaryDirectory() as folder:
        report = run(Path(folder), iter(seeds), until)
    for fault in report.faults:
        print(f"FAULT {fault.kind}, seed {fault.seed}:\n{fault.text}")
    kinds = dict.fromkeys(kind for kind, _ in report.outcomes)
    for kind in kinds:
        counts = {outcome: report.outcomes[kind, outcome] for outcome in ("result", "refused", "fault")}
        print(f"{kind:24}" + "  ".join(f"{count:8} {outcome}" for outcome, count in counts.items()))
    print(f"{sum(report.outcomes.values())} files, the slowest {report.slowest:.2f} s, {len(report.faults)} faults")
    return 1 if report.faults else 0


def side_by_side(count: int, given: argparse.Namespace) -> int:
    """Run `count` processes at once; return 1 where one of them found a fault or ended otherwise."""
    how_long = ["--minutes", str(given.minutes)] if given.cases is None else ["--cases", str(given.cases)]
    running = [
        subprocess.Popen([sys.executable, "-m", "tests.posed.fuzz", *how_long, "--seed", str(given.seed + APART * one)])
        for one in range(count)
    ]
    return 1 if any([one.wait() for one in running]) else 0  # noqa: C419 - all of them are waited for


sys.exit(main())
