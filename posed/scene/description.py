"""The scene as a value: objects with their models, what they play, lights, environment and camera."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import anim
from posed.arrays import Float64
from posed.gltf.image import Image
from posed.gltf.material import Material
from posed.gltf.mesh import Primitive
from posed.gltf.model import Model
from posed.scene.camera import Camera
from posed.scene.ids import IdTable, JointId, PartId
from posed.scene.lights import Environment, Light


@dataclass(frozen=True, eq=False)
class Animation:
    """What an object plays from tick 0: skeletal clips with weights, or a sprite's clip.

    `clip` is a name, an index or None; `blend` lists (clip, weight) in place of it. `start` is in seconds; `speed` and
    `start` are exact. `events` are the marks this object adds to its clips. `sheet` and `atlas` belong to a sprite.
    """

    clip: str | int | None = None
    blend: tuple[tuple[str | int, float], ...] = ()
    speed: Fraction = Fraction(1)
    playback: str = "loop"
    start: Fraction = Fraction(0)
    events: tuple[tuple[str, anim.ClipEvent], ...] = ()
    root_motion: bool = False
    sheet: anim.SpriteSheet | None = None
    atlas: Image | None = None


@dataclass(frozen=True, eq=False)
class Object:
    """A placed model: `matrix` is its transform at rest, (4, 4) float64; `material` overrides all its materials."""

    name: str
    model: Model
    matrix: Float64
    material: Material | None = None
    animation: Animation | None = None
    visible: bool = True


@dataclass(frozen=True, eq=False)
class Part:
    """One primitive as the scene shows it: `id`, `object_id` and `material_id` are the numbers of the id layers."""

    id: int
    object_id: int
    object: Object
    node: int
    primitive: Primitive
    skin: int | None
    material: Material
    material_id: int

    @property
    def skinned(self) -> bool:
        """Whether a palette moves it; a primitive without joints is placed by its node, whatever skin that names."""
        return self.skin is not None and self.primitive.joints is not None


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene file, checked against its assets. `rate` is in ticks a second; `digest` identifies all of its content."""

    path: Path
    rate: Fraction
    camera: Camera
    environment: Environment
    lights: tuple[Light, ...]
    objects: tuple[Object, ...]
    digest: str = ""
    notes: tuple[str, ...] = field(default=())

    def object(self, name: str) -> Object:
        """Return the object called `name`.

        Raises
        ------
        KeyError
            There is none.
        """
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Object]:
        return {one.name: one for one in self.objects}

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every primitive of every object in id order: by object, node, primitive."""
        numbers: dict[int, int] = {}
        parts: list[Part] = []
        for object_id, one in enumerate(self.objects, 1):
            for node in one.model.mesh_nodes:
                mesh = one.model.nodes[node].mesh
                assert mesh is not None
                for primitive in one.model.meshes[mesh].primitives:
                    material = one.material or one.model.material_of(primitive.material)
                    material_id = numbers.setdefault(id(material), len(numbers) + 1)
                    skin = one.model.nodes[node].skin
                    parts.append(Part(len(parts) + 1, object_id, one, node, primitive, skin, material, material_id))
        return tuple(parts)

    @cached_property
    def materials(self) -> tuple[Material, ...]:
        """Every material that a part shows; entry i has the id i + 1."""
        return tuple({part.material_id: part.material for part in self.parts}.values())

    @cached_property
    def ids(self) -> IdTable:
        """The table from ids to names."""
        parts: list[PartId] = []
        joints: list[JointId] = []
        for part in self.parts:
            model = part.object.model
            mesh = model.nodes[part.node].mesh
            assert mesh is not None
            name = model.meshes[mesh].name
            parts.append(PartId(part.id, part.object.name, part.node, part.primitive.index, name))
        for one in self.objects:
            for node in one.model.mesh_nodes:
                skin = one.model.nodes[node].skin
                for row, joint in enumerate(one.model.skins[skin].joints if skin is not None else ()):
                    joints.append(JointId(len(joints) + 1, one.name, node, row, one.model.nodes[joint].name))
        return IdTable(
            tuple(one.name for one in self.objects),
            tuple(parts),
            tuple(material.name for material in self.materials),
            tuple(joints),
        )
