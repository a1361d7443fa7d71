"""Blobs: pixels that touch each other, what they show, and how far from its right place they show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posed.arrays import AnyArray, Bool, Int32
from posed.frame import Frame
from posed.scene.ids import IdTable
from posed.verify.layers import coverage
from posed.verify.results import Blob

MOST_BLOBS = 64
"""Blobs of a layer that are described, the largest; all are counted."""

KEYED = ("silhouette", "object", "part", "triangle")
"""Layers whose values name a surface, so that the place where the reference shows the same can be looked for."""


@dataclass(frozen=True, eq=False)
class Blobs:
    """The blobs of a layer: the largest described, `count` in all, and each pixel's number, (H, W) int32."""

    described: tuple[Blob, ...]
    count: int
    numbers: Int32


def find_blobs(layer: str, pixels: Bool, measure: AnyArray | None, reference: Frame, live: Frame) -> Blobs:
    """Return the blobs that `pixels`, (H, W) bool, form, the largest first.

    Parameters
    ----------
    layer
        The layer in which they differ.
    pixels
        Where.
    measure
        By how much, (H, W), None for ids.
    reference, live
        The two frames, for what the blobs show.
    """
    if not pixels.any():
        return Blobs((), 0, np.zeros(pixels.shape, np.int32))
    from scipy import ndimage

    found, count = ndimage.label(pixels, np.ones((3, 3), np.int8), output=np.int32)
    sizes = np.bincount(found.ravel(), minlength=count + 1)
    order = 1 + np.argsort(-sizes[1:], kind="stable")
    rank = np.zeros(count + 1, np.int32)
    rank[order] = np.arange(1, count + 1, dtype=np.int32)
    numbers: Int32 = rank[found]
    places = ndimage.find_objects(numbers, min(count, MOST_BLOBS))
    shown = _shown(pixels, reference, live)
    astray = _astray(layer, pixels & (numbers <= MOST_BLOBS), reference, live) if layer in KEYED else None
    described = []
    for number, place in enumerate(places, 1):
        inside = numbers[place] == number
        row, column = divmod(_deepest(inside, int(sizes[order[number - 1]])), inside.shape[1])
        rows, columns = place
        described.append(
            Blob(
                number=number,
                pixels=int(sizes[order[number - 1]]),
                box=(columns.start, rows.start, columns.stop, rows.stop),
                at=(columns.start + column, rows.start + row),
                worst=0.0 if measure is None else float(measure[place][inside].max()),
                distance=0.0 if astray is None else _farthest(astray[place][inside]),
                **_names(reference.ids, {name: one[place][inside] for name, one in shown.items()}),
            )
        )
    return Blobs(tuple(described), count, numbers)


def _deepest(inside: Bool, size: int) -> int:
    """Return the flat index of the pixel of a blob that lies farthest from its border; four pixels have no depth."""
    if size <= 4:
        return int(inside.argmax())
    from scipy import ndimage

    return int(ndimage.distance_transform_edt(np.pad(inside, 1))[1:-1, 1:-1].argmax())


def _farthest(distances: AnyArray) -> float | None:
    """Return the largest finite distance, None where there is none."""
    finite = distances[np.isfinite(distances)]
    return float(finite.max()) if finite.size else None


def _shown(pixels: Bool, reference: Frame, live: Frame) -> dict[str, AnyArray]:
    """Return the object, part and joint ids shown at `pixels`, (H, W) each: of the nearer surface where depths tell."""
    layer = "part" if "part" in reference else "object"
    if layer not in reference:
        return {}
    takes_live = np.zeros(pixels.shape, np.bool_)
    if layer in live:
        takes_live = pixels & (reference[layer] == 0)
        if "depth" in reference and "depth" in live:
            takes_live |= pixels & (live[layer] != 0) & (live["depth"] < reference["depth"])
    shown = {}
    for name in ("object", "part", "joint"):
        if name in reference:
            shown[name] = np.where(takes_live, live[name], reference[name]) if name in live else reference[name]
    return shown


def _names(ids: IdTable, shown: dict[str, AnyArray]) -> dict[str, str]:
    """Return the names of the object, part and joint that most of a blob's pixels show, of the surface of most."""
    names: dict[str, str] = {}
    here = np.ones(len(next(iter(shown.values()), ())), np.bool_)
    for layer in ("object", "part", "joint"):
        if layer not in shown:
            continue
        values, counts = np.unique(shown[layer][here], return_counts=True)
        most = int(values[counts.argmax()])
        here &= shown[layer] == most
        if layer != "joint" or most:
            names[layer] = _name(ids, layer, most)
    return names


def _name(ids: IdTable, layer: str, number: int) -> str:
    try:
        return ids.name(layer, number)
    except IndexError:
        return f"{layer} {number}"


def _astray(layer: str, pixels: Bool, reference: Frame, live: Frame) -> AnyArray:
    """Return for each of `pixels` how far from there the reference shows what the live frame shows, (H, W) float32.

    Infinite where it shows it nowhere.
    """
    from scipy.spatial import cKDTree

    expected, found = keys_of(layer, reference, live)
    asked = np.unique(found[pixels])
    where = _at_border(expected)
    where[where] = np.isin(expected[where], asked)
    apart = 4.0 * sum(pixels.shape)  # so far apart in a third direction that only the same key is found
    here = _points(np.nonzero(pixels), np.searchsorted(asked, found[pixels]) * apart)
    there = _points(np.nonzero(where), np.searchsorted(asked, expected[where]) * apart)
    distances = np.full(pixels.shape, np.inf, np.float32)
    if len(there):
        nearest = cKDTree(there).query(here, distance_upper_bound=apart / 2.0)[0]
        nearest[expected[pixels] == found[pixels]] = 0.0
        distances[pixels] = nearest
    return distances


def keys_of(layer: str, *frames: Frame) -> list[NDArray[np.int64]]:
    """Return for each frame a number a pixel that is the same where a keyed layer shows the same, (H, W) int64."""
    keys = []
    for frame in frames:
        if layer == "silhouette":
            seen = coverage(frame)
            assert seen is not None
            keys.append(seen.astype(np.int64))
        elif layer == "triangle":
            keys.append(frame["part"].astype(np.int64) << 32 | frame["triangle"].astype(np.int64))
        else:
            keys.append(frame[layer].astype(np.int64))
    return keys


def _at_border(keys: NDArray[np.int64]) -> Bool:
    """Return where a neighbour by a side has another key: there lies the nearest pixel of any region."""
    border = np.zeros(keys.shape, np.bool_)
    down, across = keys[1:] != keys[:-1], keys[:, 1:] != keys[:, :-1]
    border[1:] |= down
    border[:-1] |= down
    border[:, 1:] |= across
    border[:, :-1] |= across
    return border


def _points(places: Sequence[AnyArray], third: AnyArray) -> AnyArray:
    return np.stack([*(one.astype(np.float64) for one in places), third.astype(np.float64)], axis=1)
