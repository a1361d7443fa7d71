"""Exact hits and the layers made of them: a ray through each pixel's centre, proposed by Embree, decided in float64."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.bvh import STACK
from tracer.candidates import Query, new_query
from tracer.compiling import leaf
from tracer.layers import Layers, Sight, clear_pixel, write_miss, write_pixel
from tracer.packets import LANES, TILE, Packet, clear_lanes, new_packet, propose, set_camera_lane
from tracer.surface_row import SURFACE_COLUMNS
from tracer.view import FAR, NEAR, write_camera_ray
from tracer.visible import LAYERS, QUEST_COLUMNS, TRIANGLE, begin, search_proposals, search_tree


class Memory(NamedTuple):
    """What one thread works in."""

    rays: NDArray[np.float64]
    """(16, 6): origin, direction of a tile's rays"""
    quest: NDArray[np.float64]
    """(10,): of the search at hand"""
    surface: NDArray[np.float64]
    """(43,): the surface at hand, columns as in `surface_row`"""
    joints: NDArray[np.uint32]
    """(3 K,) joints that hold a triangle"""
    shares: NDArray[np.float64]
    """(3 K,) and how much each does"""
    query: Query
    packet: Packet
    stack: NDArray[np.int64]
    """(128,) of a tree's traversal"""


def new_memory(influences: int) -> Memory:
    """Make the memory of one thread, for vertices with so many influences each."""
    return Memory(
        np.zeros((LANES, 6)),
        np.zeros(QUEST_COLUMNS),
        np.zeros(SURFACE_COLUMNS),
        np.zeros(3 * influences, np.uint32),
        np.zeros(3 * influences),
        new_query(),
        new_packet(embree.ANY_MASK),
        np.zeros(STACK, np.int64),
    )


@leaf
def write_proposed(sight: Sight, first_row: int, last_row: int, memory: Memory, layers: Layers) -> None:
    """Write rows of all layers by what Embree proposes; `first_row` is a multiple of `TILE`."""
    height, width = layers.depth.shape
    world, view, rays, quest, packet = sight.world, sight.camera, memory.rays, memory.quest, memory.packet
    for top in range(first_row, last_row, TILE):
        for left in range(0, width, TILE):
            clear_lanes(packet)
            for lane in range(LANES):
                x, y = left + lane % TILE, top + lane // TILE
                if x < width and y < height:
                    write_camera_ray(view, x + 0.5, y + 0.5, width, height, rays[lane])
                    set_camera_lane(packet, lane, rays[lane], view)
            propose(world.scene, world.solid_count, packet)
            for lane in range(LANES):
                x, y = left + lane % TILE, top + lane // TILE
                if x >= width or y >= height:
                    continue
                begin(quest, view[NEAR], view[FAR], LAYERS, -np.inf, -1)
                search_proposals(world, rays[lane], packet.proposals, lane, memory.query, quest)
                if quest[TRIANGLE] >= 0.0:
                    write_pixel(sight, x, y, rays[lane], quest, memory.surface, memory.joints, memory.shares, layers)
                else:
                    write_miss(x, y, layers)


@leaf
def write_decided(
    sight: Sight, doubt: NDArray[np.bool_], first_row: int, last_row: int, memory: Memory, layers: Layers
) -> None:
    """Write, by the tree, the pixels of some rows that are marked in `doubt`, (H, W) bool."""
    height, width = doubt.shape
    view, ray, quest = sight.camera, memory.rays[0], memory.quest
    for y in range(first_row, last_row):
        for x in range(width):
            if not doubt[y, x]:
                continue
            write_camera_ray(view, x + 0.5, y + 0.5, width, height, ray)
            begin(quest, view[NEAR], view[FAR], LAYERS, -np.inf, -1)
            search_tree(sight.world, ray, memory.stack, quest)
            if quest[TRIANGLE] >= 0.0:
                write_pixel(sight, x, y, ray, quest, memory.surface, memory.joints, memory.shares, layers)
            else:
                clear_pixel(x, y, layers)
                write_miss(x, y, layers)
