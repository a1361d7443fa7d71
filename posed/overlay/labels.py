"""Words in a picture: names beside places, none over another, and the legends of color ramps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from posed.arrays import AnyArray, Float32
from posed.color import decode_srgb

if TYPE_CHECKING:
    import PIL.Image
    import PIL.ImageDraw
    import PIL.ImageFont

TEXT = 11.0
"""Pixels of a line of text in a picture of 540 rows."""

PAPER = (18, 22, 28)
INK = (255, 255, 255)
HALO = 1
"""Pixels of dark around a letter."""

BAR = (168, 10)
"""A legend's bar in pixels, at 540 rows."""


@dataclass(frozen=True)
class Label:
    """A text beside pixel (x, y); of two that would overlap the one that is `nearer`, in metres, stays."""

    text: str
    x: float
    y: float
    nearer: float
    color: tuple[int, int, int] = INK


@dataclass(frozen=True, eq=False)
class Legend:
    """What a ramp's colors mean: `title`, the texts at its ends, and the colors between, (N, 3) sRGB codes."""

    title: str
    low: str
    high: str
    colors: AnyArray


def written(color: Float32, labels: Sequence[Label], legends: Sequence[Legend], unit: float) -> None:
    """Write labels and legends over a linear color, (H, W, 4), in place."""
    import PIL.Image
    import PIL.ImageDraw
    import PIL.ImageFont

    height, width = color.shape[:2]
    sheet = PIL.Image.new("RGBA", (width, height), (*PAPER, 0))
    draw = PIL.ImageDraw.Draw(sheet)
    font = PIL.ImageFont.load_default(TEXT * unit)
    _labels(draw, font, labels, (width, height), unit)
    top = float(height)
    for legend in legends if width >= 2 * BAR[0] * unit else ():  # in a smaller picture it would hide what it explains
        top = _legend(sheet, draw, font, legend, top, unit)
    codes = np.asarray(sheet)
    used = codes[..., 3] > 0
    ink = decode_srgb(codes[used])
    under = color[used]
    share = ink[:, 3:]
    ink[:, 3] = 1.0
    color[used] = under + share * (ink - under)


def _labels(
    draw: PIL.ImageDraw.ImageDraw,
    font: PIL.ImageFont.FreeTypeFont | PIL.ImageFont.ImageFont,
    labels: Sequence[Label],
    size: tuple[int, int],
    unit: float,
) -> None:
    taken: list[tuple[float, float, float, float]] = []
    for label in sorted(labels, key=lambda one: one.nearer):
        text = "".join(letter if letter.isprintable() else "?" for letter in label.text)
        x, y = label.x + 6 * unit, label.y - TEXT * unit * 0.6
        left, upper, right, lower = draw.textbbox((x, y), text, font=font)
        if right > size[0]:  # no room on the right: on the left then
            x -= right - left + 12 * unit
            left, upper, right, lower = draw.textbbox((x, y), text, font=font)
        box = (left - HALO, upper - HALO, right + HALO, lower + HALO)
        outside = box[0] < 0 or box[1] < 0 or box[2] > size[0] or box[3] > size[1]
        if outside or any(_overlap(box, other) for other in taken):
            continue
        taken.append(box)
        draw.text((x, y), text, font=font, fill=(*label.color, 255), stroke_width=HALO, stroke_fill=(*PAPER, 235))


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _legend(
    sheet: PIL.Image.Image,
    draw: PIL.ImageDraw.ImageDraw,
    font: PIL.ImageFont.FreeTypeFont | PIL.ImageFont.ImageFont,
    legend: Legend,
    bottom: float,
    unit: float,
) -> float:
    """Write a legend above `bottom`, in the lower left corner; return its own upper edge."""
    import PIL.Image

    margin, (length, thick) = 12 * unit, (round(side * unit) for side in BAR)
    line = TEXT * unit * 1.4
    width, height = round(length + 2 * margin), round(thick + 2 * line + 1.6 * margin)
    left, upper = round(margin), round(bottom - margin - height)
    draw.rounded_rectangle((left, upper, left + width, upper + height), radius=round(6 * unit), fill=(*PAPER, 200))
    x, y = left + margin, upper + 0.6 * margin
    draw.text((x, y), legend.title, font=font, fill=(*INK, 255))
    ramp = legend.colors[np.linspace(0, len(legend.colors) - 1, length).astype(int)]
    bar = PIL.Image.fromarray(np.ascontiguousarray(np.broadcast_to(ramp, (thick, length, 3))).astype(np.uint8))
    sheet.paste(bar, (round(x), round(y + line)))
    below = y + line + thick + 0.2 * line
    draw.text((x, below), legend.low, font=font, fill=(*INK, 255))
    right = draw.textlength(legend.high, font=font)
    draw.text((x + length - right, below), legend.high, font=font, fill=(*INK, 255))
    return float(upper)
