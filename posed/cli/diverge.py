"""`posed diverge`: where two runs part, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posed.errors import PosedError

if TYPE_CHECKING:
    from posed.game import Game
    from posed.scene.description import Scene
    from posed.verify.diverging import Divergence

SCENES = (".toml", ".glb", ".gltf")


@click.command(short_help="Find the first tick at which two runs part.")
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@click.option(
    "--scene", type=click.Path(path_type=Path), metavar="SCENE", help="What both show, where neither is a scene."
)
@click.option(
    "--clip",
    "clips",
    multiple=True,
    metavar="CLIP[:WEIGHT]",
    help="A clip by name or index, in place of what the scene plays; several are blended by weight.",
)
@click.option("--object", "object_", metavar="NAME", help="The object that --clip is for; the first that fits.")
@click.option(
    "--play", metavar="MODULE:GAME", help="A posed.Game that plays the scene, of a module in the working folder."
)
@click.option("--bisect", is_flag=True, help="Halve the ticks: for long runs that stay apart once they part.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def command(
    a: Path,
    b: Path,
    scene: Path | None,
    clips: tuple[str, ...],
    object_: str | None,
    play: str | None,
    bisect: bool,
    as_json: bool,
) -> int:
    """Find the first tick at which B parts from A, the first joint there, and the likeliest cause.

    A run is a folder with a snapshot a tick (0042.posed.json, or a folder 42 with a posed.json), or a scene, which
    plays. A suite is held against a folder with such a folder for each of its tests.

    Exit status 0 where the runs agree, 1 where they part.

    \b
    posed diverge golden/scenes/walker.toml dumps/
    posed diverge fox.glb dumps/ --clip Run
    posed diverge ours/ theirs/ --scene fox.glb
    posed diverge suite.toml dumps/
    """
    from posed.cli.moments import load_scene, playing_game
    from posed.verify import diverge

    if _is_suite(a):
        if scene is not None or clips or object_ is not None or play is not None:
            raise PosedError("a suite brings its own scenes: leave out --scene, --clip, --object and --play")
        return _say_tests(_each_test(a, b, bisect=bisect), as_json=as_json)
    loaded = [load_scene(path, playing=True) if path.suffix.lower() in SCENES else None for path in (a, b)]
    known = loaded[0] or loaded[1] or (None if scene is None else load_scene(scene, playing=True))
    if known is None and (clips or play is not None):
        raise PosedError(f"{'--clip' if clips else '--play'} plays a scene: give one as a run, or with --scene")
    game: Game | None = None if known is None else playing_game(known, clips, object_, play)
    runs: list[Scene | Path] = [one or path for one, path in zip(loaded, (a, b), strict=True)]
    found = diverge(*runs, scene=known, game=game, bisect=bisect)
    click.echo(json.dumps(found.to_json(), indent=1) if as_json else _text(found))
    return 0 if found.tick is None else 1


def _is_suite(path: Path) -> bool:
    """Return whether a file is a suite: it has tests where a scene has objects."""
    if path.suffix.lower() != ".toml":
        return False
    from posed.scene.toml import read_toml

    return "test" in read_toml(path).data


def _each_test(path: Path, dumps: Path, *, bisect: bool) -> Iterator[tuple[str, Divergence]]:
    """Yield each test of a suite with where its scene and the dumps in the folder of its name part."""
    from posed.cli.moments import load_scene
    from posed.verify import diverge
    from posed.verify.suite import load_suite

    for test in load_suite(path).tests:
        yield test.name, diverge(load_scene(test.scene), dumps / test.name, bisect=bisect)


def _say_tests(found: Iterator[tuple[str, Divergence]], *, as_json: bool) -> int:
    parted, data = 0, {}
    for name, one in found:
        parted += one.tick is not None
        data[name] = one.to_json()
        if not as_json:
            click.echo(f"{name}: {_text(one)}")
    if as_json:
        click.echo(json.dumps(data, indent=1))
    return 1 if parted else 0


def _text(found: Divergence) -> str:
    best = None if found.diagnosis is None else found.diagnosis.best
    cure = "" if best is None else f"\nlook at: {best.hypothesis.cure}"
    return f"{found}{cure}"
