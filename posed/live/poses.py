"""What poses a set of instances: palettes and morph weights, laid one after the other, and which instance has which."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, is_not
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from posed.arrays import AnyArray, Float32
from posed.errors import PosedError, PoseError
from posed.live.boxes import Indices
from posed.live.skin_store import Rows, SkinStore
from posed.live.spans import write_crowd

if TYPE_CHECKING:
    from posed.live.instances import Instance

FIELDS = ("palette", "previous_palette", "morph", "previous_morph")
"""What of a `layout.INSTANCE` poses it: where its palette and its weights begin, now and in the frame before."""


class Last:
    """The type of `LAST`."""

    def __repr__(self) -> str:
        return "LAST"


LAST = Last()
"""In place of a previous palette: the one of the call before, which is on the device already."""


class InstancePose(NamedTuple):
    """What poses an instance, from one `set_poses` to the next.

    `joints` is its palette, (J, 4, 4), bind pose -> the space that its matrix takes to the world; None for the bind
    pose. `previous` is the palette of the frame before, for motion: an array, `LAST` for what posed it in the call
    before, or None where it is the same. `morph_weights` are one a target, none at all for zeros;
    `previous_morph_weights` likewise, None where they are the same.
    """

    instance: Instance
    joints: AnyArray | None = None
    previous: AnyArray | Last | None = None
    morph_weights: Sequence[float] | AnyArray = ()
    previous_morph_weights: Sequence[float] | AnyArray | None = None


class CrowdPose(NamedTuple):
    """What poses many instances at once, with less to do for each: as `InstancePose`, one axis more in front.

    `joints` is (N, J, 4, 4) for N `instances`, `previous` likewise, `LAST` or None; `morph_weights` (N, M) or None for
    zeros, `previous_morph_weights` likewise, None where they are the same.
    """

    instances: Sequence[Instance]
    joints: AnyArray
    previous: AnyArray | Last | None = None
    morph_weights: AnyArray | None = None
    previous_morph_weights: AnyArray | None = None


class Poses:
    """The poses of some slots.

    `palettes` (J, 3, 4), without the last rows, and `weights` (W,) float32 are all that was given, each array once.
    `rows` (N, 4) int64 is where those of each slot begin there, by `FIELDS`, -1 where it has none, and `counts` (N, 4)
    how many there are; of a palette that `LAST` stands for, rows count in the one before. Where all that was given are
    the palettes of one crowd, `spanned` (N,) are its slots, and `spans` (N, 2, 3, 4) those palettes' (spans.py).
    """

    def __init__(self, skins: SkinStore) -> None:
        self._skins = skins
        self._on_device, self._before = Rows(skins.palettes), Rows(skins.palettes)
        self._weights_on_device = Rows(skins.morphs)
        self._buffers = np.zeros((0, 3, 4), np.float32), np.zeros(0, np.float32)
        self.palettes: Float32 = self._buffers[0]
        self.weights: Float32 = self._buffers[1]
        self.rows: Indices = np.zeros((0, 4), np.int64)
        self.counts: Indices = np.zeros((0, 4), np.int64)
        self._starts: Indices = np.zeros((0, 4), np.int64)
        self._crowds = _Crowds()
        self.spans: Float32 = np.zeros((0, 2, 3, 4), np.float32)
        self.spanned: Indices | None = None

    def reserve(self, slots: int) -> None:
        """Have room for the poses of `slots` slots."""
        more = slots - len(self.rows)
        self.rows = np.concatenate([self.rows, np.full((more, 4), -1)])
        self.counts = np.concatenate([self.counts, np.zeros((more, 4), np.int64)])
        self._starts = np.concatenate([self._starts, np.zeros((more, 4), np.int64)])

    def forget(self, slot: int) -> None:
        """Let a slot have no pose."""
        self.rows[slot], self.counts[slot] = -1, 0
        self._crowds, self.spanned = _Crowds(), None

    def set(self, poses: Sequence[InstancePose | CrowdPose], instances: Sequence[Instance | None]) -> None:
        """Let `poses` be all there are; they pose some of `instances`, which are by slot.

        Raises
        ------
        PosedError
            An instance is not one of these or is posed twice, or a palette is no (J, 4, 4): the poses stay what they
            were. Or all of them pass what a binding holds.
        """
        given = _Given(self.rows[:, 0], self.counts[:, 0], self._crowds)
        for pose in poses:
            if isinstance(pose, CrowdPose):
                given.add_crowd(pose, instances)
            else:
                given.add(pose, instances)
        slots, rows, counts, last = given.table(instances)
        self._buffers = given.palettes.buffer(self._buffers[0]), given.weights.buffer(self._buffers[1])
        self.weights = given.weights.joined(self._buffers[1])
        crowd, self.spanned = given.palettes.crowd, None
        if crowd is None:
            self.palettes = given.palettes.joined(self._buffers[0])
        else:
            self.palettes, self.spanned = self._buffers[0][: given.palettes.count], slots
            self.spans = np.empty((len(slots), 2, 3, 4), np.float32)
            write_crowd(crowd, np.arange(crowd.shape[1]), self.palettes, self.spans)
        self._on_device, self._before = self._before, self._on_device
        first = self._on_device.write(self.palettes)
        first_weight = self._weights_on_device.write(self.weights)
        self.rows[:], self.counts[:] = -1, 0
        self.rows[slots], self.counts[slots] = rows, counts
        starts = np.array([first, first, first_weight, first_weight])
        self._starts[slots] = starts + rows
        self._starts[slots[last], 1] = self._before.first + rows[last, 1]

    def write(
        self, records: AnyArray, order: Indices | slice, unposed: Indices, needs: Indices
    ) -> tuple[int, int] | None:
        """Write where the slots of `order` find their poses to their `records`; None where that is all well.

        Parameters
        ----------
        records
            `layout.INSTANCE`, (N,), as `order`.
        order
            Slots, (N,), or the slice that they are.
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
        fields = np.where(given, self._starts[order], unposed)
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


