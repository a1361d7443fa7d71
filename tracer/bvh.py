"""An own bounding volume hierarchy, traversed in float64: the judge where Embree's float32 is in doubt, and its
stand-in.

Boxes are exact, for vertices are float32; rays are float64, and the test of a box errs on the side of a visit.
Triangles are tested by `exact_hit`, so that no ray slips between two of them, and the answer depends on no tree.

Sources: Wald, *On fast Construction of SAH-based Bounding Volume Hierarchies*, 2007; Ize, *Robust BVH Ray Traversal*,
JCGT 2(2), 2013.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.compiling import Index, inlined, leaf

BINS: Final = 16
MOST_IN_LEAF: Final = 4
DEEPEST_BY_COST: Final = 40
"""Below this depth nodes are halved by number instead, so that no mesh makes a tree deeper than 40 + 32."""
ROOT: Final = np.int64(0)
"""The first node. As NumPy's number: for a Python constant numba would compile a callee anew."""
STACK: Final = 128
"""Entries of a traversal's stack: more than any tree is deep."""

_WIDER: Final = 1.0 + 2.0**-48
"""Factor on the far distance of a box: several times the rounding of its slabs in float64."""


class Tree(NamedTuple):
    """A hierarchy over F' triangles; N nodes, node 0 the root."""

    bounds: NDArray[np.float32]
    """(N, 6): lower corner, upper corner"""
    links: NDArray[np.int64]
    """(N, 2): first child (the second follows it) and 0, or first entry of `triangles` and how many"""
    triangles: NDArray[np.int64]
    """(F',) triangles by leaf"""


def no_tree(chosen: NDArray[np.intp]) -> Tree:
    """Return a tree over the chosen triangles that is not built: it has no nodes, so nothing is found in it."""
    return _read_only(Tree(np.zeros((0, 6), np.float32), np.zeros((0, 2), np.int64), chosen.astype(np.int64)))


def build_tree(positions: NDArray[np.float32], faces: NDArray[np.uint32], chosen: NDArray[np.intp]) -> Tree:
    """Build a tree over the chosen triangles.

    Parameters
    ----------
    positions
        (V, 3 or more) float32, position first.
    faces
        (F, 3 or more) uint32, vertices first.
    chosen
        (F',) which triangles; none gives a tree without nodes.
    """
    count = len(chosen)
    triangles = np.asarray(chosen, np.int64)
    boxes = np.empty((count, 6), np.float32)
    _write_boxes(positions, faces, triangles, boxes)
    bounds, links = np.zeros((2 * count, 6), np.float32), np.zeros((2 * count, 2), np.int64)
    order = np.arange(count)
    nodes = _write_tree(boxes, bounds, links, order, np.zeros((2 * STACK, 4), np.int64), np.zeros((3, BINS, 7)))
    return _read_only(Tree(bounds[:nodes], links[:nodes], triangles[order]))


def refitted(tree: Tree, positions: NDArray[np.float32], faces: NDArray[np.uint32]) -> Tree:
    """Return a tree of the same shape around triangles that have moved; see `build_tree`."""
    bounds = np.empty_like(tree.bounds)
    _write_refitted(positions, faces, tree.links, tree.triangles, bounds)
    return _read_only(tree._replace(bounds=bounds))


def _read_only(tree: Tree) -> Tree:
    for values in tree:
        values.setflags(write=False)
    return tree


@leaf
def wear(tree: Tree, positions: NDArray[np.float32], faces: NDArray[np.uint32], box: NDArray[np.float32]) -> float:
    """Return the surface of all nodes' boxes over that of all triangles', 0 where these have none.

    A ray visits a box by its surface: the number grows as triangles that share a node drift apart, and not as a whole
    scene grows, shrinks or turns. `box`, (6,), is to work in.
    """
    nodes, triangles = 0.0, 0.0
    for node in range(len(tree.links)):
        nodes += _surface(tree.bounds[node])
    for triangle in tree.triangles:
        _write_box(positions, faces, triangle, box)
        triangles += _surface(box)
    return nodes / triangles if triangles > 0.0 else 0.0


@leaf
def _surface(box: NDArray[np.float32]) -> float:
    """Return half of a box's surface."""
    x = np.float64(box[3]) - np.float64(box[0])
    y = np.float64(box[4]) - np.float64(box[1])
    z = np.float64(box[5]) - np.float64(box[2])
    return x * y + y * z + z * x


@leaf
def _write_boxes(
    positions: NDArray[np.float32], faces: NDArray[np.uint32], chosen: NDArray[np.int64], boxes: NDArray[np.float32]
) -> None:
    for number in range(len(chosen)):
        _write_box(positions, faces, chosen[number], boxes[number])


