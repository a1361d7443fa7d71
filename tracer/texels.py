"""The texels of a scene's images in one array, each image once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tracer.materials import Texture


class Texels:
    """Texels for kernels to read, put together anew only when the images change.

    `rows` are all of them, (N, 4) uint8, read-only.
    """

    def __init__(self) -> None:
        self._images: tuple[NDArray[np.uint8], ...] = ()
        self._first: dict[tuple[int, tuple[int, ...]], int] = {}
        self.rows = _joined(())

    def take(self, textures: Sequence[Texture]) -> None:
        """Make `rows` those of the textures' images."""
        images = {_key(one): one.texels for one in textures}
        if images.keys() == self._first.keys():
            return
        self._images = tuple(images.values())  # held on to, as their addresses are their names
        counts = [len(image) * image.shape[1] for image in self._images]
        self._first = dict(zip(images, itertools.accumulate(counts, initial=0), strict=False))
        self.rows = _joined(self._images)

    def first(self, texture: Texture) -> int:
        """Return the row of a texture's first texel."""
        return self._first[_key(texture)]


def _key(texture: Texture) -> tuple[int, tuple[int, ...]]:
    return texture.texels.ctypes.data, texture.texels.shape


def _joined(images: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    rows = np.concatenate([np.zeros((0, 4), np.uint8), *(image.reshape(-1, 4) for image in images)])
    rows.setflags(write=False)
    return rows
