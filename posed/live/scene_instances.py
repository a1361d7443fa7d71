"""A scene as instances: its primitives uploaded once, and each snapshot as places, poses and materials."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.live.instances import Instance, Instances, Rectangle
from posed.live.materials import Surface, Surfaces
from posed.live.mesh_data import MeshData, SkinData
from posed.live.meshes import Mesh, Meshes
from posed.live.poses import InstancePose
from posed.live.skin_store import SkinStore
from posed.properties import shown_materials, shown_parts
from posed.scene.description import Part, Scene
from posed.snapshot import Posed


class SceneInstances:
    """What one scene has on the device; it refers to the scene's parts, not to the scene, and goes with it.

    Primitives that several parts show are uploaded once; one that a palette poses here and a node there, twice. A part
    that repeats has an instance a copy.

    Raises
    ------
    PosedError
        A part, or a material's textures, alone pass what a binding holds.
    """

    def __init__(self, scene: Scene, meshes: Meshes, surfaces: Surfaces, skins: SkinStore) -> None:
        self.instances = Instances(meshes, skins)
        self._shown: dict[int, tuple[Instance, ...]] = {}
        self._surfaces: dict[int, Surface] = {}
        self._moves = any(one.model.properties for one in scene.objects)
        joints, uploaded = scene.ids.first_joints(), dict[tuple[int, bool], Mesh]()
        for part in scene.parts:
            if not len(part.primitive.triangles):
                continue
            key = id(part.primitive), part.skinned
            if key not in uploaded:
                skin = SkinData.of(part.primitive) if part.skinned else None
                uploaded[key] = meshes.upload(MeshData.of(part.primitive), skin, _name(part))
            if part.material_id not in self._surfaces:
                self._surfaces[part.material_id] = surfaces.upload(part.material)
            first_joint = joints[part.object.name, part.node] if part.skinned else 0
            ids = part.object_id, part.id, first_joint
            self._shown[part.id] = tuple(
                self.instances.add(uploaded[key], self._surfaces[part.material_id], _name(part), ids)
                for _ in range(part.copies)
            )

    def pose(self, scene: Scene, posed: Posed, previous: Posed) -> Instances:
        """Return the instances as a snapshot has them, and the one before; both are whole (`posed.fit`)."""
        if self._moves:
            materials = shown_materials(scene, posed)
            changed = [surface.show(materials[number - 1]) for number, surface in self._surfaces.items()]
            if any(changed):
                self.instances.stale()
        visible = {part.id for part in shown_parts(scene, posed)}
        poses: list[InstancePose] = []
        for part in scene.parts:
            rectangle = _frame_of_atlas(part, posed)
            for copy, one in enumerate(self._shown.get(part.id, ())):
                one.visible = part.id in visible
                one.place(_place(part, copy, posed), _place(part, copy, previous))
                one.show(rectangle)
                now, before = _palette(part, posed), _palette(part, previous)
                poses.append(InstancePose(one, now, before, _morphs(part, posed), _morphs(part, previous)))
        self.instances.set_poses(poses)
        return self.instances

    def first_copies(self) -> dict[int, Instance]:
        """Return the first instance of each part that is drawn, by part id."""
        return {number: copies[0] for number, copies in self._shown.items() if copies and copies[0].visible}


def _name(part: Part) -> str:
    return f'object "{part.object.name}", node {part.node}, primitive {part.primitive.index}'


def _place(part: Part, copy: int, posed: Posed) -> Float64:
    """Return what takes posed vertices to the world, (4, 4)."""
    model = posed.models[part.object.name]
    if part.skinned:
        return model
    place = _product(model, posed.nodes[part.object.name][part.node])
    return place if part.instances is None else _product(place, part.instances[copy])


def _palette(part: Part, posed: Posed) -> AnyArray | None:
    return posed.palettes[part.object.name][part.node] if part.skinned else None


_NONE = np.zeros(0)


def _morphs(part: Part, posed: Posed) -> Float64:
    """Return the mesh's weights; this primitive may have fewer targets."""
    return posed.morphs.get(part.object.name, {}).get(part.node, _NONE)


def _frame_of_atlas(part: Part, posed: Posed) -> Rectangle | None:
    """Return u0, v0, u1, v1 of what a sprite's content material shows, None for any other part."""
    animation = part.object.animation
    if animation is None or animation.sprite is None or not part.material.content:
        return None
    u0, v0, u1, v1 = animation.sprite.atlas.uv(posed.sprites[part.object.name])
    return u0, v0, u1, v1


def _product(a: Float64, b: Float64) -> Float64:
    """Return a b of two affine (4, 4) float64, by sums in a fixed order."""
    c = np.eye(4)
    c[:3] = a[:3, 0:1] * b[0] + a[:3, 1:2] * b[1] + a[:3, 2:3] * b[2]
    c[:3, 3] += a[:3, 3]
    return c
