"""Whole processes, medians: importing, a warm render and a cold one.

    python tests/bench/processes.py [RUNS]

Each line gives the median of its runs in seconds, the limit it is held to, and their ratio.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.telling import tell

SCENE = Path(__file__).parents[2] / "golden/scenes/walker.toml"


def seconds(command: list[str], **environment: str) -> float:
    """Run a command to its end; return how long it took."""
    start = time.perf_counter()
    subprocess.run(command, check=True, env=os.environ | environment, capture_output=True)
    return time.perf_counter() - start


def main(runs: int) -> None:
    """Print the table."""
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "walker.png")
        render = [python, "-m", "posed", "render", str(SCENE), "--tick", "42", "--size", "960x540", "--samples", "16"]
        render += ["-o", out]
        rows = [("import posed", 0.5, [python, "-c", "import posed"], runs, {})]
        caches = iter(Path(folder) / f"cold{number}" for number in range(runs))
        cold = [seconds(render, POSED_CACHE_DIR=str(next(caches))) for _ in range(max(1, runs // 5))]
        warm = {"POSED_CACHE_DIR": str(Path(folder) / "cold0")}
        rows += [("render, warm", 2.5, render, runs, warm)]
        rows += [("numba's import alone", 0.0, [python, "-c", "import numba"], runs, {})]
        for name, limit, command, count, environment in rows:
            report(name, [seconds(command, **environment) for _ in range(count)], limit)
        report("render, cold", cold, 25.0)


def report(name: str, times: list[float], limit: float) -> None:
    """Print one line."""
    median = statistics.median(times)
    held = f"{median / limit:5.2f} of {limit:g} s" if limit else ""
    tell("process", name, median, "s", (limit and median / limit) or None, "the goal" if limit else "")
    print(f"{name:22} {median:7.2f} s   {held:16} ({len(times)} runs, {min(times):.2f} to {max(times):.2f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
