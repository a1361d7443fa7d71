"""Which surface a ray sees: sides, alpha and exact distances decide among the triangles that a backend proposes."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.adjacency import Neighbors
from tracer.bvh import ROOT, Tree, box_distance, inverse_of
from tracer.candidates import BATCH, Query, candidate, gather, restart
from tracer.compiling import Index, inlined, leaf
from tracer.exact import TIE, WINDOW, area_normal, exact_hit
from tracer.materials import AlphaMode
from tracer.proposals import KEPT, NEAREST, Proposals, is_near, proposal, proposal_count
from tracer.tables import (
    ALPHA_CUTOFF,
    ALPHA_MODE,
    DOUBLE_SIDED,
    IS_PLAIN,
    IS_SWAPPED,
    MATERIAL,
    PART,
    PLACE,
    RANK,
    Looks,
    Mesh,
)
from tracer.texture import alpha_at

# Purposes of a ray. As NumPy's numbers: for each Python constant numba would compile a callee anew.
SHADOW: Final = np.int64(0)
"""Shadow rays: both sides stop them, and `BLEND` from half an alpha on."""
LAYERS: Final = np.int64(1)
"""Geometry layers: the camera's side only, `BLEND` from half an alpha on."""
COLOR: Final = np.int64(2)
"""Color: the camera's side only, `BLEND` wherever it is not wholly clear."""
BOUNCE: Final = np.int64(3)
"""Light on its way between surfaces: both sides, `BLEND` wherever it is not wholly clear."""

_OPAQUE, _MASK = int(AlphaMode.OPAQUE), int(AlphaMode.MASK)


# Columns of a quest, float64: the answer so far, and what bounds it.
TRIANGLE: Final = 0
"""-1 where there is none"""
DISTANCE: Final = 1
U: Final = 2
V: Final = 3
_RANK, _NEAR, _FAR, _PURPOSE, _AFTER, _SEEN = 4, 5, 6, 7, 8, 9
QUEST_COLUMNS: Final = 10


class World(NamedTuple):
    """What single rays are traced against."""

    scene: Index
    """address of the Embree scene; 0: the tree answers everything"""
    solid_count: Index
    """Embree indices below it are triangles that stop every ray"""
    order: NDArray[np.uint32]
    """(F',) triangle by Embree index"""
    mesh: Mesh
    neighbors: Neighbors
    looks: Looks
    tree: Tree
    """the float64 twin"""


@leaf
def stops(
    mesh: Mesh, looks: Looks, triangle: Index, u: float, v: float, dx: float, dy: float, dz: float, purpose: Index
) -> bool:
    """Say whether a surface is there for a ray of this purpose (`SHADOW`, `LAYERS`, `COLOR`, `BOUNCE`) that meets it.

    Parameters
    ----------
    mesh, looks
        The scene.
    triangle, u, v
        The hit.
    dx, dy, dz
        The ray's direction.
    """
    if mesh.faces[triangle, IS_PLAIN] != np.uint32(0):
        return True
    row = looks.materials[mesh.faces[triangle, MATERIAL]]
    if purpose in (LAYERS, COLOR) and row[DOUBLE_SIDED] == 0.0:
        x, y, z = area_normal(mesh.vertices, mesh.faces, triangle)
        goes_along = x * dx + y * dy + z * dz
        if goes_along != 0.0 and (goes_along > 0.0) == (mesh.faces[triangle, IS_SWAPPED] == np.uint32(0)):
            return False
    mode = np.intp(row[ALPHA_MODE])
    if mode == _OPAQUE:
        return True
    alpha = alpha_at(mesh, looks, triangle, u, v)
    if mode == _MASK:
        return bool(alpha >= row[ALPHA_CUTOFF])
    return bool(alpha > 0.0 if purpose >= COLOR else alpha >= 0.5)


@inlined
def begin(quest: NDArray[np.float64], near: float, far: float, purpose: Index, after: float, seen: Index) -> None:
    """Begin to look for the first surface behind one already seen, decided in float64: nearest, then smallest ids.

    Parameters
    ----------
    quest
        (10,) float64, columns as named above; written.
    near, far
        Distances that bound the search, in lengths of the ray's direction.
    purpose
        `LAYERS`, `COLOR` or `BOUNCE`.
    after, seen
        Distance and triangle of the surface already seen; minus infinity and -1 where there is none.
    """
    quest[_NEAR], quest[_FAR], quest[_PURPOSE] = near, far, purpose
    quest[_AFTER], quest[_SEEN] = after, seen
    quest[TRIANGLE], quest[DISTANCE], quest[_RANK] = -1.0, np.inf, -1.0


