"""Instances: where meshes stand, which palettes pose them, and how a frame sees all of them at once."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from weakref import ref

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.camera import Camera
from posed.errors import PosedError, PoseError
from posed.gltf.material import Material
from posed.live import layout
from posed.live.bounds import frame_origin
from posed.live.boxes import BoundsTable, Indices, posed_boxes
from posed.live.draws import Draw, group_draws, hide_backs
from posed.live.facing import MOST_PAIRS, FacingTable, facings
from posed.live.materials import Surface
from posed.live.meshes import Mesh, Meshes
from posed.live.poses import CrowdPose, InstancePose, Poses, gone, too_few
from posed.live.records import copied, place_records
from posed.live.rough import MANY, rough_boxes
from posed.live.skin_store import SkinStore

Rectangle = tuple[float, float, float, float]


class Instance:
    """A mesh that stands somewhere; made by `Renderer.add`.

    `name` is what errors call it, `object_id` and `part_id` its numbers in the id layers, `first_joint` that of its
    palette's first joint in the joint layer.
    """

    def __init__(
        self, owner: Instances, slot: int, mesh: Mesh, surface: Surface, name: str, ids: tuple[int, int, int]
    ) -> None:
        # Weak: instances and their owner would keep each other, and the device's memory, until garbage is looked for.
        self._owner, self.slot = ref(owner), slot
        self.mesh, self.surface, self.name = mesh, surface, name
        self._staged = surface
        self.object_id, self.part_id, self.first_joint = ids
        self._visible = True

    def _set(self) -> Instances:
        owner = self._owner()
        if owner is None:
            raise PosedError(f"{self.name}: its renderer is gone: keep it as long as its instances")
        return owner

    @property
    def visible(self) -> bool:
        """Whether it is drawn."""
        return self._visible

    @visible.setter
    def visible(self, value: bool) -> None:
        if value is not self._visible:
            self._visible = value
            self._set().stale()

    def place(self, matrix: Float64, previous: Float64 | None = None) -> None:
        """Let `matrix`, (4, 4), take posed vertices to the world, `previous` those of the frame before.

        Without `previous` it has not moved.

        Raises
        ------
        PosedError
            One is no such matrix of finite numbers, or the renderer is gone.
        """
        self._set().place(self.slot, matrix, matrix if previous is None else previous)

    def show(self, rectangle: Rectangle | None) -> None:
        """Let the color texture be an atlas of which the frame u0, v0, u1, v1 is seen; None for all of it.

        Raises
        ------
        PosedError
            Its renderer is gone.
        """
        self._set().show(self.slot, rectangle)

    def paint(self, surface: Surface) -> None:
        """Have another material.

        Raises
        ------
        PosedError
            Its renderer is gone.
        """
        self.surface = surface
        self._set().stale()

    def restore(self) -> None:
        """Show the material that it was added with, all of its texture."""
        self.show(None)
        self.paint(self._staged)


@dataclass(frozen=True, eq=False)
class Shown:
    """What a frame draws.

    `instances` (N,) and their `layout.INSTANCE` `records`, in the order of the `draws`; `origin` (3,) float64 is the
    world's point that the records' matrices are relative to, `farthest` the greatest depth in metres; `low` and `high`
    (N, 3) float64 are boxes around the instances in the world, `reach` (N,) what the coordinates in them are summed of
    (`posed_boxes`; of a crowd `rough_boxes`), and `tight` returns the corners of the tightest ones. `posing` numbers
    the poses, never two alike, `meshes` the changes of the meshes.
    """

    instances: tuple[Instance, ...]
    records: AnyArray
    draws: list[Draw]
    origin: Float64
    farthest: float
    low: Float64
    high: Float64
    reach: Float64
    tight: Callable[[], tuple[Float64, Float64]]
    posing: int
    meshes: int


_POSINGS = count()


class Instances:
    """The instances that are drawn together. `changes` grows with every change of what they show."""

    def __init__(self, meshes: Meshes, skins: SkinStore) -> None:
        self._meshes, self._skins = meshes, skins
        self._instances: list[Instance | None] = []
        self._free: list[int] = []
        self._records = np.zeros(0, layout.INSTANCE)
        self._worlds = np.zeros((0, 2, 4, 4))
        self._poses = Poses(skins)
        self._order: Order | None = None
        self._posing = next(_POSINGS)
        self.changes = 0

    @property
    def names(self) -> tuple[str, ...]:
        """What errors call the instance of each slot, empty for free ones."""
        return tuple("" if one is None else one.name for one in self._instances)

    def add(self, mesh: Mesh, surface: Surface, name: str = "", ids: tuple[int, int, int] | None = None) -> Instance:
        """Return a new instance at the origin in its bind pose; unless given, name and ids are by its slot, from 1."""
        if not self._free:
            self._reserve(max(2 * len(self._instances), 8))
        slot = self._free.pop()
        instance = Instance(self, slot, mesh, surface, name or f"instance {slot + 1}", ids or (slot + 1, slot + 1, 1))
        self._instances[slot] = instance
        record = self._records[slot]
        record["object"], record["part"], record["flags"] = instance.object_id, instance.part_id, 0
        record["first_joint"] = instance.first_joint
        self.place(slot, np.eye(4), np.eye(4))
        self.stale()
        return instance

    def _reserve(self, slots: int) -> None:
        old = len(self._instances)
        self._instances += [None] * (slots - old)
        self._free += range(slots - 1, old - 1, -1)
        self._records = np.concatenate([self._records, np.zeros(slots - old, layout.INSTANCE)])
        self._worlds = np.concatenate([self._worlds, np.zeros((slots - old, 2, 4, 4))])
        self._poses.reserve(slots)

    def remove(self, instance: Instance) -> None:
        """Draw `instance` no more."""
        self.check(instance)
        self._instances[instance.slot] = None
        insort(self._free, instance.slot, key=lambda slot: -slot)
        self._poses.forget(instance.slot)
        self.stale()

    def of_object(self, object_id: int) -> Instance:
        """Return the first instance that is drawn with an object id."""
        return next(one for one in self._instances if one is not None and one.object_id == object_id)

    def check(self, instance: Instance) -> None:
        """Refuse an instance that is not one of these."""
        if not (instance.slot < len(self._instances) and self._instances[instance.slot] is instance):
            raise PosedError(gone(instance))

    def stale(self) -> None:
        """Note that other instances are drawn than before, or as something else."""
        self._order = None
        self.changes += 1

    def place(self, slot: int, matrix: Float64, previous: Float64) -> None:
        """Let an instance stand at a matrix, in the frame before at another."""
        for one in (matrix, previous):
            if np.shape(one) != (4, 4) or not np.isfinite(one).all():
                raise PosedError(f"a place is {np.shape(one)}: expected a matrix, (4, 4), of finite numbers")
        self._worlds[slot, 0], self._worlds[slot, 1] = matrix, previous
        self.changes += 1

    def show(self, slot: int, rectangle: Rectangle | None) -> None:
        """Let an instance show a frame of an atlas, or all of its texture."""
        record = self._records[slot]
        record["flags"] = (record["flags"] & ~np.uint32(layout.SPRITE)) | (0 if rectangle is None else layout.SPRITE)
        record["rectangle"] = rectangle or 0.0
        self.changes += 1

    def set_poses(self, poses: Sequence[InstancePose | CrowdPose]) -> None:
        """Pose instances until the next call; those that `poses` leaves out are drawn in their bind pose.

        Raises
        ------
        PosedError
            See `Poses.set`.
        """
        self._poses.set(poses, self._instances)
        self._posing = next(_POSINGS)
        self.changes += 1

    def stop(self) -> None:
        """Clear the poses and put back the materials that instances were added with."""
        self.set_poses([])
        for one in self._instances:
            if one is not None:
                one.restore()

    def frame(self, camera: Camera) -> Shown:
        """Return what a frame draws that `camera` sees.

        Raises
        ------
        PoseError
            A pose has fewer joints or weights than its mesh names, or puts a vertex to where no number is.
        """
        order = self._ordered()
        records, worlds = copied(self._records, order.picked), self._worlds[order.picked]
        short = self._poses.write(records, order.picked, order.unposed, order.needs)
        if short is not None:
            place, field = short
            found, needed = self._poses.counts[order.slots[place], field], order.needs[place, field]
            raise too_few(order.instances[place].name, field, int(found), int(needed))
        palettes = np.where(order.needs[:, 0] > 0, self._poses.rows[order.picked, 0], -1)
        low, high, reach = self._boxes(order, worlds[:, 0], palettes, rough=order.many)
        facing = facings(order.blends, order.numbers, order.asked, self._poses.palettes, palettes)
        eye = camera.matrix[:3, 3]
        lowest, highest = (low.min(axis=0), high.max(axis=0)) if len(low) else (eye, eye)
        origin = frame_origin(eye, lowest, highest)
        mirror = place_records(records, worlds, origin)
        return Shown(
            order.instances,
            records,
            hide_backs(order.draws, facing * mirror),
            origin,
            _farthest(camera, lowest, highest),
            low,
            high,
            reach,
            lambda: self._boxes(order, worlds[:, 0], palettes)[:2],
            self._posing,
            self._meshes.changes,
        )

    def _ordered(self) -> Order:
        """Return which slots are drawn, and as what."""
        if self._order is None or self._order.meshes != self._meshes.changes:
            shown = [one for one in self._instances if one is not None and one.visible]
            for one in shown:
                record = self._records[one.slot]
                record["geometry"], record["material"] = one.mesh.index, one.surface.index
                bumps = _bumps(one.surface.material) if one.mesh.framed else 0
                record["flags"] = (record["flags"] & layout.SPRITE) | bumps
            self._order = Order.of(shown, self._skins, self._meshes.changes)
        return self._order

    def _boxes(
        self, order: Order, worlds: Float64, palettes: Indices, *, rough: bool = False
    ) -> tuple[Float64, Float64, Float64]:
        poses, weights = self._poses, self._poses.rows[order.picked, 2].copy()
        posed = order.table, order.numbers, worlds, poses.palettes, palettes, poses.weights, weights
        if rough:
            known = poses.spanned is not None and np.array_equal(poses.spanned, order.slots) and palettes.min() >= 0
            low, high, reach = rough_boxes(*posed, poses.spans if known else None)
        else:
            low, high, reach = posed_boxes(*posed)
        nowhere = np.isnan(low[:, 0])
        if nowhere.any() and rough:
            return self._boxes(order, worlds, palettes)
        if nowhere.any():
            name = order.instances[int(np.argmax(nowhere))].name
            raise PoseError(f"{name} is posed to where no number is: check the pose's matrices")
        return low, high, reach


@dataclass(frozen=True, eq=False)
class Order:
    """The instances that are drawn, those of one draw side by side, until other ones are or a mesh changes.

    `slots` (N,) are theirs, and `picked` the same as an index; `unposed` (N, 4) is what their fields are where no pose
    gives them, `needs` (N, 4) how many joints and weights their meshes name, by `FIELDS`; `numbers` (N,) which of the
    meshes in `table` and `blends` they show, `asked` (N,) whether it is worth asking which side of them is the front;
    `many` says that they have `MANY` boxes or more; `meshes` numbers the changes of the meshes.
    """

    instances: tuple[Instance, ...]
    slots: Indices
    picked: Indices | slice
    draws: list[Draw]
    unposed: Indices
    needs: Indices
    table: BoundsTable
    blends: FacingTable
    numbers: Indices
    asked: AnyArray
    many: bool
    meshes: int

    @classmethod
    def of(cls, shown: Sequence[Instance], skins: SkinStore, changes: int) -> Order:
        """Return the order of what is shown, `changes` being that of the meshes."""
        draws, order = group_draws([(one.mesh, one.surface.page, one.surface.look) for one in shown])
        instances = tuple(shown[index] for index in order)
        slots = np.array([one.slot for one in instances], np.int64)
        meshes = list(dict.fromkeys(one.mesh for one in instances))
        number = {mesh: index for index, mesh in enumerate(meshes)}
        runs = {mesh: (skins.bind_pose(mesh.joints), skins.unmorphed(mesh.targets)) for mesh in meshes}
        unposed = [(runs[one.mesh][0],) * 2 + (runs[one.mesh][1],) * 2 for one in instances]
        needs = [(one.mesh.joints,) * 2 + (one.mesh.targets,) * 2 for one in instances]
        asked = np.zeros(len(instances), bool)
        for draw in draws:
            blends, one_sided = draw.mesh.blends, not draw.look.double_sided
            few = draw.count * len(blends.others) <= MOST_PAIRS
            asked[draw.first : draw.first + draw.count] = one_sided and blends.told and few
        return cls(
            instances,
            slots,
            _picked(slots),
            draws,
            np.array(unposed, np.int64).reshape(-1, 4),
            np.array(needs, np.int64).reshape(-1, 4),
            BoundsTable.of([mesh.bounds for mesh in meshes]),
            FacingTable.of([mesh.blends for mesh in meshes]),
            np.array([number[one.mesh] for one in instances], np.int64),
            asked,
            sum(len(one.mesh.bounds.joints) for one in instances) >= MANY,
            changes,
        )


def _picked(slots: Indices) -> Indices | slice:
    """Return what picks rows: a slice, which copies nothing, where they follow each other."""
    if len(slots) and (np.diff(slots) == 1).all():
        return slice(int(slots[0]), int(slots[-1]) + 1)
    return slots


def _bumps(material: Material) -> int:
    """Return the flags of what bends normals."""
    coat = material.clearcoat
    own = layout.BUMPY if material.normal_texture is not None else 0
    return own | (layout.COAT_BUMPY if coat is not None and coat.normal_texture is not None else 0)


def _farthest(camera: Camera, low: Float64, high: Float64) -> float:
    """Return the depth of the box's farthest corner along the camera's forward axis."""
    forward, eye = -camera.matrix[:3, 2], camera.matrix[:3, 3]
    corner = np.where(forward > 0.0, high, low) - eye
    depth = float(forward[0] * corner[0] + forward[1] * corner[1] + forward[2] * corner[2])
    return depth if math.isfinite(depth) else 0.0
