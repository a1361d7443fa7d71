"""Colors that went through a wrong transfer function, another order of channels, or alpha once too often."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray
from posed.frame import Frame
from posed.verify.recognizing.undoing import Case, Undone, in_single_pixels, likeliest, recognition
from posed.verify.results import Recognition


def toned(case: Case) -> Recognition | None:
    """Return the recognition of colors that are encoded wrongly; None where they are not."""
    return in_single_pixels(case, "color", _toned) if case.fails("color") else None


def _toned(case: Case) -> Recognition | None:
    return likeliest([recognition(case, one) for one in untoned(case.live)])


def untoned(live: Frame) -> list[Undone]:
    """Return a frame, which has color, with each of these mistakes undone."""
    color = live["color"]
    tries = [
        ("gamma twice", "the live frame is sRGB-encoded twice", "decoded once more", _DARKER, _decoded(color)),
        ("gamma missing", "the live frame is not sRGB-encoded", "encoded", _LIGHTER, _encoded(color)),
        ("red and blue swapped", "the live frame's red and blue are swapped", "swapped back", _BGR, _swapped(color)),
    ]
    if live.provenance.background == "transparent":
        tries.append(("premultiplied", _TWICE, "divided by alpha", _STRAIGHT, _divided(color)))
    return [
        Undone(code, claim, undoing, cure, {"color": undone}, ("color",))
        for code, claim, undoing, cure, undone in tries
    ]


_DARKER = "a shader encodes and so does the surface's format: take a format without -srgb, or leave the shader's out"
_LIGHTER = "a picture file holds sRGB: encode as it is written, or draw to a format with -srgb"
_BGR = "the surface is BGRA and was read as RGBA"
_TWICE = "the live frame's color is multiplied by alpha twice"
_STRAIGHT = "a PNG has straight alpha: divide by alpha before it is written"


def _decoded(color: AnyArray) -> AnyArray:
    """Return (H, W, 4) float32 colors decoded from sRGB; alpha stays."""
    undone, value = color.copy(), np.clip(color[..., :3].astype(np.float64), 0.0, 1.0)
    undone[..., :3] = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return undone


def _encoded(color: AnyArray) -> AnyArray:
    undone, value = color.copy(), np.clip(color[..., :3].astype(np.float64), 0.0, 1.0)
    undone[..., :3] = np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1.0 / 2.4) - 0.055)
    return undone


def _swapped(color: AnyArray) -> AnyArray:
    return color[..., [2, 1, 0, 3]]


def _divided(color: AnyArray) -> AnyArray:
    undone, alpha = color.copy(), color[..., 3:]
    np.divide(color[..., :3], alpha, out=undone[..., :3], where=alpha > 0.0)
    return undone
