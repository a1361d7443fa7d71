"""The `Posed` snapshot: everything that moves, frozen at one tick; what both renderers draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from anim.errors import AnimError
from anim.rational import Number, exact
from posed.arrays import Float32, Float64
from posed.camera import Camera
from posed.digest import digest
from posed.errors import PoseError
from posed.showing import ShowsItself
from posed.words import counted


def _none() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Posed(ShowsItself):
    """One tick of a scene as a value.

    Attributes
    ----------
    tick, alpha
        The tick, and the fraction in [0, 1) of the way to the next one.
    rate
        Ticks a second.
    scene
        The scene's digest, empty where it is not known.
    models
        Object to its matrix in the world, (4, 4) float64.
    nodes
        Object to node index to the global matrix of a placed, unskinned node in the file's scene space, (4, 4) float64.
    palettes
        Object to skinned node index to its palette in the file's scene space, (J, 4, 4) float32, in the order of
        `skin.joints`; the object's matrix is not applied.
    morphs
        Object to node index to the weights of its morph targets, (M,) float64.
    properties
        Object to JSON pointer into its file to the numbers there, (N,) float64, of what its clips move by pointer.
    sprites
        Object to the frame of its atlas.
    visible
        Object to whether it is drawn; absent means drawn.
    camera
        The camera at this tick.
    previous
        The snapshot one tick earlier at the same alpha, at tick 0 the same again; it has no `previous` of its own.
        None where it is not known: then nothing has moved.
    sources
        Object to what posed it, for people and diagnosis: no part of the digest. See `posed.sources`.
    space
        "scene", or "mesh" where an engine's palettes are relative to the skinned node's global matrix.
    """

    tick: int
    rate: Fraction
    alpha: float = 0.0
    scene: str = ""
    models: Mapping[str, Float64] = field(default_factory=_none)
    nodes: Mapping[str, Mapping[int, Float64]] = field(default_factory=_none)
    palettes: Mapping[str, Mapping[int, Float32]] = field(default_factory=_none)
    morphs: Mapping[str, Mapping[int, Float64]] = field(default_factory=_none)
    properties: Mapping[str, Mapping[str, Float64]] = field(default_factory=_none)
    sprites: Mapping[str, int] = field(default_factory=_none)
    visible: Mapping[str, bool] = field(default_factory=_none)
    camera: Camera | None = None
    previous: Posed | None = None
    sources: Mapping[str, object] = field(default_factory=_none)
    space: str = "scene"

    @classmethod
    def at(cls, time: Number, *, rate: Number = 60) -> Posed:
        """Return the snapshot of a time in seconds that leaves all else out: only movers move, the rest is at rest.

        Raises
        ------
        PoseError
            The time is negative or not finite, or the rate not above 0.
        """
        try:
            ticks, ticks_a_second = exact(time, "time") * exact(rate, "rate"), exact(rate)
        except AnimError as error:
            raise PoseError(str(error)) from error
        if ticks < 0 or ticks_a_second <= 0:
            raise PoseError(f"time {time} s at {rate} ticks a second: expected 0 or more, at a rate above 0")
        tick = ticks.numerator // ticks.denominator
        return cls(tick, ticks_a_second, alpha=float(ticks - tick))

    @cached_property
    def digest(self) -> str:
        """The snapshot's identity, 32 hex digits, over all but `sources`."""
        return digest(
            {
                "tick": self.tick,
                "alpha": self.alpha,
                "rate": self.rate,
                "scene": self.scene,
                "models": self.models,
                "nodes": self.nodes,
                "palettes": self.palettes,
                "morphs": self.morphs,
                "sprites": self.sprites,
                "visible": self.visible,
                "camera": self.camera,
                "space": self.space,
                "previous": None if self.previous is None else self.previous.digest,
                **({"properties": self.properties} if self.properties else {}),
            }
        )

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Posed) else NotImplemented

    def __repr__(self) -> str:
        between = f" + {self.alpha:g}" if self.alpha else ""
        joints = sum(len(palette) for nodes in self.palettes.values() for palette in nodes.values())
        what = f"{counted(len(self.models), 'object')}, {counted(joints, 'joint matrix', 'joint matrices')}"
        return f"Posed: tick {self.tick}{between} at {self.rate} a second, {what}, {self.digest}"

    def __hash__(self) -> int:
        return int(self.digest, 16)

    def save(self, path: Path | str) -> None:
        """Write the snapshot: `.npz` keeps every bit, `.json` is for other engines to read and write.

        Raises
        ------
        PosedError
            Another suffix, or a place that cannot be written.
        """
        from posed.snapshot_file import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: Path | str) -> Posed:
        """Read a snapshot that `save` or an engine wrote.

        Raises
        ------
        PoseError
            The file cannot be read or is not a snapshot; the field is named.
        """
        from posed.snapshot_file import load

        return load(Path(path))
