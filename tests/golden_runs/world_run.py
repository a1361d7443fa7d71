"""The walker's world: 240 ticks of commands by uneven frames, and what the stage makes of it."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import posed
from posed.scene.description import Scene
from tests.golden_runs.way import Record, Way

WALKER = Path(__file__).parents[2] / "golden/scenes/walker.toml"

TICKS = 240
FRAMES = frozenset(accumulate((1, 2, 5, 3, 9, 4) * 10, initial=0))
"""The ticks that are shown."""

COMMANDS: dict[int, Callable[[posed.World], object]] = {
    18: lambda world: world.animate("walker", "Walk").blend("Run", 0.3).fade(0.2),
    70: lambda world: world.animate("walker", "Run").fade(Fraction(1, 3)).speed(1.25),
    101: lambda world: world.animator("walker").set_speed(-0.5, 101),
    140: lambda world: world.animate_blend("walker", [("Walk", 1), ("Run", 2)]),
    199: lambda world: world.animate("walker", "Walk").once().start(0.5).fade(0.25),
    230: lambda world: world.stop_animation("walker"),
}


def walker() -> Scene:
    """Return the walker's scene."""
    return posed.load(WALKER)


def world_run(way: Way) -> str:
    """Return the hash of the snapshots' digests at `FRAMES`, some of them between ticks, and of all events."""
    record, stops, events = Record(), way.stops(TICKS) | FRAMES, []
    world = posed.World(walker())
    for tick in range(TICKS + 1):
        if tick in COMMANDS:
            world.begin(tick)
            COMMANDS[tick](world)
        if tick in stops:
            events += world.advance(tick)
        world = way.carried(world, tick)
        if tick in FRAMES:
            record.text(_movement(world.posed()))
            if tick % 12 == 0:
                record.text(_movement(world.posed(0.375)))
    record.text(*((event.tick, event.object, event.clip, event.event) for event in events))
    return record.hex()


def _movement(snapshot: posed.Posed) -> str:
    """Return the digest of a snapshot and of its previous one, whatever the scene looks like."""
    previous = snapshot.previous and replace(snapshot.previous, scene="")
    return replace(snapshot, scene="", previous=previous).digest


def stage_run(way: Way) -> str:
    """Return the hash of the vertices that the stage skins and places at three ticks."""
    record, world = Record(), posed.World(walker())
    for tick in (0, 42, 171):
        for stop in sorted(stop for stop in way.stops(tick) if stop >= world.ticks):
            world.advance(stop)
        world = way.carried(world, tick)
        staged = posed.stage.stage(world.scene, world.posed())
        for values in (staged.positions, staged.normals, staged.facing, staged.triangles, staged.origin):
            record.array(values)
    return record.hex()