@leaf
def _write_box(
    positions: NDArray[np.float32], faces: NDArray[np.uint32], triangle: Index, box: NDArray[np.float32]
) -> None:
    a, b, c = faces[triangle, 0], faces[triangle, 1], faces[triangle, 2]
    for axis in range(3):
        box[axis] = min(positions[a, axis], positions[b, axis], positions[c, axis])
        box[3 + axis] = max(positions[a, axis], positions[b, axis], positions[c, axis])


@leaf
def _write_refitted(
    positions: NDArray[np.float32],
    faces: NDArray[np.uint32],
    links: NDArray[np.int64],
    triangles: NDArray[np.int64],
    bounds: NDArray[np.float32],
) -> None:
    """Write the bounds of all nodes, children before parents: they come later in the list."""
    for node in range(len(links) - 1, -1, -1):
        first, count = links[node, 0], links[node, 1]
        if count == 0:
            for axis in range(3):
                bounds[node, axis] = min(bounds[first, axis], bounds[first + 1, axis])
                bounds[node, 3 + axis] = max(bounds[first, 3 + axis], bounds[first + 1, 3 + axis])
            continue
        _write_box(positions, faces, triangles[first], bounds[node])
        for place in range(first + 1, first + count):
            triangle = triangles[place]
            for corner in range(3):
                vertex = faces[triangle, corner]
                for axis in range(3):
                    bounds[node, axis] = min(bounds[node, axis], positions[vertex, axis])
                    bounds[node, 3 + axis] = max(bounds[node, 3 + axis], positions[vertex, axis])


