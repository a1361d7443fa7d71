"""Mixes changed: their layers one by one, and the times of their clips."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

import anim
from anim.timing import seconds_of
from posed.verify.played import Played

Mixes = tuple[anim.PlayedMix, ...]


def with_layers(mixes: Iterable[anim.PlayedMix], change: Callable[[anim.PlayedLayer], anim.PlayedLayer]) -> Mixes:
    """Return mixes with every layer changed."""
    return tuple(replace(mix, layers=tuple(change(layer) for layer in mix.layers)) for mix in mixes)


def shifted(played: Played, seconds: Fraction) -> Mixes:
    """Return mixes whose clips have gone on by some seconds of the world, at their own speeds; weights stay."""
    return with_layers(played.mixes, lambda one: at_time(played, one, one.unwrapped + float(seconds) * one.speed))


def at_time(played: Played, layer: anim.PlayedLayer, unwrapped: float) -> anim.PlayedLayer:
    """Return a layer at a time since its clip's start in seconds, brought into the clip as its playback does."""
    duration = played.rig.clips[layer.index].duration
    time = seconds_of(Fraction(unwrapped), Fraction(duration), duration, layer.playback)
    return replace(layer, unwrapped=unwrapped, time=time)


def with_clip(played: Played, layer: anim.PlayedLayer, clip: int) -> anim.PlayedLayer:
    """Return a layer that plays another clip of the rig, by its index, as far from its start."""
    return at_time(played, replace(layer, clip=played.rig.clips[clip].name, index=clip), layer.unwrapped)
