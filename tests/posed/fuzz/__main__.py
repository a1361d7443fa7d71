"""Fuzz by hand: python -m tests.posed.fuzz [--minutes 20 | --cases 40] [--seed 0]; exit status 1 on a fault."""

import argparse
import itertools
import sys
import tempfile
import time
from pathlib import Path

from tests.posed.fuzz.running import run


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, help="stop after these")
    parser.add_argument("--cases", type=int, help="mutations of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the first mutation's")
    given = parser.parse_args()
    seeds = itertools.count(given.seed) if given.cases is None else range(given.seed, given.seed + given.cases)
    until = None if given.minutes is None else time.monotonic() + 60.0 * given.minutes
    if until is None and given.cases is None:
        parser.error("say --minutes or --cases")
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


sys.exit(main())
