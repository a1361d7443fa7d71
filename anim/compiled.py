"""`Compiled`: an animator's mixes as rows, with the scratch that a kernel needs to pose them at a tick."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from anim.evaluation import pose_at, write_pose
from anim.layer import Layer, Mix
from anim.pose import Pose
from anim.rational import Number, exact
from anim.rig import Rig
from anim.rows import LAYER, MIX, Kind
from anim.timing import integers, seconds_of

FINEST = 2**20
"""Parts of a tick up to which the kernel works out times itself."""


class Compiled:
    """Rows of what plays.

    Attributes
    ----------
    layers : (N,) of `LAYER`
        The layers of all mixes, oldest mix first.
    mixes : (M,) of `MIX`
    masks : (K, B) float64
        The first row is all ones, for layers that have none.
    sample_count
        Numbers sampled for all layers together.
    """

    def __init__(self, rig: Rig, mixes: list[Mix]) -> None:
        self._rig = rig
        self._exact = [replace(layer) for mix in mixes for layer in mix.layers]
        masks = [np.ones(rig.skeleton.bone_count)]
        self.layers = np.zeros(len(self._exact), LAYER)
        self.mixes = np.zeros(len(mixes), MIX)
        first = samples = 0
        for row, mix in zip(self.mixes, mixes, strict=True):
            shares = [layer.weight for layer in mix.layers if layer.kind is Kind.SHARE]
            total = _sum(shares)
            end = first + len(mix.layers)
            row["first"], row["shares"], row["end"] = first, len(shares), end
            row["fade_start"], row["fade_ticks"] = mix.fade_start, mix.fade_ticks
            for out, layer in zip(self.layers[first:end], mix.layers, strict=True):
                _fill(out, layer, rig)
                if layer.kind is Kind.SHARE:
                    out["weight"] = layer.weight / total
                if layer.mask is not None:
                    out["mask"] = len(masks)
                    masks.append(layer.mask)
                out["samples"] = samples
                samples += _sample_count(rig, layer)
            first = end
        self.masks = np.array(masks)
        self.sample_count = samples
        self._samples = np.empty(samples)

    def write(self, tick: Number, pose: Pose) -> None:
        """Write the pose at a tick, which may be a fraction."""
        if isinstance(tick, int):
            whole, parts = tick, 1
        else:
            fraction = exact(tick, "tick")
            whole, parts = fraction.numerator, fraction.denominator
        arrays = (
            self._rig.clip_tables,
            self._rig.rest_tables,
            self.layers,
            self.mixes,
            self.masks,
            self._samples,
            pose.translations,
            pose.rotations,
            pose.scales,
            pose.weights,
        )
        if parts <= FINEST and abs(whole) < FINEST**2 and pose_at(whole, parts, *arrays):
            return
        self.set_times(Fraction(whole, parts))
        write_pose(*arrays)

    def rows_of(self, mix: int) -> NDArray[np.void]:
        """Return the rows of a mix's layers."""
        return self.layers[self.mixes[mix]["first"] : self.mixes[mix]["end"]]

    def set_times(self, tick: Fraction) -> None:
        """Work out the rows' times and fades in rationals, which are never too wide."""
        for row, layer in zip(self.layers, self._exact, strict=True):
            row["time"] = seconds_of(layer.unwrapped(tick), layer.period, float(row["end"]), layer.playback)
        for row in self.mixes:
            elapsed = tick - int(row["fade_start"])
            length = int(row["fade_ticks"])
            row["fade"] = 1.0 if length == 0 else min(max(float(elapsed / length), 0.0), 1.0)


def _fill(row: np.void, layer: Layer, rig: Rig) -> None:
    row["clip"], row["kind"], row["playback"] = layer.clip, layer.kind, layer.playback
    row["weight"], row["start"] = layer.weight, layer.start
    row["end"] = rig.clips[layer.clip].duration
    row["base"], row["step"], row["period"], row["denominator"] = integers(layer.offset, layer.step, layer.period)
    if layer.reference is not None:
        row["reference_clip"], row["reference_time"] = layer.reference


def _sample_count(rig: Rig, layer: Layer) -> int:
    """Return how many numbers are sampled for a layer: those of its clip, and of its reference's after them."""
    clips = [layer.clip] if layer.reference is None else [layer.clip, layer.reference[0]]
    return sum(int(rig.clip_tables.clip_samples[clip]) for clip in clips)


def _sum(numbers: list[float]) -> float:
    """Return the sum in the given order, one addition at a time."""
    total = 0.0
    for number in numbers:
        total += number
    return total
