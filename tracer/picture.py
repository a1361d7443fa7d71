"""The geometry layers of a picture, band by band."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.bands import BAND, Report, band_count, in_bands, in_parts, per_thread
from tracer.geometry import new_memory, write_by_screen, write_by_tree
from tracer.layers import Layers, Sight
from tracer.prepared import Prepared
from tracer.screen import Prints, Screen, count_prints, no_prints, screen_of, write_lists, write_prints
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
    result = {name: np.zeros((height, width, *shape), dtype) for name, (shape, dtype) in GEOMETRY_LAYERS.items()}
    layers, screen = Layers(*(result[name] for name in Layers._fields)), screen_of(view, size)
    world = prepared.proposing()
    camera_has_moved = not np.array_equal(view, previous_view)
    sight = Sight(
        world, scene.object, scene.triangle, prepared.movement, scene.origin, view, previous_view, camera_has_moved
    )
    memory = per_thread(lambda: new_memory(BAND, width, prepared.movement.joints.shape[1]))
    if prepared.with_embree:
        prints, starts, lists = _printed(world, screen, rows)

        def write(first: int, last: int) -> None:
            band = (first - top) // BAND
            listed = lists[starts[band] : starts[band + 1]]
            write_by_screen(sight, screen, prints, listed, first, last, memory(), layers)

    else:

        def write(first: int, last: int) -> None:
            write_by_tree(sight, screen, first, last, memory(), layers)

    in_bands(write, bottom, report, top=top)
    return result


def _printed(
    world: World, screen: Screen, rows: tuple[int, int]
) -> tuple[Prints, NDArray[np.int64], NDArray[np.uint32]]:
    """Return where triangles may be seen, and for each band of rows where its triangles begin in a list of them."""
    mesh, (top, bottom) = world.mesh, rows
    prints = no_prints(len(mesh.faces))
    in_parts(lambda chosen: write_prints(mesh, world.looks, screen, chosen, prints), world.tree.triangles)
    starts = np.zeros(band_count(bottom - top) + 1, np.int64)
    count_prints(prints, top, BAND, starts[1:])
    for band in range(1, len(starts)):
        starts[band] += starts[band - 1]
    lists = np.empty(starts[-1], np.uint32)
    write_lists(prints, top, BAND, starts[:-1].copy(), lists)
    return prints, starts, lists
