"""The vertices of a story: where they were bound, what moves them and by how much, where they are."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray
from posed.scene.description import Part
from posed.snapshot import Posed
from posed.verify.explaining.explanation import Influence, Morph, Surface, Vector, Vertex
from posed.verify.posing import RIGHT, places


def instance_at(part: Part, posed: Posed, corners: AnyArray, shares: Vector, position: Vector) -> int:
    """Return which copy of a part is seen at a place in the world, metres.

    It is the one whose triangle of the vertices `corners`, (3,), has the point with the barycentric `shares` nearest.
    """
    if part.copies == 1:
        return 0
    local, gaps = RIGHT.local(part, posed), []
    for place in places(part, posed):
        a, b, c = RIGHT.placed(part, local, place).positions[corners].astype(np.float64)
        gaps.append(float(np.abs(a * shares[0] + b * shares[1] + c * shares[2] - position).max()))
    return int(np.argmin(gaps))


def vertices_of(part: Part, posed: Posed, corners: AnyArray, surface: Surface) -> tuple[Vertex, ...]:
    """Return the story of the vertices `corners`, (3,), of a part."""
    primitive = part.primitive
    place = places(part, posed)[surface.instance]
    positions = RIGHT.placed(part, RIGHT.local(part, posed), place).positions
    return tuple(
        Vertex(
            index=corner if primitive.sources is None else int(primitive.sources[corner]),
            share=share,
            bind=_vector(primitive.positions[corner]),
            position=_vector(positions[corner]),
            influences=influences_of(part, corner),
            morphs=_morphs(part, posed, corner),
        )
        for corner, share in zip(corners.tolist(), surface.barycentric, strict=True)
    )


def influences_of(part: Part, vertex: int) -> tuple[Influence, ...]:
    """Return what pulls a vertex, the strongest first; nothing where no palette moves the part."""
    primitive = part.primitive
    if not part.skinned or primitive.joints is None or primitive.weights is None or part.skin is None:
        return ()
    model = part.object.model
    nodes = model.skins[part.skin].joints
    found = [
        Influence(joint, model.nodes[nodes[joint]].name, weight)
        for joint, weight in zip(primitive.joints[vertex].tolist(), primitive.weights[vertex].tolist(), strict=True)
        if weight != 0.0
    ]
    return tuple(sorted(found, key=lambda one: -one.weight))


def joint_shares(part: Part, corners: AnyArray, shares: Vector) -> dict[int, float]:
    """Return how much of a point each joint pulls, by row of the palette, the strongest first.

    The point has the barycentric `shares` in the triangle of the vertices `corners`, (3,).
    """
    pulled: dict[int, float] = {}
    for corner, share in zip(corners.tolist(), shares, strict=True):
        for one in influences_of(part, corner):
            pulled[one.joint] = pulled.get(one.joint, 0.0) + share * one.weight
    return dict(sorted(pulled.items(), key=lambda item: -item[1]))


def _morphs(part: Part, posed: Posed, vertex: int) -> tuple[Morph, ...]:
    """Return the targets that count at a vertex: of some weight, and with a delta there."""
    model, node = part.object.model, part.object.model.nodes[part.node]
    assert node.mesh is not None
    names = model.meshes[node.mesh].target_names
    weights = posed.morphs.get(part.object.name, {}).get(part.node, ())
    found = []
    for number, (target, weight) in enumerate(zip(part.primitive.targets, weights, strict=False)):
        delta = () if target.positions is None else _vector(target.positions[vertex])
        if weight != 0.0 and any(delta):
            found.append(Morph(number, names[number] if number < len(names) else "", float(weight), delta))
    return tuple(found)


def _vector(row: AnyArray) -> Vector:
    return tuple(row.astype(np.float64).tolist())
