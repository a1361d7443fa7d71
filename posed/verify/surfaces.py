"""Surfaces near a pixel's centre: which pieces are one, what they hide, where they end and where color changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from posed.verify.near import Near
from posed.verify.plane import distance_to_edge, offset_from_edge
from posed.verify.projection import CUT, INNER, Pieces

Floats = NDArray[np.float64]


@kernel
def changes_color(
    triangles: Any,
    drawn: NDArray[np.bool_],
    smooth: NDArray[np.bool_],
    pieces: Pieces,
    near: Near,
    count: int,
    entry: int,
    x: float,
    y: float,
) -> bool:
    """Say whether color changes within reach at an edge of an entry, or at the edge of its mask, and can be seen."""
    piece = near.piece[entry]
    owner = pieces.owner[piece]
    changes = near.solid[entry] == -1
    for edge in range(3):
        tag = pieces.tags[piece, edge]
        if tag != INNER and (tag == CUT or not smooth[owner, tag]):
            changes = changes or distance_to_edge(pieces.points, piece, edge, x, y) <= pieces.reach[piece]
    if not changes:
        return False
    for other in range(count):
        veils = triangles.veils[pieces.owner[near.piece[other]]]
        if other != entry and not veils and hides(drawn, pieces, near, other, near.first[entry]):
            return False
    return True


@kernel
def write_overstep(
    drawn: NDArray[np.bool_],
    sealed: NDArray[np.bool_],
    pieces: Pieces,
    near: Near,
    count: int,
    entry: int,
    x: float,
    y: float,
    pixel: int,
    offsets: Floats,
    edges: NDArray[np.int64],
) -> None:
    """Write which edge an answer oversteps: the entry's own where it does not cover the centre, else the nearest end of
    a surface that covers it before the entry. -1 as the entry stands for the background.
    """
    nearest = np.inf
    own = entry >= 0 and not near.covers[entry]
    depth = np.inf if entry < 0 else near.first[entry]
    for other in range(count):
        piece = near.piece[other]
        owner = pieces.owner[piece]
        if own and other != entry:
            continue
        if not own and not (drawn[owner] and near.ends[near.surface[other]] and near.first[other] <= depth):
            continue
        for edge in range(3):
            tag = pieces.tags[piece, edge]
            if tag == INNER or (not own and tag != CUT and sealed[owner, tag]):
                continue
            distance = distance_to_edge(pieces.points, piece, edge, x, y)
            if distance < nearest:
                nearest = distance
                edges[pixel] = 4 * owner + tag
                offsets[pixel, 0], offsets[pixel, 1] = offset_from_edge(pieces.points, piece, edge, x, y)


@kernel
def join_surfaces(
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
def hides(drawn: NDArray[np.bool_], pieces: Pieces, near: Near, entry: int, depth: float) -> bool:
    """Say whether an entry surely hides what lies from a depth on."""
    return (
        near.covers[entry]
        and near.solid[entry] == 1
        and near.last[entry] < depth
        and drawn[pieces.owner[near.piece[entry]]]
        and not near.ends[near.surface[entry]]
    )


@kernel
def may_be_seen(drawn: NDArray[np.bool_], pieces: Pieces, near: Near, count: int, entry: int) -> bool:
    """Say whether nothing surely hides an entry."""
    seen = True
    for other in range(count):
        seen = seen and (other == entry or not hides(drawn, pieces, near, other, near.first[entry]))
    return seen


@kernel
def is_nearest(drawn: NDArray[np.bool_], pieces: Pieces, near: Near, count: int, entry: int) -> bool:
    """Say whether nothing that covers the place lies before an entry by more than depth can tell, ended or not."""
    nearest = True
    for other in range(count):
        is_there = near.covers[other] and near.solid[other] == 1 and drawn[pieces.owner[near.piece[other]]]
        nearest = nearest and not (is_there and near.last[other] < near.first[entry])
    return nearest


@kernel
def bend(triangles: Any, triangle: int) -> Any:
    """Return the largest angle between a triangle's corner normals, degrees."""
    least = 1.0
    for corner in range(3):
        one, other = triangles.corners[triangle, corner], triangles.corners[triangle, (corner + 1) % 3]
        cosine = 0.0
        for axis in range(3):
            cosine += np.float64(triangles.normals[one, axis]) * np.float64(triangles.normals[other, axis])
        least = min(least, cosine)
    return np.degrees(np.arccos(max(least, -1.0)))
