"""Panoramas: pictures of everything around, equirectangular, decoded when light is first asked of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from posed.arrays import Float32
from posed.color import decode_srgb
from posed.digest import NO_DIGEST
from posed.errors import AssetError
from posed.gltf.image import LARGEST_SIDE, Image
from posed.scene import rgbe

LARGEST_AREA: Final = 1 << 25
"""Texels of one panorama, as of 8192 x 4096: in float32 they take 400 MB."""

LARGEST_EXR: Final = 1 << 30
"""Bytes that an EXR's channels may unpack to: all of them are unpacked to read three."""


@dataclass(frozen=True, eq=False)
class Panorama:
    """One panorama: `data` is the content of a Radiance picture (`.hdr`), an EXR, a PNG, JPEG or WebP.

    Row 0 lies around +Y, the middle along -Z, the right half toward +X. `source` names the file in errors.
    """

    name: str
    data: bytes
    source: str = field(metadata=NO_DIGEST)

    @cached_property
    def size(self) -> tuple[int, int]:
        """(W, H) in texels, read from the file's head.

        Raises
        ------
        AssetError
            The bytes are no picture of these kinds, or it passes `LARGEST_SIDE` or `LARGEST_AREA`.
        """
        if self._is_exr:
            width, height = self._exr_size()
        elif self._is_rgbe:
            try:
                width, height, _ = rgbe.read_head(self.data)
            except ValueError as error:
                raise self._unreadable("a Radiance picture", error) from error
        else:
            width, height = self._image.size
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE and width * height <= LARGEST_AREA):
            raise self._refused(f"it is {width} x {height}: at most {LARGEST_AREA} texels are read: scale it down")
        return width, height

    @cached_property
    def texels(self) -> Float32:
        """(H, W, 3) float32, linear radiance, row 0 on top; read-only.

        A PNG, JPEG or WebP is taken for sRGB-encoded. A value below 0, as filters leave behind, is 0.

        Raises
        ------
        AssetError
            As `size`, or the picture ends early, or a value is no finite number.
        """
        width, height = self.size
        if self._is_exr:
            texels = self._exr_texels(width, height)
        elif self._is_rgbe:
            try:
                texels = rgbe.decode(self.data)
            except ValueError as error:
                raise self._unreadable("a Radiance picture", error) from error
        else:
            texels = np.ascontiguousarray(decode_srgb(self._image.texels)[..., :3])
        if not np.isfinite(texels).all():
            row, column, _ = (int(index) for index in np.argwhere(~np.isfinite(texels))[0])
            raise self._refused(
                f"its texel in column {column} of row {row} is no finite number: clamp and save it again"
            )
        np.maximum(texels, np.float32(0.0), out=texels)
        texels.flags.writeable = False
        return texels

    @property
    def _is_exr(self) -> bool:
        return self.data[:4] == b"\x76\x2f\x31\x01"

    @property
    def _is_rgbe(self) -> bool:
        return self.data[:2] == b"#?"

    @cached_property
    def _image(self) -> Image:
        return Image(self.name, self.data, self.source)

    def _exr_size(self) -> tuple[int, int]:
        with self._exr(header_only=True) as parts:
            sizes = [_window(part.header) for part in parts]
            counts = [w * h * len(part.header["channels"]) for (w, h), part in zip(sizes, parts, strict=True)]
        size = 4 * sum(counts)
        if size > LARGEST_EXR:
            raise self._refused(f"the EXR unpacks to {size} bytes: at most {LARGEST_EXR} are read: scale it down")
        return sizes[0]

    def _exr_texels(self, width: int, height: int) -> Float32:
        with self._exr(header_only=False) as parts:
            planes = {name: np.asarray(channel.pixels) for name, channel in parts[0].channels.items()}
        if not {"R", "G", "B"} <= planes.keys():
            have = ", ".join(sorted(planes)) or "none"
            raise self._refused(f"the EXR has the channels {have}: a panorama needs R, G and B")
        colors = [planes[name] for name in "RGB"]
        if any(plane.shape != (height, width) or plane.dtype.kind not in "fu" for plane in colors):
            raise self._refused("the EXR's R, G and B are no plain pictures of one size: save it flat")
        return np.stack(colors, axis=2).astype(np.float32)

    @contextmanager
    def _exr(self, *, header_only: bool) -> Iterator[list[Any]]:
        """Give the parts of the file as the OpenEXR library reads them, which wants it on disk."""
        import OpenEXR

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "panorama.exr"
            path.write_bytes(self.data)
            try:
                parts = OpenEXR.File(str(path), separate_channels=True, header_only=header_only).parts
                if not parts:  # the library says why on standard error, and raises nothing
                    raise ValueError("its texels end early or are damaged")
                yield parts
            except (RuntimeError, OSError, MemoryError, ValueError, TypeError, KeyError) as error:
                raise self._unreadable("an EXR", error) from error

    def _unreadable(self, kind: str, error: Exception) -> AssetError:
        reason = " ".join(str(error).split()) or type(error).__name__
        return self._refused(f"not {kind} that can be read here ({reason}): export it again")

    def _refused(self, message: str) -> AssetError:
        return AssetError(self.source, "", message)


def _window(header: Any) -> tuple[int, int]:
    low, high = header["dataWindow"]
    return int(high[0]) - int(low[0]) + 1, int(high[1]) - int(low[1]) + 1
