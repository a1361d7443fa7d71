"""Which keys of which clips act on a node: the last step from a pose back to the file."""

from __future__ import annotations

import anim
from anim.sampling import locate, sample_channel
from posed.verify.explaining.explanation import Key, Move
from posed.verify.played import Played


def moves_of(played: Played, node: int) -> tuple[Move, ...]:
    """Return the channels that move a node of the file in what plays, oldest mix first."""
    return tuple(
        _move(number, position, layer, channel)
        for number, mix in enumerate(played.mixes)
        for position, layer in enumerate(mix.layers)
        for channel in played.rig.clips[layer.index].channels
        if channel.node == node
    )


def _move(mix: int, position: int, layer: anim.PlayedLayer, channel: anim.Channel) -> Move:
    first, share = locate(channel.times, 0, len(channel.times), layer.time)
    if channel.interpolation is anim.Interpolation.STEP:
        share = 0.0
    between = (first, first + 1) if share > 0.0 else (first,)
    return Move(
        mix=mix,
        layer=position,
        clip=layer.clip,
        time=layer.time,
        path=channel.path.name.lower(),
        interpolation=channel.interpolation.name.lower(),
        keys=tuple(_key(channel, number) for number in between),
        share=float(share),
        value=tuple(sample_channel(channel, layer.time).tolist()),
    )


def _key(channel: anim.Channel, number: int) -> Key:
    """Return a key; of a spline without its tangents."""
    is_spline = channel.interpolation is anim.Interpolation.CUBICSPLINE
    row = channel.values[3 * number + 1] if is_spline else channel.values[number]
    return Key(number, float(channel.times[number]), tuple(row.tolist()))
