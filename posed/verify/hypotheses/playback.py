"""Looping against clamping: a clip past its end goes on in another way than it should."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import anim
from posed.verify.diagnosing.case import Case
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.hypotheses.times import at_time, with_layers
from posed.verify.played import Played

NAME = "looping against clamping"

DOES = {
    anim.Playback.LOOP: ("loops", "loop"),
    anim.Playback.ONCE: ("holds its end", "hold its end"),
    anim.Playback.PING_PONG: ("plays back and forth", "play back and forth"),
}

SMALLEST = 1e-6
"""Seconds between two times that count as one."""

CURE = "what the engine does at a clip's end: wraps, holds or turns round"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield for each clip that plays the other ways to end, where they make another time."""
    for name in case.suspects:
        played = case.played(case.scene.object(name))
        if played is None:
            continue
        for own in {(one.index, one.playback): one for mix in played.mixes for one in mix.layers}.values():
            for playback in anim.Playback:
                yield from _ended(case, name, played, own, playback)


def _ended(
    case: Case, name: str, played: Played, own: anim.PlayedLayer, playback: anim.Playback
) -> Iterator[Hypothesis]:
    """Yield that the layers that play the clip of `own` in its way end in another."""

    def change(layer: anim.PlayedLayer) -> anim.PlayedLayer:
        if (layer.index, layer.playback) != (own.index, own.playback):
            return layer
        return at_time(played, replace(layer, playback=playback), layer.unwrapped)

    if abs(change(own).time - own.time) <= SMALLEST:
        return
    posed = case.reposed({name: with_layers(played.mixes, change)})
    if posed is None:
        return
    does, should = DOES[playback][0], DOES[own.playback][1]
    yield Hypothesis(
        family=NAME,
        claim=f'object "{name}": clip "{own.clip}" {does} where it should {should}',
        cure=CURE,
        posed=posed,
        objects=(name,),
        values={"clip": own.clip, "playback": playback.name.lower()},
    )


FAMILY = Family(NAME, propose)
