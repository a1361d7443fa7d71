"""The geometry layers of a picture, band by band."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.bands import BAND, Report, band_count, in_bands, in_parts, per_thread
from tracer.fresh import fresh_zeros
from tracer.geometry import new_memory, write_tree_finds
from tracer.layers import Layers, Sight, write_rows
from tracer.prepared import Prepared
from tracer.screen import Prints, Screen, count_prints, no_prints, screen_of, write_finds, write_lists, write_prints
from tracer.settings import GEOMETRY_LAYERS
from tracer.visible import World


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
    (width, height), (top, bottom), scene = size, rows, prepared.scene
    zeros = fresh_zeros if bottom - top == height else np.zeros
    result = {name: zeros((height, width, *shape), dtype) for name, (shape, dtype) in GEOMETRY_LAYERS.items()}
    layers, screen = Layers(*(result[name] for name in Layers._fields)), screen_of(view, size)
    by_screen = prepared.with_embree
    world = prepared.moved() if by_screen else prepared.decided()
    camera_has_moved = not np.array_equal(view, previous_view)
    sight = Sight(
        world, scene.object, scene.triangle, prepared.movement, scene.origin, view, previous_view, camera_has_moved
    )
    memory = per_thread(lambda: new_memory(BAND, width, prepared.movement.joints.shape[1]))
    prints, lists = _printed(world, screen, rows) if by_screen else (no_prints(0), [])

    def write(first: int, last: int) -> None:
        own = memory()
        if by_screen:
            listed = lists[(first - top) // BAND]
            write_finds(world.mesh, world.looks, screen, prints, listed, first, last, own.edges, own.finds)
        else:
            write_tree_finds(world, screen, first, last, own)
        write_rows(sight, screen, first, last, own.finds, own.patch, layers)

    in_bands(write, bottom, report, top=top)
    return result


def _printed(world: World, screen: Screen, rows: tuple[int, int]) -> tuple[Prints, list[NDArray[np.uint32]]]:
    """Return where triangles may be seen, and for each band of rows which of them may be seen there."""
    mesh, (top, bottom) = world.mesh, rows
    prints = no_prints(len(mesh.faces))
    in_parts(lambda chosen: write_prints(mesh, world.looks, screen, chosen, prints), world.tree.triangles)
    ends = np.zeros(band_count(bottom - top), np.int64)
    count_prints(prints, top, BAND, ends)
    for band in range(1, len(ends)):
        ends[band] += ends[band - 1]
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    listed = np.empty(ends[-1], np.uint32)
    write_lists(prints, top, BAND, starts.copy(), listed)
    return prints, [listed[start:end] for start, end in zip(starts, ends, strict=True)]
