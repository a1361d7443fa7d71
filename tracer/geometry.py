"""Exact hits: one ray through each pixel's centre, proposed by Embree and decided in float64."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.bvh import STACK
from tracer.candidates import Query, new_query
from tracer.compiling import leaf
from tracer.packets import LANES, TILE, Packet, clear_lanes, new_packet, propose, set_camera_lane
from tracer.surface_row import SURFACE_COLUMNS
from tracer.view import FAR, NEAR, write_camera_ray
from tracer.visible import DISTANCE, LAYERS, QUEST_COLUMNS, TRIANGLE, U, V, World, begin, search_proposals, search_tree


class Hits(NamedTuple):
    """What the centre ray of each pixel hits."""

    triangle: NDArray[np.int64]
    """(H, W), -1 where nothing"""
    place: NDArray[np.float64]
    """(H, W, 3): depth, and the weights of the second and third vertex"""


class Memory(NamedTuple):
    """What one thread works in."""

    rays: NDArray[np.float64]
    """(16, 6): origin, direction of a tile's rays"""
    quest: NDArray[np.float64]
    """(10,): of the search at hand"""
    surface: NDArray[np.float64]
    """(29,): from `write_surface`"""
    query: Query
    packet: Packet
    stack: NDArray[np.int64]
    """(128,) of a tree's traversal"""


def new_memory() -> Memory:
    """Make the memory of one thread."""
    return Memory(
        np.zeros((LANES, 6)),
        np.zeros(QUEST_COLUMNS),
        np.zeros(SURFACE_COLUMNS),
        new_query(),
        new_packet(embree.ANY_MASK),
        np.zeros(STACK, np.int64),
    )


@leaf
def write_hits(
    world: World, view: NDArray[np.float64], first_row: int, last_row: int, memory: Memory, hits: Hits
) -> None:
    """Write rows of `hits`; `first_row` is a multiple of `TILE`."""
    width = hits.triangle.shape[1]
    for top in range(first_row, last_row, TILE):
        for left in range(0, width, TILE):
            _write_tile(world, view, left, top, memory, hits)


@leaf
def _write_tile(
    world: World,
    view: NDArray[np.float64],
    left: int,
    top: int,
    memory: Memory,
    hits: Hits,
) -> None:
    height, width = hits.triangle.shape
    rays, quest, query, packet = memory.rays, memory.quest, memory.query, memory.packet
    clear_lanes(packet)
    for lane in range(LANES):
        x, y = left + lane % TILE, top + lane // TILE
        if x < width and y < height:
            write_camera_ray(view, x + 0.5, y + 0.5, width, height, rays[lane])
            set_camera_lane(packet, lane, rays[lane], view)
    if world.scene != 0:
        propose(world.scene, world.solid_count, packet)
    for lane in range(LANES):
        x, y = left + lane % TILE, top + lane // TILE
        if x >= width or y >= height:
            continue
        begin(quest, view[NEAR], view[FAR], LAYERS, -np.inf, -1)
        if world.scene == 0:
            search_tree(world, rays[lane], memory.stack, quest)
        else:
            search_proposals(world, rays[lane], packet.proposals, lane, query, quest)
        hits.triangle[y, x] = np.int64(quest[TRIANGLE])
        hits.place[y, x, 0], hits.place[y, x, 1], hits.place[y, x, 2] = quest[DISTANCE], quest[U], quest[V]


@leaf
def decide_hits(
    world: World,
    view: NDArray[np.float64],
    doubt: NDArray[np.bool_],
    first_row: int,
    last_row: int,
    memory: Memory,
    hits: Hits,
) -> None:
    """Write anew, by the tree, the pixels of some rows that are marked in `doubt`, (H, W) bool."""
    height, width = doubt.shape
    ray, quest = memory.rays[0], memory.quest
    for y in range(first_row, last_row):
        for x in range(width):
            if doubt[y, x]:
                write_camera_ray(view, x + 0.5, y + 0.5, width, height, ray)
                begin(quest, view[NEAR], view[FAR], LAYERS, -np.inf, -1)
                search_tree(world, ray, memory.stack, quest)
                hits.triangle[y, x] = np.int64(quest[TRIANGLE])
                hits.place[y, x, 0], hits.place[y, x, 1], hits.place[y, x, 2] = quest[DISTANCE], quest[U], quest[V]
