"""Evidence in a snapshot: the joints, nodes, objects, morph weights and sprites that an engine dumped otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.errors import PoseError
from posed.fitting import fit
from posed.scene.description import Object, Part, Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.displacement import bind_centers, length
from posed.verify.object_vertices import object_vertices
from posed.words import distance

WITHIN = 1e-5
"""Share of an object's diagonal by which a vertex may be displaced: what float32 loses along a chain of joints."""

WEIGHT_WITHIN = 1e-5
"""Difference of morph weights that is none."""

FARTHEST = 1.0 / WITHIN
"""Of what is allowed, how far off anything counts at most: a diagonal."""

AROUND = np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)])
"""Where virtual vertices stand around a middle, (7, 3): there, and a radius away along each axis."""


NAMED = 3
"""Of what differs, how many are named."""

WORDS = {"object": "its place", "node": "node", "joint": "joint", "morph": "morph weights", "sprite": "sprite"}


@dataclass(frozen=True)
class State:
    """One thing that a snapshot says: of which kind (object, node, joint, morph, sprite), of which object, and where.

    `node` is a node of the file, None where the whole object is meant; `row` counts a palette's rows, else None.
    """

    kind: str
    object: str
    node: int | None = None
    row: int | None = None


@dataclass(frozen=True, eq=False)
class _Measured:
    """States of one kind that are measured alike.

    points (N, 7, 3): the virtual vertices that each matrix moves; empty for states that are numbers. `scale` takes
    lengths in their space to the world, where they may be displaced by `within` metres.
    """

    states: tuple[State, ...]
    points: Float64
    scale: float = 1.0
    within: float = 1.0


def joint_name(scene: Scene | None, state: State) -> str | None:
    """Return the name of the joint or node of a state, or its number; None where it is neither."""
    if state.node is None or state.kind not in ("joint", "node"):
        return None
    if scene is None:
        return f"{state.row} of node {state.node}" if state.kind == "joint" else f"{state.node}"
    model = scene.object(state.object).model
    if state.kind == "node":
        return model.nodes[state.node].name or f"{state.node}"
    number = model.nodes[state.node].skin
    assert number is not None
    assert state.row is not None
    joint = model.skins[number].joints[state.row]
    return model.nodes[joint].name or f"{joint}"


