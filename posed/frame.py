"""Frames: the named layers of one rendered picture, what the ids mean and where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from posed.arrays import AnyArray, UInt8
from posed.camera import Camera
from posed.color import encode_srgb
from posed.errors import PosedError
from posed.scene.ids import IdTable
from posed.showing import ShowsItself

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

FORMATS = (".png", ".exr", ".npz")
"""What a frame can be saved as."""


@dataclass(frozen=True)
class ShadowBand:
    """How far the edges of the shadows that some objects cast by one light may lie from the exact ones.

    A shadow is known at the texels of a map, so its answer may be that of any ray toward the light that starts up to
    1.5 `texel` to the side of where the exact one does, along the plane of the triangle that is seen, and it may
    overlook a surface that the ray meets within `bias`. Where all of these rays agree, the shadow is exact.

    Attributes
    ----------
    light
        Index of the light in `posed.properties.shown_lights(scene, posed)`.
    objects
        Ids of the objects that cast.
    texel
        The longer side of a texel, across the light: metres for a sun; for a point or spot light metres a metre of
        distance from it.
    bias
        Distance toward the light, in the same unit.
    """

    light: int
    objects: tuple[int, ...]
    texel: float
    bias: float


@dataclass(frozen=True)
class Provenance:
    """Where a frame came from. Unknown facts are empty.

    `shadows` are the bands of a frame whose shadows were read from maps: none, `()`, where no shadow was, and None
    where nothing is said of it.
    """

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
    bounces: int | None = None
    background: str = ""
    seed: int | None = None
    shadows: tuple[ShadowBand, ...] | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Provenance:
        """Return what `dataclasses.asdict` made of a provenance, after JSON has made lists of its tuples.

        Raises
        ------
        KeyError, TypeError
            It is none.
        """
        fields = dict(value)
        if fields.get("shadows") is not None:
            fields["shadows"] = tuple(
                ShadowBand(one["light"], tuple(one["objects"]), one["texel"], one["bias"]) for one in fields["shadows"]
            )
        return cls(**fields)


@dataclass(frozen=True, eq=False)
class Frame(ShowsItself):
    """A picture as layers, read by name: ``frame["depth"]``.

    Layers are (H, W) or (H, W, C) arrays of the kinds in `LAYERS`, float32 or uint32, row 0 on top. `size` is (W, H).
    `staged` is what a traced frame was traced from, the tracer's scene and camera: by it a comparison explains pixels
    at edges. Files do not keep it.
    """

    layers: Mapping[str, AnyArray]
    size: tuple[int, int]
    camera: Camera | None = None
    ids: IdTable = field(default_factory=IdTable)
    provenance: Provenance = field(default_factory=Provenance)
    staged: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        width, height = self.size
        if width < 1 or height < 1:
            raise PosedError(f"a frame of {width} x {height} pixels shows nothing: draw it at 1 x 1 or larger")
        for name, layer in self.layers.items():
            if name not in LAYERS:
                raise PosedError(f'a frame has no layer "{name}": its layers are {", ".join(LAYERS)}')
            channels, kind = LAYERS[name]
            shape = (height, width, channels) if channels else (height, width)
            if layer.shape != shape or layer.dtype != np.dtype(kind):
                raise PosedError(f'layer "{name}" is {layer.dtype} {layer.shape}: expected {np.dtype(kind)} {shape}')
        object.__setattr__(self, "layers", {name: _read_only_view(layer) for name, layer in self.layers.items()})

    def __repr__(self) -> str:
        tick = "" if self.provenance.tick is None else f", tick {self.provenance.tick}"
        made = f", {self.provenance.renderer}" if self.provenance.renderer else ""
        return f"Frame: {self.size[0]} x {self.size[1]}{tick}{made}: {', '.join(self.layers) or 'no layers'}"

    def __getitem__(self, name: str) -> AnyArray:
        try:
            return self.layers[name]
        except KeyError:
            have = ", ".join(self.layers) or "none"
            raise KeyError(f'the frame has no layer "{name}": it has {have}') from None

    def __contains__(self, name: object) -> bool:
        return name in self.layers

    def __iter__(self) -> Iterator[str]:
        return iter(self.layers)

    def rgba(self) -> UInt8:
        """Return the color layer as (H, W, 4) uint8, sRGB-encoded: opaque, or with straight alpha over nothing."""
        color = np.array(self["color"])
        if self.provenance.background != "transparent":
            color[..., 3] = 1.0  # its coverage: the background is in the color already
            return encode_srgb(color)
        alpha = color[..., 3:]
        np.divide(color[..., :3], alpha, out=color[..., :3], where=alpha > 0)
        return encode_srgb(color)

    def save(self, path: Path | str) -> None:
        """Write the frame as its suffix says: `.png` for color, `.exr` or `.npz` for every layer and the provenance.

        Raises
        ------
        PosedError
            Another suffix, no color layer for a PNG, or a place that cannot be written; nothing is left behind.
        """
        from posed.frame_files import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: Path | str) -> Frame:
        """Read a frame that `save` or another renderer wrote.

        It comes from an `.exr` or `.npz`, from any `.png`, which has color alone, or from a folder of `color.png` or
        `<layer>.npy` and an optional `frame.json`. What another renderer wrote has the layers whose channels (EXR) or
        arrays (npz) it names as we do.

        Raises
        ------
        PosedError
            The file cannot be read or is not such a frame.
        """
        from posed.foreign_frames import read_folder
        from posed.frame_files import load

        path = Path(path)
        return read_folder(path) if path.is_dir() else load(path)


def _read_only_view(array: AnyArray) -> AnyArray:
    view = array.view()
    view.flags.writeable = False
    return view
