"""Which events a playing layer passes, and at which tick: crossings of an exact time line, found without stepping."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from anim.layer import Layer
from anim.rows import Playback

MAX_REPEATS = 64
"""Passes of one mark that one interval delivers; of more, the latest."""


class Mark(NamedTuple):
    """An event of a clip on its exact time line."""

    time: Fraction
    """Seconds, put on a whole tick where it all but lies on one, in [0, duration]."""
    name: str


class PlayedEvent(NamedTuple):
    """An event that an animator has passed."""

    tick: int
    clip: str
    event: str


class Pass(NamedTuple):
    """One crossing of a mark; sorts in the order play passes them."""

    tick: int
    way: Fraction
    """Seconds of clip time travelled from the layer's start, in either direction."""
    rank: int
    """Tells the marks at one point of a loop's wrap apart: its end before its start, on the way back the reverse."""
    mark: int
    """Index in the clip."""


def passes(layer: Layer, marks: list[Mark], until: int) -> list[Pass]:
    """Return the marks that a layer passes after the last tick it was heard at, up to and with another, in order.

    The first interval is closed at the layer's start. A layer that stands still or weighs nothing passes none.
    """
    if layer.step == 0 or layer.weight == 0.0 or until < layer.start:
        return []
    end = abs(layer.elapsed(until) * layer.step)
    found: list[Pass] = []
    for index, mark in enumerate(marks):
        of_mark = []
        for way, period, rank in _crossings(layer, mark):
            turns = range(1) if period == 0 else range(math.floor((end - way) / period) + 1)
            for turn in turns[-MAX_REPEATS:]:
                crossing = way + turn * period
                if crossing <= end and _is_new(layer, mark, crossing):
                    of_mark.append(Pass(_tick(layer, crossing), crossing, rank, index))
        found += sorted(of_mark)[-MAX_REPEATS:]
    return sorted(found)


def next_tick(layer: Layer, marks: list[Mark]) -> int | None:
    """Return the tick at which a layer passes its next mark, None where it never will."""
    if layer.step == 0 or layer.weight == 0.0:
        return None
    soonest: int | None = None
    for mark in marks:
        for way, period, _ in _crossings(layer, mark):
            crossing = way
            if period > 0:
                crossing += max(0, math.floor((_heard(layer) - way) / period)) * period
                if not _is_new(layer, mark, crossing):
                    crossing += period
            if _is_new(layer, mark, crossing):
                tick = _tick(layer, crossing)
                soonest = tick if soonest is None else min(soonest, tick)
    return soonest


def _crossings(layer: Layer, mark: Mark) -> Iterator[tuple[Fraction, Fraction, int]]:
    """Yield where a layer first crosses a mark, after which period again (0.

    Never), and the rank of these crossings.
    """
    forward = layer.step > 0
    if layer.playback is Playback.ONCE or layer.period == 0:
        way = mark.time - layer.offset if forward else layer.offset - mark.time
        if way >= 0:
            yield way, Fraction(0), 0
    elif layer.playback is Playback.LOOP:
        way = mark.time - layer.offset if forward else layer.offset - mark.time
        yield way % layer.period, layer.period, int((mark.time == layer.period) != forward)
    else:
        turn = 2 * layer.period
        for place in {mark.time % turn, -mark.time % turn}:
            way = place - layer.offset if forward else layer.offset - place
            yield way % turn, turn, 0


def _is_new(layer: Layer, mark: Mark, crossing: Fraction) -> bool:
    """Return whether a crossing lies after what was heard.

    At the open start only what is there, not the wrap before.
    """
    if layer.heard is None:
        at_wrap = layer.playback is Playback.LOOP and mark.time == layer.period > 0
        return crossing > 0 or not at_wrap
    return crossing > _heard(layer)


def _heard(layer: Layer) -> Fraction:
    """Return how far the layer had travelled when it was last heard, in seconds of clip time."""
    return Fraction(0) if layer.heard is None else abs(layer.elapsed(layer.heard) * layer.step)


def _tick(layer: Layer, crossing: Fraction) -> int:
    return layer.start + math.ceil(crossing / abs(layer.step))
