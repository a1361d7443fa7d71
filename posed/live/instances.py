"""Instances: where meshes stand, which palettes pose them, and how a frame sees all of them at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from posed.arrays import AnyArray, Float32, Float64
from posed.camera import Camera
from posed.errors import PosedError, PoseError
from posed.gltf.material import Material
from posed.live import layout
from posed.live.bounds import frame_origin, posed_box
from posed.live.draws import Draw, group_draws
from posed.live.materials import Surface
from posed.live.meshes import Mesh, Meshes
from posed.live.skin_store import Rows, SkinStore

Rectangle = tuple[float, float, float, float]


class Instance:
    """A mesh that stands somewhere; made by `Renderer.add`.

    `name` is what errors call it, `object_id` and `part_id` its numbers in the id layers, `first_joint` that of its
    palette's first joint in the joint layer.
    """

    def __init__(
        self, owner: Instances, slot: int, mesh: Mesh, surface: Surface, name: str, ids: tuple[int, int, int]
    ) -> None:
        self._owner, self.slot = owner, slot
        self.mesh, self.surface, self.name = mesh, surface, name
        self.object_id, self.part_id, self.first_joint = ids
        self._visible = True

    @property
    def visible(self) -> bool:
        """Whether it is drawn."""
        return self._visible

    @visible.setter
    def visible(self, value: bool) -> None:
        if value is not self._visible:
            self._visible = value
            self._owner.stale()

    def place(self, matrix: Float64, previous: Float64 | None = None) -> None:
        """Let `matrix`, (4, 4), take posed vertices to the world, `previous` those of the frame before.

        Without `previous` it has not moved.
        """
        self._owner.place(self.slot, matrix, matrix if previous is None else previous)

    def show(self, rectangle: Rectangle | None) -> None:
        """Let the color texture be an atlas of which the frame u0, v0, u1, v1 is seen; None for all of it."""
        self._owner.show(self.slot, rectangle)


class InstancePose(NamedTuple):
    """What poses an instance, from one `set_poses` to the next.

    `joints` is its palette, (J, 4, 4), bind pose -> the space that its matrix takes to the world; None for the bind
    pose. `previous` is the palette of the frame before, for motion; None where it is the same. `morph_weights` are one
    a target, none at all for zeros; `previous_morph_weights` likewise, None where they are the same.
    """

    instance: Instance
    joints: AnyArray | None = None
    previous: AnyArray | None = None
    morph_weights: Sequence[float] | AnyArray = ()
    previous_morph_weights: Sequence[float] | AnyArray | None = None


@dataclass(frozen=True, eq=False)
class Shown:
    """What a frame draws.

    `instances` (N,) and their `layout.INSTANCE` `records`, in the order of the `draws`; `origin` (3,) float64 is the
    world's point that the records' matrices are relative to, `farthest` the greatest depth in metres; `low` and `high`
    (N, 3) float64 are boxes around the instances in the world. `posing` numbers the poses, never two alike, `meshes`
    the changes of the meshes.
    """

    instances: tuple[Instance, ...]
    records: AnyArray
    draws: list[Draw]
    origin: Float64
    farthest: float
    low: Float64
    high: Float64
    posing: int
    meshes: int


_POSINGS = count()


class Instances:
    """The instances that are drawn together."""

    def __init__(self, meshes: Meshes, skins: SkinStore) -> None:
        self._meshes, self._skins = meshes, skins
        self._instances: list[Instance | None] = []
        self._records = np.zeros(0, layout.INSTANCE)
        self._worlds = np.zeros((0, 2, 4, 4))
        self._posed: dict[int, InstancePose] = {}
        self._palettes: Float32 = np.zeros((0, 4, 4), np.float32)
        self._palette_rows: dict[int, int] = {}
        self._on_device = Rows(skins.palettes), Rows(skins.morphs)
        self._order: list[int] | None = None
        self._draws: list[Draw] = []
        self._meshes_seen = -1
        self._posing = next(_POSINGS)
        self.changes = 0

    @property
    def names(self) -> tuple[str, ...]:
        """What errors call the instance of each slot, empty for free ones."""
        return tuple("" if one is None else one.name for one in self._instances)

    def add(self, mesh: Mesh, surface: Surface, name: str = "", ids: tuple[int, int, int] | None = None) -> Instance:
        """Return a new instance at the origin in its bind pose; unless given, name and ids are by its slot, from 1."""
        free = [slot for slot, one in enumerate(self._instances) if one is None][:1]
        slot = free[0] if free else len(self._instances)
        if not free:
            self._instances.append(None)
            if slot == len(self._records):
                more = max(2 * slot, 8)
                self._records = np.concatenate([self._records, np.zeros(more - slot, layout.INSTANCE)])
                self._worlds = np.concatenate([self._worlds, np.zeros((more - slot, 2, 4, 4))])
        name = name or f"instance {slot + 1}"
        instance = Instance(self, slot, mesh, surface, name, ids or (slot + 1, slot + 1, 1))
        self._instances[slot] = instance
        record = self._records[slot]
        record["object"], record["part"], record["first_joint"] = (
            instance.object_id,
            instance.part_id,
            instance.first_joint,
        )
        record["flags"] = 0
        self.place(slot, np.eye(4), np.eye(4))
        self.stale()
        return instance

    def remove(self, instance: Instance) -> None:
        """Draw `instance` no more."""
        self.check(instance)
        self._instances[instance.slot] = None
        self._posed.pop(instance.slot, None)
        self.stale()

    def check(self, instance: Instance) -> None:
        """Refuse an instance that is not one of these."""
        if not (instance.slot < len(self._instances) and self._instances[instance.slot] is instance):
            raise PosedError(f"{instance.name} was removed, or is another renderer's: add it again")

    def stale(self) -> None:
        """Note that other instances are drawn than before."""
        self._order = None
        self.changes += 1

    def place(self, slot: int, matrix: Float64, previous: Float64) -> None:
        """Let an instance stand at a matrix, in the frame before at another."""
        self._worlds[slot, 0], self._worlds[slot, 1] = matrix, previous
        self.changes += 1

    def show(self, slot: int, rectangle: Rectangle | None) -> None:
        """Let an instance show a frame of an atlas, or all of its texture."""
        record = self._records[slot]
        record["flags"] = (record["flags"] & ~np.uint32(layout.SPRITE)) | (0 if rectangle is None else layout.SPRITE)
        record["rectangle"] = rectangle or 0.0
        self.changes += 1

    def set_poses(self, poses: Sequence[InstancePose]) -> None:
        """Pose instances until the next call; those that `poses` leaves out are drawn in their bind pose.

        Raises
        ------
        PosedError
            An instance is not one of these or is posed twice, or a palette is no (J, 4, 4).
        """
        palettes, morphs = _Blocks((4, 4)), _Blocks(())
        posed: dict[int, InstancePose] = {}
        rows: dict[int, tuple[int, int, int, int]] = {}
        for pose in poses:
            self.check(pose.instance)
            slot = pose.instance.slot
            if slot in posed:
                raise PosedError(f"{pose.instance.name} is posed twice in one call: leave one pose out")
            posed[slot] = pose
            now = palettes.add(pose.joints, pose.instance.name)
            before = now if pose.previous is None else palettes.add(pose.previous, pose.instance.name)
            morph = morphs.add(pose.morph_weights, pose.instance.name)
            weights = pose.previous_morph_weights
            rows[slot] = now, before, morph, morph if weights is None else morphs.add(weights, pose.instance.name)
        self._posed, self._palette_rows = posed, {slot: row[0] for slot, row in rows.items()}
        self._palettes = palettes.joined()
        first, first_weight = self._on_device[0].write(self._palettes), self._on_device[1].write(morphs.joined())
        firsts = first, first, first_weight, first_weight
        for slot, row in rows.items():
            record = self._records[slot]
            for field, first, start in zip(_POSING, firsts, row, strict=True):
                record[field] = first + start
        self._posing = next(_POSINGS)
        self.stale()

    def frame(self, camera: Camera) -> Shown:
        """Return what a frame draws that `camera` sees.

        Raises
        ------
        PoseError
            A pose has fewer joints or weights than its mesh names, or puts a vertex to where no number is.
        """
        order = self._ordered()
        instances = tuple(one for slot in order if (one := self._instances[slot]) is not None)
        boxes = [self._box(one) for one in instances]
        low = np.array([box[0] for box in boxes]).reshape(-1, 3)
        high = np.array([box[1] for box in boxes]).reshape(-1, 3)
        eye = camera.matrix[:3, 3]
        lowest, highest = (low.min(axis=0), high.max(axis=0)) if boxes else (eye, eye)
        origin = frame_origin(eye, lowest, highest)
        records, worlds = self._records[order], self._worlds[order]
        for number, name in enumerate(("rows", "previous_rows")):
            records[name] = worlds[:, number, :3]
            records[name][:, :, 3] = worlds[:, number, :3, 3] - origin
        records["mirror"] = np.where(_determinants(worlds[:, 0]) < 0.0, -1.0, 1.0)
        return Shown(
            instances,
            records,
            self._draws,
            origin,
            _farthest(camera, lowest, highest),
            low,
            high,
            self._posing,
            self._meshes.changes,
        )

    def _ordered(self) -> list[int]:
        """Return the slots that are drawn, those of one mesh and material page side by side."""
        if self._order is not None and self._meshes_seen == self._meshes.changes:
            return self._order
        shown = [one for one in self._instances if one is not None and one.visible]
        for one in shown:
            record = self._records[one.slot]
            record["geometry"], record["material"] = one.mesh.index, one.surface.index
            record["flags"] = (record["flags"] & layout.SPRITE) | (
                _bumps(one.surface.material) if one.mesh.framed else 0
            )
            self._settle(one, record)
        self._draws, order = group_draws([(one.mesh, one.surface.page, one.surface.look) for one in shown])
        self._order = [shown[index].slot for index in order]
        self._meshes_seen = self._meshes.changes
        return self._order

    def _settle(self, one: Instance, record: AnyArray) -> None:
        """Refuse a pose that is too small for its mesh; let what is not posed be in its bind pose."""
        pose = self._posed.get(one.slot) or InstancePose(one)
        for joints in (pose.joints, pose.previous):
            if joints is not None and len(joints) < one.mesh.joints:
                raise PoseError(f"{one.name}: {_too_few(len(joints), one.mesh.joints, 'joint')}")
        for weights in (pose.morph_weights, pose.previous_morph_weights):
            if weights is not None and 0 < len(weights) < one.mesh.targets:
                raise PoseError(f"{one.name}: {_too_few(len(weights), one.mesh.targets, 'morph weight')}")
        if pose.joints is None:
            record["palette"] = self._skins.bind_pose(one.mesh.joints)
            if pose.previous is None:
                record["previous_palette"] = record["palette"]
        if not len(pose.morph_weights):
            record["morph"] = self._skins.unmorphed(one.mesh.targets)
            if pose.previous_morph_weights is None:
                record["previous_morph"] = record["morph"]
        if pose.previous_morph_weights is not None and not len(pose.previous_morph_weights):
            record["previous_morph"] = self._skins.unmorphed(one.mesh.targets)

    def _box(self, one: Instance) -> tuple[Float64, Float64]:
        pose = self._posed.get(one.slot)
        world = self._worlds[one.slot, 0]
        weights = np.zeros(one.mesh.targets)
        if pose is not None and len(pose.morph_weights):
            weights = np.asarray(pose.morph_weights, np.float64)[: one.mesh.targets]
        if pose is None or pose.joints is None or not one.mesh.joints:
            matrices: AnyArray = np.tile(np.eye(4), (max(one.mesh.joints, 1), 1, 1))
        else:
            first = self._palette_rows[one.slot]
            matrices = self._palettes[first : first + one.mesh.joints]
        low, high = posed_box(one.mesh.bounds, matrices, world, weights)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise PoseError(f"{one.name} is posed to where no number is: check the pose's matrices")
        return low, high


def _bumps(material: Material) -> int:
    """Return the flags of what bends normals."""
    coat = material.clearcoat
    own = layout.BUMPY if material.normal_texture is not None else 0
    return own | (layout.COAT_BUMPY if coat is not None and coat.normal_texture is not None else 0)


_POSING = ("palette", "previous_palette", "morph", "previous_morph")


class _Blocks:
    """Blocks of float32 rows one after the other, each array once."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._blocks: list[AnyArray] = [np.zeros((0, *shape), np.float32)]
        self._starts: dict[int, int] = {}
        self._kept: list[object] = []  # so that no other array gets the identity of one that is gone
        self._count = 0

    def add(self, values: Sequence[float] | AnyArray | None, name: str) -> int:
        """Return the first row of `values`."""
        if values is None:
            return 0
        start = self._starts.get(id(values))
        if start is None:
            block = np.asarray(values, np.float32)
            if block.shape[1:] != self._shape or block.ndim == 0:
                wanted = "a palette is (J, 4, 4)" if self._shape else "morph weights are (M,)"
                raise PosedError(f"{name} is posed by {block.shape}: {wanted}")
            start = self._starts[id(values)] = self._count
            self._blocks.append(block)
            self._kept.append(values)
            self._count += len(block)
        return start

    def joined(self) -> Float32:
        return np.concatenate(self._blocks)


def _too_few(found: int, needed: int, what: str) -> str:
    return f"its pose has {found} {what}{'' if found == 1 else 's'}, its mesh names {needed}: pose all of them"


def _determinants(m: Float64) -> Float64:
    """Return the determinants of the upper left 3x3 of (N, 4, 4)."""
    determinants: Float64 = (
        m[:, 0, 0] * (m[:, 1, 1] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 1])
        - m[:, 0, 1] * (m[:, 1, 0] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 0])
        + m[:, 0, 2] * (m[:, 1, 0] * m[:, 2, 1] - m[:, 1, 1] * m[:, 2, 0])
    )
    return determinants


def _farthest(camera: Camera, low: Float64, high: Float64) -> float:
    """Return the depth of the box's farthest corner along the camera's forward axis."""
    forward, eye = -camera.matrix[:3, 2], camera.matrix[:3, 3]
    corner = np.where(forward > 0.0, high, low) - eye
    depth = float(forward[0] * corner[0] + forward[1] * corner[1] + forward[2] * corner[2])
    return depth if math.isfinite(depth) else 0.0
