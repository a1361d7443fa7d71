"""Poses with no animator: `sample`, of one clip at a time, and `mixed`, of what an animator says it plays."""

from collections.abc import Iterable
from fractions import Fraction
from math import isfinite

import numpy as np

from anim.clip import Clip
from anim.compiled import Compiled
from anim.errors import AnimError
from anim.evaluation import write_pose
from anim.layer import Layer, Mix, check_shares, checked_mask, checked_weight
from anim.pose import Pose
from anim.rig import Rig
from anim.rows import MAX_LAYERS, MAX_MIXES, Kind, Playback
from anim.stack import PlayedLayer, PlayedMix


def sample(rig: Rig, clip: str | int | Clip | None, time: float) -> Pose:
    """Return the pose of a clip at a time in seconds, or the rest pose where the clip is None.

    The ends hold: a time before the first key gives its value, one after the last that one's. What no channel moves is
    at rest.

    Raises
    ------
    AnimError
        For a clip the rig has not, or a time that is not finite.
    """
    pose = Pose(rig.skeleton)
    if clip is None:
        return pose
    index = rig.clip_index(clip)
    still = _still(rig, PlayedLayer(rig.clips[index].name, index, Kind.SHARE, 1.0, time))
    Compiled(rig, [Mix(0, [still])]).write(0, pose)
    return pose


def mixed(rig: Rig, mixes: Iterable[PlayedMix]) -> Pose:
    """Return the pose that mixes make, as `Animator.playing` lists them: within rounding that of the animator.

    Parameters
    ----------
    rig
        What they play on.
    mixes
        Oldest first, each over those before it by its weight in [0, 1]; that of the first counts as 1. A layer's
        `index` chooses its clip and `time` its moment, at which the ends hold; its `playback`, `unwrapped` and `speed`
        are not looked at. No mixes make the rest pose.

    Raises
    ------
    AnimError
        For a clip the rig has not, a time that is not finite, a weight or mask out of its range, layers in another
        order or more of them than an animator has.
    """
    given = list(mixes)
    played = [Mix(number, [_still(rig, layer) for layer in mix.layers]) for number, mix in enumerate(given)]
    if len(played) > MAX_MIXES or any(len(mix.layers) > MAX_LAYERS for mix in played):
        raise AnimError(f"{len(played)} mixes; expected at most {MAX_MIXES}, of at most {MAX_LAYERS} layers each")
    for mix in played:
        kinds = [layer.kind for layer in mix.layers]
        if kinds != sorted(kinds, key=lambda kind: kind is not Kind.SHARE):
            raise AnimError("a share comes after another kind of layer; expected the shares of a mix first")
        if Kind.SHARE in kinds:
            check_shares([layer for layer in mix.layers if layer.kind is Kind.SHARE])
    pose = Pose(rig.skeleton)
    compiled = Compiled(rig, played)
    compiled.set_times(Fraction(0))
    compiled.mixes["fade"] = [checked_weight(mix.weight, Kind.OVER) for mix in given]
    write_pose(
        rig.clip_tables,
        rig.rest_tables,
        compiled.layers,
        compiled.mixes,
        compiled.masks,
        np.empty(compiled.sample_count),
        pose.translations,
        pose.rotations,
        pose.scales,
        pose.weights,
    )
    return pose


def _still(rig: Rig, layer: PlayedLayer) -> Layer:
    """Return a layer that stays at its time."""
    if not isfinite(layer.time):
        raise AnimError(f"a time is {layer.time}; expected a finite number of seconds")
    if (layer.kind in (Kind.ADDITIVE, Kind.ADDITIVE_LOCAL)) != (layer.reference is not None):
        raise AnimError(f"a layer of clip {layer.clip!r} has a reference or is additive; expected both or neither")
    index = rig.clip_index(layer.index)
    return Layer(
        clip=index,
        kind=layer.kind,
        weight=checked_weight(layer.weight, layer.kind),
        playback=Playback.ONCE,
        offset=Fraction(layer.time),
        step=Fraction(0),
        start=0,
        period=Fraction(rig.clips[index].duration),
        mask=None if layer.mask is None else checked_mask(layer.mask, rig.skeleton.bone_count),
        reference=None if layer.reference is None else (rig.clip_index(layer.reference[0]), layer.reference[1]),
    )
