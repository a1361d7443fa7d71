"""FLIP: how different two pictures look to a person who flips between them (Andersson et al. 2020), by its package."""

from __future__ import annotations

import importlib.util

import numpy as np

from posed.arrays import AnyArray, Bool, Float32, UInt8
from posed.color import encode_srgb

TILE = 256
"""Pixels along the side of the squares in which a picture is looked at, where anything in them differs."""

MARGIN = 16
"""Pixels around a square that its FLIP may depend on: its filters reach less far at 67 pixels a degree."""


def is_installed() -> bool:
    """Say whether the package flip-evaluator is here."""
    return importlib.util.find_spec("flip_evaluator") is not None


def flip(expected: AnyArray, found: AnyArray) -> Float32:
    """Return FLIP's error of each pixel in [0, 1], (H, W) float32, of two linear pictures, (H, W, 3).

    They are compared as the 8-bit sRGB files that they would be. Pixels are seen as FLIP's default has it, 67 to a
    degree of what a person sees.
    """
    one, other = (encode_srgb(np.nan_to_num(color[..., :3])) for color in (expected, found))
    differs = np.asarray((one != other).any(axis=2))
    error = np.zeros(differs.shape, np.float32)
    height, width = differs.shape
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            rows = slice(max(top - MARGIN, 0), min(top + TILE + MARGIN, height))
            columns = slice(max(left - MARGIN, 0), min(left + TILE + MARGIN, width))
            if not differs[rows, columns].any():
                continue
            whole = _evaluate(one[rows, columns], other[rows, columns])
            inside = whole[top - rows.start :, left - columns.start :][:TILE, :TILE]
            error[top : top + TILE, left : left + TILE] = inside
    return error


def model_pixels(*layers: AnyArray) -> Bool:
    """Return where any of some object layers, (H, W) each, shows something."""
    seen: Bool = np.any([layer != 0 for layer in layers], axis=0)
    return seen


def _evaluate(one: UInt8, other: UInt8) -> Float32:
    import flip_evaluator

    pictures = [np.ascontiguousarray(codes, np.float32) / np.float32(255.0) for codes in (one, other)]
    error: Float32 = flip_evaluator.evaluate(*pictures, "LDR", applyMagma=False, computeMeanError=False)[0][..., 0]
    return error