class _Given:
    """The poses of one call: slots, and for each the rows and counts of its arrays by `FIELDS`."""

    def __init__(self, last_rows: Indices, last_counts: Indices, known: _Crowds) -> None:
        self._known = known
        self.palettes, self.weights = _Blocks((4, 4)), _Blocks(())
        self._last_rows, self._last_counts = last_rows, last_counts
        self._slots: list[int] = []
        self._places: list[tuple[int, ...]] = []
        self._crowds: list[tuple[Indices, Indices]] = []

    def add(self, pose: InstancePose, instances: Sequence[Instance | None]) -> None:
        """Add the pose of one instance."""
        instance, joints, previous, morphs, previous_morphs = pose
        slot = instance.slot
        if slot >= len(instances) or instances[slot] is not instance:
            raise PosedError(gone(instance))
        now, morph = self.palettes.add(joints, instance), self.weights.add(morphs, instance)
        if previous is None:
            before = now
        elif isinstance(previous, Last):
            before = _LAST_PLACE
        else:
            before = self.palettes.add(previous, instance)
        morph_before = morph if previous_morphs is None else self.weights.add(previous_morphs, instance)
        self._slots.append(slot)
        self._places.append(now + before + morph + morph_before)

    def add_crowd(self, pose: CrowdPose, instances: Sequence[Instance | None]) -> None:
        """Add the poses of many instances."""
        crowd, joints, previous, morphs, previous_morphs = pose
        slots = self._known.slots(crowd)
        if slots is None:
            named = list(map(_SLOT, crowd))
            if max(named, default=0) >= len(instances) or any(map(is_not, crowd, map(instances.__getitem__, named))):
                strange = (one for one in crowd if one.slot >= len(instances) or instances[one.slot] is not one)
                raise PosedError(gone(next(strange)))
            slots = self._known.keep(crowd, named)
        places = np.empty((len(slots), 8), np.int64)
        places[:, 0:2] = self.palettes.add_many(joints, len(slots))
        places[:, 2:4] = places[:, 0:2]
        if isinstance(previous, Last):
            places[:, 2:4] = _LAST_PLACE
        elif previous is not None:
            places[:, 2:4] = self.palettes.add_many(previous, len(slots))
        places[:, 4:6] = _NONE if morphs is None else self.weights.add_many(morphs, len(slots))
        places[:, 6:8] = places[:, 4:6]
        if previous_morphs is not None:
            places[:, 6:8] = self.weights.add_many(previous_morphs, len(slots))
        self._crowds.append((slots, places))

    def table(self, instances: Sequence[Instance | None]) -> tuple[Indices, Indices, Indices, AnyArray]:
        """Return slots (S,), their rows and counts (S, 4), and which of them keep the palette of the call before.

        Where there was none, the palette before is the one now.
        """
        singles = np.array(self._slots, np.int64), np.array(self._places, np.int64).reshape(-1, 8)
        given = [*self._crowds, singles] if self._slots or not self._crowds else self._crowds
        slots, places = given[0] if len(given) == 1 else (np.concatenate(one) for one in zip(*given, strict=True))
        times = np.bincount(slots)
        if len(times) and times.max() > 1:
            one = instances[int(np.argmax(times > 1))]
            assert one is not None
            raise PosedError(f"{one.name} is posed twice in one call: leave one pose out")
        rows, counts = places[:, 0::2].copy(), places[:, 1::2].copy()
        last = counts[:, 1] == _LAST_PLACE[1]
        known = last & (self._last_rows[slots] >= 0)
        rows[known, 1], counts[known, 1] = self._last_rows[slots[known]], self._last_counts[slots[known]]
        new = last & ~known
        rows[new, 1], counts[new, 1] = rows[new, 0], counts[new, 0]
        return slots, rows, counts, known


