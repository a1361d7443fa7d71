"""FLIP: how different two pictures look to a person who flips between them (Andersson et al. 2020), by its package."""

from __future__ import annotations

import importlib.util

import numpy as np

from posed.arrays import AnyArray, Bool, Float32, UInt32
from posed.color import encode_srgb

TILE = 256
"""Pixels along the side of the squares in which a picture is looked at, where anything in them differs."""

MARGIN = 10
"""Pixels around a place that its FLIP depends on: the widest filter, that of yellow and blue, ends at three standard
deviations of 3.02 pixels, where there are 67 to a degree."""


def is_installed() -> bool:
    """Say whether the package flip-evaluator is here."""
    return importlib.util.find_spec("flip_evaluator") is not None


def flip(expected: AnyArray, found: AnyArray, *, where: Bool | None = None, right: Bool | None = None) -> Float32:
    """Return FLIP's error of each pixel in [0, 1], (H, W) float32, of two linear pictures, (H, W, 3 or 4).

    They are compared as the 8-bit sRGB files that they would be. Pixels are seen as FLIP's default has it, 67 to a
    degree of what a person sees.

    Parameters
    ----------
    expected, found
        The pictures; alpha, if any, does not count.
    where
        (H, W): the pixels whose error is asked for, all unless given; that of others may be 0 instead.
    right
        (H, W): pixels that are taken to show what is expected, whatever they show.
    """
    one, other = _codes(expected), _codes(found)
    differs = one != other
    if right is not None:
        differs &= ~right
        other = np.where(differs, other, one)
    error = np.zeros(differs.shape, np.float32)
    for rows, columns in _places(differs, where):
        around = tuple(slice(max(each.start - MARGIN, 0), each.stop + MARGIN) for each in (rows, columns))
        whole = _evaluate(one[around], other[around])
        inside = tuple(
            slice(each.start - outer.start, each.stop - outer.start)
            for each, outer in zip((rows, columns), around, strict=True)
        )
        error[rows, columns] = whole[inside]
    return error


def _codes(color: AnyArray) -> UInt32:
    """Return the three sRGB codes of a linear picture as one number a pixel, (H, W) uint32."""
    codes = np.zeros((*color.shape[:2], 4), np.uint8)
    codes[..., :3] = encode_srgb(np.nan_to_num(color[..., :3]))
    number: UInt32 = codes.view(np.uint32)[..., 0]
    return number


def _places(differs: Bool, where: Bool | None) -> list[tuple[slice, slice]]:
    """Return the rows and columns of the places that have an error which is asked for.

    They are squares, or all of them at once where that is less to look at, for squares share their margins.
    """
    height, width = differs.shape
    places = []
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            place = slice(top, min(top + TILE, height)), slice(left, min(left + TILE, width))
            around = tuple(slice(max(each.start - MARGIN, 0), each.stop + MARGIN) for each in place)
            if differs[around].any() and (where is None or where[place].any()):
                places.append(place)
    if not places:
        return []
    first = [min(place[axis].start for place in places) for axis in range(2)]
    last = [max(place[axis].stop for place in places) for axis in range(2)]
    areas = [(one.stop - one.start + 2 * MARGIN) * (two.stop - two.start + 2 * MARGIN) for one, two in places]
    if (last[0] - first[0] + 2 * MARGIN) * (last[1] - first[1] + 2 * MARGIN) <= sum(areas):
        return [(slice(first[0], last[0]), slice(first[1], last[1]))]
    return places


def model_pixels(*layers: AnyArray) -> Bool:
    """Return where any of some object layers, (H, W) each, shows something."""
    seen: Bool = np.any([layer != 0 for layer in layers], axis=0)
    return seen


def _evaluate(one: UInt32, other: UInt32) -> Float32:
    import flip_evaluator

    pictures = []
    for codes in (one, other):
        channels = np.ascontiguousarray(codes).view(np.uint8).reshape(*codes.shape, 4)[..., :3]
        pictures.append(channels.astype(np.float32, order="C") / np.float32(255.0))
    error: Float32 = flip_evaluator.evaluate(*pictures, "LDR", applyMagma=False, computeMeanError=False)[0][..., 0]
    return error
