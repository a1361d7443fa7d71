"""Walk the golden runs and compare their hashes with the stored ones.

    python -m tests.golden_runs [--accept] [--one-way] [RUN ...]

Each line gives a run, its hash, and what it took. With NUMBA_DISABLE_JIT=1 it is the plain Python that is walked.
`--one-way` walks tick by tick only; `--accept` stores the hashes found, which is a golden change and belongs in the
changelog. The exit status is 1 where a hash differs.
"""

import argparse
import sys
import time

import numba

from tests.golden_runs.runs import RUNS, WAYS, accept, here, stored
from tracer import BackendError


def main() -> int:
    """Return 1 if a hash differs, else 0."""
    options = _options()
    wanted = stored() if not options.accept else {}
    print(", ".join(f"{name} {value}" for name, value in here().items()), end=", ")
    print("no compiler" if numba.config.DISABLE_JIT else f"threads {numba.config.NUMBA_NUM_THREADS}", flush=True)
    found: dict[str, str] = {}
    wrong = False
    for name in options.runs or RUNS:
        for way, walked in list(WAYS.items())[: 1 if options.one_way else None]:
            start = time.perf_counter()
            try:
                value = RUNS[name](walked)
            except BackendError as error:
                print(f"{name:9} not on this machine: {error}", flush=True)
                break
            first = found.setdefault(name, value)
            expected = first if options.accept else wanted.get(name, "none: nothing is stored")
            word = "same" if value == expected else f"DIFFERS from {expected}"
            wrong = wrong or value != expected
            print(f"{name:9} {value} {word}, {way}, {time.perf_counter() - start:.1f} s", flush=True)
    if options.accept and not wrong:
        if len(found) < len(RUNS):
            raise SystemExit("nothing is stored: accept on a machine that walks every run")
        accept(found)
    return int(wrong)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.golden_runs", description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"of {', '.join(RUNS)}; all unless named")
    parser.add_argument("--accept", action="store_true", help="store the hashes of all runs")
    parser.add_argument("--one-way", action="store_true", help="tick by tick only")
    options = parser.parse_args()
    unknown = [name for name in options.runs if name not in RUNS]
    if unknown:
        parser.error(f"there is no run {unknown[0]}: the runs are {', '.join(RUNS)}")
    if options.accept and options.runs:
        parser.error("--accept stores all runs: name none")
    return options


if __name__ == "__main__":
    sys.exit(main())
