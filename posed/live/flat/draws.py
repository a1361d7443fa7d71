"""Flat draws: shapes, sprites by the thousand, and the scene that lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from posed.arrays import Float32
from posed.errors import PosedError
from posed.gltf.image import Image as Picture
from posed.live.flat.fills import Fill, Image, Rectangle, check_uv

Point = tuple[float, float]

FURTHEST = 65536.0
"""Pixels: beyond this a float32 does not tell a picture's pixel centres apart."""


class Shape(IntEnum):
    """What of its bounding rectangle a draw covers."""

    RECTANGLE = 0
    ELLIPSE = 1
    POLYGON = 2


@dataclass(frozen=True, eq=False)
class Draw:
    """One filled shape; made by `rectangle`, `ellipse`, `polygon` or `sprite`.

    A shape covers a pixel whose centre lies in it; of a centre on its border, a left or upper border covers it and a
    right or lower one does not, so that neighbours neither overlap nor leave a gap (an ellipse covers its border).

    `low` and `high` (2,) float32 are its bounding rectangle in pixels, `points` (P, 2) float32 a polygon's corners.
    """

    shape: Shape
    low: Float32
    high: Float32
    fill: Fill
    points: Float32 = field(default_factory=lambda: np.zeros((0, 2), np.float32))

    @classmethod
    def rectangle(cls, center: Point, size: Point, fill: Fill) -> Draw:
        """Return a rectangle of `size` (W, H) pixels around `center`."""
        low, high = _bounds([center], [size])
        return cls(Shape.RECTANGLE, low[0], high[0], fill)

    @classmethod
    def ellipse(cls, center: Point, size: Point, fill: Fill) -> Draw:
        """Return the ellipse that fills a rectangle of `size` (W, H) pixels around `center`."""
        low, high = _bounds([center], [size])
        return cls(Shape.ELLIPSE, low[0], high[0], fill)

    @classmethod
    def polygon(cls, points: Sequence[Point], fill: Fill) -> Draw:
        """Return the polygon with corners `points` in pixels; where it crosses itself, every second crossing is out."""
        corners = np.asarray(points, np.float32)
        if corners.ndim != 2 or corners.shape[1:] != (2,) or len(corners) < 3:
            raise PosedError(f"a polygon's points are {corners.shape}: expected (P, 2) with P of 3 or more")
        _check(corners, "a polygon's points")
        return cls(Shape.POLYGON, corners.min(axis=0), corners.max(axis=0), fill, corners)

    @classmethod
    def sprite(
        cls, picture: Picture | Image, center: Point, size: Point | None = None, uv: Rectangle | None = None
    ) -> Draw:
        """Return a rectangle that shows the frame `uv` of a picture, in the frame's own size unless `size` is given."""
        fill = picture if isinstance(picture, Image) else Image(picture)
        if uv is not None:
            fill = Image(fill.picture, uv, fill.linear, fill.tint)
        if size is None:
            height, width = fill.texels.shape[:2]
            u0, v0, u1, v1 = fill.uv
            size = abs(u1 - u0) * width, abs(v1 - v0) * height
        return cls.rectangle(center, size, fill)


class FlatSprites:
    """Many sprites of one picture, which go to the device in one draw; a later one lies over those before it.

    `image` is a loaded image, or an `Image` that also says how it is filtered and tinted. Its `uv` is that of sprites
    which name no frame of their own.
    """

    def __init__(self, image: Picture | Image) -> None:
        self.image = image if isinstance(image, Image) else Image(image)
        self.low = self.high = np.zeros((0, 2), np.float32)
        self.uv = np.zeros((0, 4), np.float64)

    def __len__(self) -> int:
        return len(self.low)

    def add(self, center: Point, size: Point, uv: Rectangle | None = None) -> int:
        """Add a sprite and return its number, from 0: `center` and `size` in pixels, `uv` a frame of the picture."""
        low, high = _bounds([center], [size])
        frames = np.array([self.image.uv if uv is None else uv], np.float64)
        check_uv(frames)
        self.low, self.high = np.concatenate([self.low, low]), np.concatenate([self.high, high])
        self.uv = np.concatenate([self.uv, frames])
        return len(self) - 1

    def set(self, centers: ArrayLike, sizes: ArrayLike, uvs: ArrayLike | None = None) -> None:
        """Put sprites in place of those before: `centers` (N, 2), `sizes` (N, 2) or (2,), `uvs` (N, 4) or (4,).

        Centers and sizes are numbers of pixels, uvs shares of the image, v down; all are kept as float64.

        Raises
        ------
        PosedError
            The arrays do not fit each other, or a value is out of range.
        """
        low, high = _bounds(centers, sizes)
        frames = np.asarray(self.image.uv if uvs is None else uvs, np.float64)
        if frames.shape not in ((4,), (len(low), 4)):
            raise PosedError(f"uvs are {frames.shape}: expected ({len(low)}, 4), a frame a sprite, or (4,) for all")
        frames = np.broadcast_to(frames, (len(low), 4)).copy()
        check_uv(frames)
        self.low, self.high, self.uv = low, high, frames

    def clear(self) -> None:
        """Remove all sprites."""
        self.set(np.zeros((0, 2)), np.zeros((0, 2)))


@dataclass(frozen=True)
class FlatScene:
    """What is drawn flat, in order: the last one on top."""

    draws: tuple[Draw | FlatSprites, ...] = ()

    def __init__(self, draws: Sequence[Draw | FlatSprites] = ()) -> None:
        object.__setattr__(self, "draws", tuple(draws))

    def find(self, number: int) -> tuple[int, int]:
        """Return the draw, by its place in `draws`, and the sprite in it, that a picked number, from 1, stands for.

        Raises
        ------
        PosedError
            The scene has fewer draws.
        """
        rest = number - 1
        for index, draw in enumerate(self.draws):
            count = len(draw) if isinstance(draw, FlatSprites) else 1
            if rest < count:
                return index, rest
            rest -= count
        raise PosedError(f"{number}: the flat scene has fewer draws")


def _bounds(centers: ArrayLike, sizes: ArrayLike) -> tuple[Float32, Float32]:
    """Return the lowest and highest corners, (N, 2) float32 each."""
    middle, size = np.asarray(centers, np.float32), np.asarray(sizes, np.float32)
    if middle.ndim != 2 or middle.shape[1] != 2 or size.shape not in ((2,), middle.shape):
        raise PosedError(f"centers are {middle.shape}, sizes {size.shape}: expected (N, 2) both, or one size, (2,)")
    _check(middle, "centers")
    _check(size, "sizes")
    if (size < 0).any():
        raise PosedError(f"a size is {size[(size < 0).any(axis=-1)][0].tolist()}: expected 0 or more")
    half = size * np.float32(0.5)
    return middle - half, middle + half


def _check(values: Float32, what: str) -> None:
    if not (np.abs(values) <= FURTHEST).all():
        raise PosedError(f"{what} are pixels of at most {FURTHEST:.0f}, finite")
