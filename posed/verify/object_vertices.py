"""An object's posed vertices as the snapshot has them, in the object's space and the file's own order."""

from __future__ import annotations

from collections.abc import Iterator

from posed.fitting import fit
from posed.gltf.mesh import Primitive
from posed.matrices import multiply
from posed.scene.description import Object, Scene
from posed.skinning import PosedVertices, posed_vertices
from posed.snapshot import Posed
from posed.verify.skinned import skinned_by
from posed.verify.vertices import PartVertices, Place, Vertices

ORIGIN = "posed on the CPU"


def object_vertices(one: Object, pose: Posed) -> dict[Place, PosedVertices]:
    """Return the posed vertices of every primitive and instance of an object; `pose` fits its scene."""
    return {place: at(pose, one, place, primitive) for place, primitive in places(one)}


def places(one: Object) -> Iterator[tuple[Place, Primitive]]:
    """Yield every primitive of an object, once for each instance."""
    for index in one.model.mesh_nodes:
        node = one.model.nodes[index]
        assert node.mesh is not None
        for primitive in one.model.meshes[node.mesh].primitives:
            follows = node.skin is not None and primitive.joints is not None
            copies = 1 if follows or node.instances is None else len(node.instances)
            for instance in range(copies):
                yield Place(one.name, index, primitive.index, instance), primitive


def at(pose: Posed, one: Object, place: Place, primitive: Primitive) -> PosedVertices:
    """Return the posed vertices of a primitive at its place, in the object's space."""
    node = one.model.nodes[place.node]
    weights = pose.morphs.get(one.name, {}).get(place.node, ())
    name = f'object "{one.name}", node {place.node}, primitive {place.primitive}'
    if node.skin is not None and primitive.joints is not None:
        palette = pose.palettes[one.name][place.node]
        return posed_vertices(primitive, palette=palette, morph_weights=weights, part=name)
    matrix = pose.nodes[one.name][place.node]
    if node.instances is not None:
        matrix = multiply(matrix, node.instances[place.instance])
    return posed_vertices(primitive, matrix=matrix, morph_weights=weights, part=name)


def expected_vertices(scene: Scene, pose: Posed) -> Vertices:
    """Return the posed vertices of every part of a scene, as the truth has them: in the files' own order.

    Raises
    ------
    PoseError
        The snapshot does not fit the scene, or a vertex is posed to where no number is.
    """
    pose = fit(scene, pose)
    parts = {}
    for one in scene.objects:
        for place, primitive in places(one):
            found = at(pose, one, place, primitive)
            palette = pose.palettes.get(one.name, {}).get(place.node)
            skinned = None
            if palette is not None and primitive.joints is not None:
                skinned = skinned_by(one, place.node, primitive, palette)
            parts[place] = PartVertices(found.positions, found.normals, found.tangents, skinned)
    return Vertices(parts, pose.tick, ORIGIN)


def drawn_vertices(scene: Scene, pose: Posed) -> Vertices:
    """Return the posed vertices of every skinned part as it is drawn: split where a normal map's tangents need it.

    Raises
    ------
    PoseError
        As `expected_vertices`.
    """
    pose = fit(scene, pose)
    parts = {}
    for part in scene.parts:
        if part.skinned:
            place = Place(part.object.name, part.node, part.primitive.index)
            found = at(pose, part.object, place, part.primitive)
            palette = pose.palettes[part.object.name][part.node]
            skinned = skinned_by(part.object, part.node, part.primitive, palette)
            parts[place] = PartVertices(found.positions, found.normals, found.tangents, skinned)
    return Vertices(parts, pose.tick, ORIGIN)
