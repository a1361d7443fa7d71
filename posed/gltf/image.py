"""Images: encoded bytes that are decoded when a renderer first asks for their texels (glTF 2.0, section 3.8.3)."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from posed.arrays import UInt8
from posed.errors import AssetError

LARGEST_SIDE = 16384
"""Texels; what WebGPU's larger adapters allow. A larger image is refused before it is decoded."""


@dataclass(frozen=True, eq=False)
class Image:
    """One image: `source` and `pointer` name it in errors, `data` is the PNG, JPEG or WebP file's content."""

    name: str
    data: bytes
    source: str
    pointer: str = ""

    @cached_property
    def texels(self) -> UInt8:
        """(H, W, 4) uint8 as stored, alpha straight, row 0 on top; read-only.

        Raises
        ------
        AssetError
            The bytes are not an image, or its sides pass `LARGEST_SIDE`.
        """
        import PIL.Image

        try:
            with PIL.Image.open(io.BytesIO(self.data), formats=("PNG", "JPEG", "WEBP")) as opened:
                if max(opened.size) > LARGEST_SIDE:
                    width, height = opened.size
                    raise AssetError(
                        self.source,
                        self.pointer,
                        f"the image is {width} x {height}; at most {LARGEST_SIDE} a side is read: scale it down",
                    )
                texels = np.array(opened.convert("RGBA"))
        except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
            raise AssetError(
                self.source, self.pointer, f"not a readable PNG, JPEG or WebP image ({error}): export it again"
            ) from error
        texels.flags.writeable = False
        return texels
