"""Evidence in a snapshot: the joints, nodes, objects, morph weights and sprites that an engine dumped otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.fitting import fit
from posed.scene.description import Object, Part, Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.displacement import bind_centers, displacements, length
from posed.verify.posing import RIGHT

WITHIN = 1e-5
"""Share of an object's diagonal by which a vertex may be displaced: what float32 loses along a chain of joints."""

WEIGHT_WITHIN = 1e-5
"""Difference of morph weights that is none."""

FARTHEST = 1.0 / WITHIN
"""Of what is allowed, how far off anything counts at most: a diagonal."""


@dataclass(frozen=True)
class State:
    """One thing that a snapshot says: of which kind (joint, node, object, morph, sprite), of which object, and where.

    `node` is a node of the file, None where the whole object is meant; `row` counts a palette's rows, else None.
    """

    kind: str
    object: str
    node: int | None = None
    row: int | None = None


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
        Everything that the truth says, objects and nodes as in the scene, joints in the order of the hierarchy.
    wrong
        (N,) bool: which of them the live side says otherwise.

    Raises
    ------
    PoseError
        The live snapshot does not fit the scene.
    """

    def __init__(self, scene: Scene, truth: Posed, live: Posed) -> None:
        self._live = fit(scene, live)
        self._scales = [_Scale(scene, one, truth) for one in scene.objects]
        self.states = tuple(state for scale in self._scales for state in scale.states)
        self.wrong = self._off(truth) > 1.0
        self.differing = int(self.wrong.sum())
        wrong = [state for state, is_wrong in zip(self.states, self.wrong.tolist(), strict=True) if is_wrong]
        self.noun = "joints" if all(state.kind == "joint" for state in wrong) else "joints and states"
        names = [state.object for state in wrong]
        self.suspects = tuple(sorted(dict.fromkeys(names), key=lambda name: -names.count(name)))

    def look(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits everything that is said."""
        off = self._off(hypothesis.posed)
        fits, gap = off <= 1.0, float(np.minimum(off[self.wrong], FARTHEST).sum())
        explained, broken = int((fits & self.wrong).sum()), int((~fits & ~self.wrong).sum())
        return Match(explained, broken, self.differing, gap / max(self.differing, 1))

    def judge(self, hypothesis: Hypothesis) -> None:
        """Return None: the first look is at everything."""
        del hypothesis

    def _off(self, posed: Posed) -> Float64:
        """Return how far each state of the live side is from that of a snapshot, as a share of what is allowed."""
        return np.concatenate([np.empty(0), *(scale.off(posed, self._live) for scale in self._scales)])


class _Scale:
    """What an object's matrices are measured with: where its joints and meshes lie, and how far their vertices."""

    def __init__(self, scene: Scene, one: Object, truth: Posed) -> None:
        self._name, model = one.name, one.model
        parts = [part for part in scene.parts if part.object is one]
        points = np.concatenate([np.empty((0, 3), np.float32), *(_in_object(part, truth) for part in parts)])
        self._middle, self._reach = _shell(points)
        self._scale = float(length(truth.models[one.name][:3, :3].T).max())
        self._within = WITHIN * 2.0 * (self._reach or 1.0) * self._scale
        self._joints: dict[int, tuple[AnyArray, Float64, Float64]] = {}
        for node in truth.palettes.get(one.name, {}):
            number = model.nodes[node].skin
            assert number is not None
            skin, skeleton = model.skins[number], model.node_rig().skeleton
            order = np.argsort([skeleton.bone_of_node(joint) for joint in skin.joints], kind="stable")
            bound = [part for part in parts if part.node == node and part.skinned]
            self._joints[node] = order, *_joint_shells(bound, skin.inverse_bind)
        self._nodes = {
            node: _shell(np.concatenate([part.primitive.positions for part in parts if part.node == node]))
            for node in truth.nodes.get(one.name, {})
        }
        self._morphs = tuple(truth.morphs.get(one.name, {}))
        self._is_sprite = one.name in truth.sprites
        self.states = tuple(self._states())

    def _states(self) -> Iterator[State]:
        yield State("object", self._name)
        for node in self._nodes:
            yield State("node", self._name, node)
        for node, (order, _, _) in self._joints.items():
            for row in order.tolist():
                yield State("joint", self._name, node, row)
        for node in self._morphs:
            yield State("morph", self._name, node)
        if self._is_sprite:
            yield State("sprite", self._name)

    def off(self, one: Posed, other: Posed) -> Float64:
        """Return how far two whole snapshots are apart in each of `states`, as a share of what is allowed."""
        name = self._name
        pair = one.models[name][None], other.models[name][None]
        found = [displacements(*pair, self._middle[None], np.array([self._reach])) / self._within]
        for node, (middle, reach) in self._nodes.items():
            pair = one.nodes[name][node][None], other.nodes[name][node][None]
            found.append(displacements(*pair, middle[None], np.array([reach])) * self._scale / self._within)
        for node, (order, centers, reaches) in self._joints.items():
            own, others = one.palettes[name][node][order], other.palettes[name][node][order]
            found.append(displacements(own, others, centers[order], reaches[order]) * self._scale / self._within)
        for node in self._morphs:
            change = np.abs(one.morphs[name][node] - other.morphs[name][node])
            found.append(np.array([change.max(initial=0.0) / WEIGHT_WITHIN]))
        if self._is_sprite:
            found.append(np.array([0.0 if one.sprites[name] == other.sprites[name] else FARTHEST]))
        return np.concatenate(found)


def _in_object(part: Part, posed: Posed) -> AnyArray:
    local = RIGHT.local(part, posed)
    if part.skinned:
        return local.positions
    return RIGHT.placed(part, local, posed.nodes[part.object.name][part.node]).positions


def _shell(points: AnyArray) -> tuple[Float64, float]:
    """Return the middle of some points, (3,), and how far from it they reach."""
    if not len(points):
        return np.zeros(3), 0.0
    low, high = points.min(axis=0).astype(np.float64), points.max(axis=0).astype(np.float64)
    middle = (low + high) / 2.0
    return middle, float(length(points - middle).max())


def _joint_shells(parts: list[Part], inverse_bind: AnyArray) -> tuple[Float64, Float64]:
    """Return where joints lie in the mesh they bind, (J, 3), and how far from there their farthest vertex, (J,)."""
    around = np.concatenate([np.empty((0, 3), np.float32), *(part.primitive.positions for part in parts)])
    centers = bind_centers(inverse_bind, around)
    reaches = np.zeros(len(centers))
    for part in parts:
        joints, weights = part.primitive.joints, part.primitive.weights
        assert joints is not None
        assert weights is not None
        away = length(part.primitive.positions[:, None, :] - centers[joints])
        np.maximum.at(reaches, joints[weights > 0.0], away[weights > 0.0])
    return centers, reaches
