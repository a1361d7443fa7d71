"""What a thread works in while it follows paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.bvh import STACK
from tracer.candidates import Query, new_query
from tracer.nearest import Nearest, new_nearest
from tracer.sobol import new_set_keys
from tracer.surface_row import SURFACE_COLUMNS
from tracer.tables import LIGHT_COLUMNS
from tracer.visible import QUEST_COLUMNS


class Memory(NamedTuple):
    """What one thread works in; all arrays but those of the first four are float64."""

    keys: NDArray[np.uint64]
    """(8, 7) of random numbers, from `new_set_keys`"""
    nearest: Nearest
    query: Query
    stack: NDArray[np.int64]
    """(128,) of a tree's traversal"""
    quest: NDArray[np.float64]
    """(10,) the search for the path's next surface"""
    shadow_quest: NDArray[np.float64]
    """(10,) that for what stands before a light"""
    ray: NDArray[np.float64]
    """(6,) the path's segment: origin, direction"""
    shadow_ray: NDArray[np.float64]
    """(6,) toward the light drawn"""
    first_ray: NDArray[np.float64]
    """(6,) the camera's"""
    surface: NDArray[np.float64]
    """(43,) where the path is"""
    first_surface: NDArray[np.float64]
    """(43,) the place that the camera's ray has found"""
    other: NDArray[np.float64]
    """(43,) a surface of an emitter, or on the way to it"""
    light: NDArray[np.float64]
    """(13,) the light drawn"""
    lit: NDArray[np.float64]
    """(3,) what is reflected of it if it is seen"""
    through: NDArray[np.float64]
    """(3,) what share of it gets through"""
    direction: NDArray[np.float64]
    """(3,) where the path goes on"""
    weight: NDArray[np.float64]
    """(3,) what that costs"""
    throughput: NDArray[np.float64]
    """(3,) share of what is found that reaches the camera"""
    radiance: NDArray[np.float64]
    """(3,) gathered so far by all paths of a camera ray"""
    sums: NDArray[np.float64]
    """(7,) over a pixel's camera rays: color and alpha of their paths together, squares of the color"""


def new_memory() -> Memory:
    """Make the memory of one thread."""
    sizes = [QUEST_COLUMNS, QUEST_COLUMNS, 6, 6, 6, *3 * (SURFACE_COLUMNS,), LIGHT_COLUMNS]
    sizes += [*6 * (3,), 7]
    return Memory(
        new_set_keys(), new_nearest(), new_query(), np.zeros(STACK, np.int64), *(np.zeros(size) for size in sizes)
    )
