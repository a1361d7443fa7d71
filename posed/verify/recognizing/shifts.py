"""Frames that lie some pixels beside their place, or half a pixel: sampled at corners and not at centres."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray
from posed.frame import Frame
from posed.verify.explained import explain_pixels
from posed.verify.geometry import Geometry
from posed.verify.recognizing.flips import SHOWN
from posed.verify.recognizing.undoing import ENOUGH, Case, Undone, recognition, told
from posed.verify.results import Recognition

HALVES = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))
"""Half pixels down and right that are tried."""

APART = 0.25
"""By how much a half pixel must explain more than half a pixel the other way: edges drawn anyhow fit both."""

CLEARLY = 0.15
"""By how much a half pixel must explain more than one that is tried before it: aslant lies between more pixels."""

BETWEEN = 0.6
"""Share of differing colors from which they lie between their neighbours': what is narrower than a pixel does not."""

MOST_ASKED = 2000
"""Wrong pixels that are looked through half a pixel beside, spread over all."""

KEYED = ("silhouette", "object", "part")

CORNER = "a pixel is seen through its centre, half a pixel from its corner"


def displaced(case: Case, geometry: Geometry | None) -> Recognition | None:
    """Return the recognition of a frame that is shifted as a whole; None where it is not."""
    if not case.fails(*SHOWN):
        return None
    down, right = _whole(case)
    best = _moved(case, down, right) if (down, right) != (0, 0) else None
    by_ids = geometry is not None and case.fails(*KEYED)
    share, enough = 0.0 if best is None else best.share, ENOUGH if by_ids else BETWEEN
    found = {step: _at_half(case, geometry if by_ids else None, step) for step in HALVES}
    for step, (agreeing, before) in found.items():
        explained = agreeing / before if before else 0.0
        is_apart = agreeing - found[_opposite(step)][0] >= APART * before
        if explained >= enough and explained > share + CLEARLY and is_apart:
            share = explained
            claim = f"the live frame is shifted by half a pixel {_way(*step)}"
            one = Undone("shifted by half a pixel", claim, "shifted back", CORNER, {}, ())
            best = told(one, agreeing, before, explained)
    return best


def _opposite(step: tuple[int, int]) -> tuple[int, int]:
    return -step[0], -step[1]


def _moved(case: Case, down: int, right: int) -> Recognition | None:
    """Return the recognition of a shift by whole pixels."""
    layers = {name: shifted(layer, (down, right)) for name, layer in case.live.layers.items()}
    width, height = case.live.size
    rows, columns = np.arange(height) + down, np.arange(width) + right
    known = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
    far = max(abs(down), abs(right))
    count = "a pixel" if far == 1 else f"{far} pixels"
    sides = count if 0 in (down, right) or abs(down) == abs(right) else f"{abs(right)} and {abs(down)} pixels"
    claim = f"the live frame is shifted by {sides} {_way(down, right)}"
    cure = "a viewport, a border or a loop over rows begins beside its place"
    return recognition(case, Undone("shifted", claim, "shifted back", cure, layers, SHOWN, known))


def _whole(case: Case) -> tuple[int, int]:
    """Return the whole pixels down and right by which the live frame fits best, by phase correlation.

    Kuglin and Hines 1975.
    """
    layers = [name for name in ("part", "object", "depth", "color") if name in case.live and name in case.reference]
    if not layers:
        return 0, 0
    pictures = [_told(frame, layers[0]) for frame in (case.reference, case.live)]
    one, other = (np.fft.rfft2(picture - picture.mean()) for picture in pictures)
    product = other * np.conj(one)
    size = np.abs(product)
    peak = np.fft.irfft2(product / np.where(size > 0.0, size, 1.0), pictures[0].shape)
    height, width = peak.shape
    row, column = divmod(int(peak.argmax()), width)
    return row - height * (row > height // 2), column - width * (column > width // 2)


def _told(frame: Frame, layer: str) -> AnyArray:
    """Return a number a pixel that tells surfaces apart, (H, W) float64."""
    values = frame[layer]
    if layer in ("part", "object"):
        return (values.astype(np.uint64) * np.uint64(2654435761) % np.uint64(1009)).astype(np.float64)
    if layer == "depth":
        return np.where(np.isfinite(values), 1.0 / np.maximum(np.abs(values), 1e-6), 0.0).astype(np.float64)
    bright: AnyArray = np.nan_to_num(values[..., :3]).astype(np.float64).sum(axis=2)
    return bright


def _at_half(case: Case, geometry: Geometry | None, step: tuple[int, int]) -> tuple[int, int]:
    """Return how many wrong pixels agree with the reference half a step beside, and how many there are.

    Ids tell by the geometry where it is given, else colors.
    """
    if geometry is not None:
        return _by_geometry(case, geometry, step)
    return _by_color(case, step) if case.fails("color") else (0, 0)


def _by_geometry(case: Case, geometry: Geometry, step: tuple[int, int]) -> tuple[int, int]:
    wrong = np.zeros((case.live.size[1], case.live.size[0]), np.bool_)
    for name in KEYED:
        wrong |= case.wrong.get(name, False)
    places = np.flatnonzero(wrong)
    wrong.ravel()[np.setdiff1d(places, places[:: -(-len(places) // MOST_ASKED)])] = False
    layers = {name: case.live[name] for name in ("object", "part", "triangle", "depth") if name in case.live}
    if "object" not in layers:
        return 0, 0
    aside = (-step[1] / 2.0, -step[0] / 2.0)
    found = explain_pixels(
        geometry, wrong, layers, band=case.policy.band, depth_limit=case.policy.depth.relative, beside=aside
    )
    agrees = np.ones(int(wrong.sum()), np.bool_)
    for name in KEYED:
        if name in case.wrong:
            agrees &= getattr(found, name)
    return int(agrees.sum()), len(agrees)


def _by_color(case: Case, step: tuple[int, int]) -> tuple[int, int]:
    """Return how many wrong colors lie between those of the two or four pixels that the shifted one lies between."""
    wrong = case.wrong["color"]
    expected = case.reference["color"][..., :3].astype(np.float64)
    around = [shifted(expected, (down, right)) for down in {0, -step[0]} for right in {0, -step[1]}]
    found, limit = case.live["color"][..., :3], case.policy.color.max
    inside = (found >= np.min(around, axis=0) - limit) & (found <= np.max(around, axis=0) + limit)
    return int((inside.all(axis=2) & wrong).sum()), int(wrong.sum())


def _way(down: int, right: int) -> str:
    """Return a direction in words."""
    words = [word for word in (("down" if down > 0 else "up") * bool(down), _across(right)) if word]
    return " and ".join(words)


def _across(right: int) -> str:
    return ("right" if right > 0 else "left") * bool(right)


def shifted(layer: AnyArray, step: tuple[int, int]) -> AnyArray:
    """Return a layer, (H, W, ...), whose pixel (y, x) shows (y + step[0], x + step[1]), its border repeated."""
    down, right = step
    height, width = layer.shape[:2]
    rows = np.clip(np.arange(height) + down, 0, height - 1)
    columns = np.clip(np.arange(width) + right, 0, width - 1)
    return layer[rows][:, columns]
