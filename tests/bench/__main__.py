"""All benchmarks, one after the other, in one table.

    python -m tests.bench [--short] [--only animation,live] [--json FILE] [--mitsuba PYTHON] [--cycles PYTHON]

Each runs in a process of its own, as renderers bring libraries that do not bear each other; its module tells of it.
Ratios are taken within one process and one run, so they bear a machine that has other work; the machine's load is told
with the table. `--short` takes some minutes and few rounds. Peers are measured where they are installed: trimesh,
pygltflib and embreex here, pygfx where it can be imported, Mitsuba and Cycles by the interpreters named, by those of
POSED_TEST_MITSUBA and POSED_TEST_BPY, or by this one.
Exit status 1 where a benchmark failed.
"""

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.bench.telling import ROWS, Row

ROOT = Path(__file__).parents[2]

BENCHES: dict[str, tuple[list[str], list[str]]] = {
    "animation": ([], ["--rounds", "5"]),
    "loading": ([], ["--rounds", "3"]),
    "rays": ([], ["--size", "512", "--rounds", "5"]),
    "path": ([], ["--size", "128", "--samples", "4,16"]),
    "live": ([], ["--rounds", "10"]),
    "verdict": ([], ["--size", "480x270", "--runs", "3"]),
    "diagnose": ([], []),
    "throughput": ([], ["--frames", "32", "--size", "240x135", "--rounds", "2"]),
    "processes": ([], ["3"]),
}
"""Of each, the words of the long and of the short form."""

NEEDS = {"live": "pygfx"}
"""What a benchmark cannot do without, though posed can."""

PACKAGES = ("numpy", "numba", "embreex", "wgpu", "trimesh", "pygltflib", "pygfx")


def machine() -> dict[str, object]:
    """Return what the numbers depend on."""
    models = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = "not installed"
    return {
        "processor": models[0] if models else platform.processor(),
        "processors": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": packages,
        "load": [round(one, 1) for one in os.getloadavg()],
    }


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def peers(mitsuba: str | None, cycles: str | None) -> list[str]:
    """Return the words that name interpreters with Mitsuba and Cycles."""
    words = []
    for option, given, module in (("--mitsuba", mitsuba, "mitsuba"), ("--cycles", cycles, "bpy")):
        named = given or os.environ.get(f"POSED_TEST_{module.upper()}")
        interpreter = named or (sys.executable if importlib.util.find_spec(module) else None)
        words += [option, interpreter] if interpreter else []
    return words


def measure(name: str, words: list[str], rows: Path) -> str:
    """Run one; its rows go to a file. Return why it failed, nothing where it has not."""
    command = [sys.executable, "-m", f"tests.bench.{name}", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {ROWS: str(rows)}, capture_output=True, text=True, check=False
    )
    sys.stderr.write(done.stdout)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["ended without a word"])[-1]


def table(rows: list[Row]) -> str:
    """Return rows as a table in Markdown."""
    lines = ["| benchmark | what | value | ratio |", "| --- | --- | ---: | --- |"]
    for one in rows:
        ratio = "" if one.ratio is None else f"{one.ratio:.2f} of {one.against}"
        lines.append(f"| {one.bench} | {one.what} | {one.value:.3g} {one.unit} | {ratio} |")
    return "\n".join(lines)


def main(words: list[str] | None = None) -> int:
    """Run those chosen, print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default=",".join(BENCHES), metavar="NAME,..", help="of these alone")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--mitsuba", metavar="PYTHON")
    parser.add_argument("--cycles", metavar="PYTHON")
    options = parser.parse_args(words)
    names = options.only.split(",")
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        parser.error(f'there is no benchmark "{unknown[0]}": there are {", ".join(BENCHES)}')
    found = machine()
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for name in names:
        if NEEDS.get(name) and importlib.util.find_spec(NEEDS[name]) is None:
            print(f"{name}: left out: {NEEDS[name]} is not installed", file=sys.stderr)
            continue
        chosen = list(BENCHES[name][options.short]) + (peers(options.mitsuba, options.cycles) if name == "path" else [])
        begun = time.monotonic()
        print(f"== {name} {' '.join(chosen)}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows"
            path.touch()
            reason = measure(name, chosen, path)
            rows += [Row(**json.loads(line)) for line in path.read_text().splitlines()]
        if reason:
            failed[name] = reason
        print(f"   {time.monotonic() - begun:.0f} s {reason}", file=sys.stderr, flush=True)
    where = f"{found['processor']}, {found['processors']} processors, {found['system']}"
    print(f"{where}, Python {found['python']}, load {found['load']}")
    print(table(rows))
    for name, reason in failed.items():
        print(f"{name} failed: {reason}")
    if options.json is not None:
        content = {"machine": found, "short": options.short, "rows": [asdict(one) for one in rows], "failed": failed}
        options.json.write_text(json.dumps(content, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
