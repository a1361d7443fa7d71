"""All benchmarks, one after the other, in one table.

    python -m tests.bench [--short] [--only animation,live] [--json FILE] [--mitsuba PYTHON] [--cycles PYTHON]
        [--open3d PYTHON] [--three FOLDER]

Each runs in a process of its own, as renderers bring libraries that do not bear each other; its module tells of it.
Ratios are taken within one run, in turns, so they bear a machine that has other work; the machine's load is told with
the table. `--short` takes some minutes and few rounds. Peers are measured where they are: trimesh, pygltflib, embreex
and pygfx where they can be imported; Mitsuba, Cycles (bpy) and Open3D by the Pythons named, by those of
POSED_TEST_MITSUBA, POSED_TEST_BPY and POSED_TEST_OPEN3D, or by this one; three.js in node, from the folder named or
that of POSED_TEST_THREE. One that is not there says so in a line of the table. Mitsuba needs an LLVM library, which
DRJIT_LIBLLVM_PATH names where it is not found by itself (Debian: apt install libllvm15, and
DRJIT_LIBLLVM_PATH=/usr/lib/x86_64-linux-gnu/libLLVM-15.so.1). Exit status 1 where a benchmark failed.
"""

import argparse
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

from tests.bench.others import PEERS, Elsewhere, Here, InNode, Place
from tests.bench.telling import ROWS, Row

ROOT = Path(__file__).parents[2]

BENCHES: dict[str, tuple[list[str], list[str]]] = {
    "animation": ([], ["--rounds", "5"]),
    "character": ([], ["--rounds", "7"]),
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
"""The peer that a benchmark cannot do without."""

PACKAGES = ("numpy", "numba", "embreex", "wgpu")


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


def words_for(bench: str, places: dict[str, Place]) -> list[str]:
    """Return the words that tell a benchmark where its peers are."""
    return [word for peer in PEERS if bench in peer.benches for word in places[peer.name].words]


def measure(name: str, words: list[str], rows: Path) -> str:
    """Run one; its rows go to a file. Return why it failed, nothing where it has not."""
    command = [sys.executable, "-m", f"tests.bench.{name}", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {ROWS: str(rows)}, capture_output=True, text=True, check=False
    )
    sys.stderr.write(done.stdout)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["ended without a word"])[-1]


def table(rows: list[Row], absent: dict[str, str]) -> str:
    """Return rows as a table in Markdown, with a line for each peer that is not there."""
    lines = ["| benchmark | what | value | ratio |", "| --- | --- | ---: | --- |"]
    for one in rows:
        ratio = "" if one.ratio is None else f"{one.ratio:.2f} of {one.against}"
        lines.append(f"| {one.bench} | {one.what} | {one.value:.3g} {one.unit} | {ratio} |")
    lines += [f"| not measured | {name} | | {reason} |" for name, reason in absent.items()]
    return "\n".join(lines)


def main(words: list[str] | None = None) -> int:
    """Run those chosen, print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default=",".join(BENCHES), metavar="NAME,..", help="of these alone")
    parser.add_argument("--json", type=Path, metavar="FILE")
    for option in ("--mitsuba", "--cycles", "--open3d"):
        parser.add_argument(option, metavar="PYTHON")
    parser.add_argument("--three", metavar="FOLDER")
    options = parser.parse_args(words)
    names = options.only.split(",")
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        parser.error(f'there is no benchmark "{unknown[0]}": there are {", ".join(BENCHES)}')
    places = {peer.name: peer.find(_given(peer, options)) for peer in PEERS if set(peer.benches) & set(names)}
    absent = {name: place.missing for name, place in places.items() if place.missing}
    found = machine()
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for name in names:
        if NEEDS.get(name) in absent:
            continue
        chosen = [*BENCHES[name][options.short], *words_for(name, places)]
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
    print("peers: " + ", ".join(f"{name} {place.version}" for name, place in places.items() if place.version))
    print(table(rows, absent))
    for name, reason in failed.items():
        print(f"{name} failed: {reason}")
    if options.json is not None:
        content = {
            "machine": found,
            "short": options.short,
            "peers": {name: place.version for name, place in places.items()},
            "absent": absent,
            "rows": [asdict(one) for one in rows],
            "failed": failed,
        }
        options.json.write_text(json.dumps(content, indent=1) + "\n")
    return 1 if failed else 0


def _given(peer: Here | Elsewhere | InNode, options: argparse.Namespace) -> str | None:
    """Return what an option names for a peer."""
    return None if isinstance(peer, Here) else getattr(options, peer.option.lstrip("-"))


if __name__ == "__main__":
    sys.exit(main())
