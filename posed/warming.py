"""`python -m posed.warming MODE ...`: compile kernels into the cache ahead of their use, and mark what is whole."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from anim.kernel import cache_folder, on_compiled, unsaved
from anim.kernel_folders import MARK

SECONDS: Final = {"direct": 12, "aov": 8, "center": 13, "path": 16, "range": 5, "verdict": 20}
"""By mode: what compiling it alone takes of one processor's time, for the words that ask for patience.

`direct`, `path` and `aov` are the integrators, `center` is color at pixel centres, and `range` and `verdict` what a
check adds: how far colors may be off, and everything else.
"""


_SHARES: Final = {
    1: (("range", "aov", "direct", "path", "center", "verdict"),),
    2: (("range", "aov", "direct", "path"), ("center", "verdict")),
    4: (("range", "direct"), ("path",), ("aov", "center"), ("verdict",)),
}
"""By number of processes: the modes of each. What another compiles first is in the cache when one needs it."""


def shares(processors: int) -> tuple[tuple[str, ...], ...]:
    """Return which modes to compile together, a tuple for each process, where all are wanted soon."""
    return _SHARES[max(count for count in _SHARES if count <= max(processors, 1))]


def missing(*modes: str) -> tuple[str, ...]:
    """Return the modes whose kernels are not known to be in the cache."""
    folder = cache_folder("posed")
    return tuple(mode for mode in modes if folder is None or not mark(folder, mode).exists())


def mark(folder: Path, mode: str) -> Path:
    """Return the file in the cache that says that all kernels of a mode have been compiled."""
    return folder / f"{MARK}{mode}"


def warm(mode: str) -> None:
    """Compile a mode's kernels, and mark it where all of them were kept."""
    from tracer import warm as tracer_warm

    if mode == "verdict":
        _compare()
    else:
        tracer_warm.warm(mode)
    folder = cache_folder("posed")
    if folder is not None and not unsaved():
        with suppress(OSError):  # then the next one looks again
            mark(folder, mode).touch()


def _compare() -> None:
    """Hold the walker against itself drawn a little to the side: every layer has something to explain."""
    from dataclasses import replace

    import numpy as np

    from posed.data import demo_scene
    from posed.scene.load import load
    from posed.tracing import trace
    from posed.verify import compare
    from posed.world import World

    scene = load(demo_scene())
    pose = World(scene).posed()
    frame = trace(scene, pose, size=(32, 18), samples="center")
    beside = replace(frame, layers={name: np.roll(frame[name], 1, axis=1) for name in frame}, staged=None)
    compare(frame, beside, scene=scene)


def main(modes: list[str]) -> None:
    """Compile, saying each kernel that is done on a line of its own; end, and say why, where one cannot be kept."""
    for mode in modes:
        counted = 0

        def count(mode: str = mode) -> None:
            nonlocal counted
            counted += 1
            _say(f"{mode} {counted}")
            if unsaved():
                raise SystemExit(f"unsaved {unsaved()}")

        try:
            with on_compiled(count):
                warm(mode)
        except SystemExit as refused:
            _say(str(refused))
            return


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
