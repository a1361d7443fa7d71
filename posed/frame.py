"""Frames: the named layers of one rendered picture, what the ids mean and where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from posed.arrays import AnyArray
from posed.scene.camera import Camera
from posed.scene.ids import IdTable

LAYERS: Mapping[str, tuple[int, str]] = {
    "color": (4, "f4"),
    "depth": (0, "f4"),
    "position": (3, "f4"),
    "normal": (3, "f4"),
    "geometric_normal": (3, "f4"),
    "albedo": (3, "f4"),
    "emission": (3, "f4"),
    "uv": (2, "f4"),
    "barycentric": (2, "f4"),
    "object": (0, "u4"),
    "part": (0, "u4"),
    "triangle": (0, "u4"),
    "material": (0, "u4"),
    "joint": (0, "u4"),
    "motion": (2, "f4"),
    "variance": (3, "f4"),
}
"""Layer to its channels (0: a plain (H, W) array) and element type."""


@dataclass(frozen=True, eq=False)
class Provenance:
    """Where a frame came from. Unknown facts are empty; they print as "not stated"."""

    scene: str = ""
    posed: str = ""
    tick: int | None = None
    renderer: str = ""
    version: str = ""
    backend: str = ""
    adapter: str = ""
    driver: str = ""
    integrator: str = ""
    filter: str = ""
    samples: str = ""
    background: str = ""
    seed: int | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture as layers, read by name: ``frame["depth"]``.

    Layers are (H, W) or (H, W, C) arrays, row 0 on top, of the kinds in `LAYERS`; read-only.
    """

    layers: Mapping[str, AnyArray]
    size: tuple[int, int]
    camera: Camera | None = None
    ids: IdTable = field(default_factory=IdTable)
    provenance: Provenance = field(default_factory=Provenance)

    def __getitem__(self, name: str) -> AnyArray:
        try:
            return self.layers[name]
        except KeyError:
            have = ", ".join(sorted(self.layers)) or "none"
            raise KeyError(f'the frame has no layer "{name}"; it has {have}') from None

    def __contains__(self, name: object) -> bool:
        return name in self.layers

    def __iter__(self) -> Iterator[str]:
        return iter(self.layers)
