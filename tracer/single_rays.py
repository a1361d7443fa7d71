"""Rays one by one, as bounces are: the next surface along a ray, and what of a light gets through to its end.

Embree's own answer is taken where it ends the ray; alpha, sides and surfaces that show what is behind them are decided
by the search that `direct` uses. Bounces go every way, so Embree is not told that they are alike.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.candidates import Query
from tracer.compiling import Index, leaf
from tracer.materials import AlphaMode
from tracer.proposals import NEAREST, clear_record, proposal, proposal_count, set_solid_count
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
    search_proposals,
    search_tree,
    shadowed_by_tree,
    stops,
)

_BLEND = int(AlphaMode.BLEND)
_ONLY: Final = np.int64(0)
"""Place of a lone ray's record. As NumPy's number: for a Python constant numba would compile a callee anew."""


@leaf
def find_surface(
    world: World,
    ray: NDArray[np.float64],
    near: float,
    far: float,
    purpose: Index,
    after: float,
    seen: Index,
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
    query, stack
        This thread's.
    quest
        (10,) float64; written: `TRIANGLE` (-1: none), `DISTANCE`, `U`, `V`.
    """
    begin(quest, near, far, purpose, after, seen)
    if world.scene == 0:
        search_tree(world, ray, stack, quest)
        return
    if seen >= 0:
        search(world, ray, np.inf, query, quest)
        return
    _set_ray(ray, near, far, query)
    clear_record(query.proposals, _ONLY, np.float32(far))
    set_solid_count(query.proposals, world.solid_count)
    embree.rtc_intersect1(
        np.uintp(world.scene), np.uintp(query.ray_address), np.uintp(query.proposals.arguments_address)
    )
    if proposal_count(query.proposals, _ONLY) == 0:
        return
    index, distance, u, v = proposal(query.proposals, _ONLY, NEAREST)
    triangle = np.intp(world.order[index])
    row = world.looks.materials[world.mesh.faces[triangle, MATERIAL]]
    if world.mesh.faces[triangle, IS_PLAIN] != np.uint32(0) and row[TRANSMISSION] == 0.0:
        quest[TRIANGLE], quest[DISTANCE], quest[U], quest[V] = triangle, distance, u, v
        return
    shows_behind = row[ALPHA_MODE] == _BLEND or row[TRANSMISSION] > 0.0
    if not shows_behind and stops(world.mesh, world.looks, triangle, u, v, ray[3], ray[4], ray[5], purpose):
        quest[TRIANGLE], quest[DISTANCE], quest[U], quest[V] = triangle, distance, u, v
        return
    search_proposals(world, ray, query.proposals, _ONLY, query, quest)


@leaf
def write_transmittance(
    world: World,
    lets_through: bool,
    ray: NDArray[np.float64],
    far: float,
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
    lets_through
        Whether any material of it blends, is masked or transmits.
    ray, far
        (6,) float64: origin and direction, and where it ends, in lengths of the direction.
    query, stack, quest, surface
        This thread's, to work in.
    """
    for channel in range(3):
        out[channel] = 1.0
    if not lets_through:
        if world.scene == 0:
            return not shadowed_by_tree(world, ray, far, stack)
        _set_ray(ray, 0.0, far, query)
        embree.rtc_occluded1(np.uintp(world.scene), np.uintp(query.ray_address), np.uintp(0))
        return bool(query.ray[8] >= np.float32(0.0))
    after, seen = -np.inf, np.intp(-1)
    while True:
        find_surface(world, ray, 0.0, far, BOUNCE, after, seen, query, stack, quest)
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


@leaf
def _set_ray(ray: NDArray[np.float64], near: float, far: float, query: Query) -> None:
    """Write a ray, (6,) float64, where Embree reads it."""
    buffer, words = query.ray, query.ray_words
    for axis in range(3):
        buffer[axis] = np.float32(ray[axis])
        buffer[4 + axis] = np.float32(ray[3 + axis])
    buffer[3], buffer[7], buffer[8] = np.float32(near), np.float32(0.0), np.float32(far)
    words[9], words[10], words[11] = np.uint32(embree.ANY_MASK), np.uint32(0), np.uint32(0)
    for word in range(17, 21):
        words[word] = np.uint32(embree.INVALID)
