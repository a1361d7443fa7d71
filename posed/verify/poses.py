"""The layer `pose`: two snapshots of one tick, joint by joint, before any vertex or pixel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray
from posed.errors import PosedError
from posed.fitting import fit
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.verify.displacement import bind_centers, displacements, length, step_at
from posed.verify.object_vertices import object_vertices
from posed.verify.policy import PoseLimit
from posed.verify.pose_states import differing_states, not_stated
from posed.verify.results import Deviation, LayerResult, Measure

MOST_LISTED = 64
"""Deviations that a result lists, the worst."""

MM = 1000.0


@dataclass(frozen=True)
class Extent:
    """How large an object is: `middle` (3,) and `reach` from there to its farthest vertex, in its own space; `scale`
    from there to the world; `limit`, how far its vertices may be displaced, metres in the world.
    """

    middle: AnyArray
    reach: float
    scale: float
    limit: float


def compare_poses(reference: Posed, live: Posed, *, limit: PoseLimit, scene: Scene | None = None) -> LayerResult:
    """Return what differs between two snapshots.

    Parameters
    ----------
    reference, live
        The snapshots. With a scene, what they leave out is at rest; without one, what only one of them states is left
        out of the comparison.
    limit
        What is allowed.
    scene
        Of which they were taken: it knows which vertices a joint binds and how large the objects are.

    Raises
    ------
    PosedError
        They are of two ticks, rates or scenes, or of two spaces that only the scene could bring together.
    PoseError
        A snapshot does not fit the scene.
    """
    _of_one_moment(reference, live)
    if reference.digest == live.digest:
        return LayerResult("pose", (Measure("off", 0, 0, "joints and states"),), note="the digests are equal")
    notes = []
    if scene is not None:
        reference, live = fit(scene, reference), fit(scene, live)
    else:
        if reference.space != live.space:
            raise PosedError(
                f"the palettes are in {live.space} space and their reference's in {reference.space} space: "
                "give the scene, it brings them together"
            )
        notes.append("without the scene, as joints would displace a vertex as far from the origin as the joints lie")
    checked = list(_measured(reference, live, limit, scene))
    states = list(differing_states(reference, live))
    off = sorted((one for one in checked if not one.value <= one.limit), key=lambda one: -one.value)
    unstated = not_stated(reference, live)
    if unstated:
        notes.append(f"the live snapshot does not state {unstated}")
    worst = max(checked, key=lambda one: (one.value > one.limit, one.value), default=None)
    measures = [Measure("off", len(off) + len(states), 0, "joints and states")]
    if worst is not None:
        where = f"{worst.what} {worst.where}" if worst.value else ""
        measures.append(Measure("largest displacement", worst.value, worst.limit, "mm", where))
    return LayerResult("pose", tuple(measures), deviations=tuple([*states, *off][:MOST_LISTED]), note="; ".join(notes))


def _of_one_moment(reference: Posed, live: Posed) -> None:
    for name, one, other in (
        ("tick", reference.tick, live.tick),
        ("rate", reference.rate, live.rate),
        ("alpha", reference.alpha, live.alpha),
        ("scene", reference.scene, live.scene),
    ):
        if one != other and not (name == "scene" and "" in (one, other)):
            on = ", or let posed diagnose say which tick it shows" if name == "tick" else ""
            raise PosedError(
                f"the live snapshot is of {name} {other} and its reference of {name} {one}: pose both alike{on}"
            )


def _measured(reference: Posed, live: Posed, limit: PoseLimit, scene: Scene | None) -> Iterator[Deviation]:
    """Yield how far each joint, node, object and morph target displaces a vertex, millimetres in the world."""
    for name in dict.fromkeys([*reference.models, *reference.palettes, *reference.nodes, *reference.morphs]):
        one = None if scene is None else scene.object(name)
        extent = _extent(reference, name, limit, one)
        if name in reference.models and name in live.models:
            pair = reference.models[name][None], live.models[name][None]
            (moved,) = displacements(*pair, extent.middle[None], np.array([extent.reach]))
            yield Deviation("object", name, float(moved) * MM, extent.limit * MM, "mm", object=name)
        yield from _joints(reference, live, name, extent, one)
        yield from _nodes(reference, live, name, extent, one)
        yield from _morphs(reference, live, name, extent, one)


def _extent(reference: Posed, name: str, limit: PoseLimit, one: Object | None) -> Extent:
    """Return the extent of an object as the reference poses it; of an unknown one, as far as its matrices move."""
    matrix = reference.models.get(name, np.eye(4))
    scale = float(length(matrix[:3, :3].T).max())
    palettes = list(reference.palettes.get(name, {}).values())
    far = float(np.abs(matrix[:3, 3]).max())
    if one is not None:
        points = np.concatenate(
            [np.zeros((0, 3)), *(part.positions for part in object_vertices(one, reference).values())]
        )
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
        middle, reach = (low + high) / 2.0, float(length(high - low)) / 2.0
        diagonal = 2.0 * reach * scale
    else:
        places = [np.abs(palette[:, :3, 3]).max(initial=0.0) for palette in palettes]
        places += [np.abs(node[:3, 3]).max() for node in reference.nodes.get(name, {}).values()]
        middle, reach = np.zeros(3), float(max(places, default=0.0)) or 1.0
        diagonal = reach * scale
    largest = max([reach, *(float(np.abs(palette[:, :3, 3]).max(initial=0.0)) for palette in palettes)])
    rounding = limit.steps * step_at(max(largest * scale, far))
    return Extent(middle, reach, scale, max(limit.diagonal * diagonal, rounding))


def _joints(reference: Posed, live: Posed, name: str, extent: Extent, one: Object | None) -> Iterator[Deviation]:
    for node, palette in reference.palettes.get(name, {}).items():
        other = live.palettes.get(name, {}).get(node)
        if other is None:
            continue
        if other.shape != palette.shape:
            raise PosedError(
                f'palettes: object "{name}", node {node} has {len(other)} joints in the live snapshot, '
                f"expected {len(palette)}"
            )
        if one is None:
            names = [f"{name}, node {node}, joint {row}" for row in range(len(palette))]
            centers, reach = np.zeros((len(palette), 3)), np.full(len(palette), extent.reach)
        else:
            names, (centers, reach) = _joint_names(one, node), _shells(one, node)
        moved = displacements(palette, other, centers, reach) * extent.scale
        for joint, value in zip(names, moved.tolist(), strict=True):
            yield Deviation("joint", joint, value * MM, extent.limit * MM, "mm", object=name)


def _joint_names(one: Object, node: int) -> list[str]:
    skin = one.model.nodes[node].skin
    assert skin is not None
    return [f"{one.name}/{one.model.nodes[joint].name}" for joint in one.model.skins[skin].joints]


def _shells(one: Object, node: int) -> tuple[AnyArray, AnyArray]:
    """Return where each joint of a skinned node lies in the mesh, (J, 3), and how far its farthest bound vertex, (J,).

    A joint that binds no vertex has the radius 0.
    """
    mesh, skin = one.model.nodes[node].mesh, one.model.nodes[node].skin
    assert mesh is not None
    assert skin is not None
    bound = [primitive for primitive in one.model.meshes[mesh].primitives if primitive.joints is not None]
    around = np.concatenate([np.zeros((0, 3), np.float32), *(primitive.positions for primitive in bound)])
    centers = bind_centers(one.model.skins[skin].inverse_bind, around)
    reach = np.zeros(len(centers))
    for primitive in bound:
        assert primitive.joints is not None
        assert primitive.weights is not None
        counts = primitive.weights > 0.0
        away = length(primitive.positions[:, None, :] - centers[primitive.joints])
        np.maximum.at(reach, primitive.joints[counts], away[counts])
    return centers, reach


def _nodes(reference: Posed, live: Posed, name: str, extent: Extent, one: Object | None) -> Iterator[Deviation]:
    for node, matrix in reference.nodes.get(name, {}).items():
        other = live.nodes.get(name, {}).get(node)
        if other is None:
            continue
        middle, reach = np.zeros(3), extent.reach
        label = f"{name}, node {node}"
        if one is not None:
            mesh = one.model.nodes[node].mesh
            assert mesh is not None
            points = np.concatenate([part.positions for part in one.model.meshes[mesh].primitives])
            if len(points):
                middle = (points.min(axis=0).astype(np.float64) + points.max(axis=0)) / 2.0
                reach = float(length(points - middle).max())
            label = f"{name}/{one.model.nodes[node].name}"
        (moved,) = displacements(matrix[None], other[None], middle[None], np.array([reach])) * extent.scale
        yield Deviation("node", label, float(moved) * MM, extent.limit * MM, "mm", object=name)


def _morphs(reference: Posed, live: Posed, name: str, extent: Extent, one: Object | None) -> Iterator[Deviation]:
    for node, weights in reference.morphs.get(name, {}).items():
        other = live.morphs.get(name, {}).get(node)
        if other is None:
            continue
        if other.shape != weights.shape:
            raise PosedError(
                f'morphs: object "{name}", node {node} has {len(other)} weights in the live snapshot, '
                f"expected {len(weights)}"
            )
        for target, change in enumerate(np.abs(other - weights).tolist()):
            reach = extent.reach if one is None else _morph_reach(one, node, target)
            value = change * reach * extent.scale
            yield Deviation(
                "morph", f"{name}, node {node}, target {target}", value * MM, extent.limit * MM, "mm", object=name
            )


def _morph_reach(one: Object, node: int, target: int) -> float:
    """Return how far a target with weight 1 moves a vertex at most, in the mesh's space."""
    mesh = one.model.nodes[node].mesh
    assert mesh is not None
    deltas = [
        primitive.targets[target].positions
        for primitive in one.model.meshes[mesh].primitives
        if target < len(primitive.targets)
    ]
    return max((float(length(delta).max(initial=0.0)) for delta in deltas if delta is not None), default=0.0)
