"""A band of a picture's rows: what its pixels show, by the screen or by the tree, and the layers made of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.bvh import STACK
from tracer.compiling import leaf
from tracer.layers import Layers, Patch, Sight, new_patch, write_rows
from tracer.screen import Finds, Prints, Screen, new_finds, write_finds
from tracer.view import FAR, NEAR, write_camera_ray
from tracer.visible import DISTANCE, LAYERS, QUEST_COLUMNS, TRIANGLE, U, V, begin, search_tree


class Memory(NamedTuple):
    """What one thread works in."""

    finds: Finds
    patch: Patch
    edges: NDArray[np.float64]
    """(3, 2): of a triangle"""
    ray: NDArray[np.float64]
    """(6,): origin, direction"""
    quest: NDArray[np.float64]
    """(10,): of the search at hand"""
    stack: NDArray[np.int64]
    """(128,) of a tree's traversal"""


def new_memory(rows: int, width: int, influences: int) -> Memory:
    """Make the memory of one thread: for so many rows at once, and vertices with so many influences each."""
    return Memory(
        new_finds(rows, width),
        new_patch(influences),
        np.zeros((3, 2)),
        np.zeros(6),
        np.zeros(QUEST_COLUMNS),
        np.zeros(STACK, np.int64),
    )


@leaf
def write_by_screen(
    sight: Sight,
    screen: Screen,
    prints: Prints,
    listed: NDArray[np.uint32],
    first_row: int,
    last_row: int,
    memory: Memory,
    layers: Layers,
) -> None:
    """Write rows of all layers; `listed` are the triangles that may be seen there."""
    mesh, looks, finds = sight.world.mesh, sight.world.looks, memory.finds
    write_finds(mesh, looks, screen, prints, listed, first_row, last_row, memory.edges, finds)
    write_rows(sight, screen, first_row, last_row, finds, memory.patch, layers)


@leaf
def write_by_tree(sight: Sight, screen: Screen, first_row: int, last_row: int, memory: Memory, layers: Layers) -> None:
    """Write the same rows by a search of the tree for each pixel: slower, and the screen's twin."""
    view, ray, quest, finds = sight.camera, memory.ray, memory.quest, memory.finds
    width, height, place = len(screen.across), len(screen.down), 0
    for y in range(first_row, last_row):
        for x in range(width):
            write_camera_ray(view, x + 0.5, y + 0.5, width, height, ray)
            begin(quest, view[NEAR], view[FAR], LAYERS, -np.inf, -1)
            search_tree(sight.world, ray, memory.stack, quest)
            finds.triangle[place], finds.distance[place] = np.int64(quest[TRIANGLE]), quest[DISTANCE]
            finds.u[place], finds.v[place] = quest[U], quest[V]
            place += 1
    write_rows(sight, screen, first_row, last_row, finds, memory.patch, layers)
