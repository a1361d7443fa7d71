"""The CPU twin of the flat pass: the same rules over arrays, in float64."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray, Bool, Float32, Float64, UInt8, UInt32
from posed.color import decode_srgb
from posed.live.flat.draws import Draw, FlatScene, FlatSprites, Shape
from posed.live.flat.fills import Color, Image, Rectangle

STEPS = 256.0
"""Steps of a texel that coordinates are rounded to, so that devices agree on which side of a border they lie."""


def rasterize(scene: FlatScene, size: tuple[int, int]) -> tuple[Float32, UInt32]:
    """Draw `scene` over nothing, in a picture of (W, H) pixels.

    Returns
    -------
    color : (H, W, 4) float32
        Linear, premultiplied by its alpha.
    number : (H, W) uint32
        The topmost draw whose alpha is 1/2 or more, counted from 1 over all draws and sprites; 0 where there is none.
    """
    width, height = size
    color = np.zeros((height, width, 4))
    number = np.zeros((height, width), np.uint32)
    count = 0
    for draw in scene.draws:
        singles = _singles(draw) if isinstance(draw, FlatSprites) else [draw]
        for one in singles:
            count += 1
            _draw(one, color, number, count)
    return color.astype(np.float32), number


def composite(flat: Float32, color: Float32) -> Float32:
    """Return `flat` over `color`, (H, W, 4) float32 each, linear and premultiplied."""
    return flat + (np.float32(1.0) - flat[..., 3:]) * color


def _singles(sprites: FlatSprites) -> list[Draw]:
    """Return each sprite as a draw of its own."""
    image = sprites.image
    return [
        Draw(Shape.RECTANGLE, low, high, Image(image.picture, _rectangle(uv), image.linear, image.tint))
        for low, high, uv in zip(sprites.low, sprites.high, sprites.uv, strict=True)
    ]


def _rectangle(uv: Float64) -> Rectangle:
    u0, v0, u1, v1 = uv.tolist()
    return u0, v0, u1, v1


def _draw(one: Draw, color: Float64, number: UInt32, count: int) -> None:
    """Blend one shape over `color`, and write its number where it is solid."""
    height, width = number.shape
    left, top = (max(int(np.floor(value)), 0) for value in one.low)
    right, bottom = min(int(np.ceil(one.high[0])), width), min(int(np.ceil(one.high[1])), height)
    if left >= right or top >= bottom:
        return
    x, y = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    covered = _covers(one, x, y)
    fill = _filled(one, x, y) * covered[..., None]
    behind = color[top:bottom, left:right]
    behind[...] = fill + (1.0 - fill[..., 3:]) * behind
    number[top:bottom, left:right][fill[..., 3] >= 0.5] = count


def _covers(one: Draw, x: Float64, y: Float64) -> Bool:
    """Return whether the shape covers points, of any shape."""
    low, high = one.low.astype(np.float64), one.high.astype(np.float64)
    inside: Bool = np.zeros(x.shape, bool)
    if one.shape is Shape.RECTANGLE:
        inside |= (x >= low[0]) & (x < high[0]) & (y >= low[1]) & (y < high[1])
    elif one.shape is Shape.ELLIPSE:
        half, middle = (high - low) / 2.0, (high + low) / 2.0
        across, down = (x - middle[0]) * half[1], (y - middle[1]) * half[0]
        reach = half[0] * half[1]
        inside |= across * across + down * down <= reach * reach
    else:
        points = one.points.astype(np.float64)
        for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
            upper, lower = (a, b) if a[1] <= b[1] else (b, a)
            beyond = (y - upper[1]) * (lower[0] - upper[0]) > (x - upper[0]) * (lower[1] - upper[1])
            inside ^= (upper[1] <= y) & (y < lower[1]) & beyond
    return inside


def _filled(one: Draw, x: Float64, y: Float64) -> Float64:
    """Return the fill at pixel centres, (..., 4), premultiplied."""
    fill = one.fill
    if isinstance(fill, Color):
        flat = np.array([fill.red, fill.green, fill.blue, fill.alpha])
        return np.broadcast_to(flat * np.append(np.full(3, fill.alpha), 1.0), (*x.shape, 4))
    texels = fill.texels
    places = []
    for axis, at in enumerate((x, y)):
        side = texels.shape[1 - axis]
        first, last = fill.uv[axis] * side, fill.uv[axis + 2] * side
        low, high = float(one.low[axis]), float(one.high[axis])
        along = first + (at - low) * ((last - first) / (high - low))
        inset = min(0.5, abs(last - first) / 2.0)
        along = np.floor(along * STEPS + 0.5) / STEPS
        places.append(np.clip(along, min(first, last) + inset, max(first, last) - inset))
    tint = np.array(fill.tint)
    tinted: Float64 = _texture(texels, places[0], places[1], fill.linear) * np.append(tint[:3] * tint[3], tint[3])
    return tinted


def _texture(texels: UInt8, x: Float64, y: Float64, linear: bool) -> Float64:
    """Return the texture at (x, y) in texels, premultiplied."""
    height, width = texels.shape[:2]

    def texel(column: AnyArray, row: AnyArray) -> Float64:
        code = texels[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
        straight = decode_srgb(code).astype(np.float64)
        straight[..., :3] *= straight[..., 3:]
        return straight

    if not linear:
        return texel(np.floor(x).astype(int), np.floor(y).astype(int))
    column, row = np.floor(x - 0.5).astype(int), np.floor(y - 0.5).astype(int)
    across, down = (x - 0.5 - column)[..., None], (y - 0.5 - row)[..., None]
    above = texel(column, row) * (1.0 - across) + texel(column + 1, row) * across
    below = texel(column, row + 1) * (1.0 - across) + texel(column + 1, row + 1) * across
    filtered: Float64 = above * (1.0 - down) + below * down
    return filtered