@inlined
def consider(mesh: Mesh, looks: Looks, triangle: Index, ray: NDArray[np.float64], quest: NDArray[np.float64]) -> bool:
    """Test a triangle and keep it in `quest` if it is the best so far; return whether the ray passes near an edge of
    it.

    Parameters
    ----------
    mesh, looks
        The scene.
    triangle
        Which triangle.
    ray
        (6,) float64: origin, direction.
    quest
        From `begin`.
    """
    inside, distance, u, v, near_edge = exact_hit(mesh.vertices, mesh.faces, triangle, ray)
    if not inside or distance < quest[_NEAR] * (1.0 - TIE) or distance > quest[_FAR] * (1.0 + TIE):
        return near_edge
    rank = np.float64(mesh.faces[triangle, RANK])
    if quest[_SEEN] >= 0.0 and _was_seen(mesh, triangle, distance, np.intp(quest[_SEEN]), quest[_AFTER]):
        return near_edge
    if quest[TRIANGLE] >= 0.0 and not _comes_before(distance, rank, quest[DISTANCE], quest[_RANK]):
        return near_edge
    if stops(mesh, looks, triangle, u, v, ray[3], ray[4], ray[5], np.intp(quest[_PURPOSE])):
        quest[TRIANGLE], quest[_RANK] = triangle, rank
        quest[DISTANCE], quest[U], quest[V] = distance, u, v
    return near_edge


@leaf
def search(world: World, ray: NDArray[np.float64], proposed: float, query: Query, quest: NDArray[np.float64]) -> None:
    """Finish a quest by Embree's proposals.

    Parameters
    ----------
    world
        The scene.
    ray
        (6,) float64: origin, direction.
    proposed
        Where a first query has met something; infinite where there was none. Only its surroundings are searched as
        long as they hold a surface.
    query
        From `new_query`.
    quest
        From `begin`; holds the answer.
    """
    start = max(quest[_NEAR], quest[_AFTER])
    if proposed < np.inf:
        start = max(start, proposed)
        _consider_between(world, ray, proposed * (1.0 - WINDOW), proposed * (1.0 + WINDOW), query, quest)
    if quest[TRIANGLE] < 0.0:
        _consider_between(world, ray, start * (1.0 - WINDOW), quest[_FAR] * (1.0 + WINDOW), query, quest)


@inlined
def search_proposals(
    world: World,
    ray: NDArray[np.float64],
    proposals: Proposals,
    place: Index,
    query: Query,
    quest: NDArray[np.float64],
) -> None:
    """Finish a quest by what Embree proposes for a ray, the record at `place`; see `search` for the rest."""
    count = proposal_count(proposals, place)
    if count == 0:
        return
    _, distance, _, _ = proposal(proposals, place, NEAREST)
    if count > KEPT:
        search(world, ray, distance, query, quest)
        return
    for number in range(count):
        if is_near(proposals, place, number):
            _consider_around(world, np.intp(world.order[proposal(proposals, place, number)[0]]), ray, quest)
    if quest[TRIANGLE] < 0.0:
        start = max(quest[_NEAR], distance)
        _consider_between(world, ray, start * (1.0 - WINDOW), quest[_FAR] * (1.0 + WINDOW), query, quest)


@leaf
def _consider_between(
    world: World,
    ray: NDArray[np.float64],
    first: float,
    last: float,
    query: Query,
    quest: NDArray[np.float64],
) -> None:
    """Consider candidates between two distances, batch by batch, until one of a batch is the answer."""
    restart(query)
    while True:
        count = gather(world.scene, world.solid_count, ray, first, last, embree.ANY_MASK, query)
        for number in range(count):
            _consider_around(world, np.intp(world.order[candidate(query, number)[0]]), ray, quest)
        if quest[TRIANGLE] >= 0.0 or count < BATCH:
            return


@inlined
def _consider_around(world: World, triangle: Index, ray: NDArray[np.float64], quest: NDArray[np.float64]) -> None:
    """Consider a triangle that Embree has met, and where the ray passes near an edge of it, float32 may have met the
    wrong side: all triangles around its vertices too.
    """
    if consider(world.mesh, world.looks, triangle, ray, quest):
        for corner in range(3):
            place = world.mesh.faces[triangle, PLACE + corner]
            for index in range(world.neighbors.start[place], world.neighbors.start[place + 1]):
                consider(world.mesh, world.looks, np.intp(world.neighbors.around[index]), ray, quest)


@leaf
def _was_seen(mesh: Mesh, triangle: Index, distance: float, seen: Index, after: float) -> bool:
    """Say whether a hit comes before the surface seen last, or is that surface going on across an edge.

    A ray through a shared edge hits both triangles, and a blended surface must not count twice there.
    """
    rank, seen_rank = np.float64(mesh.faces[triangle, RANK]), np.float64(mesh.faces[seen, RANK])
    if triangle == seen or _comes_before(distance, rank, after, seen_rank):
        return True
    if distance > after * (1.0 + TIE) or mesh.faces[triangle, PART] != mesh.faces[seen, PART]:
        return False
    for corner in range(PLACE, PLACE + 3):
        for other in range(PLACE, PLACE + 3):
            if mesh.faces[triangle, corner] == mesh.faces[seen, other]:
                return True
    return False


