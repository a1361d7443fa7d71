"""A character's tick on the CPU beside three.js: its pose, and its vertices, in microseconds, one thread each.

    python -m tests.bench.character [--three FOLDER] [--rounds 15]

The walker plays Walk at 60 ticks a second. A pose is the clip's sample, globals and palette, after `AnimationMixer` and
`Skeleton.update` there and by an `Animator` here, one at a time: a pool of them takes far less (`animation.py`).
Skinning moves the positions of its 6,857 skinned vertices, by `SkinnedMesh.applyBoneTransform` there, which is what
three.js has on the CPU. Rounds take turns, a ratio is the median over rounds, and the vertices are compared: both have
to do the same. FOLDER holds node_modules/three, which runs in node; without it there are our numbers alone.
"""

import argparse
import statistics
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np

import anim
from posed.gltf import load
from posed.skinning import Poser
from tests.bench.peer import three
from tests.bench.telling import tell

WALKER = Path(__file__).parents[2] / "golden/scenes/walker.glb"

RATE, TICKS = 60, 240

SAME = 1e-5
"""Metres that a vertex may lie apart: three.js poses in float64 and skins float32."""


class Ours:
    """The walker's animator and its primitives, ready to be posed."""

    def __init__(self) -> None:
        model = load(WALKER)
        self._animator = anim.Animator(model.rig(0).rig, rate=RATE)
        self._animator.play("Walk", 0)
        self._tick = 0
        self.palette = np.empty((len(model.skins[0].joints), 4, 4), np.float32)
        nodes = [node for node in model.nodes if node.skin is not None and node.mesh is not None]
        primitives = [one for node in nodes for one in model.meshes[node.mesh].primitives if one.joints is not None]
        self._posers = [Poser(one, follows=True, attributes=False) for one in primitives]
        self.positions: list[np.ndarray] = []

    def pose(self) -> tuple[float, list[float]]:
        """Play some ticks on; return the microseconds of one, and their times in seconds."""
        ticks = range(self._tick + 1, self._tick + TICKS + 1)
        start = time.perf_counter()
        for tick in ticks:
            self._animator.advance(tick)
            self._animator.palette(tick, out=self.palette)
        taken = 1e6 * (time.perf_counter() - start) / TICKS
        self._tick = ticks[-1]
        return taken, [tick / RATE for tick in ticks]

    def skin(self) -> float:
        """Skin every vertex; return the microseconds."""
        start = time.perf_counter()
        self.positions = [poser.at(self.palette).positions for poser in self._posers]
        return 1e6 * (time.perf_counter() - start)


def main() -> None:
    """Print both and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--three", metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    ours = Ours()
    taken: dict[str, list[float]] = {name: [] for name in ("pose", "skin", "their pose", "their skin")}
    with ExitStack() as stack:
        peer = None
        if options.three is not None:
            peer = stack.enter_context(three(options.three))
            peer.ask(open=str(WALKER), clip="Walk")
        for _ in range(options.rounds + 3):
            microseconds, times = ours.pose()
            taken["pose"].append(microseconds)
            taken["skin"].append(ours.skin())
            if peer is not None:
                taken["their pose"].append(1e3 * peer.ask(pose=times)["ms"])
                taken["their skin"].append(1e3 * peer.ask(skin=True)["ms"])
        if peer is not None:
            compare(ours.positions, peer.ask()["positions"])
    for what, name in (("a tick of the walker's 24 joints", "pose"), ("its 6,857 positions, skinned", "skin")):
        mine, theirs = taken[name][3:], taken[f"their {name}"][3:]
        report(what, mine, theirs)


def compare(ours: list[np.ndarray], theirs: list[list[list[float]]]) -> None:
    """Say how far the vertices lie apart; end where they are not the same."""
    apart = max(float(abs(one - np.asarray(other)).max()) for one, other in zip(ours, theirs, strict=True))
    print(f"{sum(map(len, ours))} vertices, {1e3 * apart:.4f} mm apart at most")
    if not apart <= SAME:
        sys.exit("three.js poses other vertices: the two do not do the same")


def report(what: str, mine: list[float], theirs: list[float]) -> None:
    """Print and tell a row, and its ratio where there is one."""
    median = statistics.median(mine)
    if not theirs:
        print(f"{what}: {median:.1f} us")
        tell("character", what, median, "us")
        return
    ratio = statistics.median(one / other for one, other in zip(mine, theirs, strict=True))
    print(f"{what}: {median:.1f} us, three.js {statistics.median(theirs):.1f} us: {ratio:.3f} of it")
    tell("character", what, median, "us", ratio, "three.js's time in node")


if __name__ == "__main__":
    main()