class _Crowds:
    """Crowds that were posed before, and the slots of their instances: most are posed again in the next frame."""

    def __init__(self) -> None:
        self._slots: dict[int, tuple[list[Instance], Indices]] = {}

    def slots(self, crowd: Sequence[Instance]) -> Indices | None:
        """Return the slots, (N,), of a crowd that has the instances that it had before; else None."""
        known = self._slots.get(len(crowd))
        # Of two lists, what is the same object is not looked at.
        given = crowd if isinstance(crowd, list) else list(crowd)
        return known[1] if known is not None and known[0] == given else None

    def keep(self, crowd: Sequence[Instance], slots: Sequence[int]) -> Indices:
        """Return `slots` as (N,), which are those of a crowd until one of its instances is removed."""
        kept = np.array(slots, np.int64)
        self._slots[len(crowd)] = list(crowd), kept
        return kept


_SLOT = attrgetter("slot")
_NONE = (-1, 0)
_LAST_PLACE = (-1, -1)


class _Blocks:
    """Blocks of float32 rows one after the other, each array once; of matrices their upper three rows are kept."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape, self._kept_shape = shape, shape and (3, 4)
        self._blocks: list[AnyArray] = [np.zeros((0, *self._kept_shape), np.float32)]
        self._places: dict[int, tuple[int, int]] = {}
        self._kept: list[object] = []  # so that no other array gets the identity of one that is gone
        self.count = 0
        self._many: AnyArray | None = None

    def add(self, values: Sequence[float] | AnyArray | None, owner: Instance) -> tuple[int, int]:
        """Return the first row of `values` and how many they are; -1 and 0 where there are none."""
        if values is None:
            return _NONE
        place = self._places.get(id(values))
        if place is None:
            block = np.asarray(values, np.float32)
            if block.shape[1:] != self._shape or block.ndim == 0:
                wanted = "a palette is (J, 4, 4)" if self._shape else "morph weights are (M,)"
                raise PosedError(f"{owner.name} is posed by {block.shape}: {wanted}")
            first = self.count if self._shape or len(block) else -1
            place = self._places[id(values)] = first, len(block)
            self._append(block, values)
        return place

    def add_many(self, values: AnyArray, count: int) -> Indices:
        """Return first row and number of each of `count` blocks, (count, 2)."""
        block = np.asarray(values, np.float32)
        if block.ndim != 2 + len(self._shape) or len(block) != count or block.shape[2:] != self._shape:
            wanted = f"palettes are ({count}, J, 4, 4)" if self._shape else f"morph weights are ({count}, M)"
            raise PosedError(f"{count} instances are posed by {block.shape}: {wanted}")
        places = np.empty((count, 2), np.int64)
        places[:, 1] = block.shape[1]
        places[:, 0] = self.count + np.arange(count) * block.shape[1]
        self._append(block.reshape(-1, *self._shape), values)
        self._many = block
        return places

    @property
    def crowd(self) -> Float32 | None:
        """All rows as `add_many` was given them, where they came in one call and in one piece."""
        many = self._many
        alone = many is not None and many.size and len(self._blocks) == 2 and many.flags.c_contiguous
        return many if alone else None

    def _append(self, block: AnyArray, values: object) -> None:
        self._blocks.append(block[:, :3] if self._shape else block)
        self._kept.append(values)
        self.count += len(block)

    def buffer(self, old: Float32) -> Float32:
        """Return `old`, or a larger one where it does not hold all rows: new pages cost more than the copy."""
        return old if len(old) >= self.count else np.empty((self.count, *self._kept_shape), np.float32)

    def joined(self, buffer: Float32) -> Float32:
        """Return all rows, which are written to `buffer`."""
        return np.concatenate(self._blocks, out=buffer[: self.count])
