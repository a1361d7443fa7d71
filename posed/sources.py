"""What posed an object, as the JSON values that a snapshot's `sources` hold: an animator's mixes or a sprite's step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anim
from anim.rows import Kind
from posed.errors import PoseError


def animator_source(mixes: Sequence[anim.PlayedMix], *, root_motion: bool = False) -> dict[str, Any]:
    """Return an animator's mixes as JSON values; `root_motion` says that the way of its root is taken out."""
    source: dict[str, Any] = {
        "mixes": [{"weight": mix.weight, "layers": [_layer(one) for one in mix.layers]} for mix in mixes]
    }
    return source | ({"root_motion": True} if root_motion else {})


def sprite_source(played: anim.PlayedSprite | None, frame: int) -> dict[str, Any]:
    """Return what a sprite shows as JSON values; without a clip, its frame alone."""
    if played is None:
        return {"frame": frame}
    return {
        "frame": played.frame,
        "clip": played.clip,
        "index": played.index,
        "step": played.step,
        "unwrapped": played.unwrapped,
        "playback": played.playback.name.lower(),
    }


def _layer(one: anim.PlayedLayer) -> dict[str, Any]:
    layer = {
        "clip": one.clip,
        "index": one.index,
        "kind": one.kind.name.lower(),
        "weight": one.weight,
        "time": one.time,
        "playback": one.playback.name.lower(),
        "unwrapped": one.unwrapped,
        "speed": one.speed,
    }
    if one.mask is not None:
        layer["mask"] = list(one.mask)
    if one.reference is not None:
        layer["reference"] = list(one.reference)
    return layer


def mixes_of(source: object) -> tuple[anim.PlayedMix, ...] | None:
    """Return the mixes that `animator_source` wrote, oldest first; None where the source names none.

    Raises
    ------
    PoseError
        The values are no mixes: engines write snapshots too.
    """
    if not isinstance(source, Mapping) or "mixes" not in source:
        return None
    try:
        return tuple(
            anim.PlayedMix(float(mix["weight"]), tuple(_read_layer(one) for one in mix["layers"]))
            for mix in source["mixes"]
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PoseError(f"its mixes cannot be read: {type(error).__name__}: {error}") from error


def _read_layer(one: Mapping[str, Any]) -> anim.PlayedLayer:
    mask, reference = one.get("mask"), one.get("reference")
    return anim.PlayedLayer(
        clip=str(one["clip"]),
        index=int(one["index"]),
        kind=Kind[one.get("kind", "share").upper()],
        weight=float(one["weight"]),
        time=float(one["time"]),
        playback=anim.Playback.parse(one.get("playback", "loop")),
        unwrapped=float(one.get("unwrapped", one["time"])),
        speed=float(one.get("speed", 1.0)),
        mask=None if mask is None else tuple(map(float, mask)),
        reference=None if reference is None else (int(reference[0]), float(reference[1])),
    )


def sprite_of(source: object) -> anim.PlayedSprite | None:
    """Return what `sprite_source` wrote of a clip that plays; None where the source names none.

    Raises
    ------
    PoseError
        The values are no sprite's.
    """
    if not isinstance(source, Mapping) or "step" not in source:
        return None
    try:
        index, step, frame, unwrapped = (int(source[name]) for name in ("index", "step", "frame", "unwrapped"))
        playback = anim.Playback.parse(source["playback"])
        return anim.PlayedSprite(str(source["clip"]), index, step, frame, unwrapped, playback)
    except (KeyError, TypeError, ValueError) as error:
        raise PoseError(f"its step cannot be read: {type(error).__name__}: {error}") from error
