"""Rays one by one, as bounces are: the next surface along a ray, and what of a light gets through to its end.

Embree's own answer is taken where it ends the ray; alpha, sides and surfaces that show what is behind them are decided
by the search that `direct` uses. Bounces go every way, so Embree is not told that they are alike.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer.apart import apart
from tracer.candidates import Query
from tracer.compiling import Index, leaf
from tracer.materials import AlphaMode, Material
from tracer.nearest import NOTHING, VEIL, WALL, Nearest, find_nearest, obstacle
from tracer.scattering import straight_share
from tracer.surface import write_surface
from tracer.surface_row import ALPHA, IS_UNLIT
from tracer.tables import ALPHA_MODE, IS_PLAIN, MATERIAL, TRANSMISSION
from tracer.visible import (
    BOUNCE,
    DISTANCE,
    TRIANGLE,
    U,
    V,
    World,
    begin,
    search,
    search_tree,
    shadowed_by_tree,
    stops,
)

_BLEND = int(AlphaMode.BLEND)

# What of a scene's surfaces light may pass straight. As NumPy's numbers, as in `tracer.nearest`.
SOLID: Final = np.int64(0)
"""none"""
HOLES: Final = np.int64(1)
"""those whose alpha decides"""
PANES: Final = np.int64(2)
"""others too"""


def gaps_of(materials: tuple[Material, ...]) -> np.int64:
    """Say what of a scene's surfaces light may pass straight: `SOLID`, `HOLES` or `PANES`."""
    if any(m.alpha_mode == AlphaMode.OPAQUE and m.transmission > 0.0 for m in materials):
        return PANES
    return HOLES if any(m.alpha_mode != AlphaMode.OPAQUE for m in materials) else SOLID


@leaf
def find_surface(
    world: World,
    ray: NDArray[np.float64],
    near: float,
    far: float,
    purpose: Index,
    after: float,
    seen: Index,
    nearest: Nearest,
    query: Query,
    stack: NDArray[np.int64],
    quest: NDArray[np.float64],
) -> None:
    """Find the first surface along a ray behind one already seen.

    Parameters
    ----------
    world
        The scene.
    ray
        (6,) float64: origin, direction.
    near, far
        Distances that bound it, in lengths of the direction.
    purpose
        `COLOR` or `BOUNCE`.
    after, seen
        Distance and triangle of the surface already seen; minus infinity and -1 where there is none.
    nearest, query, stack
        This thread's.
    quest
        (10,) float64; written: `TRIANGLE` (-1: none), `DISTANCE`, `U`, `V`.
    """
    begin(quest, near, far, purpose, after, seen)
    if world.scene == 0:
        search_tree(world, ray, stack, quest)
        return
    if seen >= 0:
        _search(world, ray, np.inf, query, quest)
        return
    index, distance, u, v = find_nearest(world.scene, world.solid_count, ray, near, far, nearest)
    if index < 0:
        return
    triangle = np.intp(world.order[index])
    row = world.looks.materials[world.mesh.faces[triangle, MATERIAL]]
    if world.mesh.faces[triangle, IS_PLAIN] != np.uint32(0) and row[TRANSMISSION] == 0.0:
        quest[TRIANGLE], quest[DISTANCE], quest[U], quest[V] = triangle, distance, u, v
        return
    shows_behind = row[ALPHA_MODE] == _BLEND or row[TRANSMISSION] > 0.0
    if not shows_behind and stops(world.mesh, world.looks, triangle, u, v, ray[3], ray[4], ray[5], purpose):
        quest[TRIANGLE], quest[DISTANCE], quest[U], quest[V] = triangle, distance, u, v
        return
    _search(world, ray, distance, query, quest)


@apart
def _search(world: World, ray: NDArray[np.float64], proposed: float, query: Query, quest: NDArray[np.float64]) -> None:
    """Do as `search` does."""
    search(world, ray, proposed, query, quest)


@leaf
def way_to_light(
    world: World, gaps: Index, ray: NDArray[np.float64], far: float, nearest: Nearest, stack: NDArray[np.int64]
) -> Index:
    """Say what stands in the way of a light: `NOTHING`, a `WALL`, or a `VEIL` where `write_transmittance` decides.

    Parameters
    ----------
    world
        The scene.
    gaps
        From `gaps_of`.
    ray, far
        (6,) float64: origin and direction, and where it ends, in lengths of the direction.
    nearest, stack
        This thread's.
    """
    if gaps == PANES or (gaps == HOLES and world.scene == 0):
        return VEIL
    if world.scene == 0:
        return WALL if shadowed_by_tree(world, ray, far, stack) else NOTHING
    return obstacle(world.scene, ray, far, nearest)


@apart
def write_transmittance(
    world: World,
    ray: NDArray[np.float64],
    far: float,
    nearest: Nearest,
    query: Query,
    stack: NDArray[np.int64],
    quest: NDArray[np.float64],
    surface: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Write what share of each channel gets along a ray, (3,) float64, and say whether anything does.

    Parameters
    ----------
    world
        The scene.
    ray, far
        (6,) float64: origin and direction, and where it ends, in lengths of the direction.
    nearest, query, stack, quest, surface
        This thread's, to work in.
    """
    for channel in range(3):
        out[channel] = 1.0
    after, seen = -np.inf, np.intp(-1)
    while True:
        find_surface(world, ray, 0.0, far, BOUNCE, after, seen, nearest, query, stack, quest)
        if quest[TRIANGLE] < 0.0:
            return True
        seen, after = np.intp(quest[TRIANGLE]), quest[DISTANCE]
        write_surface(world.mesh, world.looks, seen, quest[U], quest[V], ray, surface)
        alpha, most = surface[ALPHA], 0.0
        for channel in range(3):
            through = 0.0 if surface[IS_UNLIT] != 0.0 else straight_share(surface, ray, channel)
            out[channel] *= (1.0 - alpha) + alpha * through
            most = max(most, out[channel])
        if not most > 0.0:
            return False
