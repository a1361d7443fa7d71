"""The built-in live renderer held against the trace on this machine's adapter, as a table in Markdown.

    python -m tests.live_table [--size 480x270] [--adapter NAME] [SCENE ...]

Without scenes: every golden one, and every model in the folder that POSED_TEST_MODELS names. Each is checked at rest
and at three ticks of each clip. Exit status 1 where a verdict fails.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import posed
from posed.verify import Verdict, check

GOLDEN = Path(__file__).resolve().parents[1] / "golden/scenes"

SHARES = (Fraction(1, 8), Fraction(1, 2), Fraction(7, 8))
"""Of a clip's length: the ticks that are checked."""

WORST = {"depth": "depth", "normal": "normal", "motion": "motion", "vertices": "vertices", "color": "color"}


def scenes(named: list[str]) -> list[Path]:
    """Return the scenes to check."""
    if named:
        return [Path(name) for name in named]
    folder = os.environ.get("POSED_TEST_MODELS", "")
    return sorted(GOLDEN.glob("*.toml")) + (sorted(Path(folder).glob("*.gl*")) if folder else [])


def moments(scene: posed.Scene) -> Iterator[tuple[str, posed.Posed]]:
    """Yield what is played, as a word, with its snapshot."""
    own = posed.World(scene)
    yield "0", own.posed()
    if any(one.animation is not None for one in scene.objects):
        for tick in (17, 42, 90):
            own.advance(tick)
            yield str(tick), own.posed()
        return
    for one in scene.objects:
        for index, clip in enumerate(one.model.clips):
            world = posed.World(scene)
            world.animate(one.name, index)
            for tick in sorted({int(Fraction(clip.duration) * share * scene.rate) for share in SHARES}):
                world.advance(tick)
                yield f"{clip.name or index} {tick}", world.posed()


def row(name: str, moment: str, verdict: Verdict) -> str:
    """Return one line of the table."""
    pixels = [one for one in verdict.compared if one.pixels is not None and one.layer in ("silhouette", "triangle")]
    differing = sum(int(one.pixels.differing.sum()) for one in pixels[-1:] if one.pixels is not None)
    unexplained = sum(int((one.pixels.blobs > 0).sum()) for one in verdict.compared if one.pixels is not None)
    cells = [name, moment, str(differing), str(unexplained)]
    for layer in WORST:
        one = next((each for each in verdict.compared if each.layer == layer), None)
        shares = [] if one is None else [each.value / each.limit for each in one.measures if each.limit > 0]
        cells.append(f"{max(shares):.2f}" if shares else "-")
    failed = verdict.first_failure
    cells.append("passed" if verdict.passed else f"FAILED: {'' if failed is None else failed.layer}")
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--size", default="480x270")
    parser.add_argument("--adapter")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    failures = 0
    for number, path in enumerate(scenes(options.scenes)):
        try:
            scene = posed.load(path)
        except posed.MissingError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        for moment, pose in moments(scene):
            verdict = check(scene, pose, size=(width, height), adapter=options.adapter)
            if number == 0 and moment == "0":
                print(f"{verdict.live.origin}; {options.size}; worst values as shares of their limits\n")
                print("| scene | tick | triangles differing | unexplained | " + " | ".join(WORST) + " | |")
                print("| --- " * (5 + len(WORST)) + "|")
            print(row(path.name, moment, verdict), flush=True)
            if not verdict.passed:
                failures += 1
                print(verdict, file=sys.stderr)
    print(f"\n{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
