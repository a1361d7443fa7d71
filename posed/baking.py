"""Baking: a posed model as static meshes in world space, vertex for vertex as the file has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

import anim
from posed.arrays import AnyArray, Float32, Float64, UInt32
from posed.errors import PoseError
from posed.gltf.model import Model
from posed.matrices import multiply
from posed.model_pose import ModelPose, model_pose, rest_pose
from posed.properties import hidden_nodes
from posed.skinning import PosedVertices, posed_vertices
from posed.snapshot import Posed

if TYPE_CHECKING:
    import trimesh


@dataclass(frozen=True, eq=False)
class BakedMesh:
    """One primitive of one node, posed.

    Attributes
    ----------
    node, primitive
        Index of the node, and of the primitive in its mesh.
    instance
        0, or the index among the node's instances.
    positions : (V, 3) float32 or float64
        Metres in world space, in the file's order and number, whatever the triangles use.
    normals : (V, 3)
        Unit length, or None where the file has none: flat normals cannot live on shared vertices.
    tangents : (V, 4)
        Unit length with the handedness in w, or None where the file has none.
    uvs
        One (V, 2) float32 for each set of texture coordinates.
    triangles : (F, 3) uint32
        Counter-clockwise seen from the front: where mirroring turned a triangle over, its second and third corner are
        swapped. None for points and lines, which have no triangles.
    colors : (V, 4) float32
        Linear, or None where the file has none.
    material
        Index into the model's materials, or None for the default one.
    """

    node: int
    primitive: int
    instance: int
    positions: AnyArray
    normals: AnyArray | None
    tangents: AnyArray | None
    uvs: tuple[Float32, ...]
    triangles: UInt32
    colors: Float32 | None = None
    material: int | None = None

    def to_trimesh(self) -> trimesh.Trimesh:
        """Return the mesh for trimesh, which is told to leave vertices and their order alone."""
        import trimesh

        visual = None
        if self.uvs:
            visual = trimesh.visual.TextureVisuals(uv=np.array(self.uvs[0]) * (1.0, -1.0) + (0.0, 1.0))
        return trimesh.Trimesh(
            np.array(self.positions),
            np.array(self.triangles),
            vertex_normals=None if self.normals is None else np.array(self.normals),
            visual=visual,
            process=False,
        )


def bake(
    model: Model,
    *,
    clip: str | int | None = None,
    time: float = 0.0,
    posed: Posed | None = None,
    dtype: DTypeLike = np.float32,
) -> list[BakedMesh]:
    """Return every primitive of every visible node of the model's scene, by node, primitive and instance.

    Parameters
    ----------
    clip
        Name or index; None is the rest pose.
    time
        Seconds from the clip's start; the ends hold outside the keys.
    posed
        A snapshot to take the pose from, in place of clip and time: of the object called after the model, or of its
        only object, whose matrix then applies too. What it leaves out is at rest.
    dtype
        float32, or float64 to pose in double precision throughout.

    Raises
    ------
    AssetError
        The model has no such clip, or several of the name.
    PoseError
        The time is not finite, the snapshot does not fit the model, or a vertex is posed to where no number is.
    """
    precision = np.dtype(dtype)
    palettes: Mapping[int, AnyArray]
    if precision not in (np.float32, np.float64):
        raise PoseError(f"dtype is {precision}: a bake is of float32 or float64")
    if posed is None:
        pose, matrix = _clip_pose(model, clip, time), None
        palettes = _palettes(model, pose) if precision == np.float64 else pose.palettes
    elif clip is not None:
        raise PoseError("a bake takes a clip or a snapshot, not both: leave one out")
    else:
        pose, matrix = _snapshot_pose(model, posed)
        palettes = pose.palettes
    return list(_baked(model, pose, palettes, matrix, precision))


def _clip_pose(model: Model, clip: str | int | None, time: float) -> ModelPose:
    index = model.clip(clip)
    if not math.isfinite(time):
        raise PoseError(f"{model.path}: the time is {time}: expected a finite number of seconds")
    return rest_pose(model) if index is None else model_pose(model, anim.sample(model.node_rig(), index, float(time)))


def _snapshot_pose(model: Model, posed: Posed) -> tuple[ModelPose, Float64 | None]:
    """Return the pose and the matrix that a snapshot has for the model, what it leaves out being at rest."""
    fields = (posed.models, posed.nodes, posed.palettes, posed.morphs)
    names = sorted({name for field in fields for name in field})
    if len(names) > 1 and model.name not in names:
        raise PoseError(f'the snapshot has no object "{model.name}" (it has {", ".join(names)}): rename the object')
    if posed.space != "scene":
        raise PoseError(f"the palettes are in {posed.space} space: fit the snapshot to its scene first")
    name = model.name if model.name in names or not names else names[0]
    rest = rest_pose(model)
    pose = ModelPose(
        nodes=_filled(name, "nodes", posed.nodes.get(name, {}), rest.nodes),
        palettes=_filled(name, "palettes", posed.palettes.get(name, {}), rest.palettes),
        morphs=_filled(name, "morphs", posed.morphs.get(name, {}), rest.morphs),
        globals=rest.globals,
        properties=_filled(name, "properties", posed.properties.get(name, {}), rest.properties),
    )
    return pose, posed.models.get(name)


def _filled(name: str, field: str, given: Mapping[Any, Any], rest: Mapping[Any, Any]) -> dict[Any, Any]:
    for node, value in given.items():
        if node not in rest or value.shape != rest[node].shape:
            expected = rest[node].shape if node in rest else "none"
            raise PoseError(f'{field}: object "{name}", node {node}: expected {expected}, found {value.shape}')
    return {**rest, **given}


def _baked(
    model: Model, pose: ModelPose, palettes: Mapping[int, AnyArray], matrix: Float64 | None, dtype: np.dtype[Any]
) -> Iterator[BakedMesh]:
    hidden = hidden_nodes(model, pose.properties)
    for index in model.mesh_nodes:
        if index in hidden:
            continue
        node = model.nodes[index]
        assert node.mesh is not None
        for primitive in model.meshes[node.mesh].primitives:
            part = f"{model.path}: node {index}, primitive {primitive.index}"
            skinned = node.skin is not None and primitive.joints is not None
            base = posed_vertices(
                primitive,
                palette=palettes[index] if skinned else None,
                morph_weights=pose.morphs.get(index, ()),
                part=part,
                dtype=dtype,
            )
            places = [matrix] if skinned else _places(model, pose, index, matrix)
            for instance, place in enumerate(places):
                vertices = base if place is None else posed_vertices(primitive, base=base, matrix=place, part=part)
                yield BakedMesh(
                    node=index,
                    primitive=primitive.index,
                    instance=instance,
                    positions=vertices.positions,
                    normals=vertices.normals,
                    tangents=vertices.tangents,
                    uvs=primitive.uvs,
                    triangles=_facing_front(primitive.triangles, vertices),
                    colors=primitive.colors,
                    material=primitive.material,
                )


def _palettes(model: Model, pose: ModelPose) -> dict[int, AnyArray]:
    """Return the palettes of a pose in float64, from its globals."""
    node_to_bone = model.node_rig().skeleton.node_to_bone
    palettes: dict[int, AnyArray] = {}
    for node in pose.palettes:
        index = model.nodes[node].skin
        assert index is not None
        skin = model.skins[index]
        palettes[node] = np.empty((len(skin.joints), 4, 4))
        anim.joint_palette(pose.globals, node_to_bone[list(skin.joints)], skin.inverse_bind, out=palettes[node])
    return palettes


def _places(model: Model, pose: ModelPose, node: int, matrix: Float64 | None) -> list[Float64]:
    """Return the matrices that a placed node shows its mesh under, one an instance."""
    place = pose.nodes[node] if matrix is None else multiply(matrix, pose.nodes[node])
    instances = model.nodes[node].instances
    return [place] if instances is None else [multiply(place, instance) for instance in instances]


def _facing_front(triangles: UInt32, vertices: PosedVertices) -> UInt32:
    turned = vertices.facing < 0
    if not turned.any():
        return triangles
    swapped = triangles.copy()
    swapped[turned, 1], swapped[turned, 2] = triangles[turned, 2], triangles[turned, 1]
    return swapped
