"""Renderers that nobody here wrote held against the trace, as a table in Markdown.

    python -m tests.foreign_table [--renderer NAME ...] [--report FILE.html] [SCENE ...]

The renderers of golden/foreign.toml, over its tests and every model in the folder that POSED_TEST_MODELS names, each
with its first clip half played, or over the scenes given. Exit status 1 where a verdict fails.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import posed
from posed.verify import LayerResult, Verdict
from posed.verify.layers import LAYERS
from posed.verify.report import Report
from posed.verify.suite import load_suite
from posed.verify.suite.run import check_renderer, played

SUITE = Path(__file__).resolve().parents[1] / "golden/foreign.toml"

SHOWN = tuple(layer for layer in LAYERS if layer != "motion")


def moments(named: list[str]) -> Iterator[tuple[str, posed.Scene, posed.Posed]]:
    """Yield what is drawn: a name with what plays, the scene and the snapshot."""
    suite = load_suite(SUITE)
    for test in () if named else suite.tests:
        scene = posed.load(test.scene)
        for pose in played(scene, test.ticks):
            yield f"{test.name} {pose.tick}", scene, pose
    folder = os.environ.get("POSED_TEST_MODELS", "")
    for path in [Path(name) for name in named] or (sorted(Path(folder).glob("*.gl*")) if folder else []):
        try:
            scene = posed.load(path)
        except posed.MissingError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        world, what = posed.World(scene), "rest"
        one = next((one for one in scene.objects if one.model.clips), None)
        if one is not None:
            clip = one.model.clips[0]
            world.animate(one.name, 0).done()
            world.advance(int(Fraction(clip.duration) * scene.rate / 2))
            what = f"{clip.name or '#0'} {world.ticks}"
        yield f"{path.name} {what}", scene, world.posed()


WORDS = {
    "unexplained": "{:,.0f} pixels",
    "largest": "up to {:.2g}",
    "FLIP mean": "FLIP {:.3f}",
    "at edges": "{} at edges",
    "largest blob": "a blob of {}",
}
"""How a measure that fails is told in a cell."""


def cell(one: LayerResult) -> str:
    """Return what a layer came to."""
    if not one.compared:
        return ""
    told = [WORDS[measure.name].format(measure.value) for measure in one.failures if measure.name in WORDS]
    return "agrees" if one.passed else ", ".join(told) or one.failures[0].name


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--renderer", action="append")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    suite = load_suite(SUITE)
    names = options.renderer or [name for name, one in suite.renderers.items() if one.command]
    page = Report("foreign renderers")
    failures = 0
    print("| scene, tick | renderer | " + " | ".join(SHOWN) + " |")
    print("| --- " * (2 + len(SHOWN)) + "|")
    for moment, scene, pose in moments(options.scenes):
        for name in names:
            row, verdict = _row(scene, pose, suite.renderers[name], suite.size)
            print(f"| {moment} | {name} | {row} |", flush=True)
            if verdict is None or not verdict.passed:
                failures += 1
                print(f"{moment}, {name}: {row if verdict is None else verdict}", file=sys.stderr, flush=True)
            if verdict is not None and options.report is not None:
                page.add(verdict, run=f"{moment}, {name}", sides=("reference", name))
    if options.report is not None:
        page.save(options.report)
    print(f"\n{failures} failed")
    return 1 if failures else 0


def _row(scene: posed.Scene, pose: posed.Posed, renderer: object, size: tuple[int, int]) -> tuple[str, Verdict | None]:
    """Return the cells of one frame and its verdict, None where there is none."""
    try:
        verdict = check_renderer(
            scene,
            pose,
            renderer,
            size=size,
            policy="foreign",
            folder=SUITE.parent,  # type: ignore[arg-type]
        )
    except posed.PosedError as error:
        return f"no frame: {error}" + " |" * (len(SHOWN) - 1), None
    return " | ".join(cell(verdict[layer]) for layer in SHOWN), verdict


if __name__ == "__main__":
    sys.exit(main())
