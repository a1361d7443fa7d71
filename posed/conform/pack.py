"""The pack: every rig as a file, the moments at which it is posed, and what a right engine makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posed.arrays import AnyArray
from posed.conform import influences, keys, morphs, skins
from posed.conform.rig import RATE, Rig
from posed.digest import digest
from posed.errors import PosedError
from posed.files import make_folder, written_whole
from posed.game import Game
from posed.npz import write_npz
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.tracing import trace
from posed.verify.object_vertices import expected_vertices
from posed.verify.suite.scene_json import camera_json
from posed.world import World

VERSION = 1
"""Of the pack: another one wherever a rig, a tick or a value that is expected changes."""

RIGS: tuple[Rig, ...] = (*keys.RIGS, *skins.RIGS, *influences.RIGS, *morphs.RIGS)
"""In the order in which they are told."""

SIZE = (160, 120)
"""Of the frames, pixels."""

LAYERS = ("object", "part", "triangle", "depth", "normal")
"""Of the frames that are expected."""

MANIFEST = "pack.json"


@dataclass(frozen=True, eq=False)
class Moment:
    """A rig at a tick: its scene, which plays it, and the snapshot that is right."""

    rig: Rig
    tick: int
    scene: Scene
    pose: Posed

    @property
    def name(self) -> str:
        """The moment as a folder: rig/tick."""
        return f"{self.rig.name}/{self.tick}"


class Playing(Game):
    """Plays a rig's clip from tick 0 on."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig

    def tick(self, world: World, tick: int, input: object) -> None:
        """Start it."""
        if tick == 0 and self._rig.playback is not None:
            world.animate(self._rig.name, 0).playback(self._rig.playback).done()


def chosen(names: Sequence[str]) -> tuple[Rig, ...]:
    """Return the rigs of some names, all where none is given.

    Raises
    ------
    PosedError
        There is no such rig.
    """
    known = {rig.name: rig for rig in RIGS}
    for name in names:
        if name not in known:
            raise PosedError(f'the pack has no rig "{name}": it has {", ".join(known)}')
    return tuple(rig for rig in RIGS if not names or rig.name in names)


def moments(rigs: Sequence[Rig], folder: Path) -> Iterator[Moment]:
    """Write the files of some rigs to a folder and yield each at each of its ticks.

    Raises
    ------
    PosedError
        The folder cannot be written to.
    """
    make_folder(folder)
    for rig in rigs:
        path = folder / f"{rig.name}.glb"
        with written_whole(path) as beside:
            beside.write_bytes(rig.build())
        scene = load(path)
        for tick in rig.ticks:
            world = World(scene)
            Playing(rig).tick(world, 0, None)
            world.advance(tick)
            yield Moment(rig, tick, scene, world.posed())


def write_pack(folder: Path) -> str:
    """Write the whole pack and return its digest.

    `pack.json` lists rigs and moments; `rigs/<rig>.glb` are the files; `expected/<rig>/<tick>/` holds `posed.json`,
    `vertices.npz` and `frame.npz`, the latter with `LAYERS`. The same bytes each time.

    Raises
    ------
    PosedError
        The folder cannot be written to.
    """
    told: dict[str, dict[str, Any]] = {}
    for one in moments(RIGS, folder / "rigs"):
        rig = told.setdefault(one.rig.name, _rig(one))
        rig["moments"].append(_moment(one, folder))
    contents = {name: [rig["digest"], *(moment["digests"] for moment in rig["moments"])] for name, rig in told.items()}
    whole = digest(contents)
    manifest = {
        "format": "posed conformance pack",
        "version": VERSION,
        "digest": whole,
        "rate": str(RATE),
        "size": list(SIZE),
        "rigs": list(told.values()),
    }
    with written_whole(folder / MANIFEST) as beside:
        beside.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return whole


def _rig(one: Moment) -> dict[str, Any]:
    return {
        "name": one.rig.name,
        "about": one.rig.about,
        "file": f"rigs/{one.rig.name}.glb",
        "digest": digest(one.scene.path.read_bytes()),
        "object": one.rig.name,
        "clip": None if one.rig.playback is None else 0,
        "playback": one.rig.playback,
        "camera": camera_json(one.pose.camera or one.scene.camera, SIZE),
        "ids": one.scene.ids.to_json(),
        "moments": [],
    }


def _moment(one: Moment, folder: Path) -> dict[str, Any]:
    """Write what is expected of a moment and return it as the manifest lists it."""
    place = folder / "expected" / one.name
    make_folder(place)
    one.pose.save(place / "posed.json")
    vertices = expected_vertices(one.scene, one.pose)
    vertices.save(place / "vertices.npz")
    frame = trace(one.scene, one.pose, size=SIZE, integrator="aov", samples="center", layers=LAYERS)
    layers: dict[str, AnyArray] = {name: frame[name] for name in LAYERS}
    with written_whole(place / "frame.npz") as beside, beside.open("wb") as stream:
        write_npz(stream, layers)
    posed = {"/".join(map(str, place)): part.positions for place, part in vertices.parts.items()}
    return {
        "tick": one.tick,
        "seconds": float(one.tick / RATE),
        "expected": f"expected/{one.name}",
        "digests": {"posed": one.pose.digest, "vertices": digest(posed), "frame": digest(layers)},
    }
