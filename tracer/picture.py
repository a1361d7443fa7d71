"""The geometry layers of a picture: hits proposed, doubted and decided, and what lies there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.bands import Report, in_bands, in_parts, per_thread
from tracer.doubt import doubt_edges, doubt_neighbors, write_facing
from tracer.geometry import new_memory, write_decided, write_proposed
from tracer.layers import Layers, Sight
from tracer.packets import TILE
from tracer.prepared import Prepared
from tracer.settings import GEOMETRY_LAYERS


def geometry_layers(
    prepared: Prepared,
    view: NDArray[np.float64],
    previous_view: NDArray[np.float64],
    size: tuple[int, int],
    rows: tuple[int, int],
    report: Report,
) -> dict[str, NDArray[Any]]:
    """Return all of `GEOMETRY_LAYERS` by name, (H, W, ..), of which some rows are written.

    The system gives memory to the rows that are written alone.

    Parameters
    ----------
    prepared
        The scene.
    view, previous_view
        The camera now and in the snapshot before, from `view_of`.
    size
        (W, H).
    rows
        The first one and the one behind the last.
    report
        Told of each band.
    """
    width, height = size
    scene, with_embree = prepared.scene, prepared.with_embree
    influences = prepared.movement.joints.shape[1]
    result = {name: np.zeros((height, width, *shape), dtype) for name, (shape, dtype) in GEOMETRY_LAYERS.items()}
    layers = Layers(*(result[name] for name in Layers._fields))
    has_moved = scene.previous is not None or not np.array_equal(view, previous_view)
    sight = Sight(
        prepared.proposing(),
        scene.object,
        scene.triangle,
        prepared.movement,
        has_moved,
        scene.origin,
        view,
        previous_view,
    )
    doubt, memory = np.zeros((height, width), np.bool_), per_thread(lambda: new_memory(influences))

    def propose(first: int, last: int) -> None:
        write_proposed(sight, first, last, memory(), layers)

    def decide(first: int, last: int) -> None:
        write_decided(decided, doubt, first, last, memory(), layers)

    top, bottom = rows
    if with_embree:
        above = max(top - 1, 0)  # a pixel is doubted by those around it
        in_bands(propose, min(bottom + 1, height), report, top=above - above % TILE)
        _mark_doubt(prepared, view, layers.part, doubt, rows, report)
    else:
        doubt[top:bottom] = True
    decided = sight._replace(world=prepared.decided())
    in_bands(decide, bottom, report, top=top)
    return result


def _mark_doubt(
    prepared: Prepared,
    view: NDArray[np.float64],
    parts: NDArray[np.uint32],
    doubt: NDArray[np.bool_],
    rows: tuple[int, int],
    report: Report,
) -> None:
    """Mark the pixels where Embree's answer may depend on the processor; threads may mark one at once."""
    world = prepared.decided()
    mesh, neighbors, triangles = world.mesh, world.neighbors, world.tree.triangles
    facing = np.zeros(len(mesh.faces), np.int8)
    in_parts(lambda chosen: write_facing(mesh, view, chosen, facing), triangles)
    in_parts(lambda chosen: doubt_edges(mesh, neighbors, facing, view, chosen, np.zeros((2, 3)), doubt), triangles)
    in_bands(lambda first, last: doubt_neighbors(parts, first, last, doubt), rows[1], report, top=rows[0])