@inlined
def inverse_of(ray: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return one over each part of a ray's direction, infinite where that is zero of either sign."""
    return (
        1.0 / ray[3] if ray[3] != 0.0 else np.inf,
        1.0 / ray[4] if ray[4] != 0.0 else np.inf,
        1.0 / ray[5] if ray[5] != 0.0 else np.inf,
    )


@inlined
def box_distance(
    bounds: NDArray[np.float32],
    node: Index,
    ray: NDArray[np.float64],
    inverse: tuple[float, float, float],
    near: float,
    far: float,
) -> float:
    """Return where a ray enters a node's box between `near` and `far`, infinity where it stays outside.

    Along an axis on which the ray does not move, a product of zero and infinity is no number, and bounds nothing.
    """
    near, far = _within(bounds[node, 0] - ray[0], bounds[node, 3] - ray[0], inverse[0], near, far)
    near, far = _within(bounds[node, 1] - ray[1], bounds[node, 4] - ray[1], inverse[1], near, far)
    near, far = _within(bounds[node, 2] - ray[2], bounds[node, 5] - ray[2], inverse[2], near, far)
    return near if near <= far else np.inf


@inlined
def passes_box(
    bounds: NDArray[np.float32],
    node: Index,
    ray: NDArray[np.float64],
    inverse: tuple[float, float, float],
    near: float,
    far: float,
    radius: float,
) -> bool:
    """Say whether a ray between `near` and `far` comes closer than `radius`, along every axis, to a node's box."""
    near, far = _within(bounds[node, 0] - radius - ray[0], bounds[node, 3] + radius - ray[0], inverse[0], near, far)
    near, far = _within(bounds[node, 1] - radius - ray[1], bounds[node, 4] + radius - ray[1], inverse[1], near, far)
    near, far = _within(bounds[node, 2] - radius - ray[2], bounds[node, 5] + radius - ray[2], inverse[2], near, far)
    return near <= far


@inlined
def _within(low: float, high: float, inverse: float, near: float, far: float) -> tuple[float, float]:
    """Cut a ray's span to a slab, whose sides lie `low` and `high` from its origin."""
    first, last = low * inverse, high * inverse
    if first > last:
        first, last = last, first
    if last > 0.0:
        last *= _WIDER
    return (first if first > near else near), (last if last < far else far)


@leaf
def _write_tree(
    boxes: NDArray[np.float32],
    bounds: NDArray[np.float32],
    links: NDArray[np.int64],
    order: NDArray[np.int64],
    stack: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> int:
    """Write nodes and the order of triangles; return the number of nodes."""
    if len(order) == 0:
        return 0
    nodes, height = 1, 1
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, 0, len(order), 0
    while height > 0:
        height -= 1
        node, first, last, depth = stack[height, 0], stack[height, 1], stack[height, 2], stack[height, 3]
        _write_bounds(boxes, order, first, last, bounds, node)
        if last - first <= MOST_IN_LEAF:
            links[node, 0], links[node, 1] = first, last - first
            continue
        middle = _split(boxes, order, first, last, depth, bins)
        links[node, 0], links[node, 1] = nodes, 0
        stack[height, 0], stack[height, 1], stack[height, 2], stack[height, 3] = nodes, first, middle, depth + 1
        height += 1
        stack[height, 0], stack[height, 1], stack[height, 2], stack[height, 3] = nodes + 1, middle, last, depth + 1
        height += 1
        nodes += 2
    return nodes


@leaf
def _write_bounds(
    boxes: NDArray[np.float32],
    order: NDArray[np.int64],
    first: Index,
    last: Index,
    bounds: NDArray[np.float32],
    node: Index,
) -> None:
    for axis in range(3):
        low, high = boxes[order[first], axis], boxes[order[first], 3 + axis]
        for place in range(first + 1, last):
            low = min(low, boxes[order[place], axis])
            high = max(high, boxes[order[place], 3 + axis])
        bounds[node, axis], bounds[node, 3 + axis] = low, high


@leaf
def _middle(boxes: NDArray[np.float32], triangle: Index, axis: Index) -> float:
    return 0.5 * (np.float64(boxes[triangle, axis]) + np.float64(boxes[triangle, 3 + axis]))


@leaf
def _split(
    boxes: NDArray[np.float32],
    order: NDArray[np.int64],
    first: Index,
    last: Index,
    depth: Index,
    bins: NDArray[np.float64],
) -> Index:
    """Divide a node's triangles where the surface area heuristic is least; return the second part's first place."""
    best_axis, best_bin, best_cost, best_low, best_scale = -1, 0, np.inf, 0.0, 0.0
    for axis in range(3):
        low, high = np.inf, -np.inf
        for place in range(first, last):
            middle = _middle(boxes, order[place], axis)
            low, high = min(low, middle), max(high, middle)
        if not high > low:
            continue
        scale = BINS / (high - low)
        _write_bins(boxes, order, first, last, axis, low, scale, bins)
        for cut in range(1, BINS):
            cost = bins[1, cut, 6] * _area(bins, 1, cut) + bins[2, cut, 6] * _area(bins, 2, cut)
            if bins[1, cut, 6] > 0.0 and bins[2, cut, 6] > 0.0 and cost < best_cost:
                best_axis, best_bin, best_cost, best_low, best_scale = axis, cut, cost, low, scale
    if best_axis < 0 or depth >= DEEPEST_BY_COST:
        return (first + last) // 2
    left: Index = first
    right: Index = last - 1
    while left <= right:
        if _bin(_middle(boxes, order[left], best_axis), best_low, best_scale) < best_bin:
            left += 1
        else:
            order[left], order[right] = order[right], order[left]
            right -= 1
    return left


@leaf
def _bin(middle: float, low: float, scale: float) -> int:
    return min(int((middle - low) * scale), BINS - 1)


@leaf
def _write_bins(
    boxes: NDArray[np.float32],
    order: NDArray[np.int64],
    first: Index,
    last: Index,
    axis: Index,
    low: float,
    scale: float,
    bins: NDArray[np.float64],
) -> None:
    """Write box and number of each bin (0), of all bins below each cut (1) and of all above (2)."""
    for number in range(BINS):
        for side in range(3):
            _empty(bins, side, number)
    for place in range(first, last):
        triangle = order[place]
        number = _bin(_middle(boxes, triangle, axis), low, scale)
        for k in range(3):
            bins[0, number, k] = min(bins[0, number, k], np.float64(boxes[triangle, k]))
            bins[0, number, 3 + k] = max(bins[0, number, 3 + k], np.float64(boxes[triangle, 3 + k]))
        bins[0, number, 6] += 1.0
    for cut in range(1, BINS):
        _join(bins, 1, cut - 1, 0, cut - 1, 1, cut)
    for cut in range(BINS - 1, 0, -1):
        if cut < BINS - 1:
            _join(bins, 2, cut + 1, 0, cut, 2, cut)
        else:
            _join(bins, 0, cut, 2, cut, 2, cut)


@leaf
def _empty(bins: NDArray[np.float64], side: Index, number: Index) -> None:
    for k in range(3):
        bins[side, number, k], bins[side, number, 3 + k] = np.inf, -np.inf
    bins[side, number, 6] = 0.0


@leaf
def _join(
    bins: NDArray[np.float64], side: Index, number: Index, other_side: Index, other: Index, to_side: Index, to: Index
) -> None:
    """Write the union of two boxes."""
    for k in range(3):
        bins[to_side, to, k] = min(bins[side, number, k], bins[other_side, other, k])
        bins[to_side, to, 3 + k] = max(bins[side, number, 3 + k], bins[other_side, other, 3 + k])
    bins[to_side, to, 6] = bins[side, number, 6] + bins[other_side, other, 6]


@leaf
def _area(bins: NDArray[np.float64], side: Index, number: Index) -> float:
    x = bins[side, number, 3] - bins[side, number, 0]
    y = bins[side, number, 4] - bins[side, number, 1]
    z = bins[side, number, 5] - bins[side, number, 2]
    return float(x * y + y * z + z * x)
