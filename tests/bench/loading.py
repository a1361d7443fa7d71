"""Loading models: ours beside the readers of others, in turns, medians and ratios, after import.

    python tests/bench/loading.py [FOLDER] [--rounds 7] [--open3d PYTHON] [--three FOLDER]

FOLDER holds .glb files. Beside them the walker, a textured character, is read, and a figure of 1,000,000 vertices, 60
joints and a clip of 10 s is made; in a process of its own, the most memory that loading it adds. What the others do in
their time is not the same: trimesh and Open3D read no rig, Open3D decodes pictures, pygltflib parses and decodes no
array; three.js, in node, reads the rig, decodes no picture, and leaves arrays as they lie in the file. Open3D runs in
the Python named, three.js from the folder that holds its node_modules, each in a process of its own; rounds take turns.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import numpy as np
import pygltflib
import trimesh

sys.path.insert(0, str(Path(__file__).parents[2]))

from posed.gltf import load
from tests.bench.peer import Peer, open3d, three
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
    literal.root |= {"scenes": [{"nodes": [0, 1]}], "scene": 0}  # what has none is empty to most readers
    times, rotations = np.arange(KEYS) / 30, np.tile((0.0, 0.0, 0.0, 1.0), (KEYS, 1))
    literal.animation(*[(joint, "rotation", times, rotations, "LINEAR") for joint in joints])
    literal.write(path.parent, path.name)


Reader = Callable[[Path], float]
"""Reads a file and returns the milliseconds."""


def timed(read: Callable[[Path], object]) -> Reader:
    """Return a reader of this process."""

    def reader(path: Path) -> float:
        start = time.perf_counter()
        read(path)
        return 1e3 * (time.perf_counter() - start)

    return reader


def asked(peer: Peer) -> Reader:
    """Return a reader that is another program; it ends this one where it has not read every triangle."""

    def reader(path: Path) -> float:
        answer, expected = peer.ask(load=str(path)), triangles(path)
        if answer["triangles"] != expected:
            sys.exit(f"{path}: {answer['triangles']} triangles were read, it has {expected}")
        return float(answer["ms"])

    return reader


@cache
def triangles(path: Path) -> int:
    """Return how many triangles the nodes of a file show."""
    model = load(path)
    meshes = [model.meshes[node.mesh] for node in model.nodes if node.mesh is not None]
    return sum(len(primitive.triangles) for mesh in meshes for primitive in mesh.primitives)


def compare(name: str, path: Path, readers: dict[str, Reader], rounds: int) -> None:
    """Let all read a file in turns, ours first; print and tell medians and ratios. A first round warms its pages."""
    taken: dict[str, list[float]] = {reader: [] for reader in readers}
    for _ in range(rounds + 1):
        for reader, read in readers.items():
            taken[reader].append(read(path))
    ours, *others = taken
    mine = taken[ours][1:]
    print(f"{name}: {statistics.median(mine):.1f} ms")
    for other in others:
        theirs = taken[other][1:]
        ratio = statistics.median(one / their for one, their in zip(mine, theirs, strict=True))
        print(f"    {other}: {statistics.median(theirs):.1f} ms, ours takes {ratio:.2f} of it")
        tell("load", f"{name}, beside {statistics.median(theirs):.3g} ms", statistics.median(mine), "ms", ratio, other)


def main() -> None:
    """Compare readers of each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="of .glb files; the walker and the figure alone without")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--open3d", metavar="PYTHON")
    parser.add_argument("--three", metavar="FOLDER")
    given = parser.parse_args()
    found = [] if given.folder is None else sorted(given.folder.glob("*.glb"))
    with ExitStack() as stack:
        readers = {"ours": timed(load)}
        readers["trimesh, which reads no rig"] = timed(lambda path: trimesh.load(path, process=False))
        if given.open3d is not None:
            readers["Open3D, which reads no rig"] = asked(stack.enter_context(open3d(given.open3d)))
        if given.three is not None:
            readers["three.js in node"] = asked(stack.enter_context(three(given.three)))
        parsing = {"pygltflib, which decodes nothing": timed(lambda path: pygltflib.GLTF2().load(str(path)))}
        for path in [*found, ROOT / "golden/scenes/walker.glb"]:
            if not any(word in path.name for word in ("draco", "meshopt", "quant")):
                compare(path.name, path, readers | parsing, given.rounds)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        path = Path(folder) / "figure.glb"
        figure(path)
        compare("1,000,000 vertices", path, readers, given.rounds)
        words = [sys.executable, "-c", PEAK, str(path)]
        most = int(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        print(f"memory over the file: {most / path.stat().st_size:.2f}")


if __name__ == "__main__":
    main()
