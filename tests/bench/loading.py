"""Loading models: ours against trimesh's and pygltflib's readers, medians and ratios in one process, after import.

    python tests/bench/loading.py [FOLDER] [--rounds 7]

FOLDER holds .glb files. Beside them the walker, a textured character, is read, and a figure of 1,000,000 vertices, 60
joints and a clip of 10 s is made, against which only trimesh's reading of the geometry is measured; in a process of its
own, the most memory that loading it adds. trimesh reads no rig; pygltflib parses, but decodes no array.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygltflib
import trimesh

sys.path.insert(0, str(Path(__file__).parents[2]))

from posed.gltf import load
from tests.bench.telling import tell
from tests.gltf_literals import Literal

ROOT = Path(__file__).parents[2]
VERTICES, JOINTS, KEYS = 1_000_000, 60, 300

PEAK = """
import re, sys
from posed.gltf import load
most = lambda: 1024 * int(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1])
before = most()
load(sys.argv[1])
print(most() - before)
"""
"""Loads the file that it is given and prints the most bytes that this has added to the process."""


def figure(path: Path) -> None:
    """Write the large figure: a cloud of vertices in random triangles on a chain of joints."""
    generator = np.random.default_rng(0)
    literal = Literal()
    primitive = literal.primitive(
        generator.random((VERTICES, 3)),
        NORMAL=literal.accessor(generator.random((VERTICES, 3))),
        JOINTS_0=literal.accessor(generator.integers(0, JOINTS, (VERTICES, 4)), np.uint8),
        WEIGHTS_0=literal.accessor(generator.integers(0, 256, (VERTICES, 4)), np.uint8, normalized=True),
    )
    primitive["indices"] = literal.accessor(generator.integers(0, VERTICES, 3 * VERTICES), np.uint32)
    literal.node(mesh=literal.mesh(primitive), skin=0)
    for joint in range(JOINTS):
        literal.node(**({"children": [joint + 2]} if joint + 1 < JOINTS else {}))
    joints = list(range(1, JOINTS + 1))
    literal.root["skins"] = [{"joints": joints, "inverseBindMatrices": literal.accessor([np.eye(4)] * JOINTS)}]
    times, rotations = np.arange(KEYS) / 30, np.tile((0.0, 0.0, 0.0, 1.0), (KEYS, 1))
    literal.animation(*[(joint, "rotation", times, rotations, "LINEAR") for joint in joints])
    literal.write(path.parent, path.name)


def median(read: Callable[[], object], rounds: int) -> float:
    """Return the median of some readings in milliseconds; a first one warms the file's pages."""
    taken = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        read()
        taken.append(1e3 * (time.perf_counter() - start))
    return statistics.median(taken[1:])


def main() -> None:
    """Print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="of .glb files; the walker and the figure alone without")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    print(f"{'file':32} {'ours':>9} {'trimesh':>9} {'pygltflib':>9}  ms")
    found = [] if given.folder is None else sorted(given.folder.glob("*.glb"))
    for path in [*found, ROOT / "golden/scenes/walker.glb"]:
        if any(word in path.name for word in ("draco", "meshopt", "quant")):
            continue
        ours = median(lambda path=path: load(path), given.rounds)
        theirs = median(lambda path=path: trimesh.load(path, process=False), given.rounds)
        parsed = median(lambda path=path: pygltflib.GLTF2().load(str(path)), 1)
        print(f"{path.name:32} {ours:9.1f} {theirs:9.1f} {parsed:9.1f}")
        tell("load", path.name, ours, "ms", ours / theirs, "trimesh, which reads no rig")
        tell(
            "load", f"{path.name}, parsed by pygltflib", parsed, "ms", ours / parsed, "pygltflib, which decodes nothing"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.glb"
        figure(path)
        ours = median(lambda: load(path), given.rounds)
        theirs = median(lambda: trimesh.load(path, process=False), given.rounds)
        print(f"{'1,000,000 vertices':32} {ours:9.1f} {theirs:9.1f} {'':9}")
        tell("load", "1,000,000 vertices", ours, "ms", ours / theirs, "trimesh, which reads no rig")
        words = [sys.executable, "-c", PEAK, str(path)]
        most = int(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        print(f"{'memory over the file':32} {most / path.stat().st_size:9.2f}")


if __name__ == "__main__":
    main()
