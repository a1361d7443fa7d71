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
from posed.verify.plane import distance_to_edges
from posed.verify.projection import Pieces, length_of_edges, project, thickness
from posed.verify.surfaces import bend, changes_color, hides, is_nearest, join_surfaces, may_be_seen, write_overstep
from posed.verify.tiles import TILE, Tiles, tiles_of
from tracer.bands import in_parts, per_thread

Floats = NDArray[np.float64]

ANY = np.uint32(2**32 - 1)
"""An answer's object where only that there is one is known."""

TIE = 2.0**-20
"""Pixels from an edge, beyond what rounding of its vertices moves it, within which a centre lies on it."""


@dataclass(frozen=True, eq=False)
class Explained:
    """What explains the live answers at N asked pixels.

    `silhouette`, `object`, `part`, `triangle` and `depth`, (N,) bool each, say whether that much of the answer is one
    that a correct renderer may give; `tied` (N,) bool, whether a tie decides, as between surfaces in one place or at an
    edge through the very centre; `degrees` (N,) float64, how far the normal may then be turned. `color` (N,) bool says
    whether color may be another's: an edge across which it changes lies within the band, or surfaces share the place.

    `offsets`, (N, 2) float64 pixels right and down, lead from the edge that the live answer oversteps to the centre,
    and `edges`, (N,) int64, number that edge; -1 where the answer oversteps none.
    """

    silhouette: Bool
    object: Bool
    part: Bool
    triangle: Bool
    depth: Bool
    tied: Bool
    degrees: AnyArray
    color: Bool
    doubled: Bool
    offsets: AnyArray
    edges: AnyArray
    tied_length: float


def explain_pixels(
    geometry: Geometry,
    asked: Bool,
    live: Mapping[str, AnyArray],
    *,
    band: float,
    depth_limit: float,
    beside: tuple[float, float] = (0.0, 0.0),
) -> Explained:
    """Judge the live answers at every pixel of `asked`, (H, W) bool, row by row.

    Parameters
    ----------
    geometry
        What was traced.
    asked
        Pixels where the frames differ.
    live
        Layers of the live frame, (H, W): `object`, which may be `ANY`, and `part`, `triangle` and `depth` as far as it
        has them.
    band
        Pixels by which an edge may be off.
    depth_limit
        Relative difference of depth that is none.
    beside
        Pixels right and down from its centre where each pixel is looked through.
    """
    rows, columns = np.nonzero(asked)
    pieces = project(geometry, band, (-beside[0], -beside[1]))
    tiles = tiles_of(pieces, asked)
    verdicts = np.zeros((len(rows), 8), np.bool_)
    swapped = np.zeros(len(geometry.drawn), np.bool_)
    degrees, offsets, edges = np.zeros(len(rows)), np.zeros((len(rows), 2)), np.full(len(rows), -1, np.int64)
    answers = np.zeros((len(rows), 3), np.uint32)
    for column, layer in enumerate(("object", "part", "triangle")):
        if layer in live:
            answers[:, column] = live[layer][asked]
    depths = live["depth"][asked].astype(np.float64) if "depth" in live else np.full(len(rows), np.nan)
    ids = np.stack([geometry.triangles.object, geometry.triangles.part, geometry.triangle], axis=1)
    pixels = np.stack([columns, rows], axis=1)
    near = per_thread(no_pieces)
    in_parts(
        lambda chosen: judge_pixels(
            geometry.triangles,
            geometry.alphas,
            ids,
            geometry.drawn,
            geometry.sealed,
            geometry.smooth,
            geometry.allowance,
            pieces,
            tiles,
            chosen,
            pixels,
            answers,
            depths,
            band,
            depth_limit,
            near(),
            verdicts,
            degrees,
            offsets,
            edges,
            swapped,
        ),
        np.arange(len(rows)),
    )
    silhouette, object_, part, triangle, depth, tied, color, doubled = verdicts.T
    length = length_of_edges(pieces, swapped, geometry.size)
    return Explained(silhouette, object_, part, triangle, depth, tied, degrees, color, doubled, offsets, edges, length)


