"""Which answers at a pixel two correct renderers may give, judged from the staged geometry in float64.

An answer is explained when its triangle comes within the band of the pixel's centre and every surface that is nearer,
by more than depth can tell, ends within the band too, at a boundary or at its silhouette. Across an edge where the
surface goes on, only the triangles on its two sides are answers, never what lies behind: a crack is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.arrays import AnyArray, Bool, UInt32
from posed.verify.alpha import Alphas
from posed.verify.geometry import Geometry
from posed.verify.near import Near, gather, no_pieces
from posed.verify.plane import distance_to_edge, distance_to_edges
from posed.verify.projection import CUT, INNER, Pieces, project, thickness
from posed.verify.tiles import TILE, Tiles, tiles_of

Floats = NDArray[np.float64]

TIE = 2.0**-20
"""Pixels from an edge, beyond what rounding of its vertices moves it, within which a centre lies on it."""


@dataclass(frozen=True, eq=False)
class Explained:
    """What explains the live answers at N asked pixels.

    `silhouette`, `object`, `part`, `triangle` and `depth`, (N,) bool each, say whether that much of the answer is one
    that a correct renderer may give; `tied` (N,) bool, whether a tie decides, as between surfaces in one place or at an
    edge through the very centre; `degrees` (N,) float64, how far the normal may then be turned.
    """

    silhouette: Bool
    object: Bool
    part: Bool
    triangle: Bool
    depth: Bool
    tied: Bool
    degrees: AnyArray


def explain_pixels(
    geometry: Geometry, asked: Bool, live: Mapping[str, AnyArray], *, band: float, depth_limit: float
) -> Explained:
    """Judge the live answers at every pixel of `asked`, (H, W) bool, row by row.

    Parameters
    ----------
    geometry
        What was traced.
    asked
        Pixels where the frames differ.
    live
        Layers of the live frame, (H, W): `object`, and `part`, `triangle` and `depth` as far as it has them.
    band
        Pixels by which an edge may be off.
    depth_limit
        Relative difference of depth that is none.
    """
    rows, columns = np.nonzero(asked)
    pieces = project(geometry, band)
    tiles = tiles_of(pieces, asked)
    verdicts = np.zeros((len(rows), 6), np.bool_)
    degrees = np.zeros(len(rows))
    answers = np.zeros((len(rows), 3), np.uint32)
    for column, layer in enumerate(("object", "part", "triangle")):
        if layer in live:
            answers[:, column] = live[layer][asked]
    depths = live["depth"][asked].astype(np.float64) if "depth" in live else np.full(len(rows), np.nan)
    judge_pixels(
        geometry.triangles,
        geometry.alphas,
        np.stack([geometry.triangles.object, geometry.part, geometry.triangle], axis=1),
        geometry.drawn,
        geometry.sealed,
        geometry.allowance,
        pieces,
        tiles,
        np.stack([columns, rows], axis=1),
        answers,
        depths,
        band,
        depth_limit,
        no_pieces(),
        verdicts,
        degrees,
    )
    silhouette, object_, part, triangle, depth, tied = verdicts.T
    return Explained(silhouette, object_, part, triangle, depth, tied, degrees)


@kernel
def judge_pixels(
    triangles: Any,
    alphas: Alphas,
    ids: UInt32,
    drawn: NDArray[np.bool_],
    sealed: NDArray[np.bool_],
    allowance: float,
    pieces: Pieces,
    tiles: Tiles,
    pixels: NDArray[np.int64],
    answers: UInt32,
    depths: Floats,
    band: float,
    depth_limit: float,
    near: Near,
    verdicts: NDArray[np.bool_],
    degrees: Floats,
) -> None:
    """Write `verdicts` (N, 6): silhouette, object, part, triangle, depth, tied; and `degrees` (N,).

    `pixels` (N, 2) are column and row, `answers` (N, 3) the live object, part and triangle, 0 where not stated, and
    `depths` (N,) the live depth or NaN; `near` is room to work in.
    """
    for pixel in range(len(pixels)):
        x, y = pixels[pixel, 0] + 0.5, pixels[pixel, 1] + 0.5
        tile = (pixels[pixel, 1] // TILE) * tiles.columns + pixels[pixel, 0] // TILE
        count = gather(triangles, alphas, allowance, pieces, tiles, tile, x, y, near)
        _join(triangles, drawn, sealed, pieces, x, y, count, near)
        for entry in range(count):
            rounding = pieces.reach[near.piece[entry]] - band
            verdicts[pixel, 5] |= distance_to_edges(pieces, near.piece[entry], x, y, False) <= rounding + TIE
        if answers[pixel, 0] == 0:
            is_open = True
            for entry in range(count):
                is_open = is_open and not _hides(drawn, pieces, near, entry, np.inf)
            for column in range(5):
                verdicts[pixel, column] = is_open
            continue
        for entry in range(count):
            if near.solid[entry] == 0 or not _may_be_seen(drawn, pieces, near, count, entry):
                continue
            piece = near.piece[entry]
            owner = pieces.owner[piece]
            verdicts[pixel, 0] = True
            same = ids[owner, 0] == answers[pixel, 0]
            verdicts[pixel, 1] |= same
            same = same and (answers[pixel, 1] == 0 or ids[owner, 1] == answers[pixel, 1])
            verdicts[pixel, 2] |= same
            same = same and (answers[pixel, 2] == 0 or ids[owner, 2] == answers[pixel, 2])
            verdicts[pixel, 3] |= same
            if same:
                least, most = near.first[entry] * (1.0 - depth_limit), near.last[entry] * (1.0 + depth_limit)
                verdicts[pixel, 4] |= least <= depths[pixel] <= most
                is_inside = near.covers[entry] and distance_to_edges(pieces, piece, x, y, False) > pieces.reach[piece]
                verdicts[pixel, 5] |= is_inside and _is_nearest(drawn, pieces, near, count, entry)
                share = min(1.0, 2.0 * pieces.reach[piece] / thickness(pieces.points, piece))
                degrees[pixel] = max(degrees[pixel], share * _bend(triangles, owner))


@kernel
def _join(
    triangles: Any,
    drawn: NDArray[np.bool_],
    sealed: NDArray[np.bool_],
    pieces: Pieces,
    x: float,
    y: float,
    count: int,
    near: Near,
) -> None:
    """Write which entries of `near` are one surface, and which surfaces end within reach of a place in the picture."""
    for entry in range(count):
        near.surface[entry], near.ends[entry] = entry, False
    for entry in range(count):
        for other in range(entry):
            if near.surface[entry] == near.surface[other]:
                continue
            owner, neighbour = pieces.owner[near.piece[entry]], pieces.owner[near.piece[other]]
            if drawn[owner] and drawn[neighbour] and (owner == neighbour or _adjoin(triangles, owner, neighbour)):
                old, new = near.surface[entry], near.surface[other]
                for third in range(count):
                    if near.surface[third] == old:
                        near.surface[third] = new
    for entry in range(count):
        piece = near.piece[entry]
        owner = pieces.owner[piece]
        if not drawn[owner]:
            continue
        for edge in range(3):
            tag = pieces.tags[piece, edge]
            if tag == INNER or (tag != CUT and sealed[owner, tag]):
                continue
            if distance_to_edge(pieces.points, piece, edge, x, y) <= pieces.reach[piece]:
                near.ends[near.surface[entry]] = True


@kernel
def _adjoin(triangles: Any, triangle: int, other: int) -> bool:
    """Say whether two triangles of one object share an edge by place."""
    if triangles.object[triangle] != triangles.object[other]:
        return False
    shared = 0
    for corner in range(3):
        place = triangles.place[triangles.corners[triangle, corner]]
        for other_corner in range(3):
            if triangles.place[triangles.corners[other, other_corner]] == place:
                shared += 1
                break
    return shared >= 2


@kernel
def _hides(drawn: NDArray[np.bool_], pieces: Pieces, near: Near, entry: int, depth: float) -> bool:
    """Say whether an entry surely hides what lies from a depth on."""
    return (
        near.covers[entry]
        and near.solid[entry] == 1
        and near.last[entry] < depth
        and drawn[pieces.owner[near.piece[entry]]]
        and not near.ends[near.surface[entry]]
    )


@kernel
def _may_be_seen(drawn: NDArray[np.bool_], pieces: Pieces, near: Near, count: int, entry: int) -> bool:
    seen = True
    for other in range(count):
        seen = seen and (other == entry or not _hides(drawn, pieces, near, other, near.first[entry]))
    return seen


@kernel
def _is_nearest(drawn: NDArray[np.bool_], pieces: Pieces, near: Near, count: int, entry: int) -> bool:
    """Say whether nothing that covers the place lies before an entry by more than depth can tell, ended or not."""
    nearest = True
    for other in range(count):
        is_there = near.covers[other] and near.solid[other] == 1 and drawn[pieces.owner[near.piece[other]]]
        nearest = nearest and not (is_there and near.last[other] < near.first[entry])
    return nearest


@kernel
def _bend(triangles: Any, triangle: int) -> Any:
    """Return the largest angle between a triangle's corner normals, degrees."""
    least = 1.0
    for corner in range(3):
        one, other = triangles.corners[triangle, corner], triangles.corners[triangle, (corner + 1) % 3]
        cosine = 0.0
        for axis in range(3):
            cosine += np.float64(triangles.normals[one, axis]) * np.float64(triangles.normals[other, axis])
        least = min(least, cosine)
    return np.degrees(np.arccos(max(least, -1.0)))
