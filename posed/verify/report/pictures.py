"""Layers as pictures for people: what each side shows, where they differ and by how much, and what explains it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, UInt8
from posed.color import encode_srgb
from posed.frame import LAYERS, Frame
from posed.verify.report.colors import (
    EDGE_COLOR,
    EXTRA_COLOR,
    MISSING_COLOR,
    TIE_COLOR,
    WRONG_COLOR,
    difference_colors,
    difference_steps,
    id_colors,
    triangle_codes,
)
from posed.verify.results import Pixels

COVERED = (122, 130, 143, 255)
"""The color of covered pixels in a silhouette."""

GRAYS, LIGHTEST_GRAY = 208, 240
"""Of depth: how many, and the nearest one's."""

NAMED = ("object", "part", "material", "joint")
"""Layers of ids with names."""


@dataclass(frozen=True, eq=False)
class Pictures:
    """A layer as four pictures, (H, W, 4) uint8 sRGB with straight alpha."""

    reference: UInt8
    live: UInt8
    difference: UInt8
    mask: UInt8


def layer_pictures(layer: str, reference: Frame, live: Frame, pixels: Pixels, limit: float) -> Pictures | None:
    """Draw a compared layer; None where it has no pixels that could be drawn.

    Parameters
    ----------
    layer
        A layer of the verdict.
    reference, live
        The frames.
    pixels
        Where they differ.
    limit
        What the policy allows, the unit of the difference; 0 takes the greatest difference as the unit.
    """
    name = "object" if layer == "silhouette" else layer
    if name not in reference or name not in live:
        return None
    sides = _sides(layer, reference[name], live[name])
    if sides is None:
        return None
    return Pictures(*sides, _difference(layer, *sides, pixels, limit), _mask(pixels))


def layer_picture(layer: str, values: AnyArray) -> UInt8 | None:
    """Return one frame's layer in colors, (H, W, 4) uint8 sRGB, clear where it has nothing; None for no picture."""
    sides = _sides(layer, values, values)
    return None if sides is None else sides[0]


def _sides(layer: str, reference: AnyArray, live: AnyArray) -> tuple[UInt8, UInt8] | None:
    match layer:
        case "silhouette":
            return _covered(reference), _covered(live)
        case "triangle":
            return triangle_codes(reference), triangle_codes(live)
        case "depth":
            steps = _depth_steps(reference, live)
            return _depth(reference, steps), _depth(live, steps)
        case "normal" | "geometric_normal":
            return _directions(reference), _directions(live)
        case "motion":
            largest = max(1e-6, _largest_motion(reference))
            return _motion(reference, largest), _motion(live, largest)
        case _ if layer in NAMED:
            colors = id_colors(int(max(reference.max(initial=0), live.max(initial=0))))
            return colors[np.minimum(reference, len(colors) - 1)], colors[np.minimum(live, len(colors) - 1)]
        case _ if LAYERS.get(layer, (0, ""))[0] >= 3:
            return _color(reference), _color(live)
    return None


def _covered(ids: AnyArray) -> UInt8:
    picture = np.zeros((*ids.shape, 4), np.uint8)
    picture[ids > 0] = COVERED
    return picture


def _depth_steps(reference: AnyArray, live: AnyArray) -> AnyArray:
    """Return the depths between which each gray of a picture stands, each for as many pixels of the two as the next."""
    depths = np.concatenate([one[np.isfinite(one)] for one in (reference, live)])
    return np.quantile(depths, np.linspace(0.0, 1.0, GRAYS + 1)[1:-1]) if len(depths) else np.empty(0)


def _depth(depth: AnyArray, steps: AnyArray) -> UInt8:
    """Near is light, far is dark."""
    seen = np.isfinite(depth)
    picture = np.zeros((*depth.shape, 4), np.uint8)
    picture[seen, :3] = (LIGHTEST_GRAY - np.searchsorted(steps, depth[seen])).astype(np.uint8)[:, None]
    picture[seen, 3] = 255
    return picture


def _directions(normal: AnyArray) -> UInt8:
    """A unit vector's x, y and z from -1 to 1 as red, green and blue."""
    finite = np.nan_to_num(normal.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    picture = np.empty((*normal.shape[:2], 4), np.uint8)
    picture[..., :3] = np.rint(np.clip(finite * 127.5 + 127.5, 0.0, 255.0))
    picture[..., 3] = np.where((finite != 0.0).any(axis=-1), 255, 0)
    return picture


def _largest_motion(motion: AnyArray) -> float:
    lengths = np.hypot(motion[..., 0].astype(np.float64), motion[..., 1].astype(np.float64))
    return float(lengths[np.isfinite(lengths)].max(initial=0.0))


def _motion(motion: AnyArray, largest: float) -> UInt8:
    """The direction is the hue, right red and down yellow-green; the length is the saturation; none is white."""
    finite = np.nan_to_num(motion.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    share = np.minimum(np.hypot(finite[..., 0], finite[..., 1]) / largest, 1.0)
    angle = np.arctan2(finite[..., 1], finite[..., 0])
    picture = np.full((*motion.shape[:2], 4), 255, np.uint8)
    for channel, turn in enumerate((0.0, 2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0)):
        away = 0.5 - 0.5 * np.cos(angle - turn)
        picture[..., channel] = np.rint(248.0 * (1.0 - share * away))
    return picture


def _color(color: AnyArray) -> UInt8:
    opaque = np.ones((*color.shape[:2], 4), np.float32)
    opaque[..., :3] = np.nan_to_num(color[..., :3], nan=0.0, posinf=1.0, neginf=0.0)
    return encode_srgb(opaque)


def _difference(layer: str, reference: UInt8, live: UInt8, pixels: Pixels, limit: float) -> UInt8:
    if pixels.measure is not None:
        finite = pixels.measure[np.isfinite(pixels.measure)]
        unit = limit or float(finite.max(initial=0.0)) or 1.0
        return difference_colors()[difference_steps(pixels.measure / unit)]
    picture = np.zeros_like(live)
    if layer == "silhouette":
        picture[pixels.differing & (live[..., 3] == 0)] = (*MISSING_COLOR, 255)
        picture[pixels.differing & (reference[..., 3] == 0)] = (*EXTRA_COLOR, 255)
    else:
        picture[pixels.differing] = live[pixels.differing]
    return picture


def _mask(pixels: Pixels) -> UInt8:
    picture = np.zeros((*pixels.differing.shape, 4), np.uint8)
    picture[pixels.explained] = (*EDGE_COLOR, 255)
    picture[pixels.explained & pixels.tied] = (*TIE_COLOR, 255)
    picture[pixels.differing & ~pixels.explained] = (*WRONG_COLOR, 255)
    return picture
