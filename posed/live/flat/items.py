"""Flat scenes packed for the device: a record a draw or sprite, corners of polygons, and the pictures they show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float32, Float64
from posed.live.flat.draws import Draw, FlatScene, FlatSprites, Shape
from posed.live.flat.fills import Color, Image

ITEM = np.dtype(
    [
        ("low", "<f4", 2),
        ("high", "<f4", 2),
        ("texel", "<f4", 2),
        ("step", "<f4", 2),
        ("least", "<f4", 2),
        ("most", "<f4", 2),
        ("tint", "<f4", 4),
        ("shape", "<u4"),
        ("first_point", "<u4"),
        ("points", "<u4"),
        ("number", "<u4"),
        ("first_texel", "<u4"),
        ("width", "<u4"),
        ("height", "<u4"),
        ("linear", "<u4"),
    ]
)
"""`Item` of flat.wgsl."""


@dataclass(frozen=True, eq=False)
class Items:
    """`records` (N,) `ITEM` in drawing order, `points` (P, 2) float32, and the image of each run of records.

    `images` are (first record, end, image); `first_texel` of their records is still to be written.
    """

    records: AnyArray
    points: Float32
    images: list[tuple[int, int, Image]]


def pack_flat(scene: FlatScene) -> Items:
    """Return `scene` as records."""
    runs: list[AnyArray] = [np.zeros(0, ITEM)]
    points: list[Float32] = [np.zeros((0, 2), np.float32)]
    images: list[tuple[int, int, Image]] = []
    count = corners = 0
    for draw in scene.draws:
        records = _sprites(draw) if isinstance(draw, FlatSprites) else _shape(draw)
        image = draw.image if isinstance(draw, FlatSprites) else draw.fill
        if isinstance(draw, Draw):
            records["first_point"], records["points"] = corners, len(draw.points)
            points.append(draw.points)
            corners += len(draw.points)
        if isinstance(image, Image) and len(records):
            images.append((count, count + len(records), image))
        records["number"] = np.arange(count + 1, count + 1 + len(records))
        runs.append(records)
        count += len(records)
    return Items(np.concatenate(runs), np.concatenate(points), images)


def _shape(draw: Draw) -> AnyArray:
    records = np.zeros(1, ITEM)
    records["low"], records["high"], records["shape"] = draw.low, draw.high, draw.shape
    if isinstance(draw.fill, Color):
        records["tint"] = draw.fill.red, draw.fill.green, draw.fill.blue, draw.fill.alpha
    else:
        _write_image(records, draw.fill, np.array([draw.fill.uv], np.float64))
    return records


def _sprites(sprites: FlatSprites) -> AnyArray:
    records = np.zeros(len(sprites), ITEM)
    records["low"], records["high"], records["shape"] = sprites.low, sprites.high, Shape.RECTANGLE
    _write_image(records, sprites.image, sprites.uv)
    return records


def _write_image(records: AnyArray, image: Image, uv: Float64) -> None:
    """Write how the frames `uv`, (N, 4), of an image are spread over the records' rectangles."""
    height, width = image.texels.shape[:2]
    frame = uv * np.array([width, height, width, height], np.float64)
    first, last = frame[:, :2], frame[:, 2:]
    size = records["high"].astype(np.float64) - records["low"]
    least, most = np.minimum(first, last), np.maximum(first, last)
    inset = np.minimum(0.5, (most - least) / 2.0)
    records["texel"], records["least"], records["most"] = first, least + inset, most - inset
    records["step"] = np.divide(last - first, size, out=np.zeros_like(size), where=size > 0.0)
    records["tint"], records["linear"] = image.tint, image.linear
    records["width"], records["height"] = width, height
