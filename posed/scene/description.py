"""The scene as a value: objects with their models, what they play, lights, environment and camera."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from weakref import WeakValueDictionary

import anim
from posed.arrays import Float64
from posed.camera import Camera
from posed.digest import NO_DIGEST, digest
from posed.gltf.image import Image
from posed.gltf.material import Material, Texture, Wrap
from posed.gltf.mesh import Primitive
from posed.gltf.model import Model
from posed.gltf.tangents import with_tangents
from posed.scene.ids import IdTable, JointId, PartId
from posed.scene.lights import Environment, Light
from posed.showing import ShowsItself
from posed.words import counted


@dataclass(frozen=True, eq=False)
class Animation:
    """What an object plays from tick 0: clips of its mesh by weight, or one clip of a sprite.

    `clip` is a name, an index or None; `blend` lists (clip, weight) in place of it. `speed` and `start` (seconds) are
    exact. `rig` is the mesh's rig with this object's marks on its clips; a sprite has its `sprite` sheet and the
    `image` of its atlas instead.
    """

    clip: str | int | None = None
    blend: tuple[tuple[str | int, float], ...] = ()
    speed: Fraction = Fraction(1)
    playback: str = "loop"
    start: Fraction = Fraction(0)
    root_motion: bool = False
    events: tuple[tuple[str, str, Fraction], ...] = ()
    rig: anim.Rig | None = field(default=None, metadata=NO_DIGEST)
    sprite: anim.SpriteSheet | None = None
    image: Image | None = None

    def still_frame(self) -> int:
        """Return the frame of its atlas that a sprite shows before it plays; 0 for what is no sprite."""
        if self.sprite is None:
            return 0
        if self.clip is None:
            return self.sprite.still_frame
        return self.sprite.clips[self.sprite.clip_index(self.clip)].frames[0]


@dataclass(frozen=True, eq=False)
class Motion:
    """A keyed path of a whole object: a rig of one bone, at rest where the object stands, and its one clip."""

    rig: anim.Rig = field(metadata=NO_DIGEST)
    clip: anim.Clip
    playback: str = "loop"


@dataclass(frozen=True, eq=False)
class Object:
    """A placed model.

    `matrix` is its transform at rest, (4, 4) float64, in the world or, with `attach`, in the space of a joint named by
    object and node. `material` stands in place of all of the model's own; `content` is the picture that its content
    material shows. `face_camera` turns it to the camera, frame by frame.
    """

    name: str
    model: Model
    matrix: Float64
    material: Material | None = None
    animation: Animation | None = None
    motion: Motion | None = None
    attach: tuple[str, int] | None = None
    content: Image | None = None
    visible: bool = True
    face_camera: bool = False

    def shown(self, index: int | None) -> Material:
        """Return the material that a primitive with material `index` shows, an object's picture in its place."""
        material = self.material or self.model.material_of(index)
        picture = self.content
        if picture is None and self.animation is not None:
            picture = self.animation.image
        if not material.content or picture is None:
            return material
        return material.showing(Texture(picture, wrap_s=Wrap.CLAMP, wrap_t=Wrap.CLAMP))


@dataclass(frozen=True, eq=False)
class Part:
    """One primitive as the scene shows it: `id`, `object_id` and `material_id` are the numbers of the id layers.

    `primitive` is the model's own, or that with tangents, and vertices split for them, where a normal map needs them.
    """

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

    @property
    def instances(self) -> Float64 | None:
        """The matrices, (N, 4, 4) in the node's space, that a placed part is repeated under; None for one copy there.

        They share the part's ids and its triangles' numbers.
        """
        return None if self.skinned else self.object.model.nodes[self.node].instances

    @property
    def copies(self) -> int:
        """How often the part is shown: 1, or once an instance."""
        return 1 if self.instances is None else len(self.instances)


@dataclass(frozen=True, eq=False)
class Scene(ShowsItself):
    """A scene file, checked against its assets.

    `rate` is in ticks a second. `camera` is the one at rest; where it follows a node of an object, `camera_node` names
    the two. `digest` identifies all of the content. `notes` are sentences for the user.
    """

    path: Path = field(metadata=NO_DIGEST)
    rate: Fraction
    camera: Camera
    environment: Environment
    lights: tuple[Light, ...]
    objects: tuple[Object, ...]
    camera_node: tuple[str, int] | None = None
    notes: tuple[str, ...] = field(default=(), metadata=NO_DIGEST)

    @cached_property
    def digest(self) -> str:
        """The scene's identity, 32 hex digits: its content and that of every file it names, wherever they lie."""
        own = digest({one.name: getattr(self, one.name) for one in fields(self) if one.metadata.get("digest", True)})
        _known[own] = self
        return own

    def __repr__(self) -> str:
        clips = sum(len(one.model.clips) for one in self.objects)
        what = f"{counted(len(self.objects), 'object')}, {counted(clips, 'clip')}"
        return f"Scene {self.path.name}: {what}, {self.rate} ticks a second"

    @cached_property
    def animations(self) -> dict[str, Animation]:
        """What each object plays from tick 0, by the object's name."""
        return {one.name: one.animation for one in self.objects if one.animation is not None}

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
        shown: dict[tuple[int, int | None], Material] = {}
        numbers: dict[int, int] = {}
        parts: list[Part] = []
        for object_id, one in enumerate(self.objects, 1):
            for node in one.model.mesh_nodes:
                mesh = one.model.nodes[node].mesh
                assert mesh is not None
                for own in one.model.meshes[mesh].primitives:
                    material = shown.setdefault((object_id, own.material), one.shown(own.material))
                    material_id = numbers.setdefault(id(material), len(numbers) + 1)
                    bumps = material.bumps
                    primitive = own if bumps is None else with_tangents(own, bumps.uv)
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


_known: WeakValueDictionary[str, Scene] = WeakValueDictionary()


def scene_known(digest: str) -> Scene | None:
    """Return a scene in use that has this digest, None where there is none: a snapshot names its scene by it alone."""
    return _known.get(digest)