@kernel
def judge_pixels(
    triangles: Any,
    alphas: Alphas,
    ids: UInt32,
    drawn: NDArray[np.bool_],
    sealed: NDArray[np.bool_],
    smooth: NDArray[np.bool_],
    allowance: float,
    pieces: Pieces,
    tiles: Tiles,
    chosen: NDArray[np.int64],
    pixels: NDArray[np.int64],
    answers: UInt32,
    depths: Floats,
    band: float,
    depth_limit: float,
    near: Near,
    verdicts: NDArray[np.bool_],
    degrees: Floats,
    offsets: Floats,
    edges: NDArray[np.int64],
    swapped: NDArray[np.bool_],
) -> None:
    """Write `verdicts` (N, 8): silhouette, object, part, triangle, depth, tied, color, doubled; `degrees` (N,);
    `offsets` (N, 2), `edges` (N,) and `swapped` (F,), which triangles are some answer that a tie explains.

    `pixels` (N, 2) are column and row, `answers` (N, 3) the live object, part and triangle, 0 where not stated, and
    `depths` (N,) the live depth or NaN; `near` is room to work in. Only those that `chosen` numbers are looked at.
    """
    for pixel in chosen:
        x, y = pixels[pixel, 0] + 0.5, pixels[pixel, 1] + 0.5
        tile = (pixels[pixel, 1] // TILE) * tiles.columns + pixels[pixel, 0] // TILE
        count = gather(triangles, alphas, allowance, pieces, tiles, tile, x, y, near)
        join_surfaces(triangles, drawn, sealed, pieces, x, y, count, near)
        surfaces, nearest = 0, 0
        for entry in range(count):
            is_there = near.covers[entry] and near.solid[entry] != 0
            if is_there and may_be_seen(drawn, pieces, near, count, entry):
                surfaces += 1
                nearest += is_nearest(drawn, pieces, near, count, entry)
            rounding = pieces.reach[near.piece[entry]] - band
            verdicts[pixel, 5] |= distance_to_edges(pieces, near.piece[entry], x, y, False) <= rounding + TIE
            verdicts[pixel, 6] |= changes_color(triangles, drawn, smooth, pieces, near, count, entry, x, y)
        verdicts[pixel, 6] |= surfaces > 1
        verdicts[pixel, 7] = nearest > 1
        if answers[pixel, 0] == 0:
            is_open = True
            for entry in range(count):
                is_open = is_open and not hides(drawn, pieces, near, entry, np.inf)
            for column in range(5):
                verdicts[pixel, column] = is_open
            if is_open:
                write_overstep(drawn, sealed, pieces, near, count, -1, x, y, pixel, offsets, edges)
            continue
        for entry in range(count):
            if near.solid[entry] == 0 or not may_be_seen(drawn, pieces, near, count, entry):
                continue
            piece = near.piece[entry]
            owner = pieces.owner[piece]
            verdicts[pixel, 0] = True
            same = answers[pixel, 0] == ANY or ids[owner, 0] == answers[pixel, 0]
            verdicts[pixel, 1] |= same
            same = same and (answers[pixel, 1] == 0 or ids[owner, 1] == answers[pixel, 1])
            verdicts[pixel, 2] |= same
            same = same and (answers[pixel, 2] == 0 or ids[owner, 2] == answers[pixel, 2])
            verdicts[pixel, 3] |= same
            if same:
                least, most = near.first[entry] * (1.0 - depth_limit), near.last[entry] * (1.0 + depth_limit)
                verdicts[pixel, 4] |= least <= depths[pixel] <= most
                if near.covers[entry] and is_nearest(drawn, pieces, near, count, entry):
                    verdicts[pixel, 5] |= (
                        nearest > 1 or distance_to_edges(pieces, piece, x, y, False) > pieces.reach[piece]
                    )
                    if nearest > 1:
                        swapped[owner] = True
                share = min(1.0, 2.0 * pieces.reach[piece] / thickness(pieces.points, piece))
                degrees[pixel] = max(degrees[pixel], share * bend(triangles, owner))
                write_overstep(drawn, sealed, pieces, near, count, entry, x, y, pixel, offsets, edges)