class PoseEvidence:
    """A snapshot of the live side, see `Evidence`.

    Parameters
    ----------
    scene, truth
        What should have been posed; the snapshot is whole.
    live
        What was; what it leaves out is at rest.

    Attributes
    ----------
    states
        Everything that the truth says: of each object its matrix, its placed nodes, its joints in the order of the
        hierarchy, its morph weights and its sprite's frame.
    off
        (N,) float64: how far the live side is from the truth in each, as a share of what is allowed.

    Raises
    ------
    PoseError
        The live snapshot does not fit the scene.
    """

    def __init__(self, scene: Scene, truth: Posed, live: Posed) -> None:
        self._scene = scene
        try:
            self._live = fit(scene, live)
        except PoseError as error:
            raise PoseError(f"the live snapshot of tick {live.tick}: {error}") from error
        self._measured = [one for own in scene.objects for one in _measured(scene, own, truth)]
        self.states = tuple(state for one in self._measured for state in one.states)
        self.off = self._off(truth)
        self._wrong = self.off > 1.0
        self.differing = int(self._wrong.sum())
        wrong = [state for state, is_wrong in zip(self.states, self._wrong.tolist(), strict=True) if is_wrong]
        self.noun = "joints" if all(state.kind == "joint" for state in wrong) else "joints and states"
        names = [state.object for state in wrong]
        self.suspects = tuple(sorted(dict.fromkeys(names), key=lambda name: -names.count(name)))

    def look(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits everything that is said."""
        off = self._off(hypothesis.posed)
        fits, gap = off <= 1.0, float(np.minimum(off[self._wrong], FARTHEST).sum())
        explained, broken = int((fits & self._wrong).sum()), int((~fits & ~self._wrong).sum())
        return Match(explained, broken, self.differing, gap / max(self.differing, 1))

    def judge(self, hypothesis: Hypothesis) -> None:
        """Return None: the first look is at everything."""
        del hypothesis

    def farthest(self) -> str:
        """Say what is farthest off, by name, and by how much."""
        order = sorted(np.flatnonzero(self._wrong).tolist(), key=lambda state: -self.off[state])
        named = []
        for state in order[:NAMED]:
            one, off = self.states[state], self.millimetres(state)
            what = " ".join(word for word in (WORDS[one.kind], joint_name(self._scene, one)) if word)
            named.append(f'object "{one.object}", {what}{"" if off is None else f", by {distance(off)}"}')
        more = f"; and {len(order) - NAMED:,} more" if len(order) > NAMED else ""
        return f"what differs most: {'; '.join(named)}{more}"

    def undone(self) -> tuple[()]:
        """Return nothing: this is no picture."""
        return ()

    def millimetres(self, state: int) -> float | None:
        """Return how far a vertex is displaced by the state of a number; None for a state that has no length."""
        owners = [one for one in self._measured for _ in one.states]
        owner = owners[state]
        return float(self.off[state]) * owner.within * 1000.0 if len(owner.points) else None

    def _off(self, posed: Posed) -> Float64:
        """Return how far each state of the live side is from that of a snapshot, as a share of what is allowed."""
        found = [np.empty(0)]
        for one in self._measured:
            if len(one.points):
                change = _matrices(self._live, one.states) - _matrices(posed, one.states)
                moved = (change[:, None, :3, :3] * one.points[:, :, None, :]).sum(axis=3) + change[:, None, :3, 3]
                found.append(length(moved).max(axis=1) * (one.scale / one.within))
            else:
                found.append(np.array([_apart(self._live, posed, state) for state in one.states]))
        return np.concatenate(found)


def _measured(scene: Scene, one: Object, truth: Posed) -> list[_Measured]:
    """Return an object's states and what they are measured with."""
    parts = [part for part in scene.parts if part.object is one]
    points = [vertices.positions for vertices in object_vertices(one, truth).values()]
    middle, reach = _shell(points)
    scale = float(length(truth.models[one.name][:3, :3].T).max())
    within = WITHIN * 2.0 * (reach or 1.0) * scale
    found = [_Measured((State("object", one.name),), (middle + reach * AROUND)[None], 1.0, within)]
    for node in truth.nodes.get(one.name, {}):
        own, far = _shell([part.primitive.positions for part in parts if part.node == node])
        state = State("node", one.name, node)
        found.append(_Measured((state,), (own + far * AROUND)[None], scale, within))
    for node in truth.palettes.get(one.name, {}):
        order = _hierarchy(one, node)
        centers, reaches = _joint_shells(one, node, [part for part in parts if part.node == node and part.skinned])
        around = centers[order][:, None] + reaches[order][:, None, None] * AROUND
        states = tuple(State("joint", one.name, node, row) for row in order)
        found.append(_Measured(states, around, scale, within))
    numbers = [State("morph", one.name, node) for node in truth.morphs.get(one.name, {})]
    numbers += [State("sprite", one.name)] if one.name in truth.sprites else []
    return [*found, _Measured(tuple(numbers), np.empty((0, 7, 3)))]


def _matrices(posed: Posed, states: tuple[State, ...]) -> Float64:
    """Return the matrices of states that are measured together, (N, 4, 4) float64."""
    first = states[0]
    if first.kind == "object":
        return posed.models[first.object][None]
    assert first.node is not None
    if first.kind == "node":
        return posed.nodes[first.object][first.node][None]
    rows = [state.row for state in states if state.row is not None]
    return posed.palettes[first.object][first.node][rows].astype(np.float64)


def _apart(one: Posed, other: Posed, state: State) -> float:
    """Return how far apart two snapshots are in a state that is a number, as a share of what is allowed."""
    if state.kind == "sprite":
        return 0.0 if one.sprites[state.object] == other.sprites[state.object] else FARTHEST
    assert state.node is not None
    change = np.abs(one.morphs[state.object][state.node] - other.morphs[state.object][state.node])
    return float(change.max(initial=0.0)) / WEIGHT_WITHIN


def _hierarchy(one: Object, node: int) -> list[int]:
    """Return the rows of a node's palette in the order of the bones, parents first."""
    number, skeleton = one.model.nodes[node].skin, one.model.node_rig().skeleton
    assert number is not None
    bones = [skeleton.bone_of_node(joint) for joint in one.model.skins[number].joints]
    return sorted(range(len(bones)), key=bones.__getitem__)


def _shell(clouds: Sequence[AnyArray]) -> tuple[Float64, float]:
    """Return the middle of some points, (3,), and how far from it they reach."""
    points = np.concatenate([np.empty((0, 3), np.float32), *clouds])
    if not len(points):
        return np.zeros(3), 0.0
    middle = (points.min(axis=0).astype(np.float64) + points.max(axis=0)) / 2.0
    return middle, float(length(points - middle).max())


def _joint_shells(one: Object, node: int, parts: Sequence[Part]) -> tuple[Float64, Float64]:
    """Return where joints lie in the mesh they bind, (J, 3), and how far from there their farthest vertex, (J,)."""
    number = one.model.nodes[node].skin
    assert number is not None
    around = np.concatenate([np.empty((0, 3), np.float32), *(part.primitive.positions for part in parts)])
    centers = bind_centers(one.model.skins[number].inverse_bind, around)
    reaches = np.zeros(len(centers))
    for part in parts:
        joints, weights = part.primitive.joints, part.primitive.weights
        assert joints is not None
        assert weights is not None
        away = length(part.primitive.positions[:, None, :] - centers[joints])
        np.maximum.at(reaches, joints[weights > 0.0], away[weights > 0.0])
    return centers, reaches
