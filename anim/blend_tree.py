"""`BlendTree`: clips mixed by parameters, all at one phase, so that their cycles stay in step."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.clip import Clip
from anim.errors import AnimError
from anim.evaluation import write_pose
from anim.pose import Pose
from anim.rig import Rig
from anim.rows import LAYER, MIX

MAX_CHILDREN = 8
"""Children of one node."""


@dataclass(slots=True)
class _Node:
    """A leaf that plays a clip, or a blend of other nodes by one parameter or two."""

    clip: int = -1
    """Index in the rig; -1 for a blend."""
    speed: float = 1.0
    parameters: tuple[int, ...] = ()
    children: list[int] = field(default_factory=list)
    places: list[tuple[float, ...]] = field(default_factory=list)
    """Where each child stands along the parameters."""


class _Plan(NamedTuple):
    """What follows from the nodes alone: orders to walk them in, and one mix whose shares are the leaves."""

    order: list[int]
    """Nodes below the root, each after all its parents."""
    leaves: list[int]
    layers: NDArray[np.void]
    """Rows of the leaves."""
    mixes: NDArray[np.void]
    masks: NDArray[np.float64]
    samples: NDArray[np.float64]
    """Room for what the leaves' clips give."""


class BlendTree:
    """A tree of clips of one rig, mixed by named parameters.

    Nodes are numbered from 0 in the order they are added; a node may be the child of several. The last node added is
    the root unless another is set. A leaf contributes the rest pose where its clip moves nothing.

    Parameters
    ----------
    rig
        Whose clips are the leaves.
    """

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.names: list[str] = []
        """Parameters by number; of equal names the first is the one that counts."""
        self.values: list[float] = []
        self._nodes: list[_Node] = []
        self._root = -1
        self._plan: _Plan | None = None

    def __len__(self) -> int:
        return len(self._nodes)

    def add_parameter(self, name: str, value: float = 0.0) -> int:
        """Add a parameter, in whatever unit its thresholds have, and return its number.

        Raises
        ------
        AnimError
            For a value that is not finite.
        """
        self.names.append(name)
        self.values.append(_finite("parameter " + repr(name), value))
        return len(self.names) - 1

    def set_parameter(self, name: str, value: float) -> None:
        """Set a parameter, in whatever unit its thresholds have.

        Raises
        ------
        AnimError
            Where the tree has none of the name, or the value is not finite.
        """
        self.values[self._parameter(name)] = _finite("parameter " + repr(name), value)

    def add_clip(self, clip: str | int | Clip, *, speed: float = 1.0) -> int:
        """Add a leaf and return its number; `speed` counts in the rate at which the phase advances.

        Raises
        ------
        AnimError
            For a clip that the rig has not, or a speed that is not finite.
        """
        return self._add(_Node(self.rig.clip_index(clip), _finite("speed", speed)))

    def add_blend_1d(self, parameter: str) -> int:
        """Add a node that is linear between its children's thresholds, clamped outside; return its number.

        Raises
        ------
        AnimError
            For a parameter that the tree has not.
        """
        return self._add(_Node(parameters=(self._parameter(parameter),)))

    def add_blend_2d(self, x: str, y: str) -> int:
        """Add a node that mixes its children by gradient bands over two parameters; return its number.

        Child i weighs the least over all others j of `1 - (p - p_i) . (p_j - p_i) / |p_j - p_i|^2`, at least 0; the
        weights are then divided by their sum (Johansen, *Automated Semi-Procedural Animation*, 2009).

        Raises
        ------
        AnimError
            For a parameter that the tree has not.
        """
        return self._add(_Node(parameters=(self._parameter(x), self._parameter(y))))

    def add_child(self, parent: int, child: int, place: float | Sequence[float]) -> None:
        """Put a node under a blend, at a threshold or a point `(x, y)` in its parameters' units.

        Raises
        ------
        AnimError
            For a node that does not exist or is no blend, a cycle, a threshold that does not increase, a point that is
            taken, or more than `MAX_CHILDREN`.
        """
        node = self._blend(parent)
        self._check_node("child", child)
        point = (place,) if isinstance(place, int | float) else tuple(place)
        at = tuple(_finite("place", number) for number in point)
        if len(at) != len(node.parameters):
            raise AnimError(f"place is {at}; node {parent} blends by {len(node.parameters)} parameters")
        if len(node.children) == MAX_CHILDREN:
            raise AnimError(f"node {parent} has {MAX_CHILDREN} children, as many as it holds")
        if parent in self._below(child):
            raise AnimError(f"node {child} stands above node {parent}; as its child it would close a cycle")
        if len(at) == 1 and node.places and at[0] <= node.places[-1][0]:
            raise AnimError(f"threshold is {at[0]} after {node.places[-1][0]}; expected thresholds to increase")
        for index, other in enumerate(node.places):
            if len(at) == 2 and _square_distance(at, other) == 0.0:
                raise AnimError(f"point {at} is taken by child {index} of node {parent}")
        node.children.append(child)
        node.places.append(at)
        self._plan = None

    def set_root(self, node: int) -> None:
        """Choose the node that the tree evaluates.

        Raises
        ------
        AnimError
            For a node that does not exist.
        """
        self._check_node("root", node)
        self._root = node
        self._plan = None

    def validate(self) -> None:
        """Check that the tree can be evaluated.

        Raises
        ------
        AnimError
            Where it has no nodes, or a blend below the root has no children.
        """
        if self._root < 0:
            raise AnimError("the tree has no nodes; add a clip")
        for number in sorted(self._below(self._root)):
            node = self._nodes[number]
            if node.clip < 0 and not node.children:
                raise AnimError(f"node {number} is a blend without children")

    def leaf_weights(self, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return the weight of every node (N,) float64 at the present parameters; a blend carries its subtree's.

        The weights of the leaves sum to one. Nodes that are not below the root weigh 0.
        """
        order = self._planned().order
        if out is None:
            out = np.empty(len(self._nodes))
        out[:] = 0.0
        out[self._root] = 1.0
        for number in order:
            node = self._nodes[number]
            if node.clip < 0:
                for child, share in zip(node.children, self._shares(node), strict=True):
                    out[child] += out[number] * share
        return out

    def cycle_rate(self, *, scratch: NDArray[np.float64] | None = None) -> float:
        """Return the cycles a second at the present parameters: the weighted mean of the leaves' speed over duration.

        A leaf of duration 0 counts as standing still. `scratch` (N,) takes the weights.
        """
        weights = self.leaf_weights(out=scratch)
        rate = 0.0
        for node, weight in zip(self._nodes, weights.tolist(), strict=True):
            if node.clip >= 0 and weight != 0.0:
                duration = self.rig.clips[node.clip].duration
                rate += weight * (node.speed / duration if duration > 0.0 else 0.0)
        return rate

    def evaluate(self, phase: float, *, out: Pose | None = None, scratch: NDArray[np.float64] | None = None) -> Pose:
        """Return the pose at a phase in [0, 1], every leaf at that share of its clip.

        `out` takes the pose, `scratch` (N,) the weights.

        Raises
        ------
        AnimError
            For a phase outside [0, 1], a tree without nodes or a blend without children.
        """
        if not 0.0 <= phase <= 1.0:
            raise AnimError(f"phase is {phase}; expected 0 to 1")
        if out is None:
            out = Pose(self.rig.skeleton)
        weights = self.leaf_weights(out=scratch)
        plan = self._planned()
        for row, number in zip(plan.layers, plan.leaves, strict=True):
            row["weight"] = weights[number]
            row["time"] = phase * row["end"]
        write_pose(
            self.rig.clip_tables,
            self.rig.rest_tables,
            plan.layers,
            plan.mixes,
            plan.masks,
            plan.samples,
            out.translations,
            out.rotations,
            out.scales,
            out.weights,
        )
        return out

    def leaves(self) -> list[tuple[int, int]]:
        """Return the number and the clip's index of every leaf below the root."""
        return [(number, self._nodes[number].clip) for number in self._planned().leaves]

    def _planned(self) -> _Plan:
        """Return the plan, made anew after a change of the nodes."""
        if self._plan is None:
            self._plan = self._laid_out()
        return self._plan

    def _laid_out(self) -> _Plan:
        self.validate()
        order: list[int] = []
        self._visit(self._root, order)
        order.reverse()
        leaves = sorted(number for number in order if self._nodes[number].clip >= 0)
        layers, mixes = np.zeros(len(leaves), LAYER), np.zeros(1, MIX)
        mixes["shares"] = mixes["end"] = len(leaves)
        samples = 0
        for row, number in zip(layers, leaves, strict=True):
            clip = self._nodes[number].clip
            row["clip"], row["samples"], row["end"] = clip, samples, self.rig.clips[clip].duration
            samples += int(self.rig.clip_tables.clip_samples[clip])
        return _Plan(order, leaves, layers, mixes, np.ones((1, self.rig.skeleton.bone_count)), np.zeros(samples))

    def _shares(self, node: _Node) -> list[float]:
        """Return the weights of a blend's children, which sum to one."""
        point = [self.values[parameter] for parameter in node.parameters]
        return _linear_shares(point[0], node.places) if len(point) == 1 else _band_shares(point, node.places)

    def _visit(self, number: int, order: list[int]) -> None:
        """Note a node after all nodes below it."""
        if number not in order:
            for child in self._nodes[number].children:
                self._visit(child, order)
            order.append(number)

    def _below(self, number: int) -> set[int]:
        """Return a node and all that stand under it."""
        found = {number}
        pending = [number]
        while pending:
            children = set(self._nodes[pending.pop()].children) - found
            found |= children
            pending += children
        return found

    def _add(self, node: _Node) -> int:
        self._nodes.append(node)
        self._root = len(self._nodes) - 1
        self._plan = None
        return self._root

    def _parameter(self, name: str) -> int:
        if name not in self.names:
            known = ", ".join(map(repr, self.names)) or "none"
            raise AnimError(f"the tree has no parameter {name!r}; it has {known}")
        return self.names.index(name)

    def _check_node(self, role: str, number: int) -> None:
        if not 0 <= number < len(self._nodes):
            raise AnimError(f"{role} is node {number}; the tree has {len(self._nodes)}, counted from 0")

    def _blend(self, number: int) -> _Node:
        self._check_node("parent", number)
        node = self._nodes[number]
        if node.clip >= 0:
            raise AnimError(f"node {number} plays a clip; only blends have children")
        return node


def _linear_shares(value: float, places: list[tuple[float, ...]]) -> list[float]:
    """Return shares that are linear between the two thresholds around a value, the nearest's alone outside."""
    thresholds = [place[0] for place in places]
    shares = [0.0] * len(thresholds)
    above = next((i for i, threshold in enumerate(thresholds) if threshold >= value), len(thresholds))
    if above == 0:
        shares[0] = 1.0
    elif above == len(thresholds):
        shares[-1] = 1.0
    else:
        low, high = thresholds[above - 1], thresholds[above]
        shares[above] = (value - low) / (high - low)
        shares[above - 1] = 1.0 - shares[above]
    return shares


def _band_shares(point: list[float], places: list[tuple[float, ...]]) -> list[float]:
    """Return gradient band shares: 1 at a child's own point, falling to 0 at each of the others."""
    x, y = point
    shares = []
    for i, (xi, yi) in enumerate(places):
        least = 1.0
        for j, (xj, yj) in enumerate(places):
            if i != j:
                dx, dy = xj - xi, yj - yi
                least = min(least, 1.0 - ((x - xi) * dx + (y - yi) * dy) / (dx * dx + dy * dy))
        shares.append(max(least, 0.0))
    total = 0.0
    for share in shares:
        total += share
    return [share / total for share in shares]


def _square_distance(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Return the square of the way between two points, 0 also where it is too small for a float."""
    total = 0.0
    for mine, other in zip(a, b, strict=True):
        total += (mine - other) * (mine - other)
    return total


def _finite(name: str, number: float) -> float:
    if not math.isfinite(number):
        raise AnimError(f"{name} is {number}; expected a finite number")
    return float(number)
