"""What the pixels of some rows show, found by the tree; and what a thread works in, whichever way it is found."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.bvh import STACK
from tracer.compiling import leaf
from tracer.layers import Patch, new_patch
from tracer.screen import Finds, Screen, new_finds
from tracer.view import FAR, NEAR, write_camera_ray
from tracer.visible import DISTANCE, LAYERS, QUEST_COLUMNS, TRIANGLE, U, V, World, begin, search_tree


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
        new_patch(influences, width),
        np.zeros((3, 2)),
        np.zeros(6),
        np.zeros(QUEST_COLUMNS),
        np.zeros(STACK, np.int64),
    )


@leaf
def write_tree_finds(world: World, screen: Screen, first_row: int, last_row: int, memory: Memory) -> None:
    """Write what the pixels of some rows show into `memory.finds`, by a search of the tree for each of them.

    This is slower, and the twin of `screen.write_finds`.
    """
    camera, ray, quest, finds = screen.camera, memory.ray, memory.quest, memory.finds
    width, height, place = len(screen.across), len(screen.down), 0
    for y in range(first_row, last_row):
        for x in range(width):
            write_camera_ray(camera, x + 0.5, y + 0.5, width, height, ray)
            begin(quest, camera[NEAR], camera[FAR], LAYERS, -np.inf, -1)
            search_tree(world, ray, memory.stack, quest)
            finds.triangle[place], finds.distance[place] = np.int64(quest[TRIANGLE]), quest[DISTANCE]
            finds.u[place], finds.v[place] = quest[U], quest[V]
            place += 1
