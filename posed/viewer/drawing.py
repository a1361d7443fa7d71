"""The window's picture: a layer of a frame in colors, lines of text over it, and the time line below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from posed.arrays import UInt8
from posed.frame import Frame
from posed.verify.report.pictures import layer_picture

if TYPE_CHECKING:
    import PIL.Image

BAR = 16
"""Rows of the time line."""

BEHIND = (24, 26, 30)
"""What shows where a layer has nothing."""

TEXT, SHADE = (244, 244, 240), (12, 13, 15)

LINE = 18
"""Rows of a line of text."""


def flattened(frame: Frame, layer: str) -> PIL.Image.Image:
    """Return a layer of a frame in colors, opaque, with `BEHIND` where it has nothing."""
    import PIL.Image

    codes = frame.rgba() if layer == "color" else layer_picture(layer, frame[layer])
    picture = PIL.Image.new("RGBA", frame.size, BEHIND)
    if codes is not None:
        picture.alpha_composite(PIL.Image.fromarray(codes))
    return picture


def drawn(frame: Frame, layer: str, lines: Sequence[str], share: float) -> UInt8:
    """Return the picture, (H, W, 4) uint8 sRGB and opaque; `share` of the time line has passed."""
    import PIL.ImageDraw
    import PIL.ImageFont

    picture = flattened(frame, layer)
    draw = PIL.ImageDraw.Draw(picture, "RGBA")
    font = PIL.ImageFont.load_default(size=13)
    width, height = frame.size
    widest = max(draw.textlength(line, font=font) for line in lines)
    draw.rectangle((0, 0, widest + 20, 10 + len(lines) * LINE), fill=(*SHADE, 150))
    for index, line in enumerate(lines):
        draw.text((10, 6 + index * LINE), line, fill=TEXT, font=font)
    top = height - BAR
    draw.rectangle((0, top, width, height), fill=(*SHADE, 200))
    draw.rectangle((8, top + 6, width - 9, top + 9), fill=(90, 94, 102, 255))
    end = 8 + round(share * (width - 17))
    draw.rectangle((8, top + 6, end, top + 9), fill=(240, 150, 40, 255))
    draw.ellipse((end - 5, top + 2, end + 5, top + 12), fill=TEXT)
    picture.putalpha(255)
    return np.asarray(picture)
