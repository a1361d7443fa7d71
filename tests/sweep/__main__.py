"""Trace everything by every instruction set, by `bvh`, with one thread and with two, and compare the bits.

    python -m tests.sweep [WORD] [--no-scales]

Golden scenes, the models in the folder that POSED_TEST_MODELS names, and scenes and cameras that put pixel centres on
edges, coincident sheets, interpenetrating limbs and hair; WORD takes those whose name holds it. Each configuration
traces them in a process of its own. Geometry layers and color at pixel centres must be the same from all; color by path
from any number of threads. Then masks and shadows are compared at other scales. The exit status is 1 where anything
differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import NamedTuple

from tests.sweep.cases import cases
from tests.sweep.scales import scaled
from tracer import embree

THREADS = (1, 2)
ISAS = {"sse2": "sse", "avx2": "avx", "avx512": "avx512"}
"""By name: the widest vectors that the processor must have, as `embree.info` calls them."""
WIDTHS = ("sse", "avx", "avx512")


class Configuration(NamedTuple):
    """How a process traces: `way` is an instruction set of Embree's, or `bvh`."""

    way: str
    threads: int

    def environment(self) -> dict[str, str]:
        """Return the variables that say so."""
        backend = "bvh" if self.way == "bvh" else "embree"
        options = "" if self.way == "bvh" else f"isa={self.way},threads={self.threads}"
        return {"POSED_BACKEND": backend, "POSED_EMBREE": options, "NUMBA_NUM_THREADS": str(self.threads)}

    def pictures(self, word: str) -> dict[str, dict[str, str]]:
        """Trace in a process of its own: the digest of each layer, by case."""
        command = [sys.executable, "-m", "tests.sweep.pictures", word]
        done = subprocess.run(
            command, env=os.environ | self.environment(), check=True, stdout=subprocess.PIPE, text=True
        )
        return dict(map(json.loads, done.stdout.splitlines()))


def configurations() -> list[Configuration]:
    """Return those of this machine, `bvh` with one thread first: the others are held against it."""
    widest = WIDTHS.index(embree.info().isa) if embree.is_installed() else -1
    ways = ["bvh", *(isa for isa, width in ISAS.items() if WIDTHS.index(width) <= widest)]
    return [Configuration(way, threads) for way in ways for threads in THREADS]


def differences(found: dict[Configuration, dict[str, dict[str, str]]]) -> list[str]:
    """Say what differs: a line for each case, layer and configuration."""
    first = next(iter(found.values()))
    lines = []
    for (way, threads), pictures in found.items():
        alike = found[Configuration(way, THREADS[0])]
        for case, layers in first.items():
            for layer in layers:
                expected = (alike if layer == "path" else found[next(iter(found))])[case][layer]
                if pictures[case][layer] != expected:
                    lines.append(f"{case}: {layer} differs by {way} with {threads} threads")
    return lines


def main() -> int:
    """Print what differs and how much was compared; return 1 where anything does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--no-scales", action="store_true", help="compare instruction sets and threads only")
    options = parser.parse_args()
    found = {}
    for one in configurations():
        found[one] = one.pictures(options.word)
        print(f"{one.way}, {one.threads} threads: {len(found[one])} pictures", flush=True)
    lines = differences(found)
    print("\n".join(lines or ["the same bits from all"]), flush=True)
    unexplained = 0 if options.no_scales else _compare_scales(options.word)
    return 1 if lines or unexplained else 0


def _compare_scales(word: str) -> int:
    """Print how many pixels differ at each scale; return how many differ without a reason."""
    totals: dict[float, list[int]] = {}
    count = unexplained = 0
    for case in cases(word):
        count += 1
        for scale, differing, wrong in scaled(case):
            total = totals.setdefault(scale, [0, 0])
            total[0] += differing
            total[1] += wrong
            unexplained += wrong
            if wrong:
                print(f"{case.name}: at scale {scale:g} {wrong} pixels differ beside no edge", flush=True)
    for scale, (differing, wrong) in totals.items():
        print(f"scale {scale:g}, {count} pictures: {differing} pixels of masks and shadows differ, {wrong} unexplained")
    return unexplained


if __name__ == "__main__":
    sys.exit(main())
