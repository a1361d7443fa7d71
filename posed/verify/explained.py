"""Which answers at a pixel two correct renderers may give, judged from the staged geometry in float64.

An answer is explained when its triangle comes within the band of the pixel's centre and every surface that is nearer,
by more than depth can tell, ends within the band too, at a boundary or at its silhouette. Across an edge where the
surface goes on, only the triangles on its two sides are answers, never what lies behind: a crack is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.arrays import AnyArray, Bool, UInt32
from posed.verify.alpha import CUTOFF, TESTED, Alphas, alpha_at
from posed.verify.geometry import Geometry
from posed.verify.projection import CUT, INNER, Pieces, project, thickness
from posed.verify.tiles import TILE, Tiles, tiles_of

Floats = NDArray[np.float64]

MOST_NEAR = 1024
"""Pieces within a band of one pixel's centre; what lies beyond that many is not considered."""

DEPTH_STEPS = 4.0 * 2.0**-24
"""What a depth buffer may err in reversed depth, as a share of the triangle's nearest point: four steps of float32."""

TIE = 2.0**-20
"""Pixels from an edge below which a centre lies on it."""

TEXEL = 1.0 / 256.0
"""Texels by which a texture unit may place a sample off: filtering weights have eight bits."""


class Near(NamedTuple):
    """The pieces within reach of a pixel's centre, one entry each; arrays are reused from pixel to pixel."""

    piece: NDArray[np.int64]
    covers: NDArray[np.bool_]
    """whether the centre lies inside"""
    solid: NDArray[np.int8]
    """1 where the surface is there, 0 where alpha leaves a hole, -1 where either may be"""
    first: Floats
    """the least depth at which a correct renderer may see it here, metres"""
    last: Floats
    """the greatest"""
    surface: NDArray[np.int64]
    """entries with one number are one surface, joined by edges"""
    ends: NDArray[np.bool_]
    """of a surface's number: whether it ends within reach"""


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
        depth_limit,
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
    depth_limit: float,
    verdicts: NDArray[np.bool_],
    degrees: Floats,
) -> None:
    """Write `verdicts` (N, 6): silhouette, object, part, triangle, depth, tied; and `degrees` (N,).

    `pixels` (N, 2) are column and row, `answers` (N, 3) the live object, part and triangle, 0 where not stated, and
    `depths` (N,) the live depth or NaN.
    """
    near = Near(
        np.zeros(MOST_NEAR, np.int64),
        np.zeros(MOST_NEAR, np.bool_),
        np.zeros(MOST_NEAR, np.int8),
        np.zeros(MOST_NEAR),
        np.zeros(MOST_NEAR),
        np.zeros(MOST_NEAR, np.int64),
        np.zeros(MOST_NEAR, np.bool_),
    )
    for pixel in range(len(pixels)):
        x, y = pixels[pixel, 0] + 0.5, pixels[pixel, 1] + 0.5
        tile = (pixels[pixel, 1] // TILE) * tiles.columns + pixels[pixel, 0] // TILE
        count = _gather(triangles, alphas, allowance, pieces, tiles, tile, x, y, near)
        _join(triangles, drawn, sealed, pieces, x, y, count, near)
        for entry in range(count):
            verdicts[pixel, 5] |= _nearest_edge(pieces, near.piece[entry], x, y) <= TIE
        if answers[pixel, 0] == 0:
            is_open = True
            for entry in range(count):
                is_open = is_open and not _hides(drawn, pieces, near, entry, np.inf)
            verdicts[pixel, :5] = is_open
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
                is_inside = near.covers[entry] and _nearest_edge(pieces, piece, x, y) > pieces.reach[piece]
                verdicts[pixel, 5] |= is_inside and _is_nearest(drawn, pieces, near, count, entry)
                share = min(1.0, 2.0 * pieces.reach[piece] / thickness(pieces.points[piece]))
                degrees[pixel] = max(degrees[pixel], share * _bend(triangles, owner))


@kernel
def _gather(
    triangles: Any,
    alphas: Alphas,
    allowance: float,
    pieces: Pieces,
    tiles: Tiles,
    tile: int,
    x: float,
    y: float,
    near: Near,
) -> int:
    """Write the pieces within reach of a place in the picture to `near` and return their number."""
    count = 0
    for index in range(tiles.start[tile], tiles.start[tile + 1]):
        piece = tiles.pieces[index]
        points, reach = pieces.points[piece], pieces.reach[piece]
        weights, doubled = _weights(points, x, y)
        covers = doubled > 0.0 and weights[0] >= 0.0 and weights[1] >= 0.0 and weights[2] >= 0.0
        if not covers:
            distance = min(
                distance_to_edge(points, 0, x, y), distance_to_edge(points, 1, x, y), distance_to_edge(points, 2, x, y)
            )
            if distance > reach:
                continue
        if count == MOST_NEAR:
            break
        near.piece[count], near.covers[count] = piece, covers
        near.first[count], near.last[count] = _depths(pieces, piece, weights, doubled, allowance)
        near.solid[count] = _solid(triangles, alphas, pieces, piece, x, y)
        count += 1
    return count


@kernel
def _weights(points: Floats, x: float, y: float) -> tuple[tuple[float, float, float], float]:
    """Return the barycentric weights of a place in a piece's picture, and twice its area; zeros where it has none."""
    ax, ay = points[1, 0] - points[0, 0], points[1, 1] - points[0, 1]
    bx, by = points[2, 0] - points[0, 0], points[2, 1] - points[0, 1]
    area = ax * by - ay * bx
    if area == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    px, py = x - points[0, 0], y - points[0, 1]
    second, third = (px * by - py * bx) / area, (ax * py - ay * px) / area
    return (1.0 - second - third, second, third), abs(area)


@kernel
def distance_to_edge(points: Floats, edge: int, x: float, y: float) -> Any:
    """Return the distance in pixels from a place in the picture to an edge of a piece, `points` (3, 2)."""
    after = (edge + 1) % 3
    dx, dy = points[after, 0] - points[edge, 0], points[after, 1] - points[edge, 1]
    px, py = x - points[edge, 0], y - points[edge, 1]
    squared = dx * dx + dy * dy
    share = 0.0 if squared == 0.0 else min(max((px * dx + py * dy) / squared, 0.0), 1.0)
    px, py = px - share * dx, py - share * dy
    return np.sqrt(px * px + py * py)


@kernel
def _nearest_edge(pieces: Pieces, piece: int, x: float, y: float) -> Any:
    """Return the distance in pixels to the nearest edge of a piece that clipping did not add within its triangle."""
    nearest = np.inf
    for edge in range(3):
        if pieces.tags[piece, edge] != INNER:
            nearest = min(nearest, distance_to_edge(pieces.points[piece], edge, x, y))
    return nearest


@kernel
def _depths(
    pieces: Pieces, piece: int, weights: tuple[float, float, float], doubled: float, allowance: float
) -> tuple[float, float]:
    """Return the least and the greatest depth at which a correct renderer may see a piece near a place in it."""
    q = pieces.inverse[piece]
    least, most = min(q[0], q[1], q[2]), max(q[0], q[1], q[2])
    middle, slope = 0.5 * (least + most), most - least
    if doubled > 0.0:
        points = pieces.points[piece]
        ax, ay = points[1, 0] - points[0, 0], points[1, 1] - points[0, 1]
        bx, by = points[2, 0] - points[0, 0], points[2, 1] - points[0, 1]
        area = ax * by - ay * bx
        across = ((q[1] - q[0]) * by - (q[2] - q[0]) * ay) / area
        down = ((q[2] - q[0]) * ax - (q[1] - q[0]) * bx) / area
        slope = np.sqrt(across * across + down * down) * pieces.reach[piece]
        middle = weights[0] * q[0] + weights[1] * q[1] + weights[2] * q[2]
    low = min(max(middle - slope, least), most) - DEPTH_STEPS * most
    high = max(min(middle + slope, most), least) + DEPTH_STEPS * most
    if pieces.lens[4] != 0.0:
        return low - 2.0 * allowance, high + 2.0 * allowance
    return 1.0 / high - 2.0 * allowance, (1.0 / low if low > 0.0 else np.inf) + 2.0 * allowance


@kernel
def _solid(triangles: Any, alphas: Alphas, pieces: Pieces, piece: int, x: float, y: float) -> int:
    """Return 1 where a piece's alpha makes it solid at a place in the picture, 0 where it does not, -1 in doubt.

    In doubt: what the reach and a texture unit's rounding change crosses the cutoff.
    """
    owner = pieces.owner[piece]
    row = alphas.materials[alphas.material[owner]]
    if row[TESTED] == 0.0:
        return 1
    reach = pieces.reach[piece]
    alpha = alpha_at(alphas, triangles.corners, owner, corner_weights(triangles, pieces, owner, x, y), 0.0, 0.0)
    change = 0.0
    for step in range(4):
        dx = (1.0 if step == 0 else -1.0) if step < 2 else 0.0
        dy = (1.0 if step == 2 else -1.0) if step >= 2 else 0.0
        moved = corner_weights(triangles, pieces, owner, x + dx * reach, y + dy * reach)
        beside = alpha_at(alphas, triangles.corners, owner, moved, dx * TEXEL, dy * TEXEL)
        change = max(change, abs(beside - alpha))
    if abs(alpha - row[CUTOFF]) <= change:
        return -1
    return 1 if alpha >= row[CUTOFF] else 0


@kernel
def corner_weights(triangles: Any, pieces: Pieces, triangle: int, x: float, y: float) -> tuple[float, float, float]:
    """Return the weights of a triangle's corners at the point of its plane that a place in the picture shows."""
    eye = triangles.eye
    a, b, c = triangles.corners[triangle, 0], triangles.corners[triangle, 1], triangles.corners[triangle, 2]
    right, up = (x - pieces.lens[2]) / pieces.lens[0], (pieces.lens[3] - y) / pieces.lens[1]
    if pieces.lens[4] != 0.0:
        first = (eye[b, 0] - right) * (eye[c, 1] - up) - (eye[b, 1] - up) * (eye[c, 0] - right)
        second = (eye[c, 0] - right) * (eye[a, 1] - up) - (eye[c, 1] - up) * (eye[a, 0] - right)
        third = (eye[a, 0] - right) * (eye[b, 1] - up) - (eye[a, 1] - up) * (eye[b, 0] - right)
    else:
        first = _volume(right, up, eye[b], eye[c])
        second = _volume(right, up, eye[c], eye[a])
        third = _volume(right, up, eye[a], eye[b])
    whole = first + second + third
    if whole == 0.0:
        return 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0
    return first / whole, second / whole, third / whole


@kernel
def _volume(right: float, up: float, b: Floats, c: Floats) -> Any:
    """Return six times the volume that the ray (right, up, 1) spans with two points."""
    return right * (b[1] * c[2] - b[2] * c[1]) + up * (b[2] * c[0] - b[0] * c[2]) + (b[0] * c[1] - b[1] * c[0])


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
            if distance_to_edge(pieces.points[piece], edge, x, y) <= pieces.reach[piece]:
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
        one = triangles.normals[triangles.corners[triangle, corner]]
        other = triangles.normals[triangles.corners[triangle, (corner + 1) % 3]]
        least = min(least, np.float64(one[0] * other[0] + one[1] * other[1] + one[2] * other[2]))
    return np.degrees(np.arccos(min(max(least, -1.0), 1.0)))
