"""What lies near a pixel's centre: pieces of triangles with the depths at which they may be seen, and their holes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.verify.alpha import CUTOFF, TESTED, Alphas, alpha_at
from posed.verify.plane import corner_weights, distance_to_edges, slope_of, weights_at
from posed.verify.projection import Pieces
from posed.verify.tiles import Tiles

MOST_NEAR = 1024
"""Pieces within a band of one pixel's centre; what lies beyond that many is not considered."""

DEPTH_STEPS = 4.0 * 2.0**-24
"""What a depth buffer may err in reversed depth, as a share of the triangle's nearest point: four steps of float32."""

TEXEL = 1.0 / 256.0
"""Texels by which a texture unit may place a sample off: filtering weights have eight bits."""


class Near(NamedTuple):
    """The pieces within reach of a pixel's centre, one entry each; arrays are reused from pixel to pixel."""

    piece: NDArray[np.int64]
    covers: NDArray[np.bool_]
    """whether the centre lies inside"""
    solid: NDArray[np.int8]
    """1 where the surface is there, 0 where alpha leaves a hole, -1 where either may be"""
    first: NDArray[np.float64]
    """the least depth at which a correct renderer may see it here, metres"""
    last: NDArray[np.float64]
    """the greatest"""
    surface: NDArray[np.int64]
    """entries with one number are one surface, joined by edges"""
    ends: NDArray[np.bool_]
    """of a surface's number: whether it ends within reach"""


def no_pieces() -> Near:
    """Return room for the pieces near one pixel."""
    shape = MOST_NEAR
    return Near(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.bool_),
        np.zeros(shape, np.int8),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.bool_),
    )


@kernel
def gather(
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
    """Write the pieces within reach of a place in the picture to `near` and return their number.

    Parameters
    ----------
    triangles, alphas, allowance
        See `geometry.Geometry`.
    pieces, tiles, tile
        All pieces, and the tile that the place lies in.
    x, y
        The place in pixels.
    near
        Written; surfaces are not.
    """
    count = 0
    for index in range(tiles.start[tile], tiles.start[tile + 1]):
        piece = tiles.pieces[index]
        first, second, third, area = weights_at(pieces.points, piece, x, y)
        covers = area != 0.0 and first >= 0.0 and second >= 0.0 and third >= 0.0
        if not covers and distance_to_edges(pieces, piece, x, y, True) > pieces.reach[piece]:
            continue
        if count == MOST_NEAR:
            break
        near.piece[count], near.covers[count] = piece, covers
        middle = first * pieces.inverse[piece, 0] + second * pieces.inverse[piece, 1] + third * pieces.inverse[piece, 2]
        near.first[count], near.last[count] = _depths(pieces, piece, middle, area, allowance)
        near.solid[count] = _solid(triangles, alphas, pieces, piece, x, y)
        count += 1
    return count


@kernel
def _depths(pieces: Pieces, piece: int, middle: float, area: float, allowance: float) -> tuple[Any, Any]:
    """Return the least and the greatest depth at which a correct renderer may see a piece near a place.

    `middle` is the piece's `inverse` there, `area` twice its signed area. A rasterizer that covers by snapped corners
    and takes depth from the plane through the exact ones sees a piece beyond its corners' depths, by as much as the
    plane changes over the reach.
    """
    a, b, c = pieces.inverse[piece, 0], pieces.inverse[piece, 1], pieces.inverse[piece, 2]
    least, most = min(a, b, c), max(a, b, c)
    change = most - least
    if area == 0.0:
        middle = 0.5 * (least + most)
    else:
        change = slope_of(pieces, piece, area) * pieces.reach[piece]
    low = min(max(middle, least), most) - change - DEPTH_STEPS * most
    high = max(min(middle, most), least) + change + DEPTH_STEPS * most
    if pieces.lens[4] != 0.0:
        return low - 2.0 * allowance, high + 2.0 * allowance
    return 1.0 / high - 2.0 * allowance, (1.0 / low if low > 0.0 else np.inf) + 2.0 * allowance


@kernel
def _solid(triangles: Any, alphas: Alphas, pieces: Pieces, piece: int, x: float, y: float) -> int:
    """Return 1 where a piece's alpha makes it solid at a place in the picture, 0 where it does not, -1 in doubt.

    In doubt: what the reach and a texture unit's rounding change crosses the cutoff.
    """
    owner = pieces.owner[piece]
    row = alphas.material[owner]
    if alphas.materials[row, TESTED] == 0.0:
        return 1
    reach, alpha, change = pieces.reach[piece], 0.0, 0.0
    for step in range(5):
        # The place itself, then one beside it on each side.
        dx = 1.0 if step == 1 else (-1.0 if step == 2 else 0.0)
        dy = 1.0 if step == 3 else (-1.0 if step == 4 else 0.0)
        a, b, c = corner_weights(triangles.eye, triangles.corners, pieces.lens, owner, x + dx * reach, y + dy * reach)
        found = alpha_at(alphas, triangles.corners, owner, a, b, c, dx * TEXEL, dy * TEXEL)
        if step == 0:
            alpha = found
        change = max(change, abs(found - alpha))
    if abs(alpha - alphas.materials[row, CUTOFF]) <= change:
        return -1
    return 1 if alpha >= alphas.materials[row, CUTOFF] else 0
