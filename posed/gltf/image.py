"""Images: encoded bytes that are decoded when a renderer first asks for their texels (glTF 2.0, section 3.8.3)."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from posed.arrays import UInt8
from posed.digest import NO_DIGEST
from posed.errors import AssetError

if TYPE_CHECKING:
    import PIL.Image

LARGEST_SIDE = 16384
"""Texels; what WebGPU's larger adapters allow. A larger image is refused before it is decoded."""

LARGEST_AREA = 1 << 26
"""Texels of one image: decoding takes some sixteen bytes for each."""


@dataclass(frozen=True, eq=False)
class Image:
    """One image: `source` and `pointer` name it in errors, `data` is the PNG, JPEG or WebP file's content."""

    name: str
    data: bytes
    source: str = field(metadata=NO_DIGEST)
    pointer: str = field(default="", metadata=NO_DIGEST)

    @cached_property
    def size(self) -> tuple[int, int]:
        """(W, H) in texels, read from the file's head.

        Raises
        ------
        AssetError
            The bytes are not an image, or it passes `LARGEST_SIDE` or `LARGEST_AREA`.
        """
        return self._open().size

    @cached_property
    def texels(self) -> UInt8:
        """(H, W, 4) uint8 as stored, alpha straight, row 0 on top; read-only.

        Raises
        ------
        AssetError
            As `size`, or the image ends early.
        """
        opened = self._open()
        try:
            texels = np.array(opened.convert("RGBA"))
        except (OSError, ValueError, SyntaxError, EOFError, MemoryError) as error:
            raise self._unreadable(error) from error
        texels.flags.writeable = False
        return texels

    def _open(self) -> PIL.Image.Image:
        import PIL.Image

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PIL.Image.DecompressionBombWarning)  # the sides are checked below
                opened = PIL.Image.open(io.BytesIO(self.data), formats=("PNG", "JPEG", "WEBP"))
        except (OSError, ValueError, SyntaxError, EOFError, PIL.Image.DecompressionBombError) as error:
            raise self._unreadable(error) from error
        if max(opened.size) > LARGEST_SIDE:
            width, height = opened.size
            message = f"the image is {width} x {height}; at most {LARGEST_SIDE} a side is read: scale it down"
            raise AssetError(self.source, self.pointer, message)
        if opened.size[0] * opened.size[1] > LARGEST_AREA:
            width, height = opened.size
            message = f"the image is {width} x {height}; at most {LARGEST_AREA} texels are read: scale it down"
            raise AssetError(self.source, self.pointer, message)
        return opened

    def _unreadable(self, error: Exception) -> AssetError:
        import PIL

        reason = str(error)
        if isinstance(error, PIL.UnidentifiedImageError):  # its own text names an object of Python's
            start = self.data[:8].decode("ascii", "replace")
            reason = f'it begins with "{start}"' if start else "it is empty"
        message = f"not a readable PNG, JPEG or WebP image ({reason}): export it again"
        return AssetError(self.source, self.pointer, message)
