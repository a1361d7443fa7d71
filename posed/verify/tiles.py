"""Which pieces of triangles may lie near a pixel: lists by square tile of the picture, only where anyone asks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.verify.projection import Pieces

TILE = 16
"""Pixels along a tile's side."""


class Tiles(NamedTuple):
    """Pieces by tile: tile n = row * columns + column has `pieces[start[n]:start[n + 1]]`."""

    columns: int
    start: NDArray[np.int64]
    pieces: NDArray[np.int64]


def tiles_of(pieces: Pieces, asked: NDArray[np.bool_]) -> Tiles:
    """Return the lists for every tile that holds a pixel of `asked`, (H, W) bool; the others' are empty."""
    height, width = asked.shape
    rows, columns = -(-height // TILE), -(-width // TILE)
    padded = np.zeros((rows * TILE, columns * TILE), np.bool_)
    padded[:height, :width] = asked
    wanted = np.asarray(padded.reshape(rows, TILE, columns, TILE).any(axis=(1, 3)))
    counts = np.zeros(rows * columns, np.int64)
    list_pieces(pieces, wanted, counts, np.zeros(0, np.int64), False)
    start = np.zeros(rows * columns + 1, np.int64)
    np.cumsum(counts, out=start[1:])
    listed = np.empty(int(start[-1]), np.int64)
    list_pieces(pieces, wanted, start[:-1].copy(), listed, True)
    return Tiles(columns, start, listed)


@kernel
def list_pieces(
    pieces: Pieces,
    wanted: NDArray[np.bool_],
    places: NDArray[np.int64],
    listed: NDArray[np.int64],
    is_listing: bool,
) -> None:
    """Advance a tile's place by one for each piece whose box touches it; write the piece there if `is_listing`."""
    rows, columns = wanted.shape
    for piece in range(len(pieces.owner)):
        reach = pieces.reach[piece] + 1e-9
        points = pieces.points[piece]
        left = min(points[0, 0], points[1, 0], points[2, 0]) - reach
        right = max(points[0, 0], points[1, 0], points[2, 0]) + reach
        top = min(points[0, 1], points[1, 1], points[2, 1]) - reach
        bottom = max(points[0, 1], points[1, 1], points[2, 1]) + reach
        if not (right >= 0.0 and bottom >= 0.0 and left < columns * TILE and top < rows * TILE):
            continue
        first_column, last_column = np.intp(max(left, 0.0)) // TILE, np.intp(min(right, columns * TILE - 1.0)) // TILE
        first_row, last_row = np.intp(max(top, 0.0)) // TILE, np.intp(min(bottom, rows * TILE - 1.0)) // TILE
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                if wanted[row, column]:
                    tile = row * columns + column
                    if is_listing:
                        listed[places[tile]] = piece
                    places[tile] += 1
