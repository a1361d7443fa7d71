"""Frames: the named layers of one rendered picture, what the ids mean and where it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from posed.arrays import AnyArray, UInt8
from posed.camera import Camera
from posed.color import encode_srgb
from posed.errors import PosedError
from posed.files import written_whole
from posed.npz import read_npz, write_npz
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

FORMATS = (".png", ".npz")
"""What a frame can be saved as."""


@dataclass(frozen=True)
class Provenance:
    """Where a frame came from. Unknown facts are empty."""

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

    Layers are (H, W) or (H, W, C) arrays of the kinds in `LAYERS`, row 0 on top. `size` is (W, H).
    """

    layers: Mapping[str, AnyArray]
    size: tuple[int, int]
    camera: Camera | None = None
    ids: IdTable = field(default_factory=IdTable)
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        width, height = self.size
        for name, layer in self.layers.items():
            if name not in LAYERS:
                raise PosedError(f'a frame has no layer "{name}": its layers are {", ".join(LAYERS)}')
            channels, kind = LAYERS[name]
            shape = (height, width, channels) if channels else (height, width)
            if layer.shape != shape or layer.dtype != np.dtype(kind):
                raise PosedError(f'layer "{name}" is {layer.dtype} {layer.shape}: expected {np.dtype(kind)} {shape}')
            layer.flags.writeable = False

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
        """Write the frame as its suffix says: `.png` for color, `.npz` for every layer and the provenance.

        Raises
        ------
        PosedError
            Another suffix, no color layer for a PNG, or a place that cannot be written; nothing is left behind.
        """
        path = Path(path)
        writers = {".png": self._save_png, ".npz": self._save_npz}
        if path.suffix.lower() not in writers:
            raise PosedError(f'{path}: a frame is saved as {" or ".join(FORMATS)}, found "{path.suffix}"')
        writers[path.suffix.lower()](path)

    def _save_png(self, path: Path) -> None:
        import PIL.Image

        if "color" not in self:
            raise PosedError(f"{path}: a PNG shows color and this frame has {', '.join(self) or 'no layers'}: use .npz")
        codes = self.rgba()
        opaque = bool((codes[..., 3] == 255).all())
        picture = PIL.Image.fromarray(np.ascontiguousarray(codes[..., :3]) if opaque else codes)
        with written_whole(path) as beside:
            picture.save(beside, "PNG")

    def _save_npz(self, path: Path) -> None:
        meta = {
            "format": "posed frame",
            "version": 1,
            "size": list(self.size),
            "camera": None if self.camera is None else self.camera.to_json(),
            "ids": self.ids.to_json(),
            "provenance": asdict(self.provenance),
        }
        arrays = dict(self.layers) | {"meta": np.frombuffer(json.dumps(meta).encode(), np.uint8)}
        with written_whole(path) as beside, beside.open("wb") as stream:
            write_npz(stream, arrays)

    @classmethod
    def load(cls, path: Path | str) -> Frame:
        """Read a frame that `save` wrote as `.npz`.

        Raises
        ------
        PosedError
            The file cannot be read or is not such a frame.
        """
        path = Path(path)
        try:
            arrays = read_npz(path)
            meta = json.loads(arrays.pop("meta").tobytes())
            if meta["format"] != "posed frame" or meta["version"] != 1:
                raise PosedError(f"{path}: is a {meta['format']} of version {meta['version']}: expected version 1")
            camera = None if meta["camera"] is None else Camera.from_json(meta["camera"])
            width, height = meta["size"]
            ids, provenance = IdTable.from_json(meta["ids"]), Provenance(**meta["provenance"])
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise PosedError(f"{path}: is not a frame that posed wrote ({error!r})") from error
        return cls(arrays, (int(width), int(height)), camera, ids, provenance)
