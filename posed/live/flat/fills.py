"""What flat shapes are filled with: one color, or a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import UInt8
from posed.errors import PosedError
from posed.gltf.image import Image as Picture

Rectangle = tuple[float, float, float, float]

WHOLE: Rectangle = (0.0, 0.0, 1.0, 1.0)
"""u0, v0, u1, v1 of all of a picture."""


@dataclass(frozen=True)
class Color:
    """One linear color with straight alpha in [0, 1]."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


@dataclass(frozen=True, eq=False)
class Image:
    """A picture over the shape's bounding rectangle.

    `picture` is a loaded image, or (H, W, 4) uint8 sRGB texels with straight alpha. `uv` is the frame u0, v0, u1, v1 of
    it that is shown, v down from its top, as `anim.Atlas.uv` gives it; u0 > u1 or v0 > v1 mirror it. No texel outside
    the frame is ever read: coordinates are held half a texel inside. `linear` filters between texels, premultiplied by
    their alpha; otherwise the nearest one is shown. `tint` multiplies the texels, linear, straight alpha.

    Raises
    ------
    PosedError
        The texels are no such array, or the frame leaves the picture or has no size.
    AssetError
        A loaded image cannot be read.
    """

    picture: Picture | UInt8
    uv: Rectangle = WHOLE
    linear: bool = True
    tint: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        texels = self.texels
        if texels.ndim != 3 or texels.shape[2] != 4 or texels.dtype != np.uint8 or not texels.size:
            raise PosedError(f"the picture is {texels.dtype} {texels.shape}: expected an image or uint8 (H, W, 4)")
        check_uv(np.array([self.uv], np.float64))

    @property
    def texels(self) -> UInt8:
        """(H, W, 4) uint8 sRGB, straight alpha, row 0 on top."""
        return self.picture.texels if isinstance(self.picture, Picture) else np.asarray(self.picture)


Fill = Color | Image
"""What a shape is filled with."""


def check_uv(uv: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    """Refuse frames, (N, 4), that leave the picture or have no size."""
    with np.errstate(invalid="ignore"):
        bad = ~((uv >= 0.0) & (uv <= 1.0)).all(axis=1) | (uv[:, 0] == uv[:, 2]) | (uv[:, 1] == uv[:, 3])
    if bad.any():
        frame = uv[bad][0].tolist()
        raise PosedError(f"uv {frame}: a frame lies in [0, 1] and has a size, u0, v0, u1, v1")
