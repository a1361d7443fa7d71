"""What poses a set of instances: palettes and morph weights, laid one after the other, and which instance has which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posed.arrays import AnyArray, Float32
from posed.errors import PosedError, PoseError
from posed.live.skin_store import Rows, SkinStore

if TYPE_CHECKING:
    from posed.live.instances import Instance

FIELDS = ("palette", "previous_palette", "morph", "previous_morph")
"""What of a `layout.INSTANCE` poses it: where its palette and its weights begin, now and in the frame before."""


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


class Poses:
    """The poses of some slots.

    `palettes` (J, 4, 4) and `weights` (W,) float32 are all that was given, each array once; `rows` (N, 4) int64 is
    where those of each slot begin, by `FIELDS`, -1 where it has none, and `counts` (N, 4) how many there are.
    """

    def __init__(self, skins: SkinStore) -> None:
        self._on_device = Rows(skins.palettes), Rows(skins.morphs)
        self.palettes: Float32 = np.zeros((0, 4, 4), np.float32)
        self.weights: Float32 = np.zeros(0, np.float32)
        self.rows: NDArray[np.int64] = np.zeros((0, 4), np.int64)
        self.counts: NDArray[np.int64] = np.zeros((0, 4), np.int64)
        self._firsts = np.zeros(4, np.int64)

    def reserve(self, slots: int) -> None:
        """Have room for the poses of `slots` slots."""
        more = slots - len(self.rows)
        self.rows = np.concatenate([self.rows, np.full((more, 4), -1)])
        self.counts = np.concatenate([self.counts, np.zeros((more, 4), np.int64)])

    def forget(self, slot: int) -> None:
        """Let a slot have no pose."""
        self.rows[slot], self.counts[slot] = -1, 0

    def set(self, poses: Sequence[InstancePose], instances: Sequence[Instance | None]) -> None:
        """Let `poses` be all there are; they pose some of `instances`, which are by slot.

        Raises
        ------
        PosedError
            An instance is not one of these or is posed twice, or a palette is no (J, 4, 4): the poses stay what they
            were. Or all of them pass what a binding holds.
        """
        palettes, weights = _Blocks((4, 4)), _Blocks(())
        slots: list[int] = []
        rows: list[tuple[int, ...]] = []
        for instance, joints, previous, morphs, previous_morphs in poses:
            slot = instance.slot
            if slot >= len(instances) or instances[slot] is not instance:
                raise PosedError(gone(instance))
            slots.append(slot)
            now, morph = palettes.add(joints, instance), weights.add(morphs, instance)
            before = now if previous is None else palettes.add(previous, instance)
            morph_before = morph if previous_morphs is None else weights.add(previous_morphs, instance)
            rows.append(now + before + morph + morph_before)
        if len(set(slots)) < len(slots):
            twice = next(slot for index, slot in enumerate(slots) if slot in slots[:index])
            raise PosedError(
                f"{poses[slots.index(twice)].instance.name} is posed twice in one call: leave one pose out"
            )
        self.palettes, self.weights = palettes.joined(), weights.joined()
        first, first_weight = self._on_device[0].write(self.palettes), self._on_device[1].write(self.weights)
        self._firsts[:] = first, first, first_weight, first_weight
        self.rows[:], self.counts[:] = -1, 0
        if slots:
            given = np.array(rows, np.int64)
            self.rows[slots], self.counts[slots] = given[:, 0::2], given[:, 1::2]

    def write(self, records: AnyArray, order: AnyArray, unposed: AnyArray, needs: AnyArray) -> tuple[int, int] | None:
        """Write where the slots of `order` find their poses to their `records`; None where that is all well.

        Parameters
        ----------
        records
            `layout.INSTANCE`, (N,), as `order`.
        order
            Slots, (N,).
        unposed
            What a slot's fields are where it has no pose, (N, 4).
        needs
            How many joints and weights its mesh names, (N, 4).

        Returns
        -------
        The place in `order` and the number of the field that has too few, if any has.
        """
        rows = self.rows[order]
        given = rows >= 0
        short = given & (self.counts[order] < needs)
        if short.any():
            place, field = np.argwhere(short)[0]
            return int(place), int(field)
        fields = np.where(given, self._firsts + rows, unposed)
        for number, name in enumerate(FIELDS):
            records[name] = fields[:, number]
        return None


def gone(instance: Instance) -> str:
    """Return what a refusal of an instance that is not there says."""
    return f"{instance.name} was removed, or is another renderer's: add it again"


def too_few(name: str, field: int, found: int, needed: int) -> PoseError:
    """Return the refusal of a pose that has `found` of what its mesh names `needed`."""
    what = "joint" if field < 2 else "morph weight"
    plural = "" if found == 1 else "s"
    return PoseError(f"{name}: its pose has {found} {what}{plural}, its mesh names {needed}: pose all of them")


class _Blocks:
    """Blocks of float32 rows one after the other, each array once."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._blocks: list[AnyArray] = [np.zeros((0, *shape), np.float32)]
        self._places: dict[int, tuple[int, int]] = {}
        self._kept: list[object] = []  # so that no other array gets the identity of one that is gone
        self._count = 0

    def add(self, values: Sequence[float] | AnyArray | None, owner: Instance) -> tuple[int, int]:
        """Return the first row of `values` and how many they are; -1 and 0 where there are none."""
        if values is None:
            return -1, 0
        place = self._places.get(id(values))
        if place is None:
            block = np.asarray(values, np.float32)
            if block.shape[1:] != self._shape or block.ndim == 0:
                wanted = "a palette is (J, 4, 4)" if self._shape else "morph weights are (M,)"
                raise PosedError(f"{owner.name} is posed by {block.shape}: {wanted}")
            first = self._count if self._shape or len(block) else -1
            place = self._places[id(values)] = first, len(block)
            self._blocks.append(block)
            self._kept.append(values)
            self._count += len(block)
        return place

    def joined(self) -> Float32:
        return np.concatenate(self._blocks)