@leaf
def _comes_before(distance: float, rank: float, other_distance: float, other_rank: float) -> bool:
    """Order hits by distance, and by rank where distances differ by less than `TIE`."""
    if distance < other_distance * (1.0 - TIE):
        return True
    return distance <= other_distance * (1.0 + TIE) and rank < other_rank


@leaf
def search_tree(world: World, ray: NDArray[np.float64], stack: NDArray[np.int64], quest: NDArray[np.float64]) -> None:
    """Finish a quest by the tree, in float64 throughout.

    Parameters
    ----------
    world
        The scene.
    ray
        (6,) float64: origin, direction.
    stack
        (`STACK`,) int64, this thread's.
    quest
        From `begin`; holds the answer.
    """
    tree = world.tree
    near, inverse = max(quest[_NEAR], quest[_AFTER]) * (1.0 - TIE), inverse_of(ray)
    height = 0
    if len(tree.links) > 0 and box_distance(tree.bounds, ROOT, ray, inverse, near, quest[_FAR] * (1.0 + TIE)) < np.inf:
        stack[0], height = 0, 1
    while height > 0:
        height -= 1
        node = stack[height]
        far = min(quest[_FAR], quest[DISTANCE]) * (1.0 + TIE)
        if tree.links[node, 1] > 0:
            first = tree.links[node, 0]
            for place in range(first, first + tree.links[node, 1]):
                consider(world.mesh, world.looks, tree.triangles[place], ray, quest)
            continue
        left, right = tree.links[node, 0], tree.links[node, 0] + 1
        left_at = box_distance(tree.bounds, left, ray, inverse, near, far)
        right_at = box_distance(tree.bounds, right, ray, inverse, near, far)
        if left_at > right_at:
            left, left_at, right, right_at = right, right_at, left, left_at
        if right_at < np.inf:
            stack[height] = right
            height += 1
        if left_at < np.inf:
            stack[height] = left
            height += 1


@leaf
def shadowed_by_tree(world: World, ray: NDArray[np.float64], far: float, stack: NDArray[np.int64]) -> bool:
    """Say whether anything stops a shadow ray between 0 and `far`, in float64 throughout."""
    return met_by_tree(world, world.order[:0], ray, far, 0.0, stack) > 0


@leaf
def met_by_tree(
    world: World,
    casts: NDArray[np.uint32],
    ray: NDArray[np.float64],
    far: float,
    bias: float,
    stack: NDArray[np.int64],
) -> int:
    """Say what stops a shadow ray, in float64 throughout: 0 nothing, 1 only what is within `bias`, 2 something beyond.

    Parameters
    ----------
    world
        The scene.
    casts
        (F,) above 0 for the triangles that count; of length 0 all do.
    ray, far, bias
        (6,) float64: origin, direction; and distances from 0 on, in lengths of the direction.
    stack
        This thread's.
    """
    tree, inverse = world.tree, inverse_of(ray)
    height, found = 0, 0
    if len(tree.links) > 0:
        stack[0], height = 0, 1
    while height > 0:
        height -= 1
        node = stack[height]
        if not box_distance(tree.bounds, node, ray, inverse, 0.0, far) < np.inf:
            continue
        first = tree.links[node, 0]
        if tree.links[node, 1] == 0:
            stack[height], stack[height + 1] = first, first + 1
            height += 2
            continue
        for place in range(first, first + tree.links[node, 1]):
            triangle = tree.triangles[place]
            if len(casts) > 0 and casts[triangle] == np.uint32(0):
                continue
            inside, distance, u, v, _ = exact_hit(world.mesh.vertices, world.mesh.faces, triangle, ray)
            if not inside or distance < 0.0 or distance > far:
                continue
            if stops(world.mesh, world.looks, triangle, u, v, ray[3], ray[4], ray[5], SHADOW):
                if distance > bias:
                    return 2
                found = 1
    return found


@leaf
def shadowed(world: World, ray: NDArray[np.float64], far: float, query: Query) -> bool:
    """Say whether a surface whose alpha decides lies on the way of a shadow ray, from 0 to `far`."""
    restart(query)
    while True:
        count = gather(world.scene, world.solid_count, ray, 0.0, far, embree.TESTED_MASK, query)
        for place in range(count):
            index, _, u, v = candidate(query, place)
            triangle = np.intp(world.order[index])
            if stops(world.mesh, world.looks, triangle, u, v, ray[3], ray[4], ray[5], SHADOW):
                return True
        if count < BATCH:
            return False
